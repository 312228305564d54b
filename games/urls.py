"""Addresses. They are stable: links to games and players are shared."""

from django.urls import path

import games.converters  # noqa: F401  makes <id:...> known
from games.views import account, daily, fair, lobby, pages, players, records, replay, rules, standings, table

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("play/", lobby.quick, name="quick"),
    path("tables/new/", lobby.open_table, name="open_table"),
    path("tables/new/rules/<id:set_id>/delete/", lobby.delete_rules, name="delete_rules"),
    path("tables/<id:table_id>/", table.table, name="table"),
    path("tables/<id:table_id>/rules/", rules.at_table, name="table_rules"),
    path("tables/<id:table_id>/act/", table.act, name="table_act"),
    path("games/<id:game_id>/", replay.game, name="game"),
    path("games/<id:game_id>/record/", replay.record, name="game_record"),
    path("games/<id:game_id>/record.egn.json", replay.egn, name="game_egn"),
    path("games/<id:game_id>/analysis/", replay.analysis, name="game_analysis"),
    path("games/<id:game_id>/analysis.json", replay.analysis_json, name="game_analysis_json"),
    path("games/<id:game_id>/check/", fair.check, name="game_check"),
    path("tables/<id:table_id>/check/", fair.check_at_table, name="table_check"),
    path("daily/", daily.today, name="daily"),
    path("daily/<day:day>/", daily.one_day, name="daily_day"),
    path("daily/<day:day>/act/", daily.act, name="daily_act"),
    path("records/", records.given, name="records"),
    path("records/<str:token>/", records.record, name="record"),
    path("fair/", fair.about, name="fair"),
    path("fair/deals/", fair.statistics, name="fair_deals"),
    path("players/<str:name>/", players.player, name="player"),
    path("standings/", standings.standings, name="standings"),
    path("rules/", rules.rules, name="rules"),
    path("ratings/", pages.about_ratings, name="about_ratings"),
    path("bots/", pages.bots, name="bots"),
    path("fair-play/", pages.fair_play, name="fair_play"),
    path("privacy/", pages.privacy, name="privacy"),
    path("preferences/", pages.preferences, name="preferences"),
    path("status/", pages.status, name="status"),
    path("accounts/", account.overview, name="account"),
    path("accounts/delete/", account.delete, name="account_delete"),
]
