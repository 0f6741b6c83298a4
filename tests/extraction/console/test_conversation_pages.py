"""Conversations in the console: what became of each turn, and another try at what failed."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from extraction.models import Job, MessageOutcome, Proposal
from extraction.services.decisions import decide_proposals
from extraction.services.intake import record_messages
from extraction.services.jobs import run_job
from topics.changes import Actor
from topics.models import Conversation, Fact, Membership, Space
from topics.services.conversations import MessageInput
from topics.services.spaces import create_space, set_member
from topics.services.statements import retract_fact

pytestmark = pytest.mark.django_db
SAID = datetime(2024, 5, 8, 13, 56, tzinfo=UTC)


@pytest.fixture
def space(db: None) -> Space:
    return create_space(slug="sales", name="Enterprise sales")


@pytest.fixture
def user(space: Space) -> User:
    person = User.objects.create_user("maya")
    set_member(space=space, user=person, role=Membership.Role.REVIEWER)
    return person


@pytest.fixture
def signed_in(client: Client, user: User) -> Client:
    client.force_login(user)
    return client


def hold(space: Space, *texts: str, conversation: str = "call", subject: str = "Acme") -> Job:
    """Take a conversation in, without reading it."""
    messages = [MessageInput(role="user", name="Zhang Wei", content=text, said_at=SAID) for text in texts]
    job = record_messages(space=space, conversation=conversation, messages=messages, subject=subject).job
    assert job is not None
    return job


def transcript(client: Client, conversation: str = "call", **query: str) -> str:
    row = Conversation.objects.get(external_id=conversation)
    response = client.get(reverse("extraction:conversation", args=[row.pk]), query)
    assert response.status_code == 200
    return response.content.decode()


def fail(job: Job) -> None:
    Job.objects.filter(pk=job.pk).update(status=Job.Status.FAILED, error="The model did not answer.")
    MessageOutcome.objects.filter(job=job).update(outcome="failed", error="The model did not answer.")


def test_the_list_shows_what_waits_and_what_failed(signed_in: Client, space: Space) -> None:
    hold(space, "Hello there", conversation="waiting")
    fail(hold(space, "Hello", "Good day", conversation="broken"))
    assert run_job(hold(space, "Thanks, bye!", conversation="done").pk, worker="test")
    page = signed_in.get(reverse("extraction:conversations")).content.decode()
    assert "1 waiting" in page
    assert "2 failed" in page
    narrowed = signed_in.get(reverse("extraction:conversations"), {"state": "failed"}).content.decode()
    assert "broken" in narrowed
    assert ">done</a>" not in narrowed


@pytest.mark.parametrize("text", ["call", "ACME", "zhang"])
def test_conversations_are_found_by_id_subject_and_speaker(signed_in: Client, space: Space, text: str) -> None:
    hold(space, "Hello")
    hold(space, "Hi", conversation="other-7", subject="")
    page = signed_in.get(reverse("extraction:conversations"), {"q": text}).content.decode()
    assert ">call</a>" in page


def test_the_transcript_marks_the_words_and_links_what_was_taken(signed_in: Client, space: Space, user: User) -> None:
    run_job(hold(space, "Good morning!", "The budget of Acme is 84,000 dollars.").pk, worker="test")
    page = transcript(signed_in)
    assert "<mark>" in page
    assert "Nothing to remember" in page
    proposal = Proposal.objects.get(kind="fact")
    address = reverse("extraction:proposal", args=[proposal.pk])
    assert address in page
    assert "/review/" in signed_in.get(address)["Location"]
    ids = list(Proposal.objects.order_by("pk").values_list("pk", flat=True))
    decide_proposals(space=space, actor=Actor.person(user), ids=ids, decision="approve")
    fact = Fact.objects.get()
    assert signed_in.get(address)["Location"] == f"{reverse('topics:document', args=[fact.topic_id])}#s-{fact.pk}"
    retract_fact(fact=fact, actor=Actor.person(user))
    assert transcript(signed_in).count(address) == 1


def test_words_that_support_a_held_fact_again_are_linked_to_it(signed_in: Client, space: Space, user: User) -> None:
    run_job(hold(space, "The budget of Acme is 84,000 dollars.").pk, worker="test")
    ids = list(Proposal.objects.order_by("pk").values_list("pk", flat=True))
    decide_proposals(space=space, actor=Actor.person(user), ids=ids, decision="approve")
    run_job(hold(space, "The budget of Acme is 84,000 dollars.", conversation="second").pk, worker="test")
    page = transcript(signed_in, "second")
    assert "Source of" in page
    assert f"#s-{Fact.objects.get().pk}" in page


def test_a_failure_is_shown_with_its_reason_and_tried_again(signed_in: Client, space: Space) -> None:
    job = hold(space, "The budget of Acme is 84,000 dollars.")
    fail(job)
    page = transcript(signed_in)
    assert "1 turn could not be read." in page
    assert "The model did not answer." in page
    assert "Nothing to remember" not in page
    retry = reverse("extraction:retry", args=[job.pk])
    assert signed_in.post(retry).status_code == 302
    job.refresh_from_db()
    assert job.status == "queued"
    again = signed_in.post(retry, follow=True).content.decode()
    assert "Only a job that has failed can be tried again." in again


@pytest.mark.django_db(transaction=True)
def test_the_page_shows_how_far_reading_again_has_come(signed_in: Client, space: Space) -> None:
    job = hold(space, "Our budget is 84,000 euros a year.", "Hello there")
    assert "0 of 2 turns are read so far." in transcript(signed_in)
    assert run_job(job.pk, worker="test")
    assert 'id="reading"' not in transcript(signed_in)

    address = reverse("extraction:conversation", args=[job.conversation_id])
    signed_in.post(f"{address}read-again/")
    assert f'id="reading" hx-get="{address}?turn=2"' in transcript(signed_in, turn="2")
    MessageOutcome.objects.filter(message__position=0).update(outcome="extracted")
    asks = {"HX-Request": "true", "HX-Target": "reading"}
    part = signed_in.get(f"{address}?turn=2", headers=asks)
    assert "1 of 2 turns are read so far." in part.content.decode()
    assert "<html" not in part.content.decode()

    assert run_job(Job.objects.get(status="queued").pk, worker="test")
    assert signed_in.get(f"{address}?turn=2", headers=asks)["HX-Redirect"] == f"{address}?turn=2"


def test_a_long_transcript_has_pages_and_opens_at_the_turn_that_is_named(signed_in: Client, space: Space) -> None:
    hold(space, *(f"Turn number {n}." for n in range(1, 131)))
    first, second = transcript(signed_in), transcript(signed_in, turn="120")
    assert "Turn number 100." in first
    assert "Turn number 101." not in first
    assert 'id="turn-120"' in second
    for odd in ("0", "131", "x", "9" * 30):
        assert "Turn number 1." in transcript(signed_in, turn=odd)


def test_markup_in_a_message_is_text(signed_in: Client, space: Space) -> None:
    hold(space, "<script>alert(1)</script>", subject="<b>Acme</b>")
    assert "<script>alert" not in transcript(signed_in)
    assert "<b>Acme" not in transcript(signed_in)


def test_another_space_is_not_seen(signed_in: Client) -> None:
    other = create_space(slug="other")
    job = hold(other, "Secret words", conversation="covert-42")
    row = Conversation.objects.get(external_id="covert-42")
    assert signed_in.get(reverse("extraction:conversation", args=[row.pk])).status_code == 404
    assert signed_in.post(reverse("extraction:retry", args=[job.pk])).status_code == 404
    assert "covert-42" not in signed_in.get(reverse("extraction:conversations")).content.decode()


def test_a_viewer_reads_but_does_not_retry(client: Client, space: Space) -> None:
    person = User.objects.create_user("viewer")
    set_member(space=space, user=person, role=Membership.Role.VIEWER)
    client.force_login(person)
    job = hold(space, "Hello")
    fail(job)
    assert "Try again" not in transcript(client)
    assert client.post(reverse("extraction:retry", args=[job.pk])).status_code == 403


def test_few_queries_whatever_the_length(
    signed_in: Client, space: Space, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for n in range(4):
        run_job(
            hold(space, *[f"The budget of Acme{n} is {n}{i}000 dollars." for i in range(8)], conversation=f"c{n}").pk,
            worker="t",
        )
    with django_assert_max_num_queries(20):
        transcript(signed_in, "c1")
    with django_assert_max_num_queries(12):
        signed_in.get(reverse("extraction:conversations"))


def test_the_page_says_what_was_not_kept_of_a_models_findings(signed_in: Client, space: Space) -> None:
    job = hold(space, "We moved to Lyon.")
    page = reverse("extraction:conversation", args=[job.conversation_id])
    assert "The model came with" not in signed_in.get(page).content.decode()
    report = {"found": 3, "dropped": {"not_located": 2}, "mended": {"corrected": 1}}
    Job.objects.filter(pk=job.pk).update(report=report)
    shown = signed_in.get(page).content.decode()
    assert "The model came with 3 findings" in shown
    assert "2 × quoted in words that the turn does not hold" in shown
    assert "1 × corrected by the check" in shown
