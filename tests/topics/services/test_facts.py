"""Facts: commit, add by hand, edit, supersede, retract, and the words behind them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.topics.services.helpers import SAID_AT, hold, make_space, make_topic, say, span
from topics.changes import Actor
from topics.errors import Duplicate, InvalidInput, Stale, WrongState
from topics.models import ChangeSet, Evidence, Fact, Space, Topic
from topics.models.statement import Origin
from topics.services.statements import (
    FactDraft,
    Span,
    add_evidence,
    add_fact,
    commit_facts,
    edit_fact,
    retract_fact,
    supersede_fact,
)
from topics.services.topics import delete_topic

EXTRACTOR = Actor(label="test extractor")


def quotes(fact: Fact) -> list[str]:
    return [e.quote for e in fact.evidence.filter(removed_by=None)]


def test_a_committed_fact_carries_its_exact_words(space: Space, topic: Topic) -> None:
    message = say(space, "早上好。😀 预算是 15万元。")
    draft = FactDraft(
        topic=topic, text="预算是 15万元", attribute="ＢＵＤＧＥＴ", spans=[span(message, "预算是 15万元")]
    )
    fact = commit_facts(space=space, actor=EXTRACTOR, drafts=[draft])[0]
    assert quotes(fact) == ["预算是 15万元"]
    assert fact.attribute == "budget"
    assert fact.origin == Origin.EXTRACTED
    assert fact.corrected_at is None


def test_the_same_statement_again_adds_evidence_and_no_fact(space: Space, topic: Topic) -> None:
    first = hold(topic, "Acme makes anvils.")
    second = hold(topic, "acme  makes ANVILS")
    assert second.pk == first.pk
    assert sorted(quotes(first)) == ["Acme makes anvils.", "acme  makes ANVILS"]
    topic.refresh_from_db()
    assert topic.document_version == 3


def test_two_drafts_that_say_the_same_become_one_fact(space: Space, topic: Topic) -> None:
    messages = [say(space, "Acme makes anvils."), say(space, "Acme makes anvils!")]
    drafts = [FactDraft(topic=topic, text=m.content, spans=[span(m)]) for m in messages]
    one, two = commit_facts(space=space, actor=EXTRACTOR, drafts=drafts)
    assert one.pk == two.pk
    assert len(quotes(one)) == 2


def test_the_same_words_again_change_nothing(space: Space, topic: Topic) -> None:
    message = say(space, "Acme makes anvils.")
    draft = FactDraft(topic=topic, text="Acme makes anvils.", spans=[span(message)])
    commit_facts(space=space, actor=EXTRACTOR, drafts=[draft])
    before = ChangeSet.objects.count()
    commit_facts(space=space, actor=EXTRACTOR, drafts=[draft])
    assert ChangeSet.objects.count() == before
    assert Evidence.objects.count() == 1


def test_no_fact_without_words_unless_somebody_wrote_it(space: Space, topic: Topic) -> None:
    with pytest.raises(InvalidInput):
        commit_facts(space=space, actor=EXTRACTOR, drafts=[FactDraft(topic=topic, text="Acme makes anvils.")])
    assert not Fact.objects.exists()


@pytest.mark.parametrize(("start", "end"), [(-1, 3), (3, 3), (5, 2), (0, 99)])
def test_words_outside_their_message_are_refused(space: Space, topic: Topic, start: int, end: int) -> None:
    message = say(space, "Acme makes anvils.")
    good = FactDraft(topic=topic, text="Acme makes.", spans=[span(message)])
    bad = FactDraft(topic=topic, text="Acme makes anvils.", spans=[Span(message, start, end)])
    with pytest.raises(InvalidInput):
        commit_facts(space=space, actor=EXTRACTOR, drafts=[good, bad])
    assert not Fact.objects.exists()


def test_nothing_is_committed_to_a_deleted_topic(space: Space, topic: Topic, person: Actor) -> None:
    delete_topic(topic=topic, actor=person)
    with pytest.raises(WrongState):
        hold(topic, "Acme makes anvils.")
    assert not Fact.objects.exists()


def test_who_wrote_a_fact_is_kept(topic: Topic, person: Actor, agent: Actor) -> None:
    by_person = add_fact(topic=topic, actor=person, text="Acme makes anvils.")
    by_agent = add_fact(topic=topic, actor=agent, text="Acme makes rockets.")
    assert (by_person.origin, by_agent.origin) == (Origin.PERSON, Origin.AGENT)
    assert by_person.corrected_at is not None
    assert by_agent.corrected_at is None
    assert by_person.said_at is not None


def test_adding_what_stands_already_is_refused_by_naming_it(topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    with pytest.raises(Duplicate) as refused:
        add_fact(topic=topic, actor=person, text="ACME makes anvils!")
    assert refused.value.details == {"fact": str(fact.pk)}


def test_a_retracted_fact_may_be_said_anew(topic: Topic, person: Actor) -> None:
    old = hold(topic, "Acme makes anvils.")
    retract_fact(fact=old, actor=person)
    assert add_fact(topic=topic, actor=person, text="Acme makes anvils.").pk != old.pk


NAIVE = datetime(2024, 3, 5, 9, 0)
EARLY, LATE = datetime(2024, 1, 1, tzinfo=UTC), datetime(2024, 2, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    "bad",
    [
        {"text": ""},
        {"text": " \n"},
        {"text": "a\x00b"},
        {"text": "x" * 10_001},
        {"text": None},
        {"text": 5},
        {"kind": "rumour"},
        {"kind": None},
        {"certainty": "sure"},
        {"attribute": "a" * 101},
        {"attribute": None},
        {"attribute": 5},
        {"value": "v" * 201},
        {"value": 150000},
        {"unit": "u\x00"},
        {"unit": None},
        {"negated": "yes"},
        {"negated": None},
        {"valid_from": NAIVE},
        {"valid_from": "2024-01-01"},
        {"valid_from": LATE, "valid_until": EARLY},
        {"scope": ["Leeds"]},
        {"status": "retracted"},
        {"topic": None},
        {"nonsense": 1},
    ],
)
def test_bad_values_are_refused_and_change_nothing(topic: Topic, person: Actor, bad: dict[str, Any]) -> None:
    fact = hold(topic, "Acme makes anvils.")
    with pytest.raises(InvalidInput) as refused:
        edit_fact(fact=fact, actor=person, changes=bad)
    assert set(refused.value.details["fields"]) & set(bad)
    assert Fact.objects.get().version == 1
    if "topic" not in bad:
        with pytest.raises(InvalidInput):
            add_fact(topic=topic, actor=person, **({"text": "Acme makes rockets."} | bad))
    assert Fact.objects.count() == 1


@pytest.mark.parametrize("bad", [{"speaker": "s" * 201}, {"speaker": "\x00"}, {"said_at": NAIVE}, {"said_at": "today"}])
def test_a_bad_speaker_or_time_of_a_new_fact_is_refused(topic: Topic, person: Actor, bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        add_fact(topic=topic, actor=person, text="Acme makes anvils.", **bad)
    assert not Fact.objects.exists()


@pytest.mark.parametrize("extreme", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_a_time_that_no_time_zone_can_hold_is_refused(topic: Topic, person: Actor, extreme: datetime) -> None:
    with pytest.raises(InvalidInput):
        add_fact(topic=topic, actor=person, text="Acme makes anvils.", valid_from=extreme)


def test_a_persons_edit_is_a_correction_and_an_agents_is_not(topic: Topic, person: Actor, agent: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    assert edit_fact(fact=fact, actor=agent, changes={"text": "Acme makes rockets."}).corrected_at is None
    corrected = edit_fact(fact=fact, actor=person, changes={"text": "Acme makes springs."})
    assert corrected.corrected_at is not None
    assert corrected.version == 3
    assert quotes(corrected) == ["Acme makes anvils."]


def test_an_edit_that_changes_nothing_writes_nothing(topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme has a budget.", attribute="budget")
    before = ChangeSet.objects.count()
    same = edit_fact(fact=fact, actor=person, changes={"text": "Acme has a budget.", "attribute": " Budget "})
    assert (same.version, same.corrected_at) == (1, None)
    assert ChangeSet.objects.count() == before


def test_an_edit_to_what_another_fact_says_is_refused(topic: Topic, person: Actor) -> None:
    hold(topic, "Acme makes anvils.")
    other = hold(topic, "Acme makes rockets.")
    with pytest.raises(Duplicate):
        edit_fact(fact=other, actor=person, changes={"text": "acme makes anvils"})
    assert Fact.objects.get(pk=other.pk).text == "Acme makes rockets."


def test_an_edit_of_an_old_version_is_refused(topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    edit_fact(fact=fact, actor=person, changes={"text": "Acme makes rockets."}, expected_version=1)
    with pytest.raises(Stale):
        edit_fact(fact=fact, actor=person, changes={"text": "Acme makes springs."}, expected_version=1)
    with pytest.raises(Stale):
        retract_fact(fact=fact, actor=person, expected_version=1)
    with pytest.raises(Stale):
        supersede_fact(fact=fact, by=None, actor=person, expected_version=1)


def test_a_superseded_fact_points_to_its_successor_and_says_until_when_it_held(topic: Topic, person: Actor) -> None:
    old = hold(topic, "The budget is 100.")
    new = hold(topic, "The budget is 200.", said_at=SAID_AT + timedelta(days=3))
    old = supersede_fact(fact=old, by=new, actor=person)
    assert (old.status, old.superseded_by, old.valid_until) == (Fact.Status.SUPERSEDED, new, new.said_at)
    with pytest.raises(WrongState):
        edit_fact(fact=old, actor=person, changes={"text": "The budget is 150."})
    with pytest.raises(WrongState):
        supersede_fact(fact=old, by=None, actor=person)


def test_a_fact_never_ends_before_it_began(topic: Topic, person: Actor) -> None:
    old = hold(topic, "The budget is 100.", valid_from=SAID_AT + timedelta(days=9))
    new = hold(topic, "The budget is 200.", said_at=SAID_AT + timedelta(days=3))
    assert supersede_fact(fact=old, by=new, actor=person).valid_until == SAID_AT + timedelta(days=9)


def test_a_fact_is_superseded_by_another_one_of_its_topic_only(space: Space, topic: Topic, person: Actor) -> None:
    fact = hold(topic, "The budget is 100.")
    foreign = hold(make_topic(space, person, "Beta"), "The budget is 200.")
    for by in (fact, foreign):
        with pytest.raises(InvalidInput):
            supersede_fact(fact=fact, by=by, actor=person)
    assert Fact.objects.get(pk=fact.pk).status == Fact.Status.ACTIVE


def test_retracting_touches_one_fact_once(topic: Topic, person: Actor) -> None:
    fact, other = hold(topic, "Acme makes anvils."), hold(topic, "Acme makes rockets.")
    retract_fact(fact=fact, actor=person)
    with pytest.raises(WrongState):
        retract_fact(fact=fact, actor=person)
    assert Fact.objects.get(pk=other.pk).status == Fact.Status.ACTIVE
    assert quotes(fact) == ["Acme makes anvils."]


def test_a_superseded_fact_may_be_retracted(topic: Topic, person: Actor) -> None:
    fact = hold(topic, "Acme makes anvils.")
    supersede_fact(fact=fact, by=None, actor=person)
    assert retract_fact(fact=fact, actor=person).status == Fact.Status.RETRACTED


def test_more_evidence_is_a_new_version_of_the_document_and_of_no_other(
    space: Space, topic: Topic, person: Actor
) -> None:
    fact = hold(topic, "Acme makes anvils.")
    other = make_topic(space, person, "Beta")
    message = say(space, "As I said, Acme makes anvils.")
    add_evidence(space=space, actor=person, additions=[(fact, [span(message, "Acme makes anvils")])])
    topic.refresh_from_db()
    other.refresh_from_db()
    assert (topic.document_version, other.document_version) == (3, 1)
    assert quotes(fact)[-1] == "Acme makes anvils"


def test_the_message_behind_a_fact_cannot_be_taken_away(topic: Topic) -> None:
    from django.db.models import ProtectedError

    fact = hold(topic, "Acme makes anvils.")
    with pytest.raises(ProtectedError):
        fact.evidence.get().message.delete()


def test_a_fact_of_one_space_is_not_committed_through_another(topic: Topic, person: Actor) -> None:
    from topics.changes import OutsideChangeSet

    other = make_space("other")
    message = say(other, "Acme makes anvils.")
    draft = FactDraft(topic=topic, text="Acme makes anvils.", spans=[span(message)])
    with pytest.raises(OutsideChangeSet):
        commit_facts(space=other, actor=person, drafts=[draft])
    assert not Fact.objects.exists()


VALUES = {"attribute": "budget", "value": "100", "unit": "EUR"}


def values(fact: Fact) -> dict[str, str]:
    return {name: getattr(fact, name) for name in VALUES}


def test_another_text_leaves_the_value_of_the_former_behind(topic: Topic, person: Actor) -> None:
    fact = hold(topic, "The budget is 100 EUR.", **VALUES)
    fact = edit_fact(fact=fact, actor=person, changes={"text": "the budget is 100 EUR"})
    assert values(fact) == VALUES
    fact = edit_fact(fact=fact, actor=person, changes={"text": "The budget is 120 EUR.", "value": "120"})
    assert values(fact) == VALUES | {"value": "120"}
    fact = edit_fact(fact=fact, actor=person, changes={"text": "The budget is still open."})
    assert values(fact) == dict.fromkeys(VALUES, "")
