from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from tests.scale import scale
from tournaments.formats.event import EventError
from tournaments.formats.ladder import (
    Change,
    Entry,
    Kind,
    Rules,
    State,
    advance,
    challenges_open_to,
    correct,
    record,
    replay,
)
from tournaments.formats.words import because

RULES = Rules()


def day(number: float) -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(days=number)


def joined(count: int) -> tuple[Entry, ...]:
    return tuple(Entry(day(0), "join", number) for number in range(1, count + 1))


def after(*steps: tuple[float, Kind, int, int], count: int = 6) -> State:
    state = replay(joined(count), RULES, day(0))
    for at, kind, entrant, other in steps:
        state = record(state, Entry(day(at), kind, entrant, other), RULES)
    return state


def refused(state: State, entry: Entry, told: str, rules: Rules = RULES) -> None:
    with pytest.raises(EventError, match=told) as error:
        record(state, entry, rules)
    assert str(error.value.advice)


def test_join_and_leave() -> None:
    state = after((1, "leave", 3, 0), (1, "join", 7, 0), (2, "join", 3, 0))
    assert state.order == (1, 2, 4, 5, 6, 7, 3)
    assert state.place(4) == 3 and state.place(9) is None
    refused(state, Entry(day(2), "join", 3), "on the ladder already")
    refused(state, Entry(day(2), "leave", 9), "not on the ladder")
    refused(state, Entry(day(2), "challenge", 5, 9), "not on the ladder")


def test_lower_wins() -> None:
    state = after((1, "challenge", 5, 2), (2, "answer", 2, 5), (3, "result", 5, 2))
    assert state.order == (1, 5, 2, 3, 4, 6)
    assert state.challenges == ()
    assert state.changes == (
        Change(day(3), 5, 5, 2, because("won_place")),
        Change(day(3), 2, 2, 3, because("lost_place")),
    )


def test_upper_wins() -> None:
    state = after((1, "challenge", 5, 2), (3, "result", 2, 5))
    assert state.order == (1, 2, 3, 4, 5, 6) and state.challenges == () and state.changes == ()


def test_reach() -> None:
    state = after()
    refused(state, Entry(day(1), "challenge", 5, 1), "4 rungs above #5; allowed are 1 to 3")
    refused(state, Entry(day(1), "challenge", 2, 3), "#3 is not above #2")
    refused(state, Entry(day(1), "challenge", 2, 2), "#2 is not above #2")
    assert challenges_open_to(state, 6, RULES) == (5, 4, 3)
    assert challenges_open_to(state, 1, RULES) == ()
    with pytest.raises(EventError, match="not on the ladder"):
        challenges_open_to(state, 9, RULES)
    fifth = Rules(share=20)
    assert [fifth.rungs(size) for size in (1, 5, 6, 10, 11, 40)] == [1, 1, 2, 2, 3, 8]
    assert challenges_open_to(state, 6, fifth) == (5, 4)


def test_no_answer() -> None:
    state = after((1, "challenge", 5, 2))
    assert advance(state, RULES, day(6)).order == (1, 2, 3, 4, 5, 6), "five days are not over yet"
    late = advance(state, RULES, day(6.1))
    assert late.order == (1, 5, 2, 3, 4, 6) and late.challenges == ()
    assert late.changes[-1] == Change(day(6), 2, 2, 3, because("no_answer"))
    refused(state, Entry(day(7), "answer", 2, 5), "no open challenge between #2 and #5")
    answered = record(state, Entry(day(6), "answer", 2, 5), RULES)
    assert advance(answered, RULES, day(20)).order == (1, 2, 3, 4, 5, 6), "to play it there is no term"
    assert answered.match_of(5) == answered.match_of(2) is not None


def test_refusal() -> None:
    state = after((1, "challenge", 5, 2), (2, "refuse", 2, 5))
    assert state.order == (1, 5, 2, 3, 4, 6)
    assert state.changes[-1].why == because("refused")


def test_answers_that_are_not_due() -> None:
    state = after((1, "challenge", 5, 2))
    refused(state, Entry(day(2), "answer", 5, 2), "5 has no challenge to answer")
    refused(state, Entry(day(2), "answer", 3, 4), "no open challenge")
    refused(state, Entry(day(2), "result", 5, 3), "no open challenge between #5 and #3")
    state = record(state, Entry(day(2), "answer", 2, 5), RULES)
    refused(state, Entry(day(3), "refuse", 2, 5), "2 has no challenge to answer")


def test_rest() -> None:
    state = after((1, "challenge", 3, 2), (2, "result", 2, 3))
    refused(state, Entry(day(15.9), "challenge", 3, 2), "have played within 14 days")
    with pytest.raises(EventError) as error:
        record(state, Entry(day(3), "challenge", 3, 2), RULES)
    assert str(error.value.advice) == "Challenge again from 2026-01-17 00:00 on."
    assert record(state, Entry(day(16), "challenge", 3, 2), RULES).challenges
    assert record(state, Entry(day(3), "challenge", 3, 1), RULES).challenges


def test_busy() -> None:
    state = after((1, "challenge", 5, 3))
    refused(state, Entry(day(2), "challenge", 6, 5), "5 is in a match already")
    refused(state, Entry(day(2), "challenge", 5, 4), "5 is in a match already")
    assert challenges_open_to(state, 6, RULES) == (4,)


def test_leaving_ends_the_match() -> None:
    state = after((1, "challenge", 5, 3), (2, "leave", 3, 0))
    assert state.order == (1, 2, 4, 5, 6) and state.challenges == () and state.active[5] == day(2)


def test_idle() -> None:
    state = after((1, "challenge", 2, 1), (2, "result", 1, 2), count=3)
    assert advance(state, RULES, day(21)).order == (1, 2, 3)
    assert advance(state, RULES, day(23)).order == (1, 2, 3), "the last cannot go down"
    rested = advance(state, RULES, day(23.1))
    assert rested.order == (3, 1, 2), "both who played go down after 21 days, the lower first"
    assert rested.changes == (
        Change(day(23), 2, 2, 3, because("no_game")),
        Change(day(23), 1, 1, 2, because("no_game")),
    )
    assert advance(replay(joined(1), RULES, day(0)), RULES, day(400)).order == (1,)


def test_a_long_ladder_is_idle_for_long() -> None:
    """Whoever lets 200 pairs go down every day makes no page slow by it."""
    state = advance(replay(joined(200), RULES, day(0)), Rules(idle=timedelta(days=1)), day(100.5))
    assert state.order == (*range(101, 201), *range(1, 101)) and len(state.changes) == 199 * 100


def test_not_idle_in_a_match() -> None:
    state = after((20, "challenge", 2, 1), (21, "answer", 1, 2), count=3)
    assert advance(state, RULES, day(90)).order == (1, 2, 3)
    done = record(state, Entry(day(90), "result", 1, 2), RULES)
    assert advance(done, RULES, day(110)).order == (1, 2, 3), "the game counts from its end"


def test_entries_in_order() -> None:
    state = after((5, "challenge", 2, 1))
    refused(state, Entry(day(4), "leave", 6), "before what is already entered")


def test_correction() -> None:
    """The result was the other way round: all that followed from it moves."""
    log = (
        *joined(6),
        Entry(day(1), "challenge", 4, 2),
        Entry(day(2), "result", 4, 2),
        Entry(day(3), "challenge", 4, 1),
        Entry(day(4), "result", 4, 1),
    )
    assert replay(log, RULES, day(5)).order == (4, 1, 2, 3, 5, 6)
    correction = correct(log, 7, Entry(day(2), "result", 2, 4), RULES, day(5))
    assert correction.state.order == (4, 1, 2, 3, 5, 6), "4 beat 1 from further below: out of reach now, but played"
    assert correction.moved == ()
    gone = correct(log, 8, None, RULES, day(5))
    assert gone.state.order == (1, 4, 2, 3, 5, 6)
    assert gone.moved == ((1, 2, 1), (4, 1, 2))
    assert gone.state.ignored == (log[9],), "a result without its challenge"
    never = correct(log, 3, None, RULES, day(5))
    assert never.moved[-1] == (4, 1, None) and len(never.state.ignored) == 4
    assert correct(log, 0, log[0], RULES, day(5)).moved == ()


def events(seed: int) -> list[Entry]:
    """A log of what is allowed, at random."""
    lots = random.Random(seed)
    state = State()
    time = 0.0
    for _ in range(120):
        time += lots.choice([0, 0.5, 1, 3])
        kind: Kind = lots.choice(
            ["join", "leave", "challenge", "challenge", "challenge", "answer", "refuse", "result", "result"]
        )
        one, other = lots.sample(range(1, 13), 2)
        entry = Entry(day(time), kind, one, other if kind not in ("join", "leave") else 0)
        if kind in ("answer", "refuse", "result") and state.challenges:
            match = lots.choice(state.challenges)
            entry = Entry(day(time), kind, match.upper, match.lower)
            if kind == "result" and lots.random() < 0.5:
                entry = Entry(day(time), kind, match.lower, match.upper)
        before = state
        try:
            state = record(state, entry, RULES)
        except EventError:
            assert state is before
            continue
        members = set(state.order)
        assert len(members) == len(state.order), "a permutation"
        assert all(match.pair <= members for match in state.challenges)
        assert len({one for match in state.challenges for one in match.pair}) == 2 * len(state.challenges)
        assert set(state.active) == members
    return list(state.log)


def test_replay_is_the_state() -> None:
    for seed in range(scale(2_000, 8)):
        log = events(seed)
        end = log[-1].at + timedelta(days=60)
        state = State()
        for entry in log:
            state = record(state, entry, RULES)
            assert replay(log[: len(state.log)], RULES, entry.at) == state
        assert not state.ignored
        whole = advance(state, RULES, end)
        assert replay(log, RULES, end) == whole
        for step in range(0, 61, 7):
            state = advance(state, RULES, log[-1].at + timedelta(days=step))
        assert advance(state, RULES, end) == whole
        assert advance(whole, RULES, day(0)) == whole, "time does not go back"


def test_any_correction_can_be_replayed() -> None:
    for seed in range(scale(500, 4)):
        log = tuple(events(seed))
        lots = random.Random(seed)
        for _ in range(15):
            number = lots.randrange(len(log))
            entry = lots.choice([None, Entry(log[number].at, "result", log[number].other, log[number].entrant)])
            correction = correct(log, number, entry, RULES, log[-1].at)
            before = replay(log, RULES, log[-1].at)
            for entrant, old, new in correction.moved:
                assert (old, new) == (before.place(entrant), correction.state.place(entrant))
            assert len(set(correction.state.order)) == len(correction.state.order)


def test_new_rules() -> None:
    """Five days of idleness instead of 21 from day 10 on: down then, not on day 5; one rung, not two."""
    log = joined(3)
    strict = Rules(idle=timedelta(days=5), answer=timedelta(days=2))
    course = ((day(0), RULES), (day(10), strict))
    assert replay(log, course, day(9)) == replay(log, RULES, day(9))
    state = replay(log, course, day(12))
    assert {(change.at, change.entrant, change.new) for change in state.changes} == {(day(10), 1, 2), (day(10), 2, 3)}
    assert replay(log, course, day(11)).order == replay(log, course, day(15)).order == (3, 1, 2)
    log = (*log, Entry(day(7), "challenge", 3, 2), Entry(day(11), "answer", 2, 3))
    state = replay(log, course, day(11))
    assert [one.at for one in state.changes if one.why == because("no_answer")] == [day(10)]
    assert state.ignored == (log[-1],)
    back = replay(log, (*course, (day(12), RULES)), day(30))
    assert back.changes == replay(log, course, day(12)).changes


def test_opened_again() -> None:
    """On day 100, after nothing could happen from day 10 on: nobody has moved, no challenge is open."""
    still = Rules(idle=timedelta(days=9999), answer=timedelta(days=9999))
    course = ((day(0), RULES), (day(10), still), (day(100.01), RULES))
    log = (*joined(3), Entry(day(9), "challenge", 3, 2), Entry(day(100), "reopen", 0))
    state = replay(log, course, day(101))
    assert (state.order, state.challenges, state.changes) == ((1, 2, 3), (), ())
    assert [change.at for change in replay(log, course, day(122)).changes] == [day(121), day(121)]
