"""Playbooks: whole events by nothing but a plan, and settings of any kind."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import replace

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.formats.arena import Moment
from tournaments.formats.event import (
    CannotPair,
    Constraints,
    Draw,
    DrawnTable,
    Entrant,
    EventError,
    NotPlayed,
    Result,
    Round,
    Snapshot,
    Table,
)
from tournaments.formats.words import MORE, TEXTS, words
from tournaments.playbook import PLAYBOOKS, Plan, advice, choose, texts


def event(count: int, planned: int = 0) -> Snapshot:
    return Snapshot(tuple(Entrant(number, number) for number in range(1, count + 1)), planned=planned)


def game(plan: Plan, dice: random.Random, label: str) -> tuple[tuple[int, int], int | None]:
    """Points of a game played hand by hand by lot, and who won an extra hand."""
    points = [0, 0]
    hands = plan.score.hands
    played = 0
    while played < hands or (not hands and max(points) < plan.score.target):
        side, worth = dice.randrange(2), dice.choice((1, 1, 1, 2, 2, 4))
        points[side] += worth
        played += 1
    level = points[0] == points[1]
    settled = plan.score.ties == "extra_hand" or label.startswith(("R", "W", "L", "F", "T"))
    return (points[0], points[1]), dice.randrange(2) if level and settled else None


def outcome(plan: Plan, table: DrawnTable | Table, dice: random.Random, no_shows: float = 0.05) -> Result:
    luck = dice.random()
    if luck < no_shows / 5:
        return Result(outcome="double_forfeit")
    if luck < no_shows:
        return Result(outcome="forfeit", absent=dice.randrange(2))
    if plan.book.key == "duplicate":
        first = plan.number("deals") * (int(table.label[1:]) - 1) + 1
        deals = {deal: dice.choice((-4, -2, -1, 1, 2, 4)) for deal in range(first, first + plan.number("deals"))}
        return plan.result((0, 0), deals=deals, label=table.label)
    points, winner = game(plan, dice, table.label)
    return plan.result(points, winner, {"loners": {table.sides[0][0]: 0}}, table.sides, label=table.label)


def finished(snapshot: Snapshot, draw: Draw, plan: Plan, dice: random.Random) -> Snapshot:
    assert draw.round == snapshot.number
    tables = tuple(Table(one.number, one.sides, outcome(plan, one, dice), one.label) for one in draw.tables)
    done = Round(draw.round, tables, draw.byes, draw.rests)
    return replace(snapshot, rounds=(*snapshot.rounds, done))


def come_and_go(snapshot: Snapshot, plan: Plan, dice: random.Random, seed: int) -> Snapshot:
    """Some leave, pause or come back; who comes late is asked whether there is room."""
    entrants = []
    for entrant in snapshot.entrants:
        luck = dice.random()
        if entrant.state == "active" and luck < 0.02:
            entrant = replace(entrant, state="withdrawn", left=snapshot.number)
        elif entrant.state == "active" and luck < 0.03:
            entrant = replace(entrant, state="disqualified", left=snapshot.number)
        elif entrant.state == "active" and luck < 0.06:
            entrant = replace(entrant, state="paused")
        elif entrant.state == "paused" and luck < 0.5:
            entrant = replace(entrant, state="active")
        entrants.append(entrant)
    snapshot = replace(snapshot, entrants=tuple(entrants))
    last = plan.late_until(plan.length(snapshot) or snapshot.number)
    if 1 < snapshot.number <= last and dice.random() < 0.4 and plan.places_left(snapshot, seed) != 0:
        number = len(snapshot.entrants) + 1
        late = Entrant(number, dice.randint(1, number), joined=snapshot.number)
        snapshot = replace(snapshot, entrants=(*snapshot.entrants, late))
    return snapshot


def back(snapshot: Snapshot) -> Snapshot:
    entrants = (replace(one, state="active") if one.state == "paused" else one for one in snapshot.entrants)
    return replace(snapshot, entrants=tuple(entrants))


def corrected(snapshot: Snapshot, plan: Plan, dice: random.Random) -> Snapshot:
    """Another score of some table, or the same sides the other way round."""
    rounds = list(snapshot.rounds)
    row = dice.choice([row for row, played in enumerate(rounds) if played.tables])
    tables = list(rounds[row].tables)
    at = dice.randrange(len(tables))
    tables[at] = replace(tables[at], result=outcome(plan, tables[at], dice))
    rounds[row] = replace(rounds[row], tables=tuple(tables))
    return replace(snapshot, rounds=tuple(rounds))


def check_draw(snapshot: Snapshot, draw: Draw, plan: Plan, seed: int) -> None:
    here = {one.id for one in snapshot.present()}
    told = [one for table in draw.tables for one in table.seated]
    told += [*draw.byes, *draw.rests]
    assert len(told) == len(set(told))
    assert set(told) <= here
    if plan.bracket(snapshot, seed) is None:
        assert set(told) == here, "somebody is lost"
    for table in draw.tables:
        assert all(1 <= len(side) <= plan.side for side in table.sides)


def check_rows(snapshot: Snapshot, plan: Plan, seed: int) -> None:
    lines = plan.rows(snapshot, seed)
    assert sorted(line.entrant for line in lines) == sorted(one.id for one in snapshot.entrants)
    for line in lines:
        assert line.columns
        assert line.columns[0].value == line.score
        for column in line.columns:
            assert column.label
            assert isinstance(column.terms, tuple)


def play(plan: Plan, count: int, seed: int, planned: int = 0) -> Snapshot:
    """The whole event, with everything that happens in a hall."""
    dice = random.Random(f"{plan.book.key} {count} {seed}")
    snapshot = event(count, planned)
    check_rows(snapshot, plan, seed)
    for _round in range(12 * count):
        if plan.over(snapshot, seed):
            check_rows(snapshot, plan, seed)
            return snapshot
        if snapshot.number > 1 or dice.random() < 0.2:
            snapshot = come_and_go(snapshot, plan, dice, seed)
            if plan.over(snapshot, seed):
                continue
        try:
            draw = plan.pair(snapshot, seed)
        except CannotPair:
            snapshot = back(snapshot)
            draw = plan.pair(snapshot, seed)
        assert draw == plan.pair(snapshot, seed)
        check_draw(snapshot, draw, plan, seed)
        snapshot = finished(snapshot, draw, plan, dice)
        if draw.tables and dice.random() < 0.2:
            snapshot = corrected(snapshot, plan, dice)
        check_rows(snapshot, plan, seed)
    raise AssertionError("the event does not end")


PLANS = [
    (key, settings)
    for key, variants in {
        "single_elimination": [{}, {"third_place": True, "band": 4}],
        "double_elimination": [{}, {"hands": 8}],
        "round_robin": [{}, {"legs": 2, "ranking": "points"}],
        "groups": [{}, {"groups": 1, "qualify": 3, "playoffs": "double"}, {"third_place": True, "legs": 2}],
        "swiss": [{}, {"first_round": "random", "ranking": "points", "late_half": True}],
        "swiss_individuals": [{}, {"ranking": "wins", "rest_half": True}],
        "rotation": [{"ranking": "average"}],
        "progressive": [{}, {"movement": "steps"}, {"movement": "chart"}, {"movement": "colours", "ties": "half"}],
        "arena": [{}, {"individuals": True}],
        "duplicate": [{}, {"individuals": True}, {"movement": "mitchell", "share": True}, {"movement": "howell"}],
        "teams": [{}, {"meeting": "double"}, {"meeting": "round_robin", "legs": 2}],
    }.items()
    for settings in variants
]


def test_all_formats_are_played():
    assert {key for key, _settings in PLANS} == set(PLAYBOOKS)


@pytest.mark.parametrize(("key", "settings"), PLANS)
def test_whole_events(key, settings):
    plan = PLAYBOOKS[key].read(settings)
    assert plan.rounds(1) == 0
    planned = key == "rotation" or settings.get("movement") == "chart"
    for seed, count in enumerate((5, 8) if planned else (5, 9, 12)):
        play(plan, count, seed, 4 if planned else 0)


@pytest.mark.parametrize("key", PLAYBOOKS)
def test_before_the_start(key):
    """Too few, or nobody: a page can be shown all the same, and nothing is drawn."""
    plan = PLAYBOOKS[key].read()
    for count in range(4):
        check_rows(event(count), plan, 1)
        assert plan.groups(event(count)) == () or count >= 4
        assert plan.places_left(event(count)) != 0 or plan.bracket(event(count)) is not None
    assert plan.over(event(1))


junk = (
    st.none()
    | st.booleans()
    | st.integers(-3, 50)
    | st.floats()
    | st.text("abc ", max_size=5)
    | st.lists(st.integers())
)


@st.composite
def anything(draw, book):
    """Settings of which most are sound, and some are anything at all."""
    found = {}
    for option in book.options:
        if draw(st.booleans()):
            sound = {
                "flag": st.booleans(),
                "number": st.integers(option.least, option.most),
                "choice": st.sampled_from(option.choices or ("",)),
                "order": st.lists(st.sampled_from(option.choices or ("",)), max_size=4),
            }[option.kind]
            found[option.name] = draw(sound if draw(st.integers(0, 15)) else junk)
    if draw(st.integers(0, 20)) == 0:
        found[draw(junk.filter(lambda key: not isinstance(key, list)))] = draw(junk)
    return found


@pytest.mark.parametrize("key", PLAYBOOKS)
@hypothesis.settings(max_examples=25)
@given(data=st.data())
def test_settings(key, data):
    """They are as they were given, what was left out by default; or refused in a sentence."""
    book = PLAYBOOKS[key]
    given = data.draw(anything(book))
    try:
        plan = book.read(given)
    except EventError as refused:
        for told in (refused.problem, refused.advice):
            assert len(words(told)) > 9
            assert "{" not in words(told)
        return
    settings = plan.settings
    assert set(settings) == {option.name for option in book.options}
    assert {name: settings[name] for name in given} == given
    assert book.read(json.loads(json.dumps(settings))) == plan
    assert plan.late_until(7) <= 7
    assert plan.rounds(12) > 0 or key in ("groups", "duplicate")


@pytest.mark.parametrize(
    ("key", "settings", "sentence"),
    [
        ("swiss", [], "These settings are no list of options."),
        ("swiss", {"hand": 8}, "This format has no option 'hand'."),
        ("swiss", {"repeats": 1}, "“Meet again if need be” is yes or no, not 1."),
        ("swiss", {"target": True}, "“Points that win a game” is a number from 1 to 40, not True."),
        ("swiss", {"house": "mine"}, "“What hands are worth” cannot be 'mine'."),
        ("swiss", {"tiebreaks": "won"}, "“Tie-breaks” is an order of different tie-breaks, not 'won'."),
        ("swiss", {"ranking": "points", "tiebreaks": ["points"]}, "“points” ranks already, so it breaks no tie."),
        (
            "rotation",
            {"tiebreaks": ["buchholz"]},
            "“Tie-breaks” is an order of different tie-breaks, not ['buchholz'].",
        ),
        ("progressive", {"ties": "half"}, "Where winners move each table needs a winner"),
        ("groups", {"groups": 1, "qualify": 1}, "One group from which one goes on leaves nobody to play against."),
        ("teams", {"deals": 7}, "A match of 7 deals has no two halves."),
    ],
)
def test_refused(key, settings, sentence):
    with pytest.raises(EventError) as refused:
        PLAYBOOKS[key].read(settings)
    assert str(refused.value).startswith(sentence)


def test_words():
    """Every option, value, column and format has its words, and none is for nothing."""
    assert not set(MORE) & set(TEXTS)
    assert len(MORE) == len(texts.TEXTS) + len(texts.OPTIONS) + 2 * len(texts.TROUBLES)
    options = {option.name: option for book in PLAYBOOKS.values() for option in book.options}
    assert set(options) == set(texts.OPTIONS)
    assert set(PLAYBOOKS) == set(texts.FORMATS)
    for book in PLAYBOOKS.values():
        assert book.label
        assert book.line
        plan = book.read()
        for option in book.options:
            assert option.label
            assert option.line
            assert [choice for choice, _name in option.named] == list(option.choices)
            assert option.matters(plan.settings) in (True, False)
            assert book.option(option.name) is option
    hands = PLAYBOOKS["swiss"].option("target")
    assert not hands.matters({"hands": 8})
    assert hands.matters({"hands": 0})


def test_length_and_late_entry():
    swiss = PLAYBOOKS["swiss"].read()
    assert [swiss.rounds(count) for count in (2, 8, 20)] == [1, 4, 6]
    assert swiss.length(event(20)) == 6
    assert swiss.length(event(20, planned=9)) == 9
    assert swiss.late_until(9) == 5
    assert PLAYBOOKS["rotation"].rounds(12) == 11
    assert PLAYBOOKS["rotation"].rounds(40) == 10
    assert PLAYBOOKS["groups"].rounds(12, {"groups": 3, "qualify": 2}) == 3 + 3
    bracket = PLAYBOOKS["single_elimination"].read()
    assert bracket.places_left(event(6)) == 2
    assert bracket.places_left(event(8)) == 0
    howell = PLAYBOOKS["duplicate"].read({"movement": "howell"})
    assert howell.rounds(40) == 0
    assert howell.rounds(7) == howell.rounds(8) == 7


def test_void_is_played_again():
    plan = PLAYBOOKS["round_robin"].read()
    draw = plan.pair(event(2))
    void = replace(event(2), rounds=(draw.finished({1: Result(outcome="void")}),))
    assert not plan.over(void)
    assert plan.over(replace(void, rounds=(*void.rounds, plan.pair(void).finished({1: plan.result((10, 2))}))))
    assert len(PLAYBOOKS["teams"].read({"meeting": "round_robin"}).rows(event(1))) == 1


def test_directors_order():
    """An extra hand or cut entered by the director counts in the standings and for who goes on."""
    snapshot = event(4)
    level = {"tiebreaks": ["extra"]}
    plan = PLAYBOOKS["round_robin"].read(level, extra={3: 2, 4: 1})
    assert [line.entrant for line in plan.rows(snapshot)] == [3, 4, 1, 2]
    assert [str(term.what) for term in plan.rows(snapshot)[0].columns[1].terms] == ["entered by the director"]


def nobody_came(snapshot, draw):
    tables = tuple(Table(one.number, one.sides, Result(outcome="double_forfeit"), one.label) for one in draw.tables)
    return replace(snapshot, rounds=(*snapshot.rounds, Round(draw.round, tables, draw.byes, draw.rests)))


def test_level_in_groups():
    """Everybody level: by lot, or as the director has entered; who decides is asked if neither."""
    plan = PLAYBOOKS["groups"].read()
    snapshot = event(8)
    while plan.bracket(snapshot) is None:
        snapshot = nobody_came(snapshot, plan.pair(snapshot, 1))
    draw = plan.pair(snapshot, 1)
    assert draw.round == 4
    assert [note.code for note in draw.notes] == ["level_drawn", "level_drawn"]
    assert [len(group) for group in plan.groups(snapshot)] == [4, 4]
    asked = PLAYBOOKS["groups"].read({"lots": False})
    with pytest.raises(EventError, match="level by every rule"):
        asked.pair(snapshot, 1)
    told = PLAYBOOKS["groups"].read({"lots": False}, extra={number: 9 - number for number in range(1, 9)})
    assert {one for table in told.pair(snapshot, 1).tables for one in table.seated} == {1, 2, 3, 4}


def test_groups_corrected_after_the_playoffs_began():
    """What was drawn stands: other results in the groups move nobody out of the playoffs."""
    plan = PLAYBOOKS["groups"].read({"groups": 3, "qualify": 2})
    for seed in range(3):
        dice = random.Random(seed)
        snapshot = event(12)
        assert plan.affected(snapshot, "G1", seed) == ()
        while plan.bracket(snapshot, seed) is None:
            snapshot = finished(snapshot, plan.pair(snapshot, seed), plan, dice)
        before = len(snapshot.rounds)
        while not plan.over(snapshot, seed):
            draw = plan.pair(snapshot, seed)
            snapshot = finished(snapshot, draw, plan, dice)
            inside = {one for match in plan.bracket(snapshot, seed).matches for one in match.entrants}
            rounds = list(snapshot.rounds)
            for row in range(before):
                tables = (
                    replace(table, result=plan.result((10, 0) if dice.random() < 0.5 else (0, 10)))
                    for table in rounds[row].tables
                )
                rounds[row] = replace(rounds[row], tables=tuple(tables))
            snapshot = replace(snapshot, rounds=tuple(rounds))
            bracket = plan.bracket(snapshot, seed)
            assert {one for match in bracket.matches for one in match.entrants} == inside
            check_rows(snapshot, plan, seed)
            assert plan.affected(snapshot, "G1", seed)
            assert all(match.label != "R1-2" for match in plan.affected(snapshot, "R1-2", seed))


def test_corrected_bracket():
    plan = PLAYBOOKS["single_elimination"].read()
    snapshot = event(4)
    draw = plan.pair(snapshot)
    snapshot = finished(snapshot, draw, plan, random.Random(1))
    assert [match.label for match in plan.affected(snapshot, "R1-1")] == ["R2-1"]
    assert [line.place for line in plan.rows(snapshot)].count(None) == 2
    assert PLAYBOOKS["swiss"].read().affected(snapshot, "R1-1") == ()
    teams = PLAYBOOKS["teams"].read()
    assert [match.label for match in teams.affected(snapshot, "R1-1")] == ["R2-1"]


def test_arena_of_waves():
    """Who sat out longest is seated first; a true arena hands over its own moments."""
    plan = PLAYBOOKS["arena"].read()
    snapshot = event(5)
    idle = []
    for _wave in range(5):
        draw = plan.pair(snapshot, 3)
        idle += draw.rests
        snapshot = finished(snapshot, draw, plan, random.Random(2))
    assert len(set(idle)) == 5
    moment = Moment(event(4).entrants, tick=7, waiting={1: 3.0, 2: 3.0})
    assert plan.pair(moment) == Draw(7, (), notes=plan.pair(moment).notes)
    assert plan.over(replace(moment, over=True))
    apart = Constraints(never_opponents=frozenset({frozenset({1, 2})}))
    with pytest.raises(CannotPair, match="Nobody can be drawn"):
        plan.pair(replace(event(2), constraints=apart))


def test_duplicate():
    plan = PLAYBOOKS["duplicate"].read()
    with pytest.raises(EventError, match="deal by deal"):
        plan.result((3, 1))
    draw = plan.pair(event(8))
    results = {table.number: plan.result((0, 0), deals={1: 4, 2: NotPlayed()}, label="S1") for table in draw.tables}
    snapshot = replace(event(8), rounds=(draw.finished(results),))
    (first, *_others) = plan.rows(snapshot)
    assert [column.key for column in first.columns] == ["percent", "mean", "total"]
    assert [str(term.what) for term in first.columns[2].terms] == ["deal 1: +4", "deal 2: not played"]
    assert plan.places_left(replace(snapshot, planned=1)) == 0
    alone = PLAYBOOKS["duplicate"].read({"individuals": True, "movement": "howell"})
    assert (alone.members, alone.side, alone.rounds(8)) == (1, 2, 7)


def test_proof():
    plan = PLAYBOOKS["rotation"].read({"choice": "table"})
    snapshot = event(8)
    while not plan.over(snapshot):
        snapshot = finished(snapshot, plan.pair(snapshot), plan, random.Random(1))
    assert plan.proof(snapshot).partner_times == {1: 28}
    assert PLAYBOOKS["swiss"].read().proof(snapshot) is None


@pytest.mark.parametrize("people", [0, 3, 4, 5, 8, 11, 16, 23, 40, 120])
def test_advice(people):
    for about in choose(people):
        plan = PLAYBOOKS[about.key].read()
        assert about.entrants * plan.members + about.spare == people
        assert about.said
        for reason in about.said:
            assert "{" not in words(reason)
        if about.fits:
            assert about.rounds > 0
            assert about.minutes > 0
            assert 1 <= about.tables <= people // 4 + 1
        else:
            assert about.entrants < PLAYBOOKS[about.key].least


@pytest.mark.parametrize("people", [0, 1, 99_999])
def test_nothing_is_worked_out_for_numbers_that_a_format_does_not_take(people, monkeypatch):
    """A movement for 99,999 people would fill any memory."""
    for book in PLAYBOOKS.values():
        monkeypatch.setattr(book.plan, "rounds", lambda *_: pytest.fail("rounds were worked out"))
    assert not any(about.fits for about in choose(people))
    assert not any(advice(people, 0, book.read()).fits for book in PLAYBOOKS.values())


def test_advice_in_time():
    fitting = {about.key: about for about in choose(24, minutes=90) if about.fits}
    assert "round_robin" not in fitting
    assert fitting["rotation"].rounds == 5
    assert fitting["rotation"].minutes <= 90


def said_of(key, entrants, rounds=0, **settings):
    about = advice(entrants, rounds, PLAYBOOKS[key].read(settings))
    return about, [reason.code for reason in about.said]


def test_advice_by_options():
    assert said_of("groups", 5, groups=8)[1] == ["advice_no_schedule"]
    assert said_of("swiss", 16, 3)[1][0] == "advice_many_unbeaten"
    assert said_of("round_robin", 8, 4)[1][0] == "advice_part"
    assert said_of("round_robin", 8, legs=2)[0].repeats == 0.5
    assert said_of("swiss", 4, 3)[0].repeats is None
    assert said_of("progressive", 20, 5, movement="steps")[0].repeats == 0
    assert said_of("progressive", 16, 9, movement="steps")[0].repeats == 0.09
    assert said_of("progressive", 24, movement="colours")[0].repeats == 0.22
    assert said_of("progressive", 12, movement="chart")[0].repeats == 0
    assert "advice_repeats" in said_of("arena", 16, individuals=True)[1]
    assert said_of("teams", 5, meeting="round_robin")[0].tables == 4
    assert said_of("teams", 6, meeting="double")[0].tables == 6


@pytest.mark.parametrize(("key", "count"), [("swiss_individuals", 16), ("rotation", 11), ("swiss", 9)])
def test_advice_is_true(key, count):
    """What is said of rests and repeats, by an event."""
    plan = PLAYBOOKS[key].read()
    about = advice(count, 0, plan)
    snapshot = event(count)
    while not plan.over(snapshot):
        draw = plan.pair(snapshot)
        snapshot = finished(snapshot, draw, plan, random.Random(draw.round))
        assert len(draw.tables) == about.tables
    assert len(snapshot.rounds) == about.rounds
    idle = Counter(one for played in snapshot.rounds for one in (*played.byes, *played.rests))
    times = [idle[one.id] for one in snapshot.entrants]
    assert (min(times), max(times)) == about.idle
    if key != "swiss":
        assert max(plan.proof(snapshot).partner_times) == 1
