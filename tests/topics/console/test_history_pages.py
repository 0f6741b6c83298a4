"""History, activity and undo in the console."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from topics.changes import Actor, change_set
from topics.console import history
from topics.console.labels import ACTIONS, FIELDS
from topics.models import Alias, ChangeSet, Fact, Space, Topic
from topics.selectors.history import SHOWN
from topics.services.merge_plan import MergeChoices
from topics.services.merging import merge_topics
from topics.services.spaces import create_space
from topics.services.statements import edit_fact
from topics.services.topics import create_topic, delete_topic, move_alias, update_topic
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db
Learn = Callable[..., Fact]


def shown(client: Client, name: str, *args: object, **query: str) -> str:
    response = client.get(reverse(name, args=args), query)
    assert response.status_code == 200
    return response.content.decode()


def test_the_history_tells_who_when_why_and_what(signed_in: Client, topic: Topic, learn: Learn, actor: Actor) -> None:
    fact = learn(topic, "We need 150 seats")
    edit_fact(fact=fact, actor=actor, changes={"text": "We need 160 seats"}, reason="Misheard on the call")
    page = shown(signed_in, "topics:history", topic.pk)
    for part in ("Maya Ortiz", "Edited a fact", "Misheard on the call", "3, current"):
        assert part in page
    assert re.search(r"We need <del>.*?150</del><ins>.*?160</ins> seats", page)
    assert "Created the topic" in shown(signed_in, "topics:version", topic.pk, 1)
    assert signed_in.get(reverse("topics:version", args=[topic.pk, 9])).status_code == 404
    assert signed_in.get(reverse("topics:version", args=[topic.pk, 10**30])).status_code == 404


def test_chinese_is_compared_by_character_in_the_history(
    signed_in: Client, topic: Topic, learn: Learn, actor: Actor
) -> None:
    edit_fact(fact=learn(topic, "采用有线方案"), actor=actor, changes={"text": "采用无线方案"})
    page = shown(signed_in, "topics:history", topic.pk)
    assert re.search(r"采用<del>.*?有</del><ins>.*?无</ins>线方案", page)


def test_two_versions_are_compared_in_any_order(signed_in: Client, topic: Topic, learn: Learn, actor: Actor) -> None:
    learn(topic, "We need 150 seats")
    update_topic(topic=topic, actor=actor, summary="Renews in June.")
    for query in ({"old": "1", "new": "3"}, {"old": "3", "new": "1"}, {"old": "1"}):
        page = shown(signed_in, "topics:compare", topic.pk, **query)
        assert "From version 1 to version 3" in page
        assert "We need 150 seats" in page
        assert "Renews in June." in page
    assert "These two versions say the same." in shown(signed_in, "topics:compare", topic.pk, old="2", new="2")
    assert signed_in.get(reverse("topics:compare", args=[topic.pk]), {"old": "1", "new": "99"}).status_code == 404


def test_a_value_is_told_with_its_unit(signed_in: Client, topic: Topic, learn: Learn, actor: Actor) -> None:
    fact = learn(topic, "They pay for the pilot.", attribute="price", value="55000", unit="EUR")
    edit_fact(fact=fact, actor=actor, changes={"value": "60000", "unit": "EUR/year"})
    added, edited = (shown(signed_in, "topics:version", topic.pk, version) for version in (2, 3))
    assert "<dd>55,000 EUR</dd>" in added
    assert re.search(r"<del>.*?55,000 EUR</del><ins>.*?60,000 EUR per year</ins>", edited)
    assert "<dt>Unit</dt>" not in added + edited


@pytest.mark.parametrize("code", ["0044", "2024", "13800138000"])
def test_digits_that_count_nothing_stay_as_they_are(signed_in: Client, topic: Topic, learn: Learn, code: str) -> None:
    learn(topic, f"The code is {code}", attribute="code", value=code)
    assert f"<dd>{code}</dd>" in shown(signed_in, "topics:history", topic.pk)


def test_the_activity_names_a_new_topic_once(signed_in: Client, topic: Topic, learn: Learn) -> None:
    learn(topic, "We need 150 seats")
    changes = shown(signed_in, "topics:activity").partition('id="changes"')[2]
    rows = re.findall(r"<li>(.*?)</li>", changes, re.DOTALL)
    assert [row.count(topic.name) for row in rows] == [1, 1]


def test_a_change_is_undone_and_the_undoing_as_well(signed_in: Client, topic: Topic, learn: Learn) -> None:
    fact = learn(topic, "We need 150 seats")
    change = ChangeSet.objects.get(action="commit_facts")
    back = reverse("topics:history", args=[topic.pk])
    response = signed_in.post(reverse("topics:undo", args=[change.pk]), {"reason": "Wrong topic", "next": back})
    assert response["Location"] == back
    fact.refresh_from_db()
    assert fact.status == "retracted"
    undoing = ChangeSet.objects.get(undoes=change)
    assert undoing.reason == "Wrong topic"
    assert "Maya Ortiz undid this" in shown(signed_in, "topics:change", change.pk)
    signed_in.post(reverse("topics:undo", args=[undoing.pk]), {"next": "https://elsewhere.example/"})
    fact.refresh_from_db()
    assert fact.status == "active"
    assert signed_in.post(reverse("topics:undo", args=[change.pk])).status_code == 409


def test_a_topic_that_was_taken_back_is_named_without_a_link(signed_in: Client, topic: Topic, actor: Actor) -> None:
    change = ChangeSet.objects.get(action="create_topic")
    undo_change_set(change=change, actor=actor)
    for page in (shown(signed_in, "topics:activity"), shown(signed_in, "topics:change", change.pk)):
        assert "Acme renewal (no longer exists)" in page
        assert f"/topics/{topic.pk}/" not in page


def test_an_undo_that_something_builds_on_lists_what_and_changes_nothing(
    signed_in: Client, topic: Topic, learn: Learn, actor: Actor
) -> None:
    fact = learn(topic, "We need 150 seats")
    edit_fact(fact=fact, actor=actor, changes={"text": "We need 160 seats"})
    change = ChangeSet.objects.get(action="commit_facts")
    response = signed_in.post(reverse("topics:undo", args=[change.pk]))
    page = response.content.decode()
    assert response.status_code == 409
    assert "was changed later" in page
    assert "We need 150 seats" in page
    later = ChangeSet.objects.get(action="edit_fact")
    assert f'<a href="{reverse("topics:change", args=[later.pk])}">Show that change</a>' in page
    fact.refresh_from_db()
    assert (fact.status, fact.text) == ("active", "We need 160 seats")


def test_one_row_of_a_change_is_reverted_and_what_blocks_it_is_told(
    signed_in: Client, topic: Topic, learn: Learn, actor: Actor
) -> None:
    with change_set(space=topic.space, actor=actor, action="commit_facts"):
        seats, plan = learn(topic, "We need 150 seats"), learn(topic, "Standard plan")
    change = ChangeSet.objects.get(action="commit_facts")
    address = reverse("topics:revert", args=[change.pk, seats.pk])
    for page in (shown(signed_in, "topics:change", change.pk), shown(signed_in, "topics:version", topic.pk, 2)):
        assert address in page
    confirm = signed_in.get(address).content.decode()
    assert "We need 150 seats" in confirm
    assert "Standard plan" not in confirm
    done = signed_in.post(address, {"reason": "Misheard"}, follow=True)
    assert "Put back." in done.content.decode()
    seats.refresh_from_db()
    plan.refresh_from_db()
    assert (seats.status, plan.status) == ("retracted", "active")
    again = signed_in.post(address, {"reason": ""})
    assert again.status_code == 409
    revert = ChangeSet.objects.get(action="revert")
    assert reverse("topics:change", args=[revert.pk]) in again.content.decode()
    assert "was changed later" in signed_in.get(address).content.decode()
    undo_change_set(change=revert, actor=actor)
    undo_change_set(change=change, actor=actor)
    assert "undone already" in signed_in.get(address).content.decode()
    assert signed_in.get(reverse("topics:revert", args=[change.pk, change.pk])).status_code == 409
    creation = ChangeSet.objects.get(action="create_topic")
    assert (
        "undo the whole change"
        in signed_in.get(reverse("topics:revert", args=[creation.pk, topic.pk])).content.decode()
    )
    assert signed_in.get(reverse("topics:revert", args=[creation.pk, seats.pk])).status_code == 404


def test_of_many_versions_any_two_are_typed_in(
    signed_in: Client, topic: Topic, learn: Learn, monkeypatch: pytest.MonkeyPatch
) -> None:
    learn(topic, "We need 150 seats")
    assert '<select class="auto" name="old">' in shown(signed_in, "topics:compare", topic.pk)
    monkeypatch.setattr(history, "MOST_TO_CHOOSE", 1)
    assert 'type="number" name="old" value="1"' in shown(signed_in, "topics:compare", topic.pk, old="1", new="2")


def test_an_old_version_opens_with_the_list_around_it(
    signed_in: Client, topic: Topic, learn: Learn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "VERSIONS", 2)
    for n in range(5):
        learn(topic, f"We need {n} seats")
    page = shown(signed_in, "topics:version", topic.pk, 3)
    assert re.findall(r'class="queue-item" data-id="(\d+)"', page) == ["3", "2"]
    assert "Latest versions" in page
    assert "Latest versions" not in shown(signed_in, "topics:version", topic.pk, 5)


def test_history_pages_ask_little_of_the_database(
    signed_in: Client, topic: Topic, learn: Learn, actor: Actor, django_assert_max_num_queries: Callable[..., object]
) -> None:
    with change_set(space=topic.space, actor=actor, action="commit_facts"):
        facts = [learn(topic, f"We need {n} seats") for n in range(8)]
    change = ChangeSet.objects.get(action="commit_facts")
    for name, args, query in (
        ("history", [topic.pk], {}),
        ("version", [topic.pk, 2], {}),
        ("compare", [topic.pk], {"old": "1"}),
        ("document", [topic.pk], {"as_of": timezone.localdate().isoformat()}),
        ("activity", [], {}),
        ("change", [change.pk], {}),
        ("revert", [change.pk, facts[3].pk], {}),
    ):
        with django_assert_max_num_queries(20):
            shown(signed_in, f"topics:{name}", *args, **query)


def test_a_deleted_topic_comes_back_from_the_activity(signed_in: Client, topic: Topic, actor: Actor) -> None:
    delete_topic(topic=topic, actor=actor)
    change = ChangeSet.objects.get(action="delete_topic")
    assert reverse("topics:change", args=[change.pk]) in shown(signed_in, "topics:activity")
    signed_in.post(reverse("topics:undo", args=[change.pk]))
    assert "Acme renewal" in shown(signed_in, "topics:document", topic.pk)


def test_a_change_of_two_topics_names_both(signed_in: Client, topic: Topic, actor: Actor, space: Space) -> None:
    other = create_topic(space=space, actor=actor, name="Globex")
    move_alias(alias=Alias.objects.get(name="Acme 续约"), to=other, actor=actor)
    page = shown(signed_in, "topics:change", ChangeSet.objects.get(action="move_alias").pk)
    assert "Acme 续约" in page
    assert "Globex" in page
    assert "Acme renewal" in page


def test_the_activity_is_filtered_by_person_action_and_day(
    signed_in: Client, topic: Topic, learn: Learn, space: Space
) -> None:
    learn(topic, "We need 150 seats")
    change = ChangeSet.objects.get(action="commit_facts")
    undo_change_set(change=change, actor=Actor("Nightly cleaner"), reason="Too old")
    today = timezone.localdate()
    for query, wanted in (
        ({}, {"Nightly cleaner", "Maya Ortiz"}),
        ({"who": "nightly"}, {"Nightly cleaner"}),
        ({"action": "create_topic"}, {"Maya Ortiz"}),
        ({"since": today.isoformat()}, {"Nightly cleaner", "Maya Ortiz"}),
        ({"until": "2001-01-01"}, set()),
    ):
        page = shown(signed_in, "topics:activity", **query)
        found = {name for name in ("Nightly cleaner", "Maya Ortiz") if f"<strong>{name}</strong>" in page}
        assert found == wanted
    assert 'role="alert"' in shown(signed_in, "topics:activity", since="whenever")


def test_changes_of_another_space_are_not_found(signed_in: Client, actor: Actor) -> None:
    create_topic(space=create_space(slug="other"), actor=actor, name="Secret")
    change = ChangeSet.objects.get(space__slug="other")
    assert signed_in.get(reverse("topics:change", args=[change.pk])).status_code == 404
    assert signed_in.post(reverse("topics:undo", args=[change.pk])).status_code == 404
    assert "Secret" not in shown(signed_in, "topics:activity")


def test_every_action_and_every_field_has_a_name_for_people() -> None:
    sources = [
        *Path(settings.BASE_DIR).glob("topics/services/*.py"),
        *Path(settings.BASE_DIR).glob("extraction/services/*.py"),
    ]
    written = {name for path in sources for name in re.findall(r'action="([a-z_]+)"', path.read_text())}
    assert written >= {"create_topic", "undo", "extract"}
    assert written - set(ACTIONS) == set()
    assert {name for names in SHOWN.values() for name in names} == set(FIELDS)


def test_a_change_that_also_made_a_topic_is_titled_by_its_statement(
    signed_in: Client, topic: Topic, learn: Learn, actor: Actor
) -> None:
    with change_set(space=topic.space, actor=actor, action="approve_proposals"):
        learn(create_topic(space=topic.space, actor=actor, name="Globex"), "Globex needs 20 seats")
    assert "Globex needs 20 seats (and 1 more)" in shown(signed_in, "topics:activity")


def test_a_merge_is_called_by_what_was_merged_and_so_is_its_undoing(
    signed_in: Client, space: Space, topic: Topic, actor: Actor, learn: Learn
) -> None:
    learn(topic, "We need 150 seats")
    others = [create_topic(space=space, actor=actor, name=name) for name in ("Acme deal", "Acme Ltd")]
    learn(others[0], "The office is in Leeds")
    topic.refresh_from_db()
    choices = MergeChoices(fields={"name": "Acme"})
    _plan, merge = merge_topics(space=space, survivor=topic, others=others, actor=actor, choices=choices)
    undo = undo_change_set(change=merge, actor=actor)
    redo = undo_change_set(change=undo, actor=actor)
    title = "Merge of Acme deal, Acme Ltd into Acme renewal"
    for change, said in ((merge, title), (undo, f"Undone: {title[0].lower()}{title[1:]}"), (redo, title)):
        assert f'<a href="{reverse("topics:change", args=[change.pk])}">{said}</a>' in shown(
            signed_in, "topics:activity"
        )
        assert f'<h1 class="title">{said}</h1>' in shown(signed_in, "topics:change", change.pk)
        version = change.documents.get(topic=topic).version
        assert f'<h2 id="change-title">{said}</h2>' in shown(signed_in, "topics:version", topic.pk, str(version))
    table = signed_in.get(reverse("topics:activity_csv")).getvalue().decode()  # type: ignore[attr-defined]
    assert f'Merged topics,"{title}"' in table


def test_software_that_acted_is_named_and_found_in_the_language_of_the_reader(
    signed_in: Client, space: Space, topic: Topic
) -> None:
    names = {"rules extractor": "规则提取器", "discovery": "主题发现", "summary by gpt-4.1": "gpt-4.1生成的摘要"}
    for label in names:
        update_topic(topic=topic, actor=Actor(label=label), summary=f"Written by {label[:4]}.")
    pages = {
        name: shown(signed_in, f"topics:{name}", *on) for name, on in {"activity": (), "history": (topic.pk,)}.items()
    }
    assert [(page, name) for page, text in pages.items() for name in names if name not in text] == []
    signed_in.cookies[settings.LANGUAGE_COOKIE_NAME] = "zh-hans"
    pages = {
        "activity": shown(signed_in, "topics:activity"),
        "history": shown(signed_in, "topics:history", topic.pk),
        "change": shown(signed_in, "topics:change", ChangeSet.objects.get(actor_label="discovery").pk),
    }
    for page, text in pages.items():
        assert [(page, name) for name in names if name in text] == []
    assert [name for name in names.values() if name not in pages["activity"]] == []
    for who in ("规则提取", "rules"):
        assert shown(signed_in, "topics:activity", who=who).count("规则提取器") == 1
