"""What keeps a question quick in a large space: counts that the database keeps, and what frequent words may find."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Model, Sum

from tests.topics.retrieval.helpers import MAY, ask, lines, take, talk
from tests.topics.services.helpers import make_space, make_topic
from topics.changes import Actor
from topics.ids import uuid7
from topics.models import Fact, Passage, PassageCount, Space, TimelineEntry, Topic
from topics.retrieval import engine, query
from topics.retrieval.answer import MemoryAnswer
from topics.retrieval.index import rebuild_index
from topics.services.statements import add_fact, edit_fact, retract_fact
from topics.services.topics import delete_topic


def kept(space: Space) -> dict[bool, tuple[int, int]]:
    """Rows and terms as the database keeps them: of statements (True) and of turns."""
    rows = PassageCount.objects.filter(space=space).values_list("statements")
    return {key: (n, terms) for key, n, terms in rows.annotate(n=Sum("rows"), t=Sum("terms")).order_by() if n}


def counted(space: Space) -> dict[bool, tuple[int, int]]:
    found = {}
    for statements, kinds in ((True, ["fact", "entry"]), (False, ["message"])):
        lengths = list(Passage.objects.filter(space=space, kind__in=kinds).values_list("n_all", flat=True))
        if lengths:
            found[statements] = (len(lengths), sum(lengths))
    return found


def test_the_counts_follow_whatever_writes_the_index(space: Space, person: Actor) -> None:
    other = make_space("other")
    talk(other, "Eve: I sell pears.")
    fruit, cake = make_topic(space, person, "Fruit"), make_topic(space, person, "Cake")
    first, second, third = talk(space, "Ann: I like apples.", "Bob: I bake bread.", "Ann: I like figs and dates.")
    facts = [take(fruit, first), take(cake, second), take(fruit, third)]
    assert kept(space) == counted(space)
    assert set(kept(space)) == {True, False}
    edit_fact(fact=facts[0], actor=person, changes={"text": "I like apples and pears most of all."})
    retract_fact(fact=facts[2], actor=person)
    talk(space, "Bob: Cherries too.")  # neighbours of the rows before grow
    assert kept(space) == counted(space)
    delete_topic(topic=cake, actor=person)
    assert kept(space) == counted(space)
    rebuild_index(space)
    assert kept(space) == counted(space)
    assert kept(other) == counted(other) == {False: counted(other)[False]}
    Passage.objects.filter(space=space).delete()
    assert kept(space) == {}


def test_many_changes_on_postgresql_leave_few_rows_of_counts(space: Space) -> None:
    for n in range(30):
        talk(space, f"Ann: apple number {n}", conversation=f"c{n}")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT setseed(0.5)")  # one change in fifty joins what there is
    for n in range(200):
        Passage.objects.filter(space=space, position=0)[:1].get().save(update_fields=["n_all"])
        Passage.objects.filter(space=space, conversation__external_id=f"c{n % 30}").update(n_all=10 + n)
    assert kept(space) == counted(space)
    assert PassageCount.objects.filter(space=space).count() < 200


def speakers(answer: MemoryAnswer) -> set[str]:
    return {line.partition(": ")[0] for line in lines(answer)}


def test_a_frequent_word_finds_a_turn_beside_another_one_where_rare_words_find_little(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    fruits = ("apples", "apples and figs", "bread", "figs", "apples and rare quinces", "figs with cream")
    for n, fruit in enumerate(fruits):
        talk(space, f"P{n}: We sell {fruit}.", conversation=f"c{n}")
    assert speakers(ask(space, "apples figs quinces")) == {"P0", "P1", "P3", "P4", "P5"}
    monkeypatch.setattr(engine, "SEARCHED", 2)
    assert speakers(ask(space, "apples figs quinces")) == {"P1", "P4"}
    assert speakers(ask(space, "apples")) == {"P0", "P1", "P4"}
    monkeypatch.setattr(engine, "LATEST", 2)
    assert speakers(ask(space, "apples")) == {"P1", "P4"}
    monkeypatch.setattr(engine, "ENOUGH", 1)
    assert speakers(ask(space, "apples figs quinces")) == {"P4"}


def test_the_share_of_a_frequent_word_is_kept_until_the_space_has_grown(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("KEPT_FROM", "ESTIMATED_FROM", "COUNTED"):
        monkeypatch.setattr(engine, limit, 0)
    monkeypatch.setattr(engine, "_OF_LARGE_SPACE", engine._EXACT)

    def frequency() -> float:
        terms = engine.terms_of(space.pk, ["persimmon"], statements=False)
        return engine.statistics(space.pk, terms, statements=False).frequencies[terms[0]]

    def say(word: str, first: int, count: int) -> None:
        for n in range(first, first + count):
            talk(space, f"Ann: A {word}.", conversation=f"c{n}")

    say("persimmon", 0, 6)
    say("quince", 6, 6)
    assert frequency() == 6
    say("persimmon", 12, 1)
    assert frequency() == 6
    say("quince", 13, 11)
    assert frequency() == 7


@pytest.mark.parametrize("sample", ["COARSE", "FINE"])
def test_a_frequent_word_is_estimated_and_a_rare_one_counted(
    space: Space, monkeypatch: pytest.MonkeyPatch, sample: str
) -> None:
    monkeypatch.setattr(engine, "ESTIMATED_FROM", 100)
    monkeypatch.setattr(engine, "LATEST_HITS", 20)
    monkeypatch.setattr(engine, sample, 4)
    talk(space, *["Ann: A persimmon."] * 200, "Ann: A plum.", "Ann: Two plums.")
    terms = engine.terms_of(space.pk, ["persimmon", "plum", "medlar"], statements=False)
    found = engine.statistics(space.pk, terms, statements=False).frequencies
    assert found[terms[1]] == 2 + 2  # the two turns before them are found by them as well
    assert terms[2] not in found
    assert 190 <= found[terms[0]] <= 202


def test_a_word_of_every_row_may_be_estimated_to_stand_in_more(space: Space, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("KEPT_FROM", "ESTIMATED_FROM", "COUNTED"):
        monkeypatch.setattr(engine, limit, 0)
    monkeypatch.setattr(engine, "_OF_LARGE_SPACE", engine._EXACT)
    talk(space, "Ann: A medlar.", "Bob: Another medlar.")
    assert lines(ask(space, "medlar")) == ["Ann: A medlar.", "Bob: Another medlar."]


def test_what_may_not_be_seen_leaves_room_for_what_may(
    space: Space, person: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The likeliest rows are looked at first; where most of those may not be seen, all that may are ranked."""
    monkeypatch.setattr(query, "candidates_for", lambda max_tokens: 2)
    monkeypatch.setattr(engine, "LOOKED_AT", 1)
    said = talk(space, "Ann: figs figs figs", "Ann: figs figs", "Bob: I like my figs dried, in the winter.")
    Passage.objects.filter(message__in=said[:2]).update(withheld=True)
    assert lines(ask(space, "figs")) == ["Bob: I like my figs dried, in the winter."]


def test_statements_that_no_turn_makes_are_looked_for_among_those_that_answer_best(
    space: Space, person: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    fruit = make_topic(space, person, "Fruit")
    take(fruit, talk(space, "Ann: Figs, figs and figs.")[0])
    add_fact(topic=fruit, actor=person, text="Bob likes his figs dried.", said_at=MAY)
    assert any(line.endswith("Bob likes his figs dried.") for line in lines(ask(space, "figs")))
    monkeypatch.setattr(engine, "LIKELIEST", 1)
    assert lines(ask(space, "figs")) == ["Ann: Figs, figs and figs."]


@pytest.mark.parametrize("model", [Topic, Fact, TimelineEntry, Passage])
def test_a_few_rows_are_read_by_their_keys_and_not_all_of_the_space(space: Space, model: type[Model]) -> None:
    keys = list(range(40)) if model is Passage else [uuid7() for _ in range(40)]
    plan = model._default_manager.filter(space=space, pk__in=keys).explain()
    assert connection.vendor != "sqlite" or "space_id" not in plan, plan


def test_on_postgresql_the_terms_of_a_long_turn_stand_in_its_row(space: Space) -> None:
    """In pages apart they would have to be put together again for every look at them."""
    words = " ".join(f"{first}{second}{third}" for first in "abcde" for second in "fghij" for third in "klmno")
    (said,) = talk(space, f"Ann: {words}")
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_column_size(terms), pg_column_size(own) FROM topics_passage WHERE message_id = %s", [said.pk]
        )
        assert min(cursor.fetchone()) > 500
        cursor.execute("SELECT pg_relation_size(reltoastrelid) FROM pg_class WHERE relname = 'topics_passage'")
        assert cursor.fetchone() == (0,)


def test_postgresql_compiles_no_query(space: Space) -> None:
    """It takes longer than a question itself, and large spaces are what makes it seem worth while."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW jit")
        assert cursor.fetchone() == ("off",)
