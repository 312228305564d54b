"""Addresses of clubs and events. They are stable: people give them to others."""

from django.urls import path

import games.converters  # noqa: F401  makes <id:...> known
from tournaments.views import clubs, events, noticeboard, people, seasons, series

urlpatterns = [
    path("clubs/", clubs.listed, name="clubs"),
    path("clubs/new/", clubs.found, name="found_club"),
    path("clubs/join/<str:token>/", people.invitation, name="club_invitation"),
    path("clubs/<slug:slug>/", clubs.club, name="club"),
    path("clubs/<slug:slug>/join/", people.join, name="club_join"),
    path("clubs/<slug:slug>/withdraw/", people.withdraw, name="club_withdraw"),
    path("clubs/<slug:slug>/leave/", people.leave, name="club_leave"),
    path("clubs/<slug:slug>/members/", people.members, name="club_members"),
    path("clubs/<slug:slug>/members/<id:player_id>/", people.member, name="club_member"),
    path("clubs/<slug:slug>/members/<id:player_id>/role/", people.member_role, name="club_member_role"),
    path("clubs/<slug:slug>/members/<id:player_id>/note/", people.member_note, name="club_member_note"),
    path("clubs/<slug:slug>/members/<id:player_id>/remove/", people.member_remove, name="club_member_remove"),
    path("clubs/<slug:slug>/members/<id:player_id>/ban/", people.member_ban, name="club_member_ban"),
    path("clubs/<slug:slug>/door/", people.door, name="club_door"),
    path("clubs/<slug:slug>/door/requests/<id:player_id>/", people.answer, name="club_answer"),
    path("clubs/<slug:slug>/door/links/", people.invite, name="club_invite"),
    path("clubs/<slug:slug>/door/links/<id:invitation_id>/revoke/", people.revoke, name="club_revoke"),
    path("clubs/<slug:slug>/door/bans/", people.ban, name="club_ban"),
    path("clubs/<slug:slug>/door/bans/<id:player_id>/lift/", people.lift, name="club_lift"),
    path("clubs/<slug:slug>/notices/new/", noticeboard.new_notice, name="club_new_notice"),
    path("clubs/<slug:slug>/notices/<id:notice_id>/", noticeboard.edit_notice, name="club_notice"),
    path("clubs/<slug:slug>/notices/<id:notice_id>/delete/", noticeboard.delete_notice, name="club_delete_notice"),
    path("clubs/<slug:slug>/rules/", noticeboard.rules, name="club_rules"),
    path("clubs/<slug:slug>/rules/new/", noticeboard.new_rules, name="club_new_rules"),
    path("clubs/<slug:slug>/rules/<id:set_id>/", noticeboard.edit_rules, name="club_edit_rules"),
    path("clubs/<slug:slug>/rules/<id:set_id>/delete/", noticeboard.delete_rules, name="club_delete_rules"),
    path("clubs/<slug:slug>/seasons/", seasons.listed, name="club_seasons"),
    path("clubs/<slug:slug>/seasons/new/", seasons.new, name="club_new_season"),
    path("clubs/<slug:slug>/seasons/<id:season_id>/", seasons.season, name="club_season"),
    path("clubs/<slug:slug>/seasons/<id:season_id>/table.csv", seasons.as_csv, name="club_season_csv"),
    path("clubs/<slug:slug>/seasons/<id:season_id>/table.json", seasons.as_json, name="club_season_json"),
    path("clubs/<slug:slug>/seasons/<id:season_id>/edit/", seasons.edit, name="club_edit_season"),
    path("clubs/<slug:slug>/seasons/<id:season_id>/delete/", seasons.delete, name="club_delete_season"),
    path("clubs/<slug:slug>/log/", clubs.log, name="club_log"),
    path("clubs/<slug:slug>/settings/", clubs.settings, name="club_settings"),
    path("events/<id:event_id>/", events.event, name="event"),
    path("events/<id:event_id>/repeat/", series.repeat, name="event_repeat"),
    path("events/<id:event_id>/repeat/stop/", series.stop, name="event_repeat_stop"),
    path("clubs/<slug:slug>/close/", clubs.close, name="club_close"),
    path("clubs/<slug:slug>/reopen/", clubs.reopen, name="club_reopen"),
]
