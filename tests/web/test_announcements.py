"""What a screen reader hears of whole deals, in order (complaints.md: "moves no longer voiced")."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from games.engine import DealState, Rules, apply, parse_action, start_deal, view
from games.live import felt, words
from games.live.texts import speaking
from tests.web.snapshots import DEAL, NAMES, NOW, SEATS, deals, deck_of, seat, table
from tests.web.test_felt import announced

SCORE = (6, 7)

SURE = start_deal(Rules(), 0, deck_of({0: "9S9C9DTDTC", 1: "JHJDAHKHAS", 2: "QSTSKSQCKC", 3: "ADKDQDACJS"}, "QH", 0))
"""Tom's hand takes every trick in hearts; Marta deals."""
WEAK = start_deal(Rules(), 3, deck_of({0: "9S9C9DTDTC", 1: "JHJDAHKHAS", 2: "QSTSKSQCKC", 3: "ADKDQDACJS"}, "QH", 3))
"""The same hands; Hazel deals, and Marta ventures it."""


def heard(deal: DealState, actions: str, you: int | None) -> list[str]:
    """What is announced to ``you`` when the cards are dealt and after each of these actions; nothing is told twice."""
    with speaking("en"):
        said = [words.announce(view(deal, you, SCORE), NAMES, you)]
        for text in actions.split():
            deal = apply(deal, parse_action(text))
            if (news := words.announce(view(deal, you, SCORE), NAMES, you)) != said[-1]:
                said.append(news)
    return said


def test_a_deal_from_its_first_card_to_a_euchre() -> None:
    actions = (
        "pass order_up discard:KS together together together together play:KD play:9D play:AD play:QD "
        "play:JH play:JD play:TH play:AH play:9C play:AS play:TC play:KC play:JS play:QS play:TD play:9S play:QC "
        "play:KH play:AC play:QH"
    )
    assert heard(DEAL, actions, 0) == [
        "You dealt. The king of hearts is up.",
        "Tom passed.",
        "Priya ordered up the king of hearts. Trump is hearts. Your turn. Bury one of your six cards. "
        "Or leave the up-card.",
        "You buried a card.",
        "You buried a card. Your turn. Do you go alone?",
        "You buried a card.",
        "Tom led the king of diamonds.",
        "Priya played the nine of diamonds.",
        "Hazel played the ace of diamonds and is winning. Your turn. Follow diamonds. Your left bower is a heart now. "
        "You may play the queen of diamonds or the ten of diamonds.",
        "You played the queen of diamonds. Hazel took the trick. Tricks: us 0, them 1.",
        "Hazel led the jack of hearts. Your turn. Follow hearts. "
        "You may play the jack of diamonds or the king of hearts.",
        "You played the jack of diamonds.",
        "Tom played the ten of hearts.",
        "Priya played the ace of hearts. Hazel took the trick. Tricks: us 0, them 2.",
        "Hazel led the nine of clubs. Your turn. You have no clubs: play any card.",
        "You played the ace of spades.",
        "Tom played the ten of clubs and is winning.",
        "Priya played the king of clubs. Priya took the trick. Tricks: us 1, them 2.",
        "Priya led the jack of spades.",
        "Hazel played the queen of spades and is winning. Your turn. You have no spades: play any card.",
        "You played the ten of diamonds.",
        "Tom played the nine of spades. Hazel took the trick. Tricks: us 1, them 3.",
        "Hazel led the queen of clubs. Your turn. You have no clubs: play any card.",
        "You played the king of hearts and are winning.",
        "Tom played the ace of clubs.",
        "Priya played the queen of hearts. You took the trick. Tricks: us 2, them 3. Euchred! 2 points for them. "
        "Score: us 6, them 9.",
    ]


def test_a_deal_that_is_played_alone_as_its_maker_and_as_the_partner_who_sits_out() -> None:
    actions = (
        "order_up discard:9S alone together together play:QS play:9C play:AS play:JH play:TS play:QH play:JD play:KS "
        "play:9D play:AH play:QC play:TD play:KH play:KC play:TC"
    )
    maker, partner = heard(SURE, actions, 1), heard(SURE, actions, 3)
    assert maker[:6] == [
        "Marta dealt. The queen of hearts is up. Your turn. Pass, or order it up.",
        "You ordered up the queen of hearts. Trump is hearts.",
        "Marta buried a card. Your turn. Do you go alone?",
        "Marta buried a card. You go alone.",
        "Priya led the queen of spades.",
        "Marta played the nine of clubs. Your turn. Follow spades. You may play the ace of spades.",
    ]
    assert maker[7] == "You led the jack of hearts."
    assert maker[-1].endswith("Tricks: us 5, them 0. Alone, all five. 4 points for you. Score: us 11, them 6.")
    assert partner[3:6] == [
        "Marta buried a card. Tom goes alone.",
        "Marta buried a card. Tom goes alone. You sit out.",
        "Priya led the queen of spades.",
    ]
    assert not any("Your turn." in said for said in partner)


def test_a_loner_who_is_euchred() -> None:
    actions = (
        "order_up discard:JS alone together together play:JH play:QH play:9S play:JD play:AD play:9C play:AH play:KD "
        "play:9D play:KH play:QD play:TD play:AS play:AC play:TC"
    )
    assert heard(WEAK, actions, 0)[-1] == (
        "You played the ten of clubs. Tom took the trick. Tricks: us 0, them 5. Euchred! 2 points for them. "
        "Score: us 6, them 9."
    )


def test_a_march_that_is_claimed() -> None:
    actions = "order_up discard:9S together together together together claim"
    assert heard(SURE, actions, 1)[-2:] == [
        "Marta buried a card. Your turn. You lead. You may claim the rest.",
        "You claimed the rest. March. 2 points for you. Score: us 9, them 6.",
    ]
    assert heard(SURE, actions, 2)[-1] == "Tom claimed the rest. March. 2 points for them. Score: us 6, them 9."
    watched = heard(SURE, actions, None)
    assert watched[-1].endswith("2 points for Tom and Hazel. Score: Marta and Priya 6, Tom and Hazel 9.")
    assert not any("Your turn." in said or " you" in said.lower() for said in watched)


def test_two_rounds_that_everybody_passes() -> None:
    assert heard(DEAL, " ".join(["pass"] * 8), 1) == [
        "Marta dealt. The king of hearts is up. Your turn. Pass, or order it up.",
        "You passed.",
        "Priya passed.",
        "Hazel passed.",
        "Marta passed. Everybody passed. The king of hearts is turned down. "
        "Your turn. Name spades, clubs or diamonds, or pass.",
        "You passed.",
        "Priya passed.",
        "Hazel passed.",
        "Marta passed. All passed. Nobody scores.",
    ]


def test_a_suit_named_in_the_second_round() -> None:
    assert heard(DEAL, "pass pass pass pass call:S", 1)[-1] == "You called spades. Your turn. Do you go alone?"
    assert heard(DEAL, "pass pass pass pass call:S", 0)[-1] == "Tom called spades."


@pytest.mark.parametrize(
    ("changes", "news"),
    [
        ({}, None),
        ({"lost_at": NOW - timedelta(seconds=5)}, "Tom has lost the connection."),
        ({"keeper": True}, "A bot plays for Tom now."),
        ({"keeper": True, "left": True}, "Tom left. A bot plays on."),
    ],
)
def test_who_drops_out_is_told_by_his_seat_and_that_he_is_back(changes: dict[str, Any], news: str | None) -> None:
    seats = (SEATS[0], seat(1, **changes), *SEATS[2:])
    frame = felt.render(table(deals()["play follow"], seats=seats), 0)
    assert ("data-news=" in frame) == (news is not None)
    if news:
        assert f'data-news="{news}" data-back="Tom is back."' in frame


def test_the_last_five_seconds_are_told_to_him_alone_whose_turn_it_is() -> None:
    shown = table(deals()["play follow"])
    assert 'data-soon="Five seconds left."' in felt.render(shown, 0)
    assert "data-soon" not in felt.render(shown, 1)


def test_a_frame_tells_when_it_was_made_so_that_no_clock_is_stale() -> None:
    """Complaints: "Switching tab shows a stale clock"."""
    assert f'data-made="{NOW.timestamp() * 1000:.0f}"' in felt.render(table(DEAL), 0)


def test_the_announcements_are_one_live_region_that_waits_its_turn() -> None:
    frame = felt.render(table(DEAL), 0)
    assert frame.count('<div id="announce" class="vh" role="status" aria-live="polite"') == 1
    assert frame.count("aria-live=") == 1
    assert announced(table(DEAL), 1).endswith("Your turn. Pass, or order it up.")
