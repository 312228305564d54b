"""Games by other rules than the article's, through the same door: packs, players, house rules."""

from __future__ import annotations

import random

import pytest

from games import engine
from games.models import Deal, Game, Participation, Table
from games.selectors import tables
from games.services import seating
from games.services.errors import UserError
from tests.engine.any_rules import random_rules
from tests.services.conftest import choices, on_turn, submit

PRESETS = [name for name in engine.PRESETS if name not in ("article", "tournament_scene")]


@pytest.fixture
def begin(cast):
    """Begin a friendly game by these rules; the table's id."""

    def begin(rules: engine.Rules) -> int:
        text = engine.format_rules(rules)
        table_id = seating.open_table(host=cast.north, ranked=False, pace=20, rules=text)
        for index, player in enumerate((cast.east, cast.south, cast.west)[: rules.players - 1], start=1):
            seating.sit(table_id=table_id, player_id=player.pk, index=index)
        return table_id

    return begin


def play_out(table_id: int, rng: random.Random, *, deals: int = 999) -> tables.LiveRow:
    """Everybody plays at random until the game, or so many deals, are over."""
    while True:
        row = tables.read_row(table_id)
        if row.phase == Table.Phase.OVER:
            return row
        if row.phase == Table.Phase.BETWEEN:
            deals -= 1
            if not deals:
                return row
            for seat in tables.seats_of(row):
                play_next(table_id, seat.player_id)
            continue
        submit(table_id, on_turn(table_id), rng.choice(choices(table_id)), alone=rng.choice((True, False, None)))


def play_next(table_id: int, player_id: int) -> None:
    from games.services import play

    play.submit_action(table_id=table_id, player_id=player_id, action="next")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_game_of_each_preset_is_played_to_its_end_and_recorded(preset, begin):
    rules = engine.PRESETS[preset]
    table_id = begin(rules)
    assert len(tables.seats_of(tables.read_row(table_id))) == rules.players
    row = play_out(table_id, random.Random(preset))
    game = Game.objects.get()
    record = engine.GameRecord(
        rules,
        game.first_dealer,
        tuple(engine.DealRecord(engine.parse_deck(d.deck), engine.parse_actions(d.actions)) for d in game.deals.all()),
    )
    played = engine.replay(record)
    assert (played.scores[-1], played.winner) == (row.score, rules.side(game.participations.filter(won=True)[0].seat))
    assert game.participations.count() == rules.players
    over = tables.game_over(game.pk)
    assert over.winner == played.winner
    assert [line.score for line in over.deals] == list(played.scores)


def test_twenty_sets_of_house_rules_are_played_for_two_deals_each(begin, cast):
    rng = random.Random(8)
    for _ in range(20):
        table_id = begin(random_rules(rng))
        row = play_out(table_id, rng, deals=2)
        assert sum(
            deal.points_0 + deal.points_1 + deal.points_2 for deal in Deal.objects.filter(game=row.game_id)
        ) == sum(row.score)
        Table.objects.filter(pk=table_id).delete()


def test_only_the_rated_rules_may_be_ranked(cast):
    for rules in ("article", "article stick_the_dealer=on"):
        assert seating.is_rated(rules)
    with pytest.raises(UserError, match="Make it a friendly table"):
        seating.open_table(host=cast.north, ranked=True, pace=20, rules="article claim=off")


def test_laps_open_the_next_game_of_the_same_four_and_end_with_their_company_V6(begin, cast):
    table_id = begin(engine.Rules(laps=True, target_score=5))
    rng = random.Random(1)
    for _ in range(40):
        row = play_out(table_id, rng)
        carry = engine.parse_match(row.match).carry
        winner = engine.winner(row.score, engine.parse_rules(row.rules))
        assert carry[winner] == row.score[winner] - 5
        for player in (cast.north, cast.east, cast.south, cast.west):
            submit(table_id, player, "rematch")
        row = tables.read_row(table_id)
        assert row.score == carry
        assert Game.objects.get(pk=row.game_id).start == engine.format_score(carry)
        if any(carry):
            break
    assert any(carry)


def with_laps(begin) -> tuple[int, int]:
    """A two-handed table whose next game starts with a lap: its id, and the seat of the winner."""
    table_id = begin(engine.Rules(players=2, alone_who="none", laps=True, target_score=5))
    row = tables.read_row(table_id)
    Table.objects.filter(pk=table_id).update(score_0=4, score_1=4)
    row = play_out(table_id, random.Random(1))
    winner = engine.winner(row.score, engine.parse_rules(row.rules))
    carry = tuple(1 if seat == winner else 0 for seat in range(2))
    Table.objects.filter(pk=table_id).update(match=engine.format_match(engine.Match((1, 0), carry)))
    return table_id, winner


def test_a_lap_does_not_go_to_who_takes_the_winners_seat_V6(begin, cast, bots_about):
    table_id, winner = with_laps(begin)
    here = [cast.north, cast.east]
    submit(table_id, here[winner], "leave")
    submit(table_id, here[1 - winner], "rematch")
    if not tables.read_row(table_id).running:
        seating.sit(table_id=table_id, player_id=cast.stranger.pk)
    assert tables.read_row(table_id).running
    assert tables.read_row(table_id).score == (0, 0)


def test_a_lap_stays_with_its_company_V6(begin, cast):
    table_id, winner = with_laps(begin)
    for player in (cast.north, cast.east):
        submit(table_id, player, "rematch")
    assert tables.read_row(table_id).score[winner] == 1


def test_no_game_begins_won_however_far_the_last_one_went_V6():
    rules = engine.Rules(players=3, alone_who="none", laps=True, target_score=5)
    match = engine.Match((0, 0, 0), (0, 0, 0)).after((14, 15, 9), rules)
    assert match.carry == (0, 4, 0)
    assert engine.winner(match.carry, rules) is None


def test_a_declared_weak_hand_is_dealt_again_by_the_same_dealer_O13(begin, cast, stack_deal):
    table_id = begin(engine.Rules(weak_hand="farmers_redeal"))
    rest = [card for card in engine.pack() if card not in engine_cards("9CTC9DTD9S")]
    dealt = list(engine_cards("9CTC9D")) + rest[:7] + list(engine_cards("TD9S")) + rest[7:]
    stack_deal(table_id, engine.format_deck(dealt), 3)
    row = tables.read_row(table_id)
    assert row.phase == Table.Phase.BETWEEN
    assert row.score == (0, 0)
    for player in (cast.north, cast.east, cast.south, cast.west):
        submit(table_id, player, "next")
    row = tables.read_row(table_id)
    assert (row.dealer, row.deal_number) == (3, 2)


def engine_cards(text: str) -> tuple[str, ...]:
    return tuple(text[at : at + 2] for at in range(0, len(text), 2))


def test_nobody_is_asked_about_a_weak_hand_for_the_question_would_tell_O13(begin):
    rng = random.Random(4)
    table_id = begin(engine.Rules(weak_hand="farmers_swap"))
    for _ in range(3):
        assert tables.read_row(table_id).phase in ("bid1", "swap")
        row = play_out(table_id, rng, deals=1)
        for seat in tables.seats_of(row):
            play_next(table_id, seat.player_id)


def test_a_fixed_number_of_deals_ends_the_game_O22(begin):
    table_id = begin(engine.Rules(num_deals=4, stick_the_dealer=True))
    row = play_out(table_id, random.Random(5))
    assert row.deal_number >= 4
    assert row.score[0] != row.score[1]


def test_the_switch_for_going_alone_makes_the_call_a_lone_one_where_it_is_said_with_the_call_O20(begin):
    table_id = begin(engine.Rules(alone_timing="with_call", defend_alone="off"))
    row = tables.read_row(table_id)
    submit(table_id, on_turn(table_id), "order_up", alone=True)
    assert tables.read_row(table_id).actions == "order_up_alone"
    assert tables.read_row(table_id).deal().loners == (row.turn,)


def test_a_claim_ends_the_deal_O16(begin, stack_deal, cast):
    table_id = begin(engine.Rules(alone_who="none"))
    eldest = engine_cards("JSJCASKSQS")
    rest = [card for card in engine.pack() if card not in eldest]
    stack_deal(table_id, engine.format_deck([*eldest[:3], *rest[:7], *eldest[3:], *rest[7:]]), 3)
    for action in ("pass", "pass", "pass", "pass"):
        submit(table_id, on_turn(table_id), action)
    barred = tables.read_row(table_id).deal().up_card[1]
    assert barred != "S"
    submit(table_id, cast.north, "call:S")
    assert choices(table_id)[-1] == "claim"
    submit(table_id, cast.north, "claim")
    row = tables.read_row(table_id)
    assert row.phase == Table.Phase.BETWEEN
    assert row.score == (2, 0)
    assert Participation.objects.count() == 4
