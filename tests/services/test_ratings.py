"""What a finished game does to the ratings: policy, scale and the exact take-back."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ratings import START, RatedSeat, Skill, give_or_take, put_back, rate, shown, take_back

BOT = RatedSeat(Skill(1500.0, 30.0), is_bot=True)

skills = st.builds(Skill, st.floats(600, 2400), st.floats(35, 220))
seats = st.lists(st.builds(RatedSeat, skills, st.booleans(), st.booleans()), min_size=4, max_size=4)
people = st.lists(st.builds(RatedSeat, skills), min_size=4, max_size=4)
winners = st.sampled_from((0, 1))


def left(seat: RatedSeat) -> RatedSeat:
    return RatedSeat(seat.skill, left=True)


def test_a_newcomer_is_shown_as_1500_give_or_take_220() -> None:
    assert (shown(START.mu), give_or_take(START.sigma)) == (1500, 220)


@given(people, winners)
def test_winners_rise_losers_fall_and_nobody_becomes_less_certain(table: list[RatedSeat], winner: int) -> None:
    for index, after in enumerate(rate(table, winner)):
        before = table[index].skill
        assert (after.mu > before.mu) if index % 2 == winner else (after.mu < before.mu)
        assert after.sigma <= before.sigma * (1 + 1e-10)


@given(people, winners)
def test_the_same_game_seen_from_the_other_seats_gives_the_same_changes(table: list[RatedSeat], winner: int) -> None:
    turned = rate(table[1:] + table[:1], 1 - winner)
    for one, other in zip(rate(table, winner), turned[3:] + turned[:3], strict=True):
        assert one.mu == pytest.approx(other.mu, abs=1e-5)
        assert one.sigma == pytest.approx(other.sigma, abs=1e-5)


@given(skills, skills, winners)
def test_a_win_against_a_stronger_pair_is_worth_more(me: Skill, partner: Skill, winner: int) -> None:
    def gain(opponent: float) -> float:
        table = [RatedSeat(me), RatedSeat(Skill(opponent, 60)), RatedSeat(partner), RatedSeat(Skill(opponent, 60))]
        return rate(table, 0)[0].mu - me.mu

    assert gain(1700) > gain(1500) > gain(1300)


@given(seats, winners)
def test_bots_keep_their_published_rating(table: list[RatedSeat], winner: int) -> None:
    for seat, after in zip(table, rate(table, winner), strict=True):
        if seat.is_bot:
            assert after == seat.skill


@given(skills, winners)
def test_a_game_against_three_bots_is_rated(me: Skill, winner: int) -> None:
    """Complaint: bots farmed for rating. They count, at their published strength."""
    after = rate([RatedSeat(me), BOT, BOT, BOT], winner)[0]
    assert (after.mu > me.mu) == (winner == 0)
    assert after.sigma < me.sigma or me.sigma < 60


@given(people, winners)
def test_who_left_takes_the_loss_whoever_wins(table: list[RatedSeat], winner: int) -> None:
    north_left = [left(table[0]), *table[1:]]
    after = rate(north_left, winner)[0]
    assert after.mu < table[0].skill.mu
    assert after == rate(table, 1)[0], "exactly what losing to the end would have cost"


@given(people)
def test_the_partner_of_a_leaver_is_not_charged_when_the_side_loses(table: list[RatedSeat]) -> None:
    assert rate([left(table[0]), *table[1:]], 1)[2] == table[2].skill


@given(people)
def test_the_partner_of_a_leaver_gains_as_usual_when_the_side_wins(table: list[RatedSeat]) -> None:
    assert rate([left(table[0]), *table[1:]], 0)[2] == rate(table, 0)[2]


@given(people, winners)
def test_two_partners_who_both_left_are_both_charged(table: list[RatedSeat], winner: int) -> None:
    after = rate([left(table[0]), table[1], left(table[2]), table[3]], winner)
    assert (after[0], after[2]) == (rate(table, 1)[0], rate(table, 1)[2])


@given(people, winners)
def test_opponents_of_a_leaver_are_rated_as_usual(table: list[RatedSeat], winner: int) -> None:
    with_leaver, without = rate([left(table[0]), *table[1:]], winner), rate(table, winner)
    assert (with_leaver[1], with_leaver[3]) == (without[1], without[3])


@given(st.lists(st.tuples(seats, winners), min_size=1, max_size=12), st.data())
def test_taking_a_game_back_and_putting_it_back_is_exact_whatever_was_played_since(
    games: list[tuple[list[RatedSeat], int]], data: st.DataObject
) -> None:
    north = START
    changes = []
    for others, winner in games:
        after = rate([RatedSeat(north), *others[1:]], winner)[0]
        changes.append((north, after))
        north = after
    voided = data.draw(st.lists(st.sampled_from(range(len(changes))), unique=True))
    now = north
    for index in voided:
        now = take_back(now, *changes[index])
        assert 0 < now.sigma <= START.sigma
    for index in data.draw(st.permutations(voided)):
        now = put_back(now, *changes[index])
    assert now == north


def test_taking_back_the_only_game_leaves_a_newcomer() -> None:
    after = rate([RatedSeat(START), BOT, BOT, BOT], 0)[0]
    assert take_back(after, START, after) == START


@pytest.mark.parametrize(("points", "chance"), [(100, 0.64), (200, 0.76)])
def test_a_difference_of_pair_averages_means_what_it_means_in_elo(points: int, chance: float) -> None:
    settled = 0.5  # so certain that only the luck of the game is left
    table = [RatedSeat(Skill(1500.0 + points * (seat % 2 == 0), settled)) for seat in range(4)]
    win = rate(table, 0)[0].mu - table[0].skill.mu
    loss = table[0].skill.mu - rate(table, 1)[0].mu
    assert loss / (win + loss) == pytest.approx(chance, abs=0.005)


def test_a_player_becomes_known_to_about_110_after_50_games_and_80_after_100() -> None:
    rng = random.Random(7)
    sigmas = {}
    me = START
    for game in range(1, 101):
        table = [RatedSeat(me), *(RatedSeat(Skill(1500.0 + rng.gauss(0, 110), 90.0)) for _ in range(3))]
        me = rate(table, rng.randrange(2))[0]
        sigmas[game] = me.sigma
    assert sigmas[50] == pytest.approx(110, abs=8)
    assert sigmas[100] == pytest.approx(80, abs=8)


def test_the_true_skill_lies_within_the_give_or_take_for_about_two_players_in_three() -> None:
    rng = random.Random(11)
    within = 0
    for _ in range(100):
        true = rng.gauss(START.mu, START.sigma)
        me = START
        for _ in range(60):
            chance = 1 / (1 + 10 ** ((1500 - true) / 2 / 400))  # a bot is the partner: half the difference
            me = rate([RatedSeat(me), BOT, BOT, BOT], 0 if rng.random() < chance else 1)[0]
        within += abs(me.mu - true) <= me.sigma
    assert 55 <= within <= 82


@pytest.mark.parametrize(("count", "winner"), [(3, 0), (4, 2)])
def test_anything_but_four_seats_and_a_winning_side_is_refused(count: int, winner: int) -> None:
    with pytest.raises(ValueError, match="four seats"):
        rate([RatedSeat(START)] * count, winner)
