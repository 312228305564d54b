"""House rules in words: chips, the form of a table, saved sets, the page of rules."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from games import engine
from games.engine import EXCLUSIONS, OPTIONS, PRESETS, Rules
from games.forms import FOR_FEWER, OpenTableForm
from games.models import Player, RuleSet, Table
from games.rulebook import Case, cases, rulebook
from games.services import rule_sets, seating
from games.templatetags import house_rules
from games.templatetags.house_rules import EXCLUSION_WORDS, GROUPS, OPTION_WORDS, PRESET_WORDS, chips, differences
from tests.engine.any_rules import ANY_RULES, allowed, random_rules
from tests.services.conftest import on_turn, submit

STANDARD = PRESETS["article"]


@pytest.fixture
def north(db: None) -> Player:
    return Player.objects.create_user("North", "a good long password")


@pytest.fixture
def browser(north: Player) -> Client:
    client = Client()
    client.force_login(north)
    return client


def fields(rules: Rules, **more: str) -> dict[str, str]:
    """What the form sends for a table with these rules."""
    options = {name: str(getattr(rules, name)) for name in OPTIONS}
    return {"title": "", "kind": "friendly", "pace": "20", "save_as": ""} | options | more


def sent(page: str) -> dict[str, str]:
    """What a browser would send of the form that a page shows."""
    form = page[page.index('<form class="panel start"') :]
    found = {
        match["name"]: unescape(match["value"])
        for match in re.finditer(r'<input type="(?:text|hidden)" name="(?P<name>\w+)" value="(?P<value>[^"]*)"', form)
    }
    for match in re.finditer(r'<input type="radio" name="(\w+)" value="([^"]*)"([^>]*)>', form):
        if "checked" in match[3]:
            found[match[1]] = match[2]
    for match in re.finditer(r'<select name="(\w+)".*?</select>', form, re.DOTALL):
        found[match[1]] = re.search(r'<option value="([^"]*)" selected', match[0])[1]
    return found


class TestTheWords:
    def test_every_option_and_every_value_has_words(self) -> None:
        assert list(OPTION_WORDS) and set(OPTION_WORDS) == set(OPTIONS)
        for name, option in OPTION_WORDS.items():
            assert set(option.values) == set(OPTIONS[name])
            assert str(option.label) and str(option.line).endswith(".")
            for words in option.values.values():
                assert str(words.word) and str(words.chip)
                assert str(words.sentence).endswith(".")

    def test_the_words_of_one_option_differ(self) -> None:
        for option in OPTION_WORDS.values():
            for part in zip(*option.values.values(), strict=True):
                assert len(set(map(str, part))) == len(option.values)

    def test_the_form_asks_for_every_option_once(self) -> None:
        assert sorted(name for _title, names in GROUPS for name in names) == sorted(OPTIONS)

    def test_every_preset_has_words(self) -> None:
        assert list(PRESET_WORDS) == list(PRESETS)

    def test_every_exclusion_of_the_engine_has_words(self) -> None:
        assert set(EXCLUSION_WORDS) == {options for options, _excluded, _sentence in EXCLUSIONS}


class TestWhatDiffers:
    @pytest.mark.parametrize(
        ("rules", "said"),
        [
            (STANDARD, []),
            (PRESETS["tournament_scene"], ["stick the dealer"]),
            (PRESETS["british"], ["British, 25 cards"]),
            (replace(PRESETS["british"], target_score=15), ["British, 25 cards", "first to 15"]),
            (replace(PRESETS["railroad"], slam=False), ["Railroad, 25 cards", "no slam"]),
            (replace(PRESETS["british"], pack=33), ["British", "33 cards"]),
            (replace(PRESETS["railroad"], pack=24), ["Railroad", "24 cards"]),
            (PRESETS["two_handed"], ["two-handed"]),
            (replace(PRESETS["three_handed"], stick_the_dealer=True), ["three players", "stick the dealer"]),
            (Rules(num_deals=12, target_score=21), ["12 deals"]),
            (Rules(joker_up="spades"), []),
        ],
    )
    def test_chips_name_the_nearest_preset_and_then_what_is_not_as_there(self, rules, said) -> None:
        assert chips(rules) == said

    def test_a_difference_is_told_by_label_word_and_sentence(self) -> None:
        (told,) = differences(Rules(stick_the_dealer=True))
        assert (told.label, told.word) == ("Stick the dealer", "Yes")
        assert told.sentence.startswith("When all others have passed in both rounds")

    @given(ANY_RULES)
    def test_chips_are_empty_for_the_standard_rules_alone(self, rules: Rules) -> None:
        assert bool(chips(rules)) == bool(differences(rules))
        assert len(chips(rules)) <= len(differences(rules)) + (house_rules.preset_of(rules) is not None)
        assert len(set(chips(rules))) == len(chips(rules))
        assert len(re.findall(r"\d+ cards", ", ".join(chips(rules)))) <= 1

    @settings(max_examples=50, deadline=None)
    @given(ANY_RULES)
    def test_what_is_not_told_makes_no_difference_to_a_deal(self, rules: Rules) -> None:
        """The same deals, whatever the value of an option that does not matter."""
        for name, values in OPTIONS.items():
            if house_rules.matters(rules, name):
                continue
            for value in values:
                try:
                    other = replace(rules, **{name: value})
                except ValueError:
                    continue
                assert self.games(rules) == self.games(other), name

    def games(self, rules: Rules) -> list[Any]:
        told = []
        for seed in range(6):
            rng = random.Random(seed)
            state = engine.start_deal(rules, 0, engine.shuffled(engine.pack(rules.pack), rng.randbytes(32), 1))
            while state.phase != "done":
                state = engine.apply(state, rng.choice(state.legal))
            told.append((state.history, state.points, engine.winner((9, 3, 10)[: rules.sides], rules, 7)))
        return told


class TestTheForm:
    @pytest.mark.parametrize("preset", PRESETS)
    def test_a_preset_fills_it_in_and_is_played(self, browser, preset) -> None:
        page = browser.get("/tables/new/", {"preset": preset}).content.decode()
        assert re.search(rf'preset={preset}" aria-current="true"', page)
        assert page.count('aria-current="true"') == 1
        filled = sent(page)
        assert filled["kind"] == ("ranked" if preset in ("article", "tournament_scene") else "friendly")
        answer = browser.post("/tables/new/", filled)
        table = Table.objects.get()
        assertRedirects(answer, f"/tables/{table.pk}/", fetch_redirect_response=False)
        assert engine.parse_rules(table.rules) == PRESETS[preset]
        assert table.seats.count() == PRESETS[preset].players

    @pytest.mark.parametrize("seed", range(8))
    def test_any_rules_go_through_the_form_and_back(self, browser, seed) -> None:
        rules = random_rules(random.Random(seed))
        answer = browser.post("/tables/new/", fields(rules, title="\u200b"))
        assertContains(answer, "a name that can be seen", status_code=422)
        again = sent(answer.content.decode())
        assert {name: again[name] for name in OPTIONS} == {name: str(getattr(rules, name)) for name in OPTIONS}
        browser.post("/tables/new/", again | {"title": "Back room"})
        assert engine.parse_rules(Table.objects.get().rules) == rules

    @settings(max_examples=100, deadline=None)
    @given(ANY_RULES)
    def test_the_form_makes_the_rules_it_was_given(self, rules: Rules) -> None:
        form = OpenTableForm(fields(rules))
        assert form.is_valid(), form.errors
        assert form.rules == rules
        assert OpenTableForm.by_rules(rules, {}).rules == rules

    def test_the_house_rules_are_open_when_something_differs(self, browser) -> None:
        assertContains(browser.get("/tables/new/"), '<details class="house">')
        assertContains(browser.get("/tables/new/?preset=british"), '<details class="house" open>')

    @pytest.mark.parametrize("query", ["preset=nonsense", "set=7", "set=", "set=x", "set=" + "9" * 40])
    def test_rules_that_are_not_there_are_not_found(self, browser, query) -> None:
        assert browser.get(f"/tables/new/?{query}").status_code == 404

    @pytest.mark.parametrize(
        ("excluded", "wrong"),
        [
            ({"no_trump": "round2", "pack": 25}, ("no_trump", "pack")),
            ({"no_trump": "stuck_dealer"}, ("no_trump", "stick_the_dealer")),
            ({"all_pass_penalty": 1}, ("all_pass_penalty", "stick_the_dealer")),
            ({"canadian_loner": True, "alone_who": "none"}, ("canadian_loner", "alone_who")),
            ({"partners_best": True, "alone_who": "none"}, ("partners_best", "alone_who")),
            ({"num_deals": 12, "slam": True}, ("num_deals", "laps", "slam")),
            ({"two_handed_dummy": 2, "players": 3}, ("two_handed_dummy", "players")),
        ],
    )
    def test_what_excludes_each_other_is_an_error_at_each_and_nothing_is_lost(self, browser, excluded, wrong) -> None:
        given_up = fields(STANDARD, title="Back room", pace="45")
        given_up |= {name: str(value) for name, value in excluded.items()}
        answer = browser.post("/tables/new/", given_up)
        page = answer.content.decode()
        assert answer.status_code == 422
        for name in wrong:
            assert f'id="id_{name}_error"' in page
        assert unescape(page).count(str(EXCLUSION_WORDS[wrong])) == len(wrong)
        assert sent(page).items() >= given_up.items() - {("save_as", "")}
        assert '<details class="house" open>' in page
        assert not Table.objects.exists()

    def test_all_exclusions_are_told_at_once(self) -> None:
        form = OpenTableForm(fields(STANDARD) | {"no_trump": "stuck_dealer", "num_deals": "4", "laps": "True"})
        assert set(form.errors) == {"no_trump", "stick_the_dealer", "num_deals", "laps", "slam"}

    @pytest.mark.parametrize("players", [2, 3])
    def test_for_two_and_three_going_alone_is_settled(self, browser, players) -> None:
        browser.post("/tables/new/", fields(STANDARD) | {"players": str(players), "partners_best": "True"})
        assert engine.parse_rules(Table.objects.get().rules) == Rules(players=players, **FOR_FEWER)

    def test_ranked_games_go_by_the_standard_rules(self, browser) -> None:
        assertContains(browser.get("/tables/new/"), "Ranked tables are open to everybody, go by the standard rules")
        answer = browser.post("/tables/new/", fields(PRESETS["pack32"], kind="ranked"))
        assertContains(answer, "Ranked games go by the standard rules", status_code=422)
        assert not Table.objects.exists()

    @pytest.mark.parametrize("value", ["", "99", "x" * 5000, "True\x00"])
    def test_a_forged_value_is_refused(self, browser, value) -> None:
        answer = browser.post("/tables/new/", fields(STANDARD) | {"pack": value, "laps": value})
        assertContains(answer, "Choose one of these.", count=2, status_code=422)

    def test_an_empty_form_is_an_error_at_every_choice(self, browser) -> None:
        assert browser.post("/tables/new/").status_code == 422


class TestSavedSets:
    def test_saving_keeps_what_was_filled_in(self, browser, north) -> None:
        filled = fields(PRESETS["railroad"], title="Back room", pace="45", save_as="Thursday")
        answer = browser.post("/tables/new/", filled | {"save": "rules"}, follow=True)
        kept = RuleSet.objects.get(owner=north)
        page = answer.content.decode()
        assert f'set={kept.pk}" aria-current="true"' in page
        assert "“Thursday” is saved." in unescape(page)
        assert f'href="/rules/?set={kept.pk}"' in page
        again = sent(page)
        assert (again["title"], again["pace"], again["kind"], again["laps"]) == ("Back room", "45", "friendly", "True")
        assert not Table.objects.exists()

    def test_opening_a_table_saves_them_too(self, browser) -> None:
        browser.post("/tables/new/", fields(PRESETS["british"], save_as="Thursday"))
        assert engine.parse_rules(RuleSet.objects.get().rules) == PRESETS["british"]
        assert Table.objects.exists()

    @pytest.mark.parametrize(
        ("name", "sentence"),
        [("", "Give the rules a name to save them under."), ("\u2060", "can be seen"), ("x" * 41, "it has 41.")],
    )
    def test_a_bad_name_is_told(self, browser, name, sentence) -> None:
        answer = browser.post("/tables/new/", fields(STANDARD, save_as=name, save="rules"))
        assertContains(answer, sentence, status_code=422)
        assert not RuleSet.objects.exists()

    def test_rules_that_exclude_each_other_are_not_saved(self, browser) -> None:
        filled = fields(STANDARD, save_as="Thursday", save="rules") | {"all_pass_penalty": "1"}
        assert browser.post("/tables/new/", filled).status_code == 422
        assert not RuleSet.objects.exists()

    @pytest.mark.parametrize("save", [{"save": "rules"}, {}])
    def test_one_too_many_is_told_and_opens_no_table(self, browser, north, save) -> None:
        for number in range(rule_sets.LIMIT):
            rule_sets.save_rules(owner_id=north.pk, name=f"Set {number}", rules=STANDARD)
        answer = browser.post("/tables/new/", fields(PRESETS["british"], save_as="One more") | save)
        assertContains(answer, "Delete one first", status_code=422)
        assert sent(answer.content.decode())["save_as"] == "One more"
        assert not Table.objects.exists()

    def test_nobody_sees_uses_or_deletes_those_of_others(self, browser, north) -> None:
        east = Player.objects.create_user("East")
        pk = rule_sets.save_rules(owner_id=east.pk, name="Secret rules", rules=PRESETS["british"])
        assertNotContains(browser.get("/tables/new/"), "Secret rules")
        assert browser.get(f"/tables/new/?set={pk}").status_code == 404
        assertRedirects(browser.post(reverse("delete_rules", args=[pk])), "/tables/new/")
        assert RuleSet.objects.filter(pk=pk).exists()

    def test_the_owner_deletes_one_by_post(self, browser, north) -> None:
        pk = rule_sets.save_rules(owner_id=north.pk, name="Thursday", rules=PRESETS["british"])
        address = reverse("delete_rules", args=[pk])
        assertContains(browser.get("/tables/new/"), f'action="{address}"')
        assert browser.get(address).status_code == 405
        assert Client().post(address).url.startswith("/guest/")
        assertContains(browser.post(address, follow=True), "“Thursday” is deleted.")
        assert not RuleSet.objects.exists()
        assertRedirects(browser.post(address), "/tables/new/")

    def test_staff_look_at_them_and_change_nothing(self, north) -> None:
        pk = rule_sets.save_rules(owner_id=north.pk, name="Thursday", rules=PRESETS["british"])
        desk = Client()
        desk.force_login(Player.objects.create_superuser("Umpire", "a good long password"))
        assertContains(desk.get(reverse("admin:games_ruleset_changelist")), "Thursday")
        assertContains(desk.get(reverse("admin:games_ruleset_change", args=[pk])), "Thursday")
        assert desk.get(reverse("admin:games_ruleset_add")).status_code == 403
        assert desk.post(reverse("admin:games_ruleset_delete", args=[pk])).status_code == 403

    def test_a_name_cannot_be_markup(self, browser, north) -> None:
        rule_sets.save_rules(owner_id=north.pk, name="<script>alert(1)</script>", rules=STANDARD)
        assertNotContains(browser.get("/tables/new/"), "<script>alert")

    def test_who_has_to_join_first_comes_back_to_the_preset(self, client) -> None:
        assert client.get("/tables/new/?preset=british").url == ("/guest/?next=%2Ftables%2Fnew%2F%3Fpreset%3Dbritish")


class TestTheRulesPage:
    @pytest.mark.parametrize("preset", PRESETS)
    def test_a_preset_has_a_page_that_says_first_what_differs(self, client, preset) -> None:
        page = unescape(client.get("/rules/", {"preset": preset}).content.decode())
        assert page.count("<h1") == 1
        told = differences(PRESETS[preset])
        assert ('id="different"' in page) == bool(told)
        for one in told:
            assert one.sentence in page[: page.index('id="short"')]

    def test_a_preset_that_is_not_there_is_not_found(self, client, db) -> None:
        assert client.get("/rules/?preset=nonsense").status_code == 404

    @pytest.mark.parametrize("preset", PRESETS)
    def test_a_saved_set_has_a_page_for_its_owner_alone(self, browser, client, north, preset) -> None:
        set_id = rule_sets.save_rules(owner_id=north.pk, name="Thursday", rules=PRESETS[preset])
        answer = browser.get("/rules/", {"set": set_id})
        page = unescape(answer.content.decode())
        assert "Rules: <bdi>Thursday</bdi>" in page
        assert "private" in answer["Cache-Control"]
        for one in differences(PRESETS[preset]):
            assert one.sentence in page[: page.index('id="short"')]
        assert client.get("/rules/", {"set": set_id}).status_code == 404
        assert browser.get("/rules/?set=nonsense").status_code == 404

    @pytest.mark.parametrize("seed", range(12))
    def test_the_rules_at_a_table(self, client, north, seed) -> None:
        rules = random_rules(random.Random(seed))
        table_id = seating.open_table(
            host=north, ranked=False, pace=20, rules=engine.format_rules(rules), title="Back <room>"
        )
        page = unescape(client.get(f"/tables/{table_id}/rules/").content.decode())
        first = page[: page.index('id="short"')]
        assert "<bdi>Back <room></bdi>" in first
        for one in differences(rules):
            assert one.sentence in first
        for chip in chips(rules):
            assert chip.lower() in first.lower()
        drawn = re.findall(r'data-card="(\w+)"', page)
        assert tuple(drawn[: len(rulebook(rules).trumps)]) == rulebook(rules).trumps
        assert set(drawn) <= set(engine.pack(rules.pack))

    def test_a_table_with_the_standard_rules_says_so(self, client, north) -> None:
        table_id = seating.open_table(host=north, ranked=True, pace=20, rules="article")
        assertContains(client.get(f"/tables/{table_id}/rules/"), "This table plays the standard rules.")

    def test_no_table_no_rules(self, client, db) -> None:
        assert client.get("/tables/7/rules/").status_code == 404

    @settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
    @given(ANY_RULES)
    def test_any_rules_render(self, rf, rules: Rules) -> None:
        from games.views import rules as view

        page = view._page(rf.get("/"), rules, {"preset": "article", "starts": house_rules.STARTS}).content.decode()
        points = [[int(number) for number in re.findall(r'<b class="num">(\d+)</b>', row)] for row in re.findall(
            r"<tr><th scope=.row.*?</tr>", page
        )]  # fmt: skip
        assert points == [[makers or others for makers, others in row.points] for row in rulebook(rules).outcomes]


class TestTheRulebook:
    """What the page shows is what is played."""

    def test_the_order_of_trumps(self) -> None:
        assert rulebook(STANDARD).trumps == ("JH", "JD", "AH", "KH", "QH", "TH", "9H")
        assert rulebook(PRESETS["british"]).trumps[:3] == ("B", "JH", "JD")
        assert rulebook(PRESETS["pack32"]).trumps[-2:] == ("8H", "7H")
        assert rulebook(STANDARD).next_suit == ("AD", "KD", "QD", "TD", "9D")

    @pytest.mark.parametrize(
        ("preset", "first", "second", "left"),
        [
            ("article", (3, 2, 3, 2), (2, 3, 2, 3), 4),
            ("british", (3, 2, 3, 2), (2, 3, 2, 3), 5),
            ("two_handed", (3, 2), (2, 3), 14),
            ("three_handed", (3, 2, 3), (2, 3, 2), 9),
        ],
    )
    def test_the_deal(self, preset, first, second, left) -> None:
        dealing = rulebook(PRESETS[preset]).dealing
        assert (dealing.first, dealing.second, dealing.left) == (first, second, left)

    def test_twos_first(self) -> None:
        assert rulebook(Rules(packets="2-3")).dealing.first == (2, 3, 2, 3)

    def test_the_left_bower_follows_trump_alone(self) -> None:
        trump_led, diamonds_led = rulebook(STANDARD).following
        assert trump_led.legal == {"JD"}
        assert diamonds_led.free

    def test_at_no_trump_it_is_a_plain_jack(self) -> None:
        *_others, no_trump = rulebook(Rules(no_trump="round2")).following
        assert no_trump.legal == {"JD"}
        assert [trick.wins for trick in rulebook(Rules(no_trump="round2")).tricks] == ["JD", "QC", "JD"]

    def test_the_joker_wins(self) -> None:
        assert [trick.wins for trick in rulebook(PRESETS["british"]).tricks] == ["JD", "B", "QC"]

    def test_the_points(self) -> None:
        rows = [(row.least, row.most, row.points) for row in rulebook(STANDARD).outcomes]
        assert rows == [
            (5, 5, ((2, 0), (4, 0), (2, 0), (4, 0))),
            (3, 4, ((1, 0), (1, 0), (1, 0), (1, 0))),
            (1, 2, ((0, 2), (0, 2), (0, 2), (0, 2))),
            (0, 0, ((0, 2), (0, 2), (0, 4), (0, 4))),
        ]
        assert [row.points for row in rulebook(PRESETS["three_handed"]).outcomes] == [((3, 0),), ((1, 0),), ((0, 2),)]

    def test_what_the_sentences_say_of_points_is_what_is_scored(self) -> None:
        def points(rules: Rules, tricks: tuple[int, ...], *loners: int) -> tuple[int, ...]:
            return engine.deal_points(rules, 0, loners, tricks)

        assert points(PRESETS["three_handed"], (5, 0, 0)) == (3, 0, 0)
        assert points(PRESETS["three_handed"], (2, 2, 1)) == (0, 2, 2)
        for value in OPTIONS["lone_euchred"]:
            assert f"score {points(Rules(lone_euchred=value), (2, 3), 0)[1]} points" in self.said("lone_euchred", value)
        assert f"{points(Rules(super_euchre=True), (0, 5))[1]} points" in self.said("super_euchre", True)
        two_or_four = [points(Rules(), tricks, 1)[1] for tricks in ((2, 3), (0, 5))]
        assert "scores {} points, and {} with all five".format(*two_or_four) in self.said("lone_defender", "2/4")
        assert f"scores {points(Rules(lone_defender='4'), (2, 3), 1)[1]} points" in self.said("lone_defender", "4")

    def said(self, name: str, value: object) -> str:
        return str(OPTION_WORDS[name].values[value].sentence)

    @pytest.mark.parametrize("who", OPTIONS["alone_who"])
    @pytest.mark.parametrize("defend", OPTIONS["defend_alone"])
    @pytest.mark.parametrize("timing", OPTIONS["alone_timing"])
    def test_who_can_be_alone_is_who_is_found_alone(self, who, defend, timing) -> None:
        rules = allowed({"alone_who": who, "defend_alone": defend, "alone_timing": timing})
        rng, found = random.Random(5), set()
        for number in range(60):
            state = engine.start_deal(rules, 0, engine.shuffled(engine.pack(), rng.randbytes(32), number))
            while state.phase != "play":
                rare = ("pass",) if state.phase == "bid1" else ()
                state = engine.apply(state, rng.choice([one for one in state.legal if one.kind not in rare]))
            makers = state.maker % 2
            found.add(
                Case(
                    any(seat % 2 == makers for seat in state.loners),
                    any(seat % 2 != makers for seat in state.loners),
                )
            )
        assert found == set(cases(rules))


class TestTheLobby:
    @pytest.mark.parametrize(("preset", "free"), [("two_handed", 1), ("three_handed", 2), ("railroad", 3)])
    def test_a_table_shows_its_rules_and_as_many_seats_as_it_has(self, client, north, preset, free) -> None:
        rules = engine.format_rules(PRESETS[preset])
        table_id = seating.open_table(host=north, ranked=False, pace=20, rules=rules)
        page = client.get("/").content.decode()
        assert page.count("<i></i>") == free
        assert chips(PRESETS[preset])[0][1:] in page
        assert f'href="/tables/{table_id}/rules/"' in page

    def test_many_differences_are_cut(self, client, north) -> None:
        rules = Rules(
            pack=28, target_score=21, stick_the_dealer=True, weak_hand="farmers_swap", claim=False, packets="2-3",
            lone_euchred=4, super_euchre=True,
        )  # fmt: skip
        seating.open_table(host=north, ranked=False, pace=20, rules=engine.format_rules(rules))
        assertContains(client.get("/"), ">3 more<")

    def test_a_game_at_no_trump_can_be_the_top_table(self, client, north) -> None:
        rules = engine.format_rules(replace(PRESETS["two_handed"], no_trump="round2"))
        table_id = seating.open_table(host=north, ranked=False, pace=20, rules=rules)
        seating.sit(table_id=table_id, player_id=Player.objects.create_user("East").pk)
        for action in ("pass", "pass", "call:N"):
            caller = on_turn(table_id)
            submit(table_id, caller, action)
        assertContains(client.get("/"), f"No-trump, <bdi>{caller.name}</bdi>’s call")

    @pytest.mark.parametrize("preset", ["two_handed", "three_handed"])
    def test_a_game_of_fewer_can_be_the_top_table(self, client, north, preset) -> None:
        rules = engine.format_rules(PRESETS[preset])
        table_id = seating.open_table(host=north, ranked=False, pace=20, rules=rules)
        others = [Player.objects.create_user(name) for name in ("East", "West")][: PRESETS[preset].players - 1]
        for player in others:
            seating.sit(table_id=table_id, player_id=player.pk)
        page = client.get("/").content.decode()
        assert f'href="/tables/{table_id}/"' in page
        for player in (north, *others):
            assert page.count(f"<bdi>{player.name}</bdi>") + page.count(f">{player.name}</bdi>") >= 2
