"""What is to be decided about topics, moving names between them, editing in place, and taking an act back at once."""

import re
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from extraction.models import Proposal
from topics.changes import Actor
from topics.models import Alias, Fact, Space, Topic
from topics.services.spaces import create_space
from topics.services.state import Put, write_state
from topics.services.statements import open_dispute
from topics.services.topics import archive_topic, create_topic

pytestmark = pytest.mark.django_db
Learn = Callable[..., Fact]


def propose(topic: Topic, text: str, status: str = "pending") -> Proposal:
    return Proposal.objects.create(
        space=topic.space, kind="fact", topic=topic, text=text, fingerprint=text, status=status
    )


def listed(client: Client, **query: str) -> list[str]:
    page = client.get(reverse("topics:topics"), query).content.decode()
    return re.findall(r'href="/topics/[0-9a-f-]{36}/"[^>]*>([^<]+)</a>', page)


def take_back(client: Client, page: str) -> None:
    """Press Undo in the message on the page."""
    found = re.search(r'<div class="toast">.*?<form method="post" action="([^"]+)"', page, re.DOTALL)
    assert found, "no message with Undo"
    assert client.post(found[1], {"next": reverse("topics:topics")}).status_code == 302


def test_topics_are_narrowed_to_those_with_something_to_decide(
    signed_in: Client, topic: Topic, space: Space, actor: Actor, learn: Learn
) -> None:
    globex = create_topic(space=space, actor=actor, name="Globex")
    quiet = create_topic(space=space, actor=actor, name="Quiet")
    open_dispute(fact=learn(topic, "150 seats"), said_at=None)
    for text in ("Globex moves.", "Globex grows."):
        propose(globex, text)
    propose(quiet, "Nothing to do.", status="rejected")
    assert listed(signed_in, needs="conflicts") == ["Acme renewal"]
    assert listed(signed_in, needs="pending") == ["Globex"]
    assert len(listed(signed_in, needs="whatever")) == 3
    shown = signed_in.get(reverse("topics:topics"), {"needs": "pending"}).content.decode()
    assert "2 to review" in shown
    assert '<option value="pending" selected>' in shown
    archive_topic(topic=globex, actor=actor)
    assert listed(signed_in, needs="pending") == []
    assert listed(signed_in, needs="pending", status="any") == ["Globex"]


def test_an_alias_is_moved_to_another_topic_and_back(
    signed_in: Client, topic: Topic, space: Space, actor: Actor
) -> None:
    other = create_topic(space=space, actor=actor, name="Globex")
    alias = topic.aliases.get(is_name=False)
    address = reverse("topics:alias", args=[topic.pk, alias.pk])
    assert address in signed_in.get(reverse("topics:document", args=[topic.pk])).content.decode()
    assert signed_in.get(address).status_code == 200
    move = reverse("topics:move_alias", args=[topic.pk, alias.pk])
    page = signed_in.post(move, {"topic": "ＧＬＯＢＥＸ", "reason": "Theirs"}, follow=True).content.decode()
    assert "Moved the alias Acme 续约 to Globex." in page
    assert Alias.objects.get(pk=alias.pk).topic == other
    take_back(signed_in, page)
    assert Alias.objects.get(pk=alias.pk).topic == topic


@pytest.mark.parametrize(
    ("wanted", "problem"),
    [("Nobody <b>", "No topic is called Nobody &lt;b&gt;."), ("acme renewal", "already"), ("", "required")],
)
def test_an_alias_goes_to_no_topic_that_is_not_there(
    signed_in: Client, topic: Topic, wanted: str, problem: str
) -> None:
    alias = topic.aliases.get(is_name=False)
    response = signed_in.post(reverse("topics:move_alias", args=[topic.pk, alias.pk]), {"topic": wanted})
    assert response.status_code == 422
    assert problem in response.content.decode()
    assert Alias.objects.get(pk=alias.pk).topic == topic


def test_an_alias_of_elsewhere_is_not_found_and_a_topics_own_name_stays(
    signed_in: Client, topic: Topic, space: Space, actor: Actor
) -> None:
    foreign = create_topic(space=create_space(slug="other"), actor=actor, name="Secret")
    create_topic(space=space, actor=actor, name="Globex")
    theirs, own = foreign.aliases.get(), topic.aliases.get(is_name=True)
    assert signed_in.get(reverse("topics:alias", args=[topic.pk, theirs.pk])).status_code == 404
    sent = {"topic": "Globex"}
    assert signed_in.post(reverse("topics:move_alias", args=[topic.pk, theirs.pk]), sent).status_code == 404
    refused = signed_in.post(reverse("topics:move_alias", args=[topic.pk, own.pk]), sent)
    assert refused.status_code == 409
    assert "own name" in refused.content.decode()


def test_an_alias_is_written_in_another_way(signed_in: Client, topic: Topic) -> None:
    alias = topic.aliases.get(is_name=False)
    address = reverse("topics:alias", args=[topic.pk, alias.pk])
    assert signed_in.post(address, {"name": "Acme renewal"}).status_code == 409
    page = signed_in.post(address, {"name": "Acme 2026"}, follow=True).content.decode()
    assert topic.aliases.filter(name="Acme 2026").exists()
    take_back(signed_in, page)
    assert topic.aliases.filter(name="Acme 续约").exists()


def test_acts_on_a_document_can_be_taken_back_from_their_message(signed_in: Client, topic: Topic, learn: Learn) -> None:
    fact = learn(topic, "We need 150 seats")
    alias = topic.aliases.get(is_name=False)
    sent = {"text": "We need 160 seats", "kind": "fact", "certainty": "confirmed", "version": "1"}
    for address, data in (
        (reverse("topics:fact", args=[topic.pk, fact.pk]), sent),
        (reverse("topics:retract_fact", args=[topic.pk, fact.pk]), {"reason": ""}),
        (reverse("topics:remove_alias", args=[topic.pk, alias.pk]), {}),
        (reverse("topics:edit", args=[topic.pk]), {"name": "Acme deal", "kind": "project", "summary": "New."}),
        (reverse("topics:archive", args=[topic.pk]), {"reason": ""}),
        (reverse("topics:delete", args=[topic.pk]), {"reason": ""}),
    ):
        page = signed_in.post(address, data, follow=True).content.decode()
        take_back(signed_in, page)
    topic.refresh_from_db()
    fact.refresh_from_db()
    assert (topic.name, topic.status, topic.summary) == ("Acme renewal", "active", "")
    assert (fact.text, fact.status) == ("We need 150 seats", "active")
    assert topic.aliases.filter(name="Acme 续约").exists()


def test_a_save_that_changes_nothing_offers_no_undo(signed_in: Client, topic: Topic) -> None:
    same = {"name": topic.name, "kind": topic.kind, "summary": ""}
    page = signed_in.post(reverse("topics:edit", args=[topic.pk]), same, follow=True).content.decode()
    assert "Saved." in page
    assert "Undo <kbd" not in page


def test_summary_fact_and_entry_are_edited_in_place(signed_in: Client, topic: Topic, learn: Learn) -> None:
    fact = learn(topic, "150 seats")
    add = {"happened": "2024-05", "text": "Contract ends", "certainty": "confirmed"}
    signed_in.post(reverse("topics:add_entry", args=[topic.pk]), add)
    entry = topic.timeline.get()
    for address, within in (
        (reverse("topics:edit", args=[topic.pk]), 'name="summary"'),
        (reverse("topics:fact", args=[topic.pk, fact.pk]), "150 seats"),
        (reverse("topics:entry", args=[topic.pk, entry.pk]), "Contract ends"),
    ):
        form = signed_in.get(address, headers={"HX-Request": "true"}).content.decode()
        assert within in form
        assert "<html" not in form


def test_the_list_asks_little_of_the_database(
    signed_in: Client,
    space: Space,
    actor: Actor,
    learn: Learn,
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    for n in range(12):
        topic = create_topic(space=space, actor=actor, name=f"Topic {n}")
        open_dispute(fact=learn(topic, f"{n} seats"), said_at=None)
        propose(topic, f"{n} more seats")
    for query in ({}, {"needs": "pending"}, {"needs": "conflicts", "order": "name"}, {"q": "seats"}):
        with django_assert_max_num_queries(20):
            assert len(listed(signed_in, **query)) == 12
    with django_assert_max_num_queries(20):
        signed_in.get(reverse("topics:alias", args=[topic.pk, topic.aliases.get().pk]))


def test_the_state_of_agents_is_shown_by_key_and_is_text(
    signed_in: Client, topic: Topic, space: Space, actor: Actor, django_assert_max_num_queries: Callable[..., object]
) -> None:
    address = reverse("topics:state", args=[topic.pk])
    assert "No state is kept here" in signed_in.get(address).content.decode()
    put = [Put(f"step/{n}", {"note": "<script>alert(1)</script>", "n": n}) for n in range(3)]
    entries = write_state(topic=topic, actor=actor, puts=[*put, Put("plan", ["订单"])]).entries
    with django_assert_max_num_queries(20):
        page = signed_in.get(address).content.decode()
    assert re.findall(r"<code>([^<]+)</code>", page) == ["plan", "step/0", "step/1", "step/2"]
    assert "plan" not in re.findall(r"<code>([^<]+)</code>", signed_in.get(address, {"q": "step/"}).content.decode())
    assert "No key begins with this" in signed_in.get(address, {"q": "zebra\0"}).content.decode()
    one = signed_in.get(reverse("topics:state_entry", args=[topic.pk, entries[1].pk])).content.decode()
    assert "&lt;script&gt;alert(1)" in one
    assert "<script>alert" not in one
    other = create_topic(space=space, actor=actor, name="Globex")
    assert signed_in.get(reverse("topics:state_entry", args=[other.pk, entries[1].pk])).status_code == 404
