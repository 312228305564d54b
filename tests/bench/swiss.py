"""Swiss events half played, for the benchmark of draws and standings, and the same for others.

The others are asked by their public interface for the next round of the same event, seven rounds
played, no ties: ``swisspair`` is C++, ``networkx`` and ``rustworkx`` match the complete graph with
weights, ``cardarena-tournament-core`` is greedy and repeats meetings. Ours reads the whole history
and says why each table is as it is; the others are given scores and sets of opponents ready made.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable
from functools import cache

from tournaments.formats import swiss, swiss_individuals
from tournaments.formats.event import Draw, Entrant, Result, Round, Snapshot, Table
from tournaments.standings import SWISS, StandingsRules, standings

PLAYED, ALL_PLAYED = 7, 15

Work = Callable[[], object]


@cache
def pairs_event(entrants: int, rounds: int) -> Snapshot:
    """An event of fixed pairs of various strength after some rounds."""
    dice = random.Random(entrants)
    skill = [dice.gauss(0, 1) for _ in range(entrants + 1)]
    event = Snapshot(tuple(Entrant(one, one) for one in range(1, entrants + 1)))
    for _ in range(rounds):
        draw = swiss.pair(event)
        tables = []
        for at in draw.tables:
            (one,), (other,) = at.sides
            winner = int(dice.random() > 1 / (1 + math.exp(skill[other] - skill[one])))
            lost = dice.randrange(10)
            tables.append(Table(at.number, at.sides, Result((lost, 10) if winner else (10, lost), winner=winner)))
        event = Snapshot(event.entrants, (*event.rounds, Round(draw.round, tuple(tables), draw.byes)))
    return event


@cache
def individuals_event(entrants: int, rounds: int) -> Snapshot:
    """An event of individuals, eight hands a round."""
    dice = random.Random(entrants)
    event = Snapshot(tuple(Entrant(one, one) for one in range(1, entrants + 1)))
    for _ in range(rounds):
        draw = swiss_individuals.pair(event)
        tables = []
        for at in draw.tables:
            points = dice.randrange(2, 12), dice.randrange(2, 12)
            winner = None if points[0] == points[1] else int(points[1] > points[0])
            tables.append(Table(at.number, at.sides, Result(points, winner=winner)))
        event = Snapshot(event.entrants, (*event.rounds, Round(draw.round, tuple(tables), rests=draw.rests)))
    return event


def pairs(entrants: int) -> Work:
    event = pairs_event(entrants, PLAYED)
    return lambda: swiss.pair(event)


def individuals(entrants: int) -> Work:
    event = individuals_event(entrants, 9)
    return lambda: swiss_individuals.pair(event)


def every_tie_break(entrants: int) -> Work:
    event = pairs_event(entrants, ALL_PLAYED)
    rules = StandingsRules(order=(*SWISS, "won", "euchres", "loners", "marches"))
    return lambda: standings(event, rules)


def over_the_bound(entrants: int) -> int:
    """By how much the sum of the gaps of a draw exceeds what the parities of score groups leave."""
    event = pairs_event(entrants, PLAYED)
    score, _met = _scores(event)
    return gaps(swiss.pair(event), score)


def gaps(draw: Draw, score: dict[int, int]) -> int:
    order = sorted((score[one] for at in draw.tables for one in at.seated), reverse=True)
    least = sum((order[k - 1] - order[k]) * (k % 2) for k in range(1, len(order)))
    return sum(abs(score[at.sides[0][0]] - score[at.sides[1][0]]) for at in draw.tables) - least


def _scores(event: Snapshot) -> tuple[dict[int, int], dict[int, set[int]]]:
    score = {entrant.id: 0 for entrant in event.entrants}
    met: dict[int, set[int]] = defaultdict(set)
    for _round, at in event.tables():
        (one,), (other,) = at.sides
        score[other if at.result.winner else one] += 1
        met[one].add(other)
        met[other].add(one)
    return score, met


def swisspair(entrants: int) -> Work:
    from swisspair import Player, create_matches

    score, met = _scores(pairs_event(entrants, PLAYED))
    order = sorted(score, key=lambda one: (-score[one], one))
    players = [
        Player(str(one), score[one], rank, cannot_be_paired_against_ids={str(other) for other in met[one]})
        for rank, one in enumerate(order, 1)
    ]
    return lambda: create_matches(players)


def cardarena(entrants: int) -> Work:
    from cardarena_tournament_core.common.models import MatchupOutcome
    from cardarena_tournament_core.common.models import Player as Participant
    from cardarena_tournament_core.pairings.swiss import Swiss

    dice = random.Random(entrants)
    event = Swiss([Participant(str(one), str(one)) for one in range(entrants)])
    for _ in range(PLAYED):
        drawn = event.pair()
        for match in drawn.matchups:
            match.outcome = dice.choice((MatchupOutcome.PLAYER1_WINS, MatchupOutcome.PLAYER2_WINS))
        event.submit_results(drawn)
    return event.pair


def _edges(entrants: int) -> list[tuple[int, int, int]]:
    score, met = _scores(pairs_event(entrants, PLAYED))
    order = sorted(score, key=lambda one: (-score[one], one))
    return [
        (i, j, 10_000 - (score[one] - score[order[j]]) ** 2)
        for i, one in enumerate(order)
        for j in range(i + 1, len(order))
        if order[j] not in met[one]
    ]


def networkx(entrants: int) -> Work:
    import networkx as nx

    edges = _edges(entrants)

    def match() -> object:
        graph = nx.Graph()
        graph.add_weighted_edges_from(edges)
        return nx.max_weight_matching(graph, maxcardinality=True)

    return match


def rustworkx(entrants: int) -> Work:
    import rustworkx as rx

    edges = _edges(entrants)

    def match() -> object:
        graph: rx.PyGraph[int, int] = rx.PyGraph()
        graph.add_nodes_from(range(entrants))
        graph.extend_from_weighted_edge_list(edges)
        return rx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)

    return match
