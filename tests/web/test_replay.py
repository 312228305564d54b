"""Replays: every deal of a finished game, and nothing of a game that is being played."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import engine, fairness
from games.models import Deal, Game, Participation, RatingChange, Table
from games.selectors.games import StillPlayed, lay_out, read_egn, read_record, read_replay
from games.services import seating
from tests.factories import Cast, make_bots, make_cast, play_game

pytestmark = pytest.mark.django_db

CARDS = engine.pack()


@pytest.fixture
def cast() -> Cast:
    return make_cast()


@pytest.fixture
def game(cast: Cast) -> Game:
    return play_game(cast.seated, seed=3)


class Felt(HTMLParser):
    """The cards of a page by where they are: shown in a hand, gone from it, on the mat."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.held: set[str] = set()
        self.gone: set[str] = set()
        self.mat: set[str] = set()
        self.feed(page[page.index('id="replay"') : page.index('class="rp__bar"')])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        marks = dict(attrs)
        card = marks.get("data-card")
        if not card or "hidden" in marks:
            return
        if "data-gone" not in marks:
            self.mat.add(card)
        elif "is-gone" in str(marks["class"]) or "is-now" in str(marks["class"]):
            self.gone.add(card)
        else:
            self.held.add(card)


def page_of(client: Client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


class TestAFinishedGame:
    def test_every_step_of_every_deal_shows_the_cards_where_the_engine_has_them(self, client: Client, game: Game):
        rules = engine.parse_rules(game.rules)
        for deal in list(game.deals.all())[:4]:
            state = engine.start_deal(rules, deal.dealer, engine.parse_deck(deal.deck))
            step = 0
            for action in (None, *engine.parse_actions(deal.actions)):
                if action is not None:
                    state = engine.apply(state, action)
                    step += action.kind != "together"
                    if action.kind == "together":
                        continue
                felt = Felt(page_of(client, f"/games/{game.pk}/?deal={deal.number}&step={step}"))
                out = {card for seat in state.sitting_out for card in state.hands[seat]}
                if state.phase == "play":
                    assert felt.held == {card for hand in state.hands for card in hand} - out
                    on_mat = state.trick or (state.tricks[-1].plays if state.tricks else ())
                    assert felt.mat == {card for _seat, card in on_mat}
                elif state.phase == "bid1":
                    assert felt.mat == {state.up_card}
                    assert felt.held == {card for hand in state.hands for card in hand}

    def test_it_opens_at_the_first_deal_before_the_first_move(self, client: Client, game: Game):
        page = page_of(client, f"/games/{game.pk}/")
        assert "Deal 1 of" in page
        assert "Move 0 of" in page
        assert len(Felt(page).held) == 20

    def test_the_score_stands_after_each_deal(self, client: Client, game: Game):
        page = page_of(client, f"/games/{game.pk}/")
        table = page[page.index('class="deals"') : page.index("</table>", page.index('class="deals"'))]
        scores = re.findall(r'<td class="num nowrap"><b>(\d+)</b>', table)
        assert (int(scores[-2]), int(scores[-1])) == (game.score_0, game.score_1)
        assert len(scores) == 2 * game.deals.count()

    def test_moves_of_a_bot_or_the_clock_in_a_players_place_are_marked(self, client: Client, cast: Cast):
        marked = play_game(cast.seated, marks="hbc")
        page = page_of(client, f"/games/{marked.pk}/?deal=1")
        assert "<small>bot</small>" in page
        assert "<small>clock</small>" in page
        assert "<small>bot</small>" not in page_of(client, f"/games/{play_game(cast.seated).pk}/")

    def test_the_viewer_sits_south(self, client: Client, cast: Cast, game: Game):
        def south(page: str) -> str:
            at = page.index('<div class="rp__h ps"')
            return re.search(r'aria-label="(.*?)"', page[at:]).group(1)  # type: ignore[union-attr]

        assert south(page_of(client, f"/games/{game.pk}/")) == "North"
        client.force_login(cast.west)
        assert south(page_of(client, f"/games/{game.pk}/")) == "West"

    def test_the_changes_of_the_ratings_are_shown(self, client: Client, game: Game):
        """Complaint: bot games silently unrated (try: every rated game has a visible delta)."""
        page = page_of(client, f"/games/{game.pk}/")
        for change in RatingChange.objects.all():
            assert f"{change.mu_before:.0f} → <b>{change.mu_after:.0f}</b>" in page

    def test_a_game_whose_ratings_were_taken_back_says_so(self, client: Client, game: Game):
        Game.objects.update(voided_at=timezone.now())
        page = page_of(client, f"/games/{game.pk}/")
        assert "Staff took back the rating changes of this game" in page
        assert "→ <b>" not in page

    def test_the_link_to_share_leads_to_this_position(self, client: Client, game: Game):
        page = page_of(client, f"/games/{game.pk}/?deal=2&step=3")
        assert f'value="http://testserver/games/{game.pk}/?deal=2&amp;step=3"' in page

    def test_steps_lead_through_the_whole_game_by_links(self, client: Client, cast: Cast):
        game = play_game(cast.seated, seed=3, ranked=False, rules="article target_score=5")
        address, seen = f"/games/{game.pk}/", 0
        while address:
            page = page_of(client, address)
            seen += 1
            href = re.search(r'data-to="on" href="(.*?)"', page)
            address = f"/games/{game.pk}/{href.group(1).replace('&amp;', '&')}" if href else ""
        moves = sum(action != "together" for deal in game.deals.all() for action in deal.actions.split())
        assert seen == moves + game.deals.count()

    @pytest.mark.parametrize(
        "query",
        ["?deal=0&step=99", "?deal=9999", "?deal=-1", "?deal=x&step=y", "?step=99999999999999999999", "?deal=%00"],
    )
    def test_numbers_out_of_range_become_the_nearest(self, client: Client, game: Game, query: str):
        assert 'id="replay"' in page_of(client, f"/games/{game.pk}/{query}")

    def test_somebody_who_is_gone_is_a_former_player(self, client: Client, cast: Cast, game: Game):
        cast.east.delete()
        page = page_of(client, f"/games/{game.pk}/")
        assert "a former player" in page
        assert "East" not in page

    def test_a_deal_that_all_passed_is_replayed(self, client: Client, game: Game):
        """R31"""
        Deal.objects.filter(game=game, number=1).update(
            actions="pass " * 7 + "pass",
            played_by="h" * 8,
            maker=None,
            trump="",
            tricks_0=0,
            tricks_1=0,
            points_0=0,
            points_1=0,
        )
        assert "All passed" in page_of(client, f"/games/{game.pk}/?deal=1&step=8")

    def test_the_dealer_may_bury_the_card_just_taken(self):
        """G5"""
        start = engine.start_deal(engine.PRESETS["article"], 3, engine.pack())
        state = start
        for text in ("pass", "pass", "pass", "order_up", f"discard:{start.up_card}", *["together"] * 4):
            state = engine.apply(state, engine.parse_action(text))
        while state.phase != "done":
            state = engine.apply(state, engine.legal_actions(state)[0])
        line = type("Line", (), {})
        deal = lay_out(start, state, "", line, (0, 0))  # type: ignore[arg-type]
        buried = [held for held in deal.hands[3] if held.card == start.up_card]
        assert [(held.since, held.gone) for held in buried] == [(5, 5)]
        assert sum(len(hand) for hand in deal.hands) == 21

    def test_the_number_of_queries_does_not_grow_with_the_game(self, client: Client, cast: Cast, game: Game):
        with CaptureQueriesContext(connection) as few:
            client.get(f"/games/{game.pk}/")
        longer = play_game(cast.seated, seed=5)
        assert longer.deals.count() != game.deals.count()
        with CaptureQueriesContext(connection) as many:
            client.get(f"/games/{longer.pk}/")
        assert len(many) == len(few) == 5

    def test_nobody_who_is_not_there_is_found(self, client: Client):
        assert client.get("/games/987654/").status_code == 404
        assert client.get("/games/99999999999999999999999/").status_code == 404

    def test_no_game_without_a_finished_deal_breaks_the_page(self, client: Client, game: Game):
        game.deals.all().delete()
        Game.objects.update(status=Game.Status.ENDED)
        page = client.get(f"/games/{game.pk}/").content.decode()
        assert "Nothing to replay" in page
        assert "Staff ended this game" in page


class TestTheRecord:
    def test_it_is_a_text_that_replays_to_the_same_score(self, client: Client, game: Game):
        response = client.get(f"/games/{game.pk}/record/")
        assert response["Content-Type"].startswith("text/plain")
        assert "attachment" in response["Content-Disposition"]
        replayed = engine.replay(engine.parse_game(fairness.split_record(response.content.decode())[0]))
        assert replayed.scores[-1] == (game.score_0, game.score_1)


class TestAGameBeingPlayed:
    @pytest.fixture
    def running(self, cast: Cast) -> Game:
        """A running game with a finished deal behind it."""
        rules = seating.rules_text(stick_the_dealer=False)
        table_id = seating.open_table(host=cast.north, ranked=True, pace=20, rules=rules)
        for index, player in ((1, cast.east), (2, cast.south), (3, cast.west)):
            seating.sit(table_id=table_id, player_id=player.pk, index=index)
        running = Game.objects.get()
        Deal.objects.create(
            game=running, number=1, dealer=0, secret=bytes(32), deck=engine.format_deck(CARDS),
            actions="pass " * 7 + "pass", played_by="h" * 8,
        )  # fmt: skip
        return running

    @pytest.mark.parametrize("address", ["", "?deal=1&step=3", "record/", "record.egn.json"])
    def test_it_shows_no_card_to_anybody(self, client: Client, cast: Cast, running: Game, address: str):
        table = Table.objects.get(game=running)
        assert len(table.deck) == 48, "there is something to hide"
        for viewer in (None, cast.north, cast.stranger):
            if viewer:
                client.force_login(viewer)
            response = client.get(f"/games/{running.pk}/{address}")
            page = response.content.decode()
            assert response.status_code == 404
            assert "data-card" not in page
            assert table.deck not in page
            assert not re.search(r"\b(?:Nine|Ten|Jack|Queen|King|Ace) of \w+", page)
            assert bytes(table.seed).hex() not in page

    def test_it_sends_to_the_table(self, client: Client, running: Game):
        page = client.get(f"/games/{running.pk}/").content.decode()
        assert "Being played now" in page
        assert f'href="/tables/{running.table_id}/"' in page

    def test_the_selectors_themselves_refuse(self, running: Game):
        with pytest.raises(StillPlayed):
            read_replay(running, 1)
        with pytest.raises(StillPlayed):
            read_record(running)
        with pytest.raises(StillPlayed):
            read_egn(running, "")


def test_bots_sit_in_the_replay_with_the_word(client: Client, cast: Cast):
    game = play_game([cast.north, *make_bots()])
    page = page_of(client, f"/games/{game.pk}/")
    assert page.count("<small>bot</small>") == 3
    assert Participation.objects.filter(game=game, rating_change__isnull=False).count() == 1
