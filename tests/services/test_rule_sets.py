"""House rules kept under a name."""

from __future__ import annotations

import pytest

from games.engine import PRESETS, Rules
from games.models import Player, RuleSet
from games.selectors.rule_sets import read_rule_sets
from games.services import rule_sets
from games.services.accounts import delete_account
from games.services.errors import UserError
from tests.services.conftest import at_once

BRITISH, RAILROAD = PRESETS["british"], PRESETS["railroad"]


def save(owner: Player, name: str, rules: Rules = BRITISH) -> int:
    return rule_sets.save_rules(owner_id=owner.pk, name=name, rules=rules)


def test_what_is_saved_comes_back(cast):
    pk = save(cast.north, "  Thursday \t night ")
    (kept,) = read_rule_sets(cast.north.pk)
    assert (kept.id, kept.name, kept.rules) == (pk, "Thursday night", BRITISH)
    assert read_rule_sets(cast.east.pk) == ()


@pytest.mark.parametrize(("first", "again"), [("Club", "CLUB"), ("Éclair", "éclair"), ("Straße", "STRASSE")])
def test_the_same_name_in_whatever_case_is_replaced(cast, first, again):
    pk = save(cast.north, first)
    assert save(cast.north, again, RAILROAD) == pk
    (kept,) = read_rule_sets(cast.north.pk)
    assert (kept.name, kept.rules) == (again, RAILROAD)


def test_two_players_may_use_one_name(cast):
    assert save(cast.north, "Club") != save(cast.east, "Club")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "a name that can be seen"),
        ("  ", "a name that can be seen"),
        ("\u200b\u2060", "a name that can be seen"),
        ("x" * 41, "Keep the name to 40 characters; it has 41."),
    ],
)
def test_a_bad_name_is_refused(cast, name, sentence):
    with pytest.raises(UserError, match=sentence):
        save(cast.north, name)
    assert not RuleSet.objects.exists()


def test_the_longest_name_has_a_key(cast):
    save(cast.north, "\u0390" * 40)  # each of them is three letters in its folded case


def test_there_is_a_limit_but_the_old_ones_can_be_changed(cast):
    for number in range(rule_sets.LIMIT):
        save(cast.north, f"Set {number}")
    with pytest.raises(UserError, match="Delete one first"):
        save(cast.north, "One more")
    save(cast.north, "set 3", RAILROAD)
    save(cast.east, "One more")
    assert RuleSet.objects.filter(owner=cast.north).count() == rule_sets.LIMIT


def test_only_the_owner_deletes_and_once(cast):
    pk = save(cast.north, "Club")
    assert rule_sets.delete_rules(owner_id=cast.east.pk, set_id=pk) is None
    assert RuleSet.objects.count() == 1
    assert rule_sets.delete_rules(owner_id=cast.north.pk, set_id=pk) == "Club"
    assert rule_sets.delete_rules(owner_id=cast.north.pk, set_id=pk) is None


def test_they_go_with_the_account(cast):
    save(cast.north, "Club")
    save(cast.east, "Club")
    delete_account(player_id=cast.north.pk)
    assert list(RuleSet.objects.values_list("owner", flat=True)) == [cast.east.pk]


def test_who_has_no_account_any_more_saves_nothing(cast):
    cast.north.delete()
    with pytest.raises(UserError, match="Join again"):
        rule_sets.save_rules(owner_id=10**6, name="Club", rules=BRITISH)


@pytest.mark.django_db(transaction=True)
def test_the_limit_holds_when_two_come_at_once(cast):
    for number in range(rule_sets.LIMIT - 1):
        save(cast.north, f"Set {number}")
    results = at_once(lambda: save(cast.north, "This"), lambda: save(cast.north, "That"))
    assert sorted(type(result).__name__ for result in results) == ["UserError", "int"]
    assert RuleSet.objects.count() == rule_sets.LIMIT
