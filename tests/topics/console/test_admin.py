"""Django's administration: every model can be read and searched there, and what services write is never written."""

import re
from collections.abc import Callable
from html import unescape

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import translation

from extraction.models import Event
from extraction.services.intake import record_messages
from extraction.services.reading import prepare_reading
from extraction.services.webhooks import create_webhook
from topics.changes import Actor
from topics.models import Fact, Membership, Preference, Space, Topic
from topics.models.change import Tracked
from topics.services.conversations import MessageInput
from topics.services.preferences import set_preferences
from topics.services.spaces import create_api_key, set_member
from topics.services.statements import edit_fact, open_dispute

pytestmark = pytest.mark.django_db
OURS = [model for app in ("topics", "extraction", "inference") for model in apps.get_app_config(app).get_models()]
WRITABLE = {Space, Preference}


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    return client


def address(model: type, page: str = "changelist", *args: object) -> str:
    meta = model._meta  # type: ignore[attr-defined]
    return reverse(f"admin:{meta.app_label}_{meta.model_name}_{page}", args=args)


def fill(space: Space, topic: Topic, actor: Actor, learn: Callable[..., Fact], *numbers: int) -> None:
    """Rows of most models, related to others."""
    for n in numbers:
        fact = learn(topic, f"We need {n} seats")
        open_dispute(fact=fact, said_at=None)
        edit_fact(fact=fact, actor=actor, changes={"text": f"We need {n} chairs"})
        person = User.objects.create_user(f"person{n}")
        set_member(space=space, user=person, role=Membership.Role.REVIEWER)
        set_preferences(user=person, changes={"theme": "dark", "space": space})
        create_api_key(space=space, scopes=["read"], name=f"key {n}", created_by=person)
        sent = [MessageInput(role="user", content=f"The budget of Company{n} is {n}00 euros.")]
        job = record_messages(space=space, conversation=f"c{n}", messages=sent, subject=f"Company{n}").job
        assert job is not None
        prepare_reading(job)()


def test_every_model_can_be_read_and_searched_and_nothing_written() -> None:
    assert [model for model in OURS if not admin.site.is_registered(model)] == []
    for model in set(OURS) & set(admin.site._registry):
        site = admin.site._registry[model]
        assert site.search_fields, model
        if model not in WRITABLE:
            assert not site.has_add_permission(None), model  # type: ignore[arg-type]
            assert not site.has_change_permission(None), model  # type: ignore[arg-type]
            assert not site.has_delete_permission(None), model  # type: ignore[arg-type]
    assert len([model for model in OURS if issubclass(model, Tracked)]) == 4


def test_a_list_asks_as_little_for_many_rows_as_for_few(
    operator: Client,
    space: Space,
    topic: Topic,
    actor: Actor,
    learn: Callable[..., Fact],
    django_assert_max_num_queries: Callable[..., object],
) -> None:
    fill(space, topic, actor, learn, *range(8))
    filled = 0
    for model in set(OURS) & set(admin.site._registry):
        filled += model._default_manager.count() >= 8
        with django_assert_max_num_queries(12):
            assert operator.get(address(model), {"q": "seats"}).status_code == 200
            assert operator.get(address(model)).status_code == 200
        row = model._default_manager.first()
        if row is not None:
            assert operator.get(address(model, "change", row.pk)).status_code == 200
    assert filled > 12


def test_no_page_shows_a_digest_or_a_secret(operator: Client, space: Space, actor: Actor) -> None:
    webhook = create_webhook(space=space, actor=actor, url="https://hooks.example.com/", events=list(Event.values))
    for page in (address(type(webhook)), address(type(webhook), "change", webhook.pk)):
        shown = operator.get(page).content.decode()
        assert webhook.url in shown
        assert webhook.secret not in shown
    key, plain = create_api_key(space=space, scopes=["read"])
    for page in (address(type(key)), address(type(key), "change", key.pk)):
        shown = operator.get(page).content.decode()
        assert key.prefix in shown
        assert key.digest not in shown
        assert plain not in shown


def words_of(page: str) -> str:
    """What people read of a page."""
    return unescape(re.sub(r"<(script|style).*?</\1>|<[^>]*>", " ", page, flags=re.DOTALL))


def test_every_model_and_every_field_is_named_in_the_language_of_the_reader() -> None:
    with translation.override("zh-hans"):
        names = {model: (str(model._meta.verbose_name), str(model._meta.verbose_name_plural)) for model in OURS}
        labels = {field: (str(field.verbose_name),) for model in OURS for field in model._meta.concrete_fields}
    alike = {"ID", "Idempotency-Key", "Webhook"}
    foreign = [
        (str(named), word)
        for named, words in (names | labels).items()
        for word in words
        if word not in alike and not re.search("[\u4e00-\u9fff]", word)
    ]
    assert foreign == []


def test_index_and_lists_show_these_names(
    operator: Client, space: Space, topic: Topic, actor: Actor, learn: Callable[..., Fact]
) -> None:
    fill(space, topic, actor, learn, 1)
    english = {str(model._meta.verbose_name_plural) for model in OURS}
    assert "aliases" in english
    assert [name for name in english if re.search(r"(ss|chs|[^aeiou]ys)$", name)] == []
    index = words_of(operator.get("/admin/", HTTP_ACCEPT_LANGUAGE="zh-hans").content.decode())
    assert [name for name in english if re.search(rf"\b{name}\b", index, re.IGNORECASE)] == []
    assert "主题历史记录" in index
    heads_of = re.compile(r'<(?:h1|h2|h3|th scope="col").*?</(?:h1|h2|h3|th)>', re.DOTALL)
    for model in OURS:
        page = operator.get(address(model), HTTP_ACCEPT_LANGUAGE="zh-hans").content.decode()
        heads = words_of(" ".join(heads_of.findall(page.partition('id="content"')[2])))
        with translation.override("zh-hans"):
            assert str(model._meta.verbose_name) in heads
        latin = set(re.findall(r"[A-Za-z]{3,}", heads)) - {"API", "Idempotency", "Key", "Webhook"}
        assert latin == set(), model


def test_a_row_is_called_without_a_word_of_english(
    space: Space, topic: Topic, actor: Actor, learn: Callable[..., Fact]
) -> None:
    fill(space, topic, actor, learn, 1)
    said = "The budget of Company1 is 100 euros."
    words = re.compile(
        r"\b(?:a[st]|by|in|of|to|until|against|calls|dispute|done|extract|failed|pending|queued|reviewer)\b"
    )
    with translation.override("zh-hans"):
        names = {model.__name__: str(row) for model in OURS if (row := model._default_manager.first()) is not None}
    assert len(names) > 15
    assert {model: name for model, name in names.items() if words.search(name.replace(said, ""))} == {}


def test_what_only_a_screen_reader_says_is_in_the_language_of_the_reader(operator: Client, space: Space) -> None:
    pages = ["/admin/", address(Space), address(Space, "change", space.pk), address(Preference, "add"), "/admin/login/"]
    said = re.compile(r"Model name|Add link|Change or view|Error|Forgotten|authenticated as|login|user options")
    for page in [*pages, address(User, "add")]:
        text = words_of(operator.get(page, HTTP_ACCEPT_LANGUAGE="zh-hans").content.decode())
        assert (page, said.findall(text)) == (page, [])


def test_a_tracked_row_is_shown_but_neither_changed_nor_deleted(
    operator: Client, topic: Topic, learn: Callable[..., Fact]
) -> None:
    fact = learn(topic, "We need 150 seats")
    change = address(Fact, "change", fact.pk)
    assert "We need 150 seats" in operator.get(change).content.decode()
    assert operator.post(change, {"text": "Other"}).status_code == 403
    assert operator.post(address(Fact, "delete", fact.pk), {"post": "yes"}).status_code == 403
    assert operator.get(address(Fact, "add")).status_code == 403
    fact.refresh_from_db()
    assert (fact.text, fact.version) == ("We need 150 seats", 1)


SETTINGS = {
    "name": "Sales",
    "language": "en",
    "time_zone": "Asia/Shanghai",
    "review_policy": "everything",
    "conflict_policy": "review",
    "source_turns": "approved",
    "topic_sensitivity": "normal",
    "memberships-TOTAL_FORMS": "0",
    "memberships-INITIAL_FORMS": "0",
}


def test_a_space_keeps_a_time_zone_that_exists(operator: Client, space: Space) -> None:
    page = address(Space, "change", space.pk)
    refused = operator.post(page, SETTINGS | {"time_zone": "Mars/Olympus"})
    assert "is not a valid value" in refused.content.decode()
    assert operator.post(page, SETTINGS).status_code == 302
    space.refresh_from_db()
    assert (space.name, space.time_zone) == ("Sales", "Asia/Shanghai")


def test_a_space_keeps_an_admin(operator: Client, space: Space) -> None:
    Membership.objects.filter(space=space).delete()
    member = set_member(space=space, user=User.objects.create_user("ada"), role=Membership.Role.ADMIN)
    row = {
        "memberships-TOTAL_FORMS": "1",
        "memberships-INITIAL_FORMS": "1",
        "memberships-0-id": str(member.pk),
        "memberships-0-space": str(space.pk),
        "memberships-0-user": str(member.user_id),
    }
    page = address(Space, "change", space.pk)
    for change in ({"role": "viewer"}, {"role": "admin", "DELETE": "on"}):
        sent = SETTINGS | row | {f"memberships-0-{name}": value for name, value in change.items()}
        assert "A space keeps at least one admin." in operator.post(page, sent).content.decode()
    member.refresh_from_db()
    assert member.role == "admin"
    assert operator.post(page, SETTINGS | row | {"memberships-0-role": "admin"}).status_code == 302
