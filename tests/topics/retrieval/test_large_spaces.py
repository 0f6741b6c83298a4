"""What keeps a question quick in a large space: counts that the database keeps, and what frequent words may find."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models import Model, Sum

from tests.topics.retrieval.helpers import ask, lines, take, talk
from tests.topics.services.helpers import make_space, make_topic
from topics.changes import Actor
from topics.ids import uuid7
from topics.models import Fact, Passage, PassageCount, Space, TimelineEntry
from topics.retrieval import engine
from topics.retrieval.index import rebuild_index
from topics.services.statements import edit_fact, retract_fact
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


def test_a_frequent_word_finds_a_turn_beside_another_word_of_the_question(
    space: Space, monkeypatch: pytest.MonkeyPatch
) -> None:
    fruits = ("apples", "apples and figs", "bread", "figs", "apples and rare quinces", "figs with cream")
    for n, fruit in enumerate(fruits):
        talk(space, f"P{n}: We sell {fruit}.", conversation=f"c{n}")
    everything = {line.partition(": ")[0] for line in lines(ask(space, "apples figs quinces"))}
    assert everything == {"P0", "P1", "P3", "P4", "P5"}
    monkeypatch.setattr(engine, "FREQUENT", 2)
    monkeypatch.setattr(engine, "SAMPLED_FROM", 0)
    assert {line.partition(": ")[0] for line in lines(ask(space, "apples figs quinces"))} == {"P1", "P4"}
    assert {line.partition(": ")[0] for line in lines(ask(space, "apples"))} == {"P0", "P1", "P4"}


def test_what_may_not_be_seen_leaves_room_for_what_may(
    space: Space, person: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The likeliest rows are looked at first; where most of those may not be seen, all that may are ranked."""
    monkeypatch.setattr(engine, "CANDIDATES", 2)
    monkeypatch.setattr(engine, "POSTGRESQL_CANDIDATES", 2)
    monkeypatch.setattr(engine, "LOOKED_AT", 1)
    said = talk(space, "Ann: figs figs figs", "Ann: figs figs", "Bob: I like my figs dried, in the winter.")
    Passage.objects.filter(message__in=said[:2]).update(withheld=True)
    assert lines(ask(space, "figs")) == ["Bob: I like my figs dried, in the winter."]


@pytest.mark.parametrize("model", [Fact, TimelineEntry, Passage])
def test_a_few_rows_are_read_by_their_keys_and_not_all_of_the_space(space: Space, model: type[Model]) -> None:
    keys = list(range(40)) if model is Passage else [uuid7() for _ in range(40)]
    plan = model._default_manager.filter(space=space, pk__in=keys).explain()
    assert connection.vendor != "sqlite" or "space_id" not in plan, plan
