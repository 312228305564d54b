"""Another database is asked all that SQLite is asked, by fewer tests."""

from __future__ import annotations

from tests.questions import Notes, kind_of, needless

NOTES: Notes = {
    "wide": (10, ["a", "b", "c"]),
    "dear": (900, ["a", "b"]),
    "rare": (500, ["d"]),
    "same": (10, ["a", "b", "c"]),
    "race": (10, ["e", "a"]),
}


def test_what_others_ask_is_not_asked_again_and_all_is_asked_once() -> None:
    left = NOTES.keys() - needless(["wide", "dear", "rare", "same", "new"], ["race"], NOTES)
    assert left == {"rare", "race", "same"} or left == {"rare", "race", "wide"}
    assert {kind for name in left for kind in NOTES[name][1]} == {"a", "b", "c", "d", "e"}
    assert "new" not in needless(["wide", "new"], [], NOTES)
    assert not needless(["wide", "dear"], [], {})


def test_values_and_how_many_of_them_make_no_other_question() -> None:
    assert kind_of("SELECT 1 FROM a WHERE b IN (%s, %s) LIMIT 21") == kind_of("SELECT 1 FROM a WHERE b IN (%s) LIMIT 5")
    assert kind_of("INSERT INTO a (b) VALUES (%s, %s), (%s, %s)") == kind_of("INSERT INTO a (b) VALUES (%s, %s)")
    many = "UPDATE a SET b = CASE WHEN (id = %s) THEN %s WHEN (id = %s) THEN %s ELSE NULL END"
    assert kind_of(many) == kind_of("UPDATE a SET b = CASE WHEN (id = %s) THEN %s ELSE NULL END")
    assert kind_of("SELECT b FROM a") != kind_of("SELECT c FROM a")
    assert kind_of("SELECT b FROM a FOR UPDATE") != kind_of("SELECT b FROM a")
