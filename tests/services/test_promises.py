"""What a table promises before its cards, and what browsers add to it."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games import fairness
from games.live import felt
from games.models import Deal, DealCounts, Game, Player, Seat, Table
from games.selectors.counts import read_counts
from games.selectors.games import read_evidence
from games.selectors.tables import load_table
from games.services import clock, counts, play, seating
from games.services.errors import UserError
from tests.services.conftest import play_out_deal, submit

pytestmark = pytest.mark.django_db

A, B = "a" * 32, "b" * 32


@pytest.fixture
def waiting(cast) -> int:
    """A table that north has opened."""
    return seating.open_table(host=cast.north, ranked=True, pace=20, rules="article")


def fill_up(table_id: int, cast, **nonces: str) -> None:
    for index, name in ((1, "east"), (2, "south"), (3, "west")):
        seating.sit(table_id=table_id, player_id=getattr(cast, name).pk, index=index, nonce=nonces.get(name, ""))


def add(table_id: int, player: Player, nonce: str) -> None:
    play.submit_action(table_id=table_id, player_id=player.pk, action="nonce", nonce=nonce)


def chain_of(game: Game) -> fairness.Chain:
    return fairness.parse_chain(game.chains)


def go_on(table_id: int) -> None:
    Table.objects.filter(pk=table_id).update(due_at=timezone.now() - timedelta(seconds=1))
    clock.sweep(timezone.now())


def play_to_the_end(table_id: int) -> None:
    while Table.objects.get(pk=table_id).phase != Table.Phase.OVER:
        play_out_deal(table_id)
        if Table.objects.get(pk=table_id).phase == Table.Phase.BETWEEN:
            go_on(table_id)


def test_a_table_is_committed_before_anybody_could_add_anything(waiting):
    table = Table.objects.get(pk=waiting)
    assert table.commitment == fairness.commitment(bytes(table.next_seed))
    assert len(bytes(table.next_seed)) == 32
    assert not Seat.objects.exclude(nonce="").exists()


def test_the_game_uses_the_chain_that_was_promised_and_the_nonces_in_seat_order(cast, waiting):
    promised = Table.objects.get(pk=waiting).commitment
    add(waiting, cast.north, A)
    fill_up(waiting, cast, south=B)
    chain = chain_of(Game.objects.get())
    assert chain.commitment == promised
    assert [nonce.by for nonce in chain.nonces] == ["browser", "server", "browser", "server"]
    assert (chain.added[0], chain.added[2]) == (A, B)
    assert Game.objects.get().first_dealer == Table.objects.get().dealer


def test_every_deal_of_a_played_game_passes_the_check(cast, waiting):
    add(waiting, cast.north, A)
    fill_up(waiting, cast)
    play_to_the_end(waiting)
    evidence = read_evidence(Game.objects.get())
    assert evidence.checked
    assert not any(deal.faults for deal in evidence.checked)


def test_the_first_nonce_of_a_seat_counts(cast, waiting):
    add(waiting, cast.north, A)
    add(waiting, cast.north, B)
    assert Seat.objects.get(table_id=waiting, index=0).nonce == A


def test_a_nonce_after_the_first_card_changes_nothing(cast, table):
    before = Table.objects.get(pk=table).revision
    add(table, cast.north, A)
    assert not Seat.objects.exclude(nonce="").exists()
    assert Table.objects.get(pk=table).revision == before
    assert A not in Game.objects.get().chains


@pytest.mark.parametrize("text", ["", "a", "A" * 32, "a" * 33, "<script>"])
def test_what_is_no_nonce_is_refused(cast, waiting, text):
    with pytest.raises(UserError, match="32 hexadecimal digits"):
        add(waiting, cast.north, text)


def test_who_has_no_seat_adds_nothing(cast, waiting):
    with pytest.raises(UserError, match="Only those who sit"):
        add(waiting, cast.stranger, A)


def test_a_nonce_that_is_none_does_not_keep_anybody_from_sitting(cast, waiting):
    seating.sit(table_id=waiting, player_id=cast.east.pk, index=1, nonce="nonsense")
    assert Seat.objects.get(table_id=waiting, index=1).nonce == ""


def test_the_nonce_moves_with_its_player_and_goes_with_him(cast, waiting):
    add(waiting, cast.north, A)
    seating.sit(table_id=waiting, player_id=cast.north.pk, index=3, nonce=B)
    assert list(Seat.objects.filter(table_id=waiting).order_by("index").values_list("nonce", flat=True)) == [
        "",
        "",
        "",
        A,
    ]
    seating.sit(table_id=waiting, player_id=cast.east.pk, index=0)
    submit(waiting, cast.north, "leave")
    assert not Seat.objects.exclude(nonce="").exists()


# --- the rematch, and a chain that ends ----------------------------------------------------------


def test_the_rematch_is_promised_when_the_game_ends_and_takes_nonces_until_it_begins(cast, waiting):
    add(waiting, cast.north, A)
    fill_up(waiting, cast)
    first = Table.objects.get(pk=waiting).commitment
    play_to_the_end(waiting)
    second = Table.objects.get(pk=waiting).commitment
    assert second != first
    assert not Seat.objects.exclude(nonce="").exists(), "the old nonces are void"
    add(waiting, cast.north, B)
    for name in ("north", "east", "south", "west"):
        submit(waiting, getattr(cast, name), "rematch")
    game = Game.objects.latest("pk")
    assert chain_of(game).commitment == second
    assert chain_of(game).added[0] == B


def test_a_game_longer_than_its_chain_goes_on_with_the_next_one_promised_in_time(cast, waiting, monkeypatch):
    monkeypatch.setattr(fairness, "LENGTH", 2)
    Table.objects.filter(pk=waiting).update(next_seed=b"")  # promised for two deals instead of 200
    fill_up(waiting, cast)
    first = Table.objects.get(pk=waiting).commitment
    play_out_deal(waiting)
    go_on(waiting)
    second = Table.objects.get(pk=waiting).commitment
    assert second != first, "promised while the last deal of the chain is played"
    add(waiting, cast.east, B)
    play_to_the_end(waiting)
    chains = [fairness.parse_chain(line) for line in Game.objects.get().chains.splitlines()]
    assert [chain.first for chain in chains] == list(range(1, 2 * len(chains), 2))
    assert chains[1].commitment == second
    assert chains[1].added[1] == B
    evidence = read_evidence(Game.objects.get())
    assert len(evidence.checked) > 2
    assert not any(deal.faults for deal in evidence.checked)


def test_browsers_are_asked_again_while_the_last_deal_of_a_chain_is_played(cast, waiting, monkeypatch):
    monkeypatch.setattr(fairness, "LENGTH", 2)
    Table.objects.filter(pk=waiting).update(next_seed=b"")

    def asked() -> list[bool]:
        snapshot = load_table(waiting)
        return ['data-nonce="wanted"' in felt.render(snapshot, place) for place in (0, 3, None)]

    assert asked() == [True, True, False], "before the first card"
    fill_up(waiting, cast)
    for number in range(1, 5):
        wanted = [number % 2 == 0] * 2 + [False]
        assert asked() == wanted, f"deal {number}"
        play_out_deal(waiting)
        if Table.objects.get(pk=waiting).phase == Table.Phase.OVER:
            break
        assert asked() == wanted, f"after deal {number}"
        if wanted[0]:
            add(waiting, cast.west, f"{number:032x}")
        go_on(waiting)
    assert number > 2
    second = fairness.parse_chain(Game.objects.get().chains.splitlines()[1])
    assert second.added[3] == f"{2:032x}"
    assert [nonce.by for nonce in second.nonces] == ["server"] * 3 + ["browser"]


# --- quick match -----------------------------------------------------------------------------------


def quick(player: Player, nonce: str = "") -> int:
    return seating.quick_match(player_id=player.pk, ranked=True, pace=20, stick="no", nonce=nonce, scripts=bool(nonce))


def test_without_scripts_bots_come_at_once(cast, bots_about):
    assert Table.objects.get(pk=quick(cast.north)).phase != Table.Phase.OPEN


def test_with_scripts_the_game_waits_for_a_nonce_that_could_see_the_commitment(cast, bots_about):
    table_id = quick(cast.north, A)
    assert Table.objects.get(pk=table_id).phase == Table.Phase.OPEN
    assert not Seat.objects.exclude(nonce="").exists(), "the nonce of the form came before the commitment"
    add(table_id, cast.north, B)
    assert Table.objects.get(pk=table_id).phase != Table.Phase.OPEN
    assert B in Game.objects.get().chains
    assert A not in Game.objects.get().chains


def test_a_nonce_that_never_comes_holds_nothing_up(cast, bots_about):
    table_id = quick(cast.north, A)
    clock.sweep(timezone.now() + seating.FOR_A_NONCE)
    assert Table.objects.get(pk=table_id).phase != Table.Phase.OPEN
    assert {nonce.by for nonce in chain_of(Game.objects.get()).nonces} == {"server"}


def test_at_a_table_that_was_there_before_the_nonce_of_the_form_counts(cast, waiting):
    fill = {"east": 1, "south": 2}
    for name, index in fill.items():
        seating.sit(table_id=waiting, player_id=getattr(cast, name).pk, index=index)
    assert quick(cast.west, A) == waiting
    assert chain_of(Game.objects.get()).added[3] == A


# --- counting ------------------------------------------------------------------------------------


def test_deals_are_counted_once_and_a_minute_after_they_were_scored(cast, table):
    play_to_the_end(table)
    now = timezone.now()
    assert counts.count_deals(now) == 0
    played = Deal.objects.count()
    assert counts.count_deals(now + timedelta(minutes=2)) == played
    assert counts.count_deals(now + timedelta(minutes=2)) == 0
    (kind,) = read_counts().kinds
    assert kind.deals == played
    assert sum(line.count for line in kind.up.lines) == played
    assert sum(line.count for line in kind.left.lines) == played
    assert sum(line.count for line in kind.right.lines) <= played


def test_of_two_who_count_at_once_one_does_nothing(cast, table, monkeypatch):
    play_to_the_end(table)
    later = timezone.now() + timedelta(minutes=2)
    add_one = counts._add

    def interrupted(*args):
        monkeypatch.setattr(counts, "_add", add_one)
        counts.count_deals(later)
        add_one(*args)

    monkeypatch.setattr(counts, "_add", interrupted)
    assert counts.count_deals(later) == 0
    assert read_counts().deals == Deal.objects.count()


def test_a_batch_has_its_size_and_the_page_one_query(cast, table, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(counts, "BATCH", 2)
    play_to_the_end(table)
    later = timezone.now() + timedelta(minutes=2)
    assert counts.count_deals(later) == 2
    assert DealCounts.objects.get().last_deal == Deal.objects.order_by("pk")[1].pk
    with django_assert_num_queries(1):
        assert read_counts().deals == 2
