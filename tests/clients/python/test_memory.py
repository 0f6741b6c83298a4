"""The whole way of an agent through the client: store, wait, recall, read, correct, review, undo."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

import pytest
from infini_client import (
    AsyncClient,
    Client,
    Conflict,
    Invalid,
    JobFailed,
    Message,
    NotFound,
    Put,
    Stale,
    WaitedTooLong,
)

from extraction.models import Job
from extraction.services.jobs import run_job
from topics.models import Space

SAID_AT = datetime(2025, 3, 3, 10, tzinfo=UTC)


def tell(memory: Client, *texts: str, conversation: str = "call-1") -> str:
    """Store turns and let the job that reads them run; its id."""
    messages = [Message(text, id=f"{conversation}-{n}", name="Mia", said_at=SAID_AT) for n, text in enumerate(texts)]
    job = memory.store(conversation, messages, subject="Kitchen Miller")[-1].job
    assert job is not None
    run_job(Job.objects.get(pk=job).pk, worker="tests")
    return job


def test_what_was_said_is_remembered_and_cited(memory: Client) -> None:
    job = tell(memory, "The budget for the kitchen is 18,000 euros.", "Thanks!")
    ended = memory.wait_for(job)
    assert (ended.messages.extracted, ended.messages.nothing) == (1, 1)
    found = memory.recall("What is the budget of the kitchen?", max_tokens=300)
    assert found
    assert "18,000 euros" in found.context
    assert found.tokens <= 300
    fact = found.topics[0].facts[0]
    assert fact.said_at == SAID_AT
    assert [c for c in found.citations if c.fact == fact.id and c.message == "call-1-0"]


def test_a_conversation_is_read_back_and_read_now(memory: Client) -> None:
    with pytest.raises(NotFound):
        list(memory.messages("call-1"))
    said = [Message(f"Point {n}.", id=str(n), name="Mia", said_at=SAID_AT) for n in range(201)]
    memory.store("call-1", said)
    assert [(m.id, m.content, m.name, m.said_at) for m in memory.messages("call-1")] == [
        (m.id, m.content, m.name, SAID_AT) for m in said
    ]
    job = memory.read_now("call-1")
    assert job
    run_job(Job.objects.get(pk=job).pk, worker="tests")
    assert memory.read_now("call-1") is None
    assert {m.outcome for m in memory.messages("call-1")} == {"nothing"}


def test_nothing_known_is_an_empty_recall(memory: Client) -> None:
    found = memory.recall("Who owns the boat?")
    assert not found
    assert found.topics == ()


def test_the_same_messages_twice_are_stored_once(memory: Client) -> None:
    said = [Message("We have decided on oak.", id="1", said_at=SAID_AT)]
    assert memory.store("call-1", said)[0].accepted == 1
    again = memory.store("call-1", said)[0]
    assert (again.accepted, again.duplicates) == (0, 1)


def test_more_messages_than_one_call_takes_go_in_several(memory: Client) -> None:
    accepted = memory.store("long", [Message(f"Turn {n}", id=str(n), said_at=SAID_AT) for n in range(501)])
    assert [a.accepted for a in accepted] == [500, 1]


def test_large_messages_are_split_by_size(memory: Client) -> None:
    accepted = memory.store("large", [Message("预" * 150_000, id=str(n), said_at=SAID_AT) for n in range(3)])
    assert [a.accepted for a in accepted] == [2, 1]


def test_a_conversation_id_may_hold_any_characters(memory: Client) -> None:
    accepted = memory.store("客户/张三?#%20", [Message("Hello.", id="1", said_at=SAID_AT)])
    assert accepted[0].accepted == 1


def test_a_time_without_a_zone_is_refused_before_it_is_sent(memory: Client) -> None:
    with pytest.raises(ValueError, match="zone"):
        memory.store("call-1", [Message("Hello.", said_at=datetime(2025, 3, 3))])


def test_documents_are_read_and_corrected(memory: Client) -> None:
    topic = memory.create_topic("Kitchen Miller", kind="project", aliases=["The kitchen"])
    fact = memory.add_fact(topic.id, "Deliveries come through the yard.")
    fact = memory.change_fact(memory.fact(fact.id), text="Deliveries come through the back yard.")
    memory.add_entry(topic.id, "The tiles arrived.", SAID_AT, precision="day")
    assert [found.id for found in memory.topics(alias="the  KITCHEN")] == [topic.id]
    document = memory.document(topic.id)
    assert [f.text for f in document.facts] == ["Deliveries come through the back yard."]
    assert [e.happened_at for e in document.timeline] == [SAID_AT]
    assert "back yard" in memory.markdown(topic.id)
    [arrival] = document.timeline
    corrected = memory.change_entry(memory.entry(arrival.id), text="Half of the tiles arrived.")
    assert (corrected.text, corrected.happened_at) == ("Half of the tiles arrived.", SAID_AT)
    assert memory.retract_entry(arrival.id).status == "retracted"
    assert list(memory.timeline(topic.id)) == []
    before = datetime.now(UTC)
    memory.retract_fact(fact.id, reason="no longer true")
    assert memory.document(topic.id).facts == ()
    assert [f.id for f in memory.document(topic.id, as_of=before).facts] == [fact.id]


def test_a_change_to_something_that_changed_is_stale(memory: Client) -> None:
    topic = memory.create_topic("Kitchen Miller")
    seen = memory.topic(topic.id)
    memory.change_topic(seen, name="Kitchen Miller & Sons")
    with pytest.raises(Stale):
        memory.change_topic(seen, name="Kitchen")
    with pytest.raises(Conflict) as refused:
        memory.create_topic("kitchen miller")
    assert refused.value.code == "name_taken"


def test_aliases_and_topics_go_and_come_back(memory: Client) -> None:
    topic = memory.create_topic("Kitchen Miller")
    memory.add_alias(topic.id, "Mia's kitchen")
    added = next(a for a in memory.aliases(topic.id) if a.name == "Mia's kitchen")
    assert not added.is_name
    memory.remove_alias(memory.alias(added.id))
    assert [alias.name for alias in memory.aliases(topic.id)] == ["Kitchen Miller"]
    assert memory.archive_topic(topic.id).status == "archived"
    assert memory.restore_topic(topic.id).status == "active"
    memory.delete_topic(memory.topic(topic.id))
    with pytest.raises(NotFound):
        memory.topic(topic.id)
    memory.undo(next(iter(memory.change_sets())).id, reason="a mistake")
    assert memory.topic(topic.id).name == "Kitchen Miller"


def test_lists_are_read_over_all_their_pages(memory: Client) -> None:
    names = [f"Topic {n:03}" for n in range(55)]
    for name in names:
        memory.create_topic(name)
    assert sorted(topic.name for topic in memory.topics()) == names


def test_a_page_of_topics_leads_on_to_the_next(memory: Client) -> None:
    made = [memory.create_topic(f"Topic {n}") for n in range(3)]
    first, cursor = memory.page_of_topics(size=2)
    memory.delete_topic(made[0])
    second, end = memory.page_of_topics(cursor, size=2)
    assert ([topic.id for topic in (*first, *second)], end) == ([topic.id for topic in made], None)
    assert [topic.id for topic in memory.page_of_topics(q="topic 2")[0]] == [made[2].id]
    with pytest.raises(NotFound):
        memory.page_of_topics("2")


def test_one_row_of_an_act_is_put_back(memory: Client) -> None:
    tell(memory, "The budget for the kitchen is 18,000 euros.", "We have decided on oak for the worktop.")
    act = memory.change_set(next(iter(memory.change_sets())).id)
    [oak] = [row for row in act.changes if row.type == "fact" and "oak" in row.title]
    assert (oak.verb, {change.field: change.new for change in oak.fields}["text"]) == ("added", oak.title)
    reverted = memory.revert(act.id, oak.id, reason="walnut")
    assert ([row.id for row in reverted.changes], reverted.reason) == ([oak.id], "walnut")
    assert [fact.text for fact in memory.facts(oak.topic, status="active")] == [
        "The budget for the kitchen is 18,000 euros."
    ]
    with pytest.raises(NotFound):
        memory.revert(act.id, act.id)


def test_a_reviewer_decides_and_takes_back(space: Space, memory: Client) -> None:
    space.review_policy = Space.ReviewPolicy.EVERYTHING
    space.save()
    tell(memory, "The budget for the kitchen is 18,000 euros.")
    waiting = [p for p in memory.proposals() if p.kind == "fact"]
    assert waiting[0].quotes[0].text
    decided = memory.decide("approve", [waiting[0].id], reason="as she said")
    assert [r.status for r in decided.results if r.id == waiting[0].id] == ["approved"]
    assert decided.change_set
    memory.undo(decided.change_set)
    assert [p.id for p in memory.proposals() if p.kind == "fact"] == [waiting[0].id]


def test_a_contradiction_is_settled(memory: Client) -> None:
    tell(memory, "The budget for the kitchen is 18,000 euros.")
    tell(memory, "The budget for the kitchen is 21,000 euros.", conversation="call-2")
    conflict = next(iter(memory.conflicts(status="open")))
    assert (conflict.held.value, conflict.proposal.value) == ("18000", "21000")
    settled = memory.resolve(conflict.id, "replace", reason="she raised it")
    assert settled.conflict.outcome == "replace"
    assert "21,000" in memory.recall("What is the budget?").context


def test_findings_of_ones_own(memory: Client) -> None:
    tell(memory, "We have decided on oak for the worktop.")
    decision = {
        "text": "The worktop will be oak.",
        "quotes": [{"message": "call-1-0", "text": "decided on oak"}],
    }
    extractions = [{"topic": {"name": "Kitchen Miller"}, "decisions": [decision]}]
    updated = memory.update("call-1", extractions)
    assert updated.committed or updated.repeated or updated.proposals
    decision["quotes"] = [{"message": "call-1-0", "text": "decided on walnut"}]
    with pytest.raises(Invalid) as refused:
        memory.update("call-1", extractions)
    assert any("quotes" in path for path in refused.value.fields)


def test_a_preview_stores_nothing(memory: Client) -> None:
    found = memory.extract(text="The tiles arrive on 12 May.", topics=["Kitchen Miller"])
    assert found["extractions"]
    assert list(memory.topics()) == []


def test_a_job_that_failed_or_does_not_end_is_told(memory: Client) -> None:
    job = memory.store("call-1", [Message("The budget is 5 euros.", id="1", said_at=SAID_AT)])[0].job
    assert job is not None
    with pytest.raises(WaitedTooLong):
        memory.wait_for(job, timeout=0.1)
    Job.objects.filter(pk=job).update(status="failed", error="The model does not answer.")
    with pytest.raises(JobFailed, match="does not answer"):
        memory.wait_for(job)
    assert memory.retry_job(job).status == "queued"


async def agent_turn(client: AsyncClient) -> list[str]:
    async with client as memory:
        topic = await memory.create_topic("厨房改造", kind="project")
        await memory.add_fact(topic.id, "预算是18万元。")
        found = await memory.recall("厨房改造的预算是多少？")
        return [found.context, *[f.text async for f in memory.facts(topic.id)]]


def test_the_asynchronous_client_does_the_same(amemory: AsyncClient) -> None:
    context, *texts = asyncio.run(agent_turn(amemory))
    assert "预算是18万元" in context
    assert texts == ["预算是18万元。"]


def test_statements_are_recorded_word_for_word(memory: Client) -> None:
    first = memory.record("Harbour House", "The lease runs until 2031.", "It has a slate roof.", by="Mia")
    assert (len(first.committed), first.repeated) == (2, 0)
    (topic,) = memory.topics(alias="harbour house")
    facts = {fact.text: fact for fact in memory.facts(topic.id)}
    assert set(facts) == {"The lease runs until 2031.", "It has a slate roof."}
    lease = facts["The lease runs until 2031."]
    assert [(s.conversation, s.text) for s in lease.sources] == [("records", lease.text)]

    assert memory.record(topic.id, lease.text).repeated == 1
    newer = "The lease runs until 2035."
    against = memory.record(topic.id, newer, contradicts={newer: lease.id}, conversation="call-9")
    (conflict,) = [c for c in memory.conflicts() if c.id in against.conflicts]
    assert (conflict.held.id, conflict.proposal.text) == (lease.id, newer)
    with pytest.raises(ValueError, match="not 'rumour'"):
        memory.record("Harbour House", "It is haunted.", kind="rumour")
    with pytest.raises(NotFound):
        memory.record("01a22bf4-3d15-7d6f-ba24-7528183446ac", "It is somewhere else.")


def test_a_workflow_keeps_its_state_with_a_topic(memory: Client) -> None:
    desk = memory.create_topic("Order desk").id
    puts = [Put(f"run-1/{n:03}", {"步": n, "none": None}) for n in range(203)]
    memory.write_state(desk, puts, ["run-0"])
    memory.write_state(desk, [Put("run-2", None, only_new=True)])
    found = list(memory.state(desk, prefix="run-1/", order="-key", values=True))
    assert [(entry.key, entry.value) for entry in reversed(found)] == [(put.key, put.value) for put in puts]
    value, etag = memory.state_value(desk, "run-2")
    assert value is None
    with pytest.raises(Stale) as raised:
        memory.write_state(desk, [Put("run-2", 1, only_new=True), Put("run-1/000", 1, etag='"other"'), Put("x", 1)])
    assert raised.value.body["keys"] == ["run-2", "run-1/000"]
    assert memory.write_state(desk, [Put("run-2", 1, etag=etag)]).entries[0].version == 2
    assert memory.clear_state(desk, prefix="run-1/") == 203
    assert [entry.key for entry in memory.state(desk)] == ["run-2"]
    with pytest.raises(NotFound):
        memory.state_value(desk, "x")
