"""The list of topics and the document: what is shown, who may change what, and how little is asked of the database."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from topics.changes import Actor
from topics.models import Alias, Fact, Membership, Space, Topic
from topics.services.merging import merge_topics
from topics.services.spaces import create_space, set_member
from topics.services.statements import FactDraft, add_entry, commit_facts, open_dispute, supersede_fact
from topics.services.topics import archive_topic, create_topic, update_topic
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db
Learn = Callable[..., Fact]


def body(client: Client, name: str, *args: object, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def as_viewer(client: Client, space: Space) -> Client:
    person = User.objects.create_user("viewer")
    set_member(space=space, user=person, role=Membership.Role.VIEWER)
    client.force_login(person)
    return client


def test_the_list_shows_active_topics_with_their_counts(
    signed_in: Client, topic: Topic, learn: Learn, actor: Actor, space: Space
) -> None:
    learn(topic, "Zhang Wei signs")
    open_dispute(fact=learn(topic, "150 seats"), said_at=None)
    archive_topic(topic=create_topic(space=space, actor=actor, name="Globex"), actor=actor)
    shown = body(signed_in, "topics:topics")
    assert "Acme renewal" in shown
    assert "Globex" not in shown
    assert re.search(r'<td [^>]*class="num">2</td>', shown)
    assert "1 in conflict" in shown
    assert "Globex" in body(signed_in, "topics:topics", status="archived")
    assert "Acme renewal" in body(signed_in, "topics:topics", status="any")


@pytest.mark.parametrize("text", ["acme", "ＡＣＭＥ", "續約", "seats signed", "签字", '"seats" AND *'])
def test_topics_are_found_by_name_alias_and_facts(signed_in: Client, topic: Topic, learn: Learn, text: str) -> None:
    learn(topic, "Zhang Wei signed for 150 seats")
    learn(topic, "张伟昨天签字了")
    assert "Acme renewal" in body(signed_in, "topics:topics", q=text)


def test_what_matches_nothing_names_what_was_looked_for(signed_in: Client, topic: Topic, learn: Learn) -> None:
    learn(topic, "Zhang Wei signed for 150 seats")
    shown = body(signed_in, "topics:topics", q="seats <b>unsigned</b>")
    assert "Acme renewal" not in shown
    assert "seats &lt;b&gt;unsigned&lt;/b&gt;" in shown


def test_the_list_narrows_by_kind_sorts_by_name_and_has_pages(signed_in: Client, space: Space, actor: Actor) -> None:
    for n in range(52):
        create_topic(space=space, actor=actor, name=f"Person {n:02}", kind=Topic.Kind.PERSON)
    create_topic(space=space, actor=actor, name="A task", kind=Topic.Kind.TASK)
    shown = body(signed_in, "topics:topics", kind="person", order="name")
    assert "A task" not in shown
    assert shown.index("Person 00") < shown.index("Person 01")
    assert "Person 51" in body(signed_in, "topics:topics", kind="person", order="name", page="2")


@pytest.mark.parametrize(
    "query", [{"q": "a\x00b"}, {"kind": "opinion"}, {"page": "x"}, {"order": "'; DROP"}, {"q": "%"}]
)
def test_a_filter_that_makes_no_sense_is_left_out(signed_in: Client, topic: Topic, query: dict[str, str]) -> None:
    assert signed_in.get(reverse("topics:topics"), query).status_code == 200
    assert "Acme renewal" in body(signed_in, "topics:topics", kind="opinion", q="acme")
    assert "Acme renewal" not in body(signed_in, "topics:topics", kind="opinion", q="zebra")


def test_htmx_gets_the_list_alone(signed_in: Client, topic: Topic) -> None:
    response = signed_in.get(reverse("topics:topics"), headers={"HX-Request": "true"})
    assert "Acme renewal" in response.content.decode()
    assert "<html" not in response.content.decode()


def test_an_empty_space_says_where_topics_come_from(signed_in: Client) -> None:
    assert "No topics yet" in body(signed_in, "topics:topics")


def test_the_document_shows_every_part(
    signed_in: Client, topic: Topic, learn: Learn, actor: Actor, space: Space
) -> None:
    old = learn(topic, "Standard plan", kind="decision")
    new = learn(topic, "Business plan", within="So the Business plan it is.", kind="decision", certainty="planned")
    supersede_fact(fact=old, by=new, actor=actor)
    open_dispute(fact=learn(topic, "150 seats", kind="number", value="150", attribute="seats"), said_at=None)
    may = datetime(2024, 5, 1, tzinfo=UTC)
    add_entry(topic=topic, actor=actor, text="Contract ends", happened_at=may, precision="month")
    update_topic(topic=topic, actor=actor, summary="Renews in June.")
    shown = body(signed_in, "topics:document", topic.pk)
    for part in ("Renews in June.", "Acme 续约", "So the <mark>Business plan</mark> it is.", "1 superseded fact"):
        assert part in shown
    assert "<strong>1 fact is in conflict.</strong>" in shown
    assert f"{reverse('extraction:queue', args=['conflicts'])}?topic={topic.pk}" in shown
    assert ">May 2024</time>" in shown
    assert "1 May 2024" not in shown


def test_of_a_huge_document_the_latest_are_shown_and_all_are_a_link_away(
    signed_in: Client, topic: Topic, space: Space, actor: Actor
) -> None:
    written = [f"Item {n:03} is in stock" for n in range(60)]
    drafts = [FactDraft(topic=topic, text=text, origin="person") for text in written]
    commit_facts(space=space, actor=actor, drafts=drafts)
    shown = body(signed_in, "topics:document", topic.pk)
    assert [text for text in written if f">{text}</p>" in shown] == written[10:]
    assert "?all=1" in shown
    everything = body(signed_in, "topics:document", topic.pk, all="1")
    assert [text for text in written if f">{text}</p>" in everything] == written


def test_markup_in_stored_text_is_text(signed_in: Client, topic: Topic, learn: Learn, actor: Actor) -> None:
    learn(topic, "<script>alert(1)</script>", within="x <img src=y> <script>alert(1)</script>")
    update_topic(topic=topic, actor=actor, summary="<script>alert(2)</script>")
    for name in ("topics:document", "topics:history", "topics:agent"):
        shown = body(signed_in, name, topic.pk)
        assert "<script>alert" not in shown
        assert "<img src=y>" not in shown


def test_a_past_version_and_a_past_day_are_shown_read_only(signed_in: Client, topic: Topic, learn: Learn) -> None:
    learn(topic, "150 seats")
    learn(topic, "Business plan")
    shown = body(signed_in, "topics:document", topic.pk, version="2")
    assert "150 seats" in shown
    assert "Business plan" not in shown
    assert "Add fact" not in shown
    today = timezone.localdate().isoformat()
    assert "Business plan" in body(signed_in, "topics:document", topic.pk, as_of=today)


@pytest.mark.parametrize("query", [{"version": "99"}, {"version": "x"}, {"as_of": "2001-01-01"}, {"as_of": "soon"}])
def test_a_state_that_never_was_is_not_found(signed_in: Client, topic: Topic, query: dict[str, str]) -> None:
    assert signed_in.get(reverse("topics:document", args=[topic.pk]), query).status_code == 404


def test_a_topic_of_another_space_is_not_found(signed_in: Client, actor: Actor) -> None:
    other = create_topic(space=create_space(slug="other"), actor=actor, name="Secret")
    for name in ("document", "edit", "history", "compare", "agent", "archive", "delete", "add_fact", "add_entry"):
        assert signed_in.get(reverse(f"topics:{name}", args=[other.pk])).status_code == 404


def test_a_viewer_reads_but_changes_nothing(as_viewer: Client, topic: Topic, learn: Learn) -> None:
    fact = learn(topic, "150 seats")
    shown = body(as_viewer, "topics:document", topic.pk)
    assert "150 seats" in shown
    assert reverse("topics:edit", args=[topic.pk]) not in shown
    assert "Remove the alias" not in shown
    alias = topic.aliases.get(is_name=False)
    for address in (
        reverse("topics:edit", args=[topic.pk]),
        reverse("topics:add_alias", args=[topic.pk]),
        reverse("topics:remove_alias", args=[topic.pk, alias.pk]),
        reverse("topics:delete", args=[topic.pk]),
        reverse("topics:retract_fact", args=[topic.pk, fact.pk]),
        reverse("topics:undo", args=[topic.versions.first().change_set_id]),  # type: ignore[union-attr]
        reverse("topics:settings"),
        reverse("topics:keys"),
    ):
        assert as_viewer.post(address, {"name": "X"}).status_code == 403
    topic.refresh_from_db()
    assert (topic.status, topic.document_version) == ("active", 2)


def test_a_topic_is_created_by_hand(signed_in: Client, space: Space) -> None:
    sent = {"name": "智能家居项目", "kind": "project", "summary": ""}
    response = signed_in.post(reverse("topics:create"), sent)
    created = Topic.objects.get(space=space)
    assert response["Location"] == reverse("topics:document", args=[created.pk])
    assert (created.name, created.kind) == ("智能家居项目", "project")


@pytest.mark.parametrize("name", ["", "ACME Renewal"])
def test_a_name_that_is_empty_or_taken_is_refused_and_what_was_typed_is_kept(
    signed_in: Client, topic: Topic, name: str
) -> None:
    sent = {"name": name, "kind": "project", "summary": "A long summary."}
    response = signed_in.post(reverse("topics:create"), sent)
    assert response.status_code in (409, 422)
    assert "A long summary." in response.content.decode()
    assert Topic.objects.count() == 1


def test_a_topic_is_renamed_and_keeps_its_former_name(signed_in: Client, topic: Topic) -> None:
    sent = {"name": "Acme deal", "kind": "customer", "summary": "Renews.", "version": topic.version}
    assert signed_in.post(reverse("topics:edit", args=[topic.pk]), sent).status_code == 302
    topic.refresh_from_db()
    assert (topic.name, topic.kind, topic.summary, topic.summary_by_person) == (
        "Acme deal",
        "customer",
        "Renews.",
        True,
    )
    assert topic.aliases.filter(name="Acme renewal", is_name=False).exists()


def test_an_edit_of_a_topic_that_moved_on_shows_both_texts(signed_in: Client, topic: Topic, actor: Actor) -> None:
    seen = topic.version
    update_topic(topic=topic, actor=actor, summary="Theirs.")
    sent = {"name": topic.name, "kind": topic.kind, "summary": "Mine, with care.", "version": seen}
    response = signed_in.post(reverse("topics:edit", args=[topic.pk]), sent)
    shown = response.content.decode()
    assert response.status_code == 412
    assert "Theirs" in shown
    assert "Mine, with care." in shown
    topic.refresh_from_db()
    assert topic.summary == "Theirs."
    again = signed_in.post(reverse("topics:edit", args=[topic.pk]), sent | {"version": topic.version})
    assert again.status_code == 302
    topic.refresh_from_db()
    assert topic.summary == "Mine, with care."


def test_aliases_are_added_and_removed(signed_in: Client, topic: Topic, space: Space, actor: Actor) -> None:
    add = reverse("topics:add_alias", args=[topic.pk])
    assert signed_in.post(add, {"name": "ACME 2026"}).status_code == 302
    alias = Alias.objects.get(name="ACME 2026")
    assert signed_in.post(reverse("topics:remove_alias", args=[topic.pk, alias.pk])).status_code == 302
    assert not Alias.objects.filter(name="ACME 2026").exists()
    create_topic(space=space, actor=actor, name="Globex")
    taken = signed_in.post(add, {"name": "GLOBEX"})
    assert taken.status_code == 409
    assert "GLOBEX" in taken.content.decode()
    own = topic.aliases.get(is_name=True)
    refused = signed_in.post(reverse("topics:remove_alias", args=[topic.pk, own.pk]), follow=True)
    assert "Rename the topic instead" in refused.content.decode()


def test_archive_restore_and_delete_say_their_reach_first(signed_in: Client, topic: Topic, learn: Learn) -> None:
    learn(topic, "150 seats")
    for action, status in (("archive", "archived"), ("restore", "active"), ("delete", "deleted")):
        address = reverse(f"topics:{action}", args=[topic.pk])
        assert "1 " in signed_in.get(address).content.decode()
        topic.refresh_from_db()
        assert signed_in.post(address, {"version": topic.version, "reason": "Done"}).status_code == 302
        topic.refresh_from_db()
        assert topic.status == status
    assert signed_in.get(reverse("topics:document", args=[topic.pk])).status_code == 404


def test_a_status_that_moved_on_is_refused(signed_in: Client, topic: Topic, actor: Actor) -> None:
    address = reverse("topics:archive", args=[topic.pk])
    seen = topic.version
    update_topic(topic=topic, actor=actor, summary="New.")
    assert signed_in.post(address, {"version": seen}).status_code == 412
    topic.refresh_from_db()
    archive_topic(topic=topic, actor=actor)
    topic.refresh_from_db()
    assert signed_in.post(address, {"version": topic.version}).status_code == 409


def test_the_agent_view_shows_the_exact_block(signed_in: Client, topic: Topic, learn: Learn) -> None:
    learn(topic, "We need 150 seats on the Standard plan.")
    shown = body(signed_in, "topics:agent", topic.pk, q="How many seats?", max_tokens="600")
    assert "We need 150 seats on the Standard plan." in shown
    assert "of 600" in shown
    assert "Nothing that fits this question" in body(signed_in, "topics:agent", topic.pk, q="zebra")
    assert "Choose one of the budgets" in body(signed_in, "topics:agent", topic.pk, q="x", max_tokens="-1")


def test_pages_need_few_queries_whatever_they_hold(
    signed_in: Client, topic: Topic, learn: Learn, actor: Actor, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for n in range(15):
        open_dispute(fact=learn(topic, f"{n} seats"), said_at=None)
        add_entry(topic=topic, actor=actor, text=f"Event {n}", happened_at=timezone.now())
        create_topic(space=topic.space, actor=actor, name=f"Topic {n}")
    for name, args in (
        ("topics:topics", []),
        ("topics:document", [topic.pk]),
        ("topics:history", [topic.pk]),
        ("topics:compare", [topic.pk]),
        ("topics:activity", []),
    ):
        with django_assert_max_num_queries(20):
            assert signed_in.get(reverse(name, args=args)).status_code == 200
    with django_assert_max_num_queries(20):
        signed_in.get(reverse("topics:topics"), {"q": "seats"})


def test_adding_a_name_that_the_topic_has_already_says_so(signed_in: Client, topic: Topic) -> None:
    count = topic.aliases.count()
    response = signed_in.post(reverse("topics:add_alias", args=[topic.pk]), {"name": topic.name.upper()}, follow=True)
    assert f"The topic has this name already: {topic.name}." in response.content.decode()
    assert topic.aliases.count() == count


def test_the_agent_view_counts_lines_whatever_they_cite(signed_in: Client, topic: Topic, learn: Learn) -> None:
    learn(topic, "We need 150 seats.")
    learn(topic, "We need 150 seats.")
    learn(topic, "Seats cost 20 euros.")
    shown = body(signed_in, "topics:agent", topic.pk, q="How many seats?")
    assert '<dt>Lines cited</dt><dd class="num">2</dd>' in shown


def test_the_address_of_a_merged_topic_says_what_became_of_it(
    signed_in: Client, space: Space, topic: Topic, actor: Actor
) -> None:
    first = create_topic(space=space, actor=actor, name="Acme deal")
    second = create_topic(space=space, actor=actor, name="Acme <Ltd>")
    _plan, one = merge_topics(space=space, survivor=second, others=[first], actor=actor)
    _plan, two = merge_topics(space=space, survivor=topic, others=[second], actor=actor)
    said = "“Acme &lt;Ltd&gt;” was merged into this topic on "
    for page in ("document", "history", "agent"):
        shown = body(signed_in, f"topics:{page}", second.pk)
        assert said in shown
        assert f', by Maya Ortiz. <a href="{reverse("topics:change", args=[two.pk])}">' in shown
        assert said not in body(signed_in, f"topics:{page}", topic.pk)
    shown = body(signed_in, "topics:document", first.pk)
    assert "“Acme deal” was merged into “Acme &lt;Ltd&gt;” on " in shown
    assert reverse("topics:change", args=[one.pk]) in shown
    assert said in shown
    undo_change_set(change=two, actor=actor)
    assert "was merged into" not in body(signed_in, "topics:document", second.pk)
    assert "“Acme deal” was merged into this topic on " in body(signed_in, "topics:document", first.pk)
