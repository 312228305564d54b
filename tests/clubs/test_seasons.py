"""Season tables over a club's finished evenings: who may make them, what they say."""

from __future__ import annotations

import csv
import io
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import pytest
from django.urls import reverse

from games.models import Player
from games.services.accounts import delete_account
from games.services.errors import UserError
from tournaments.models import Club, Entrant, Event, Place, Season
from tournaments.services import seasons
from tournaments.services.book import NotAllowed
from tournaments.services.seasons import Terms

pytestmark = pytest.mark.django_db

AUTUMN = Terms("Autumn", date(2026, 9, 1), date(2026, 11, 30), (10, 7, 5, 3), 1)


def evening(club: Club, day: datetime, *finish: tuple[Any, int | None, int], **more: Any) -> Event:
    """A finished event: who, which place, which score. A name without an account is a text."""
    event = Event.objects.create(
        club=club, started_at=day, finished_at=day,
        **{
            "title": f"Evening of {day:%d %b}", "format": "swiss", "state": Event.State.FINISHED,
            "zone": "America/Chicago",
        } | more,
    )  # fmt: skip
    for number, (who, place, score) in enumerate(finish, start=1):
        name = who if isinstance(who, str) else who.name
        entrant = Entrant.objects.create(event=event, number=number, name=name)
        player = None if isinstance(who, str) else who
        Place.objects.create(
            event=event, entrant=entrant, player=player, name=name, place=place, score=score, wins=score / 10,
            counters={"loners": number},
        )  # fmt: skip
    return event


@pytest.fixture
def season(club: Club, cast: SimpleNamespace) -> Season:
    evening(club, datetime(2026, 9, 4, 1, tzinfo=UTC), (cast.member, 1, 40), ("Old Tom", 2, 35), (cast.owner, 3, 20))
    evening(club, datetime(2026, 9, 11, 1, tzinfo=UTC), ("old tom", 1, 44), (cast.member, 2, 40))
    evening(club, datetime(2026, 9, 18, 1, tzinfo=UTC), (cast.member, None, 5), ("Old Tom", 2, 30))
    return Season.objects.get(pk=seasons.save_season(club_id=club.pk, by=cast.director.pk, terms=AUTUMN))


def page(client: Any, season: Season, name: str = "club_season") -> Any:
    return client.get(reverse(name, args=["lakeside", season.pk]))


def test_everybody_reads_the_table_with_its_terms(season: Season, as_: Any) -> None:
    shown = page(as_("visitor"), season)
    assert [(line.row.place, line.name, float(line.row.total)) for line in shown.context["table"].rows] == [
        (1, "Old Tom", 17.0),  # level, but more games won
        (2, "Marta", 17.0),
        (3, "Ruth", 5.0),
    ]
    assert "Most lone hands made" in shown.content.decode()


def test_a_kept_table_is_no_longer_shown_than_it_is_true(season: Season, club: Club, cast: Any, as_: Any) -> None:
    def read(who: str, language: str = "en") -> str:
        address = reverse("club_season", args=["lakeside", season.pk])
        return as_(who).get(address, headers={"accept-language": language}).content.decode()

    mine = 'class="is-me"'
    assert ("Marta" in read("visitor"), mine in read("visitor")) == (True, False)
    assert read("member").count(mine) == 1
    assert ">Place</th>" in read("visitor") and ">Place</th>" not in read("visitor", "sl")
    delete_account(player_id=cast.member.pk)
    assert "Marta" not in read("visitor")
    Club.objects.update(public=False)
    assert page(as_("visitor"), season).status_code == 404


def test_an_event_counts_by_the_day_of_its_own_zone(season: Season, club: Club, cast: Any, as_: Any) -> None:
    still_november = datetime(2026, 12, 1, 5, 30, tzinfo=UTC)  # half past eleven in the evening, in Chicago
    evening(club, still_november, (cast.owner, 1, 50))
    evening(club, datetime(2026, 12, 1, 6, 30, tzinfo=UTC), (cast.owner, 1, 50))
    evening(club, still_november, (cast.owner, 1, 50), state=Event.State.RUNNING)
    rows = page(as_("visitor"), season).context["table"].rows
    assert next(float(line.row.total) for line in rows if line.name == "Ruth") == 15


def test_a_season_is_for_people_and_compares_points_with_points(club: Club, cast: Any, as_: Any) -> None:
    bot = Player.objects.create_user("Bot Nine", bot_level="normal")
    day = datetime(2026, 9, 4, 1, tzinfo=UTC)
    evening(club, day, (bot, 1, 70), (cast.member, 2, 60), (cast.owner, 3, 40), format="rotation")
    evening(club, day, (cast.member, 1, 3), (cast.owner, 2, 0), format="single_elimination", title="Cup")
    found = Season.objects.get(pk=seasons.save_season(club_id=club.pk, by=cast.director.pk, terms=AUTUMN))
    shown = page(as_("visitor"), found)
    table = shown.context["table"]
    assert [(line.name, float(line.row.total)) for line in table.rows] == [("Marta", 10.0), ("Ruth", 7.0)]
    assert [(prize.kind, prize.best, prize.names) for prize in table.prizes] == [
        ("loners", 5, ("Ruth",)),
        ("high", 60, ("Marta",)),
        ("low", 40, ("Ruth",)),
    ]
    text = shown.content.decode()
    assert "Bot Nine" not in text and "A season is for people" in text
    assert "Not compared: <bdi>Cup</bdi> (4 Sep)." in text
    assert "Bot Nine" not in page(as_("visitor"), found, "club_season_csv").content.decode()


def test_a_season_by_score_adds_points_alone_and_says_so(club: Club, cast: Any, as_: Any) -> None:
    terms = Terms("Scores", date(2026, 9, 1), date(2026, 11, 30), (), 0)
    found = Season.objects.get(pk=seasons.save_season(club_id=club.pk, by=cast.director.pk, terms=terms))
    day = datetime(2026, 9, 4, 1, tzinfo=UTC)
    evening(club, day, (cast.member, 1, 3), (cast.owner, 2, 0), format="single_elimination", title="Cup")
    nothing_yet = page(as_("visitor"), found).content.decode()
    assert "Not added: <bdi>Cup</bdi> (4 Sep)." in nothing_yet and "is finished yet" not in nothing_yet
    evening(club, day, (cast.member, 1, 60), format="rotation", title="Rounds")
    shown = page(as_("visitor"), found)
    rows = [(line.name, float(line.row.total), len(line.terms)) for line in shown.context["table"].rows]
    assert rows == [("Marta", 60.0, 1)]
    assert "Not added: <bdi>Cup</bdi> (4 Sep)." in shown.content.decode()


def test_as_csv_and_json(season: Season, as_: Any) -> None:
    text = page(as_("visitor"), season, "club_season_csv").content.decode("utf-8-sig")
    head, _first, second, *_others = csv.reader(io.StringIO(text))
    assert head == ["Place", "Name", "Total", "Evening of 04 Sep", "Evening of 11 Sep", "Evening of 18 Sep"]
    assert second == ["2", "Marta", "17", "10", "7", "(0)"]
    told = page(as_("visitor"), season, "club_season_json").json()
    assert told["rows"][2]["evenings"] == [{"place": 3, "points": 5.0, "counts": True}, None, None]


def test_two_queries_whatever_the_numbers(
    season: Season, club: Club, cast: Any, as_: Any, django_assert_max_num_queries: Any
) -> None:
    for day in range(1, 15):
        people = [(f"Guest {number}", number, 30 - number) for number in range(1, 12)]
        evening(club, datetime(2026, 10, day, 1, tzinfo=UTC), *people, (cast.owner, 12, 1))
    client = as_("visitor")
    with django_assert_max_num_queries(7):
        page(client, season)


def test_directors_make_change_and_delete_seasons(club: Club, cast: Any, as_: Any) -> None:
    asked = {"name": "Winter", "starts_on": "2026-12-01", "ends_on": "2027-02-28", "counts": "place",
             "points": "10 7 5", "drop": "2"}  # fmt: skip
    director = as_("director")
    made = director.post(reverse("club_new_season", args=["lakeside"]), asked)
    winter = Season.objects.get()
    assert made.headers["Location"] == reverse("club_season", args=["lakeside", winter.pk])
    assert (winter.points, winter.drop) == ([10, 7, 5], 2)
    director.post(reverse("club_edit_season", args=["lakeside", winter.pk]), asked | {"counts": "score"})
    winter.refresh_from_db()
    assert winter.points == []
    form = director.get(reverse("club_edit_season", args=["lakeside", winter.pk])).context["form"]
    assert form.initial["points"] == "10, 7, 5, 3, 2, 1"
    director.post(reverse("club_delete_season", args=["lakeside", winter.pk]))
    assert not Season.objects.exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"name": "  "}, "Give the season a name"),
        ({"starts_on": "soon"}, "Type the day as year, month, day"),
        ({"ends_on": "2025-01-01"}, "ends before it starts"),
        ({"ends_on": "2031-01-01"}, "two years at most"),
        ({"points": "ten, seven"}, "Type whole numbers"),
        ({"points": "3, 5"}, "cannot give more points"),
        ({"points": ""}, "Type what each place gives"),
        ({"points": "5 " * 41}, "at most 40 places"),
        ({"points": "1001"}, "at most 1000 points"),
        ({"drop": "-1"}, "greater than or equal to 0"),
        ({"counts": "luck"}, "Choose what counts"),
    ],
)
def test_bad_terms_get_a_sentence_and_lose_nothing(as_: Any, club: Club, change: Any, sentence: str) -> None:
    asked = {"name": "Winter", "starts_on": "2026-12-01", "ends_on": "2027-02-28", "counts": "place",
             "points": "10 7 5", "drop": "2"}  # fmt: skip
    answer = as_("director").post(reverse("club_new_season", args=["lakeside"]), asked | change)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert sentence in text
    typed = asked | change
    for name in ("name", "starts_on", "ends_on", "points", "drop"):
        assert typed[name].strip() in text
    assert not Season.objects.exists()


def test_only_directors_make_seasons(club: Club, cast: Any, as_: Any) -> None:
    for who in ("member", "player", "banned"):
        assert as_(who).get(reverse("club_new_season", args=["lakeside"])).status_code == 403
        with pytest.raises(NotAllowed):
            seasons.save_season(club_id=club.pk, by=getattr(cast, who).pk, terms=AUTUMN)


def test_a_club_keeps_so_many(club: Club, cast: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seasons, "SEASONS", 1)
    kept = seasons.save_season(club_id=club.pk, by=cast.owner.pk, terms=AUTUMN)
    with pytest.raises(UserError, match="Delete one first"):
        seasons.save_season(club_id=club.pk, by=cast.owner.pk, terms=AUTUMN)
    seasons.delete_season(club_id=club.pk, by=cast.owner.pk, season_id=kept)
    with pytest.raises(UserError, match="deleted"):
        seasons.save_season(club_id=club.pk, by=cast.owner.pk, terms=AUTUMN, season_id=kept)


def test_a_club_without_seasons_says_so(club: Club, as_: Any) -> None:
    assert "None has been made yet" in as_("visitor").get(reverse("club_seasons", args=["lakeside"])).content.decode()
