"""The formula, and that both databases rank alike."""

from __future__ import annotations

import pytest
from django.db import connection

from tests.topics.retrieval.helpers import ask, lines, talk
from topics.models import Passage, Space
from topics.retrieval.columns import COLUMNS
from topics.retrieval.engine import candidates, statistics, terms_of
from topics.retrieval.score import WEIGHTS, Row, bm25

TURNS = (
    "Ann: I painted a lake at sunrise",
    "Bob: Nice! I ran a race for charity",
    "Ann: The lake was calm, the sunrise was red, the lake was deep",
    "Bob: My kids paint too",
    "Ann: We talked about the weather for an hour and then about the garden",
    "Bob: See you",
    "Ann: A charity sale is on Sunday",
)


def test_our_bm25_is_that_of_fts5(space: Space) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("FTS5 belongs to SQLite")
    talk(space, *TURNS)
    terms = terms_of(space.pk, ["lake", "sunris", "chariti", "ann"], statements=False)
    stats = statistics(space.pk, terms, statements=False)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT rowid, bm25(topics_passage_index, {', '.join(map(str, WEIGHTS))}) FROM topics_passage_index "
            "WHERE topics_passage_index MATCH %s",
            [" OR ".join(terms)],
        )
        theirs = {key: -value for key, value in cursor.fetchall()}
    assert len(theirs) > 4
    for passage in Passage.objects.filter(pk__in=theirs):
        row = Row("", [getattr(passage, name) for name in COLUMNS], passage.n_terms, passage.n_all)
        assert bm25(row, stats.idf, stats.mean_length) == pytest.approx(theirs[passage.pk])


def test_statistics_are_those_of_one_space_and_one_kind(space: Space, reviewed: Space) -> None:
    talk(space, *TURNS)
    talk(reviewed, "Ann: lake", "Ann: lake")
    stats = statistics(space.pk, terms_of(space.pk, ["lake", "zebra"], statements=False), statements=False)
    assert stats.rows == len(TURNS)
    assert len(stats.frequencies) == 1
    (term,) = stats.frequencies
    assert stats.frequencies[term] == Passage.objects.filter(space=space, own__contains=term).count() + 3
    assert statistics(space.pk, [], statements=True).rows == 0


def test_candidates_hold_a_term_of_the_question(space: Space) -> None:
    talk(space, *TURNS)
    terms = terms_of(space.pk, ["chariti", "zebra"], statements=False)
    stats = statistics(space.pk, terms, statements=False)
    found = candidates(Passage.objects.filter(space=space), terms, stats, fields=("pk", *COLUMNS))
    assert found
    for pk, row in found.items():
        assert row["pk"] == pk
        assert any(terms[0] in row[name].split() for name in COLUMNS)
    assert candidates(Passage.objects.all(), terms[1:], stats, fields=("pk", *COLUMNS)) == {}


def test_the_turn_that_answers_comes_before_one_that_shares_a_word(space: Space) -> None:
    talk(space, *TURNS)
    (first, *_) = ask(space, "What did Ann paint at sunrise?", max_tokens=60).citations
    assert first.message is not None
    assert lines(ask(space, "What did Ann paint at sunrise?", max_tokens=60))[0] == TURNS[0]


def test_a_date_in_the_question_brings_what_was_said_then(space: Space) -> None:
    from tests.topics.retrieval.helpers import MAY

    talk(space, "Ann: Nothing but rain", conversation="then", at=MAY)
    talk(space, "Ann: Sun at last", conversation="later", at=MAY.replace(month=9))
    assert lines(ask(space, "What was going on in May 2023?", max_tokens=60)) == ["Ann: Nothing but rain"]
    assert lines(ask(space, "2023年5月怎么了？", max_tokens=60)) == ["Ann: Nothing but rain"]
