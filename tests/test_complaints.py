"""What people hold against card tables on the web, and the tests here that try it, or why none does.

The rows are those of the list of complaints that the site was planned with, but for two of its chapters: bots
(tests/bots) and tournaments (tests/formats, tests/events) quote theirs beside each test.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

TESTS: Final = Path(__file__).parent


class Answer(NamedTuple):
    tests: tuple[str, ...]
    """``folder/file::[Class::]function``, below tests/, without .py."""
    why: str = ""
    """What of the complaint is no test's business, and why."""


def by(*tests: str, why: str = "") -> Answer:
    return Answer(tests, why)


COMPLAINTS: Final[dict[str, Answer]] = {
    # Leaving, idling, reconnecting
    "<1 min drop and no way back in": by(
        "browser/test_reconnect::test_a_cut_connection_is_back_in_time_with_the_same_cards_and_nobody_else_reloads",
        "services/test_leaving::test_a_lost_connection_that_is_back_in_time_costs_nothing",
        "services/test_clocks::test_who_was_away_before_the_outage_has_his_whole_minute_after_it",
    ),
    "Refreshing the page throws you out": by(
        "browser/test_reconnect::test_a_reload_in_any_phase_shows_the_same_seat_and_cards"
    ),
    "Seat stays occupied by the ghost; game cannot finish": by(
        "browser/test_reconnect::test_a_cut_connection_is_back_in_time_with_the_same_cards_and_nobody_else_reloads",
        "services/test_clocks::test_with_all_four_closed_the_clock_goes_on_from_move_to_move_until_bots_keep_the_seats",
        "browser/test_reconnect::test_who_left_takes_the_seat_back_by_one_click_and_acts_next",
    ),
    "One idle player blocks everyone indefinitely": by(
        "services/test_play::test_after_three_missed_moves_in_a_row_a_bot_keeps_the_seat",
        "services/test_patient_tables::test_when_the_time_is_up_the_clock_stops_and_the_others_may_ask_for_a_bot",
        "services/test_patient_tables::test_with_everybody_gone_for_ten_minutes_bots_finish_the_game",
    ),
    "Automatic forced loss is wrong for friendly games": by(
        "services/test_patient_tables::test_the_clock_plays_for_nobody_who_is_thinking",
        "services/test_leaving::test_leaving_a_friendly_game_costs_nothing",
    ),
    "Returning after AI took over: game plays by itself, clicks do nothing": by(
        "web/test_table_complaints::test_who_comes_back_acts_next_and_the_bot_does_not",
        "services/test_races::test_a_seat_taken_back_while_the_bot_thinks_is_its_owners",
    ),
    "Player grabs two seats in a 1-2 s window": by(
        "web/test_table_complaints::test_two_seats_of_one_table_asked_for_at_once_are_one_seat"
    ),
    "Joined as player and spectator while lagging: stuck": by(
        "web/test_table_complaints::test_who_watches_and_sits_down_in_the_same_moment_has_one_role"
    ),
    "Rating lost because partner abandoned; or leavers game the rule (party abandons)": by(
        "services/test_leaving::test_the_partner_of_a_leaver_is_never_charged",
        "services/test_leaving::test_a_party_that_leaves_together_is_charged_together",
        "web/test_waiting_time::test_the_policy_stands_on_a_page_of_the_site_with_its_numbers",
    ),
    "Deadbeats spoil real-time games; want limits on missed turns": by(
        "services/test_play::test_after_three_missed_moves_in_a_row_a_bot_keeps_the_seat",
        "services/test_leaving::test_everybody_sees_the_moves_somebody_missed_in_a_row_and_in_the_game",
    ),
    # Clocks and restarts
    "Clock runs negative and never times out": by(
        "services/test_clocks::test_a_clock_never_runs_negative_and_times_out_with_all_four_clients_closed_at_the_deadline"
    ),
    "Switching tab shows a stale clock": by(
        "browser/test_hands::test_the_last_seconds_are_told_and_a_tab_that_slept_shows_no_stale_clock",
        "web/test_announcements::test_a_frame_tells_when_it_was_made_so_that_no_clock_is_stale",
    ),
    "Deploy ended a game wrongly": by(
        "services/test_clocks::test_a_restart_in_the_middle_of_a_trick_charges_nobody_and_ends_nothing",
        "services/test_races::test_the_time_of_an_outage_is_given_back_once_and_before_anybody_acts",
    ),
    "Server restart kills all games": by(
        "services/test_clocks::test_tables_of_a_whole_site_go_on_after_a_restart",
        "browser/test_reconnect::test_a_restarted_server_is_found_again_by_everybody",
        "faults/test_kills::test_everything_killed_at_once_while_bots_play_resumes_by_itself",
    ),
    "Turn timers not restored": by("services/test_clocks::test_the_deadline_fires_after_a_restart"),
    "Whole-day outage, repeated apologies for the interruption in your games": by(
        "services/test_clocks::test_a_restart_in_the_middle_of_a_trick_charges_nobody_and_ends_nothing",
        "services/test_clocks::test_who_was_away_before_the_outage_has_his_whole_minute_after_it",
        why="A drill of restoring a backup is the owner's: all that is to be kept is one database, "
        "which SQLite's and PostgreSQL's own tools copy; started on the copy, games go on as after any outage.",
    ),
    # Hidden information, cheating, trust in the deal
    "Full game state is broadcast; cheating by reading the socket": by(
        "web/test_hidden_cards::test_over_whole_games_nobody_receives_a_card_that_he_may_not_know"
    ),
    "sync as another playerID returns their secret state": by(
        "web/test_bad_messages::TestTheSocket::test_who_one_is_stands_in_no_message"
    ),
    "Seat credential survives leaving; new occupant can be impersonated; races; XSS through ids": by(
        "web/test_table_complaints::test_a_seat_that_somebody_else_has_taken_answers_to_nobody_but_him",
        "web/test_talk::test_what_is_said_is_escaped_wherever_it_is_shown",
        "web/test_felt::test_names_are_escaped_and_isolated",
    ),
    "Spectators can act in the game": by("web/test_permissions::test_everybody_by_every_action"),
    "TRAM auto-claim leaks": by(
        "engine/test_claims::test_every_claim_that_is_offered_wins_whatever_the_others_play",
        "web/test_announcements::test_a_march_that_is_claimed",
    ),
    "Partners in one room shout their cards to each other": by(
        "services/test_people::TestPartners::test_partners_by_wish_are_for_friends_and_friendly_games",
        "web/test_watching::test_accounts_of_one_address_at_a_ranked_game_are_noted_and_let_in",
        why="Who shares an address at a ranked game is shown to staff and kept apart by nobody: a household, a school "
        "or a phone network is one address, and to guess would shut out the honest.",
    ),
    "Everybody accuses everybody of cheating in advanced rooms": by(
        "services/test_talk::test_a_report_takes_the_deal_and_what_was_said_along",
        "web/test_staff_desk::test_once_the_deal_is_scored_it_lies_open_for_staff_and_once_the_game_is_over_for_all",
    ),
    "Take-backs used to test illegal or risky plays": by(
        "web/test_table_complaints::test_what_has_been_played_is_not_taken_back"
    ),
    "Bots farmed for rating; bot games silently unrated": by(
        "services/test_ratings::test_a_game_against_three_bots_is_rated",
        "services/test_results::test_a_ranked_game_with_three_bots_is_rated_for_the_person_only",
        "web/test_replay::TestAFinishedGame::test_the_changes_of_the_ratings_are_shown",
    ),
    # Table, access, messages
    "Screen-reader keys went silent for a day; moves no longer voiced": by(
        "web/test_announcements::test_a_deal_from_its_first_card_to_a_euchre",
        "browser/test_keyboard_game::test_a_whole_game",
        "browser/test_records::test_arrow_keys_show_the_same_as_the_server_at_every_step",
    ),
    "Finished trick vanishes too fast": by(
        "web/test_table_complaints::"
        "test_a_finished_trick_stays_for_as_long_as_the_site_says_and_no_longer_for_who_is_quick",
        "web/test_felt::test_a_finished_trick_lies_until_the_next_card_is_led",
    ),
    "No way to see the previous trick": by(
        "web/test_felt::test_a_finished_trick_lies_until_the_next_card_is_led",
        "browser/test_axe::test_axe_finds_nothing_in_the_lobby_and_at_the_table",
    ),
    "Did not notice it was my turn": by(
        "browser/test_hands::test_marks_double_clicks_and_calls",
        "browser/test_keyboard_game::test_a_whole_game",
    ),
    "Muted without being told; block does not hide public chat": by(
        "web/test_talk::test_a_muted_person_sees_why_and_how_long_in_place_of_the_box",
        "web/test_talk::test_a_mute_and_its_end_are_told_at_once_where_a_page_is_open",
        "web/test_table_complaints::test_a_blocked_person_is_not_read_among_the_watchers_either",
    ),
    "Up-card discard and stick-the-dealer arguments: rule not shown before sitting": by(
        "web/test_lobby::TestTheFrontPage::test_the_rules_are_shown_before_anybody_sits"
    ),
    "E-mail addresses leak through API/To: header/public page": by(
        "web/test_export::test_nobodys_address_is_shown_to_others_anywhere"
    ),
    "House-mates/kids at one table need slower turns; strangers need fast ones": by(
        "web/test_table_complaints::test_the_time_for_a_move_is_told_before_one_sits_down"
    ),
}


@cache
def held_by(file: str) -> set[str]:
    """The tests that a file of tests/ holds, those of its classes after their class."""
    found: set[str] = set()
    for part in ast.parse((TESTS / f"{file}.py").read_text()).body:
        inside = part.body if isinstance(part, ast.ClassDef) else [part]
        before = f"{part.name}::" if isinstance(part, ast.ClassDef) else ""
        found |= {before + each.name for each in inside if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)}
    return found


def test_every_complaint_has_a_test_that_is_there() -> None:
    for complaint, answer in COMPLAINTS.items():
        assert answer.tests or answer.why, complaint
        for test in answer.tests:
            file, _, name = test.partition("::")
            assert name in held_by(file), (complaint, test)
