"""Progressive euchre: after each round people move to another table and another partner.

Table 1 is the head table: its bell ends the round. Everybody counts for himself.

| movement | rule | test (tests/formats/test_progressive.py) |
|---|---|---|
| winners_up | winners go up a table, the head table's stay; losers stay, its losers go to the last | test_winners_up |
| losers_down | winners stay, losers go down a table, the last table's to the head | test_losers_down |
| steps | each seat (N, S, E, W) moves by its own number of tables, whoever won | test_steps |
| colours | one of each side draws white and goes down a table, the others go up | test_colours |
| chart | a printed rotation: the whist table, or the planner | test_chart |

| rule | test |
|---|---|
| who stays takes one of the arrivals as partner: of the two ways the one with fewer repeats | test_fewer_repeats |
| every table has four again, whoever comes or goes | test_generated_events |
| a winner is needed where winners move; of a table without one the sides draw lots | test_no_winner |
| one too few for a table: a ghost seat at the last, its partner plays alone, another each time | test_ghost_seat |
| one or two too many: they rest, from the last table, and join there; none twice before all once | test_rests |
| late: four open a table, fewer take the ghost seat or wait | test_late |
| leaving: the last table fills the gaps, and closes when it can | test_leaving |
| seats with steps a and b meet again after T / gcd(a - b, T) rounds | test_theorem |
| the published movements repeat when their table says | test_as_published |
| steps are free of repeats for T rounds for T prime to 6 only, whatever the steps | test_which_tables |
| never partners, never opponents: other partners, else somebody changes places | test_wishes |
| who cannot move stays; tables and rests by hand | test_orders |
| what a movement does, in a sentence | test_advice |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import gcd
from random import Random
from typing import Literal

from tournaments.formats import history, rotation
from tournaments.formats.event import CannotPair, Draw, DrawnTable, Round, Side, Sides, Snapshot, Table, pair_of
from tournaments.formats.orders import check
from tournaments.formats.planner import Watch, rest_levels, why_resting
from tournaments.formats.words import Reason, because

Movement = Literal["winners_up", "losers_down", "steps", "colours", "chart"]
Steps = tuple[int, int, int, int]
"""Tables that N, S, E and W move after a round, towards higher numbers."""

STEPS: dict[str, Steps] = {"World Euchre Federation": (0, 1, 2, -2), "Chatgamers": (0, -1, 1, 2), "plain": (0, 1, 2, 3)}


@dataclass(frozen=True, slots=True)
class Rules:
    """How people move; ``steps`` are those of the movement by steps."""

    movement: Movement = "winners_up"
    steps: Steps = STEPS["Chatgamers"]


Four = list[int | None]
"""N, S, E and W of a table, N and S partners; None is nobody."""

WAYS = ((0, 1, 2, 3), (0, 3, 2, 1), (0, 2, 1, 3))
"""How four may sit down: those at 0 and 2 each with an arrival, or with the other, or together."""


def first_repeat(steps: Steps, tables: int) -> int | None:
    """The first round in which two people meet again, or None if none do in as many rounds as
    there are tables: seats with steps a and b meet again after T / gcd(a - b, T) rounds."""
    soonest = min(tables // gcd(one - other, tables) for one, other in combinations(steps, 2))
    return soonest + 1 if soonest < tables else None


def free_of_repeats(tables: int) -> tuple[str, ...]:
    """The known steps by which nobody meets anybody twice in as many rounds as there are tables.
    None can be where a table number is divisible by 2 or 3: of four seats two then meet early."""
    return tuple(name for name, steps in STEPS.items() if tables > 1 and first_repeat(steps, tables) is None)


def advice(people: int, rounds: int, rules: Rules) -> Reason:
    """What so many can expect of a movement."""
    if rules.movement == "chart":
        return rotation.promise(people) if rotation.has_table(people) else because("planner_draws")
    if rules.movement == "colours" and people // 4 % 2 == 0 and people // 4 > 2:
        return because("colours_even")
    if rules.movement != "steps":
        share = {1: "repeats_most", 2: "repeats_third", 3: "repeats_sixth"}.get(people // 4, "repeats_ninth")
        return because(share)
    tables, odd = divmod(people, 4)
    if odd or not tables:
        return because("steps_full")
    again = first_repeat(rules.steps, tables)
    if again is None and rounds <= tables:
        return because("steps_free", rounds=rounds)
    again = again or tables + 1
    if rounds < again:
        return because("steps_free_until", rounds=rounds, again=again)
    return because("steps_repeat", tables=tables, again=again)


def pair(snapshot: Snapshot, rules: Rules, seed: int, watch: Watch | None = None) -> Draw:
    """The next round. ``watch`` is told how far the planner is, where no chart can be kept. Raises
    CannotPair where too few are here, a winner is missing or a wish cannot be kept."""
    if rules.movement == "chart":
        return rotation.pair(snapshot, rotation.Rules("table"), seed, watch)
    return _Evening(snapshot, rules, seed).draw()


class _Evening:
    """One round of moving: where everybody comes from, and how the gaps are filled."""

    def __init__(self, snapshot: Snapshot, rules: Rules, seed: int) -> None:
        self.snapshot = snapshot
        self.rules = rules
        self.wishes = snapshot.constraints
        self.dice = Random(f"progressive {seed} {snapshot.number}")
        self.past = history.read(snapshot)
        self.alone = Counter(side[0] for _round, table in snapshot.tables() for side in table.sides if len(side) == 1)
        if self.wishes.always_together:
            raise CannotPair("partners_change")
        present = [entrant.id for entrant in snapshot.present()]
        ordered = check(self.wishes, frozenset(present), side=2)
        self.free = [entrant for entrant in present if entrant not in ordered]
        if len(self.free) < 3 and not self.wishes.tables:
            raise CannotPair("needs_three", count=len(self.free))
        over = len(self.free) % 4
        self.ghost = over == 3
        self.to_rest = 0 if self.ghost else over
        self.tables = (len(self.free) + self.ghost) // 4
        self.notes: list[Reason] = []
        self.changed: dict[int, Reason] = {}
        last = snapshot.rounds[-1] if snapshot.rounds else Round(0, ())
        self.before = sorted(last.tables, key=lambda table: table.number)
        self.came_from = {one: table.number for table in self.before for one in table.seated}
        self.rested_last = {*last.rests, *last.byes}

    def draw(self) -> Draw:
        by_hand, numbers = self._numbers()
        fours, resting = self._fill(list(self._moved()))
        self._keep_places(fours, numbers)
        self._keep_wishes(fours)
        drawn = [
            DrawnTable(number, sides, (because("by_hand"), *self._reasons(number, sides))) for number, sides in by_hand
        ]
        for number, four in zip(numbers, fours, strict=True):
            sides = self._seated(four)
            drawn.append(DrawnTable(number, sides, self._reasons(number, sides)))
        how = because(self.rules.movement if self.before else "by_lot")
        rests = (
            *(because("rests_by_hand", who=(one,)) for one in self.wishes.byes),
            *(why_resting(one, self.past) for one in resting),
        )
        return Draw(
            self.snapshot.number,
            tuple(sorted(drawn, key=lambda table: table.number)),
            rests=(*self.wishes.byes, *resting),
            notes=(how, *self.notes, *rests),
        )

    def _numbers(self) -> tuple[list[tuple[int, Sides]], list[int]]:
        """The numbers of tables by hand, the last ones but for who cannot move, and of the others."""
        fixed = self.wishes.fixed_table
        free = list(range(1, self.tables + len(self.wishes.tables) + 1))
        wanted = [
            next((fixed[one] for side in sides for one in side if one in fixed), 0) for sides in self.wishes.tables
        ]
        by_hand = []
        for sides, number in sorted(zip(self.wishes.tables, wanted, strict=True), key=lambda table: -table[1]):
            number = number or free[-1]
            if number not in free:
                raise CannotPair("table_not_free", table=number, who=sides[0] + sides[1])
            free.remove(number)
            by_hand.append((number, sides))
        return by_hand, free

    def _moved(self) -> Iterator[Four]:
        """The tables as the movement leaves them, stayers at 0 and 2 and arrivals at 1 and 3."""
        count = len(self.before)
        if self.rules.movement == "steps":
            seats = [_four(table.sides) for table in self.before]
            for at in range(count):
                yield [seats[(at - step) % count][seat] for seat, step in enumerate(self.rules.steps)]
            return
        if self.rules.movement == "colours":
            dealt = [self._lots(table.sides) for table in self.before]
            for at in range(count):
                blue_from = at if count == 2 else (at + 1) % count
                (a, b), (c, d) = dealt[(at - 1) % count][0], dealt[blue_from][1]
                yield [a, c, b, d]
            return
        ended = [self._by_result(table) for table in self.before]
        for at in range(count):
            if self.rules.movement == "losers_down":
                stay, arrive = ended[at][0], ended[at - 1][1]
            else:
                stay = ended[at][1] if at else ended[at][0]
                arrive = ended[at + 1][0] if at + 1 < count else ended[0][1]
            yield [stay[0], arrive[0], stay[1], arrive[1]]

    def _lots(self, sides: Sides) -> tuple[Four, Four]:
        """Who draws white and who blue: one of each side."""
        white: Four = []
        blue: Four = []
        for first, second in (_four(sides)[:2], _four(sides)[2:]):
            swap = self.dice.random() < 0.5
            white.append(second if swap else first)
            blue.append(first if swap else second)
        return white, blue

    def _by_result(self, table: Table) -> tuple[Four, Four]:
        """The winners and the losers."""
        result = table.result
        winner = result.winner
        if result.outcome == "forfeit" and result.absent is not None:
            winner = 1 - result.absent
        elif result.played and winner is None:
            raise CannotPair("ended_level", table=table.number)
        elif not result.played:
            winner = self.dice.randrange(2)
            self.notes.append(because("drew_lots", table=table.number))
        four = _four(table.sides)
        sides = four[:2], four[2:]
        return (sides[1], sides[0]) if winner else sides

    def _fill(self, fours: list[Four]) -> tuple[list[Four], list[int]]:
        """Gaps filled and tables opened or closed, so that every table has four again; who rests."""
        places = {one: at for at, four in enumerate(fours) for one in four if one is not None}
        resting = self._resting(places)
        playing = set(self.free) - set(resting)
        fours = [[one if one in playing else None for one in four] for four in fours]
        closed = [one for four in fours[self.tables :] for one in four if one is not None]
        waiting = [one for one in self.free if one in playing and one not in places]
        self.dice.shuffle(waiting)
        opened: list[Four] = [[None] * 4 for _ in range(self.tables - len(fours))]
        fours = [*fours[: self.tables], *opened]
        gaps = [(at, seat) for at, four in enumerate(fours) for seat in range(4) if four[seat] is None]
        if self.ghost and len(gaps) == 1 and self.rules.movement == "steps" and gaps[0][1] == 3:
            return fours, resting
        pool = [*closed, *waiting]
        for at, seat in gaps:
            if at == self.tables - 1:
                break
            last = [one for one in fours[-1] if one is not None]
            movable = [one for one in last if one not in self.wishes.fixed_table] or last
            if len(pool) > len(waiting) or not movable or not self.before:
                fours[at][seat] = pool.pop(0)
            else:
                up = self.dice.choice(movable)
                fours[-1][fours[-1].index(up)] = None
                fours[at][seat] = up
        for four in fours[-1:]:
            for seat in range(4):
                if four[seat] is None and pool:
                    four[seat] = pool.pop(0)
            if self.ghost and self.rules.movement == "steps":
                gap = four.index(None)
                four[gap], four[3] = four[3], None
        return fours, resting

    def _resting(self, places: dict[int, int]) -> list[int]:
        levels = rest_levels(self.snapshot)
        order = sorted(
            self.free,
            key=lambda one: (
                levels[one],
                one in self.rested_last,
                -places.get(one, len(places)),
                self.dice.random(),
            ),
        )
        return sorted(order[: self.to_rest])

    def _keep_places(self, fours: list[Four], numbers: Sequence[int]) -> None:
        """Who cannot move changes places with somebody at his table."""
        for one, number in self.wishes.fixed_table.items():
            at = _find(fours, one)
            if at is None:
                continue
            if number not in numbers:
                raise CannotPair("stay_not_free", who=(one,), table=number)
            home = numbers.index(number)
            if home != at[0]:
                seat = next(seat for seat in (at[1], 0, 1) if fours[home][seat] is not None)
                self._exchange(fours, at, (home, seat), "exchanged_to_stay")

    def _keep_wishes(self, fours: list[Four]) -> None:
        for at in range(len(fours)):
            if not self._broken(fours[at]):
                continue
            for other in sorted(range(len(fours)), key=lambda other: abs(other - at)):
                if other != at and self._exchange_for_wish(fours, at, other):
                    break
            else:
                raise CannotPair("come_together", who=tuple(one for one in fours[at] if one is not None))

    def _exchange_for_wish(self, fours: list[Four], at: int, other: int) -> bool:
        fine = not self._broken(fours[other])
        for seat in range(4):
            for place in range(4):
                one, two = fours[at][seat], fours[other][place]
                if one is None or two is None or {one, two} & set(self.wishes.fixed_table):
                    continue
                fours[at][seat], fours[other][place] = two, one
                if not self._broken(fours[at]) and (not fine or not self._broken(fours[other])):
                    fours[at][seat], fours[other][place] = one, two
                    self._exchange(fours, (at, seat), (other, place), "exchanged_for_wish")
                    return True
                fours[at][seat], fours[other][place] = one, two
        return False

    def _exchange(self, fours: list[Four], at: tuple[int, int], other: tuple[int, int], why: str) -> None:
        one, two = fours[at[0]][at[1]], fours[other[0]][other[1]]
        assert one is not None and two is not None
        fours[at[0]][at[1]], fours[other[0]][other[1]] = two, one
        self.changed[one] = self.changed[two] = because(why, who=(one, two))

    def _ways(self, four: Four) -> list[tuple[tuple[bool, bool, int, bool, int, float], Sides]]:
        """How the four can sit down, with what is against each."""
        ways = []
        for number, way in enumerate(WAYS):
            a, b, c, d = (four[seat] for seat in way)
            sides = _side(a, b), _side(c, d)
            partners = {pair_of(*side) for side in sides if len(side) == 2}
            opponents = {pair_of(one, other) for one in sides[0] for other in sides[1]}
            broken = bool(partners & self.wishes.never_together or opponents & self.wishes.never_opponents)
            alone = sum(self.alone[side[0]] for side in sides if len(side) == 1)
            again = sum(self.past.partners[pair] for pair in partners)
            reseated = self.rules.movement == "steps" and number > 0
            ways.append(((broken, reseated, alone, number == 2, again, self.dice.random()), sides))
        return ways

    def _broken(self, four: Four) -> bool:
        return all(against[0] for against, _sides in self._ways(four))

    def _seated(self, four: Four) -> Sides:
        return min(self._ways(four))[1]

    def _reasons(self, number: int, sides: Sides) -> tuple[Reason, ...]:
        seated = sides[0] + sides[1]
        reasons = [because("head_table")] if number == 1 else []
        where = {one: self.came_from.get(one, 0) for one in seated}
        for table in sorted(set(where.values()), key=lambda table: (table != number, table)):
            who = tuple(one for one in seated if where[one] == table)
            if table == number:
                reasons.append(because("stay", who=who))
            elif table:
                reasons.append(because("come_from", who=who, table=table))
            elif self.before:
                reasons.append(because("come_in", who=who))
        reasons += dict.fromkeys(self.changed[one] for one in seated if one in self.changed)
        for side in sides:
            if len(side) == 1:
                reasons.append(because("alone", who=side, times=self.alone[side[0]] + 1))
            elif count := self.past.partners[pair_of(*side)]:
                reasons.append(because("partners_again", who=side, times=count + 1))
        return tuple(reasons) or (because("by_lot"),)


def _four(sides: Sides) -> Four:
    return [one for side in sides for one in (*side, *([None] * (2 - len(side))))]


def _side(one: int | None, other: int | None) -> Side:
    return tuple(person for person in (one, other) if person is not None)


def _find(fours: Iterable[Four], one: int) -> tuple[int, int] | None:
    return next(((at, four.index(one)) for at, four in enumerate(fours) if one in four), None)
