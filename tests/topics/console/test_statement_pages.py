"""Facts and timeline entries by hand: nothing that was typed is lost, whatever is refused."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from topics.changes import Actor
from topics.models import ChangeSet, Fact, Space, TimelineEntry, Topic
from topics.services.spaces import update_space
from topics.services.statements import add_entry, edit_fact, retract_fact
from topics.services.topics import create_topic

pytestmark = pytest.mark.django_db
Learn = Callable[..., Fact]


@pytest.fixture
def fact(topic: Topic, learn: Learn) -> Fact:
    return learn(topic, "We need 150 seats", kind="number", attribute="seats", value="150")


def sent(fact: Fact, **changes: Any) -> dict[str, Any]:
    """What the form of a fact sends."""
    names = ("text", "kind", "certainty", "attribute", "value", "unit", "scope", "version")
    return {name: getattr(fact, name) for name in names} | changes


def test_a_fact_is_added_by_hand(signed_in: Client, topic: Topic) -> None:
    form = {
        "text": "张伟负责采购",
        "kind": "fact",
        "certainty": "planned",
        "valid_from": "2024-05-01",
        "reason": "Call",
    }
    response = signed_in.post(reverse("topics:add_fact", args=[topic.pk]), form)
    fact = Fact.objects.get()
    assert response["Location"] == f"{reverse('topics:document', args=[topic.pk])}#s-{fact.pk}"
    assert (fact.text, fact.certainty, fact.origin) == ("张伟负责采购", "planned", "person")
    assert fact.valid_from == datetime(2024, 5, 1, tzinfo=UTC)
    assert ChangeSet.objects.get(action="add_fact").reason == "Call"


@pytest.mark.parametrize(
    ("added", "form", "said"),
    [
        ("add_fact", {"text": "张伟负责采购", "kind": "fact", "certainty": "planned"}, "Fact added."),
        (
            "add_entry",
            {"text": "Went live", "certainty": "confirmed", "happened": "2024-05-01"},
            "Timeline entry added.",
        ),
        ("add_alias", {"name": "Acme 2027"}, "Added the alias Acme 2027."),
        ("create", {"name": "Beta", "kind": "other"}, "Topic created."),
    ],
)
def test_what_is_added_by_hand_is_said_and_can_be_undone(
    signed_in: Client, topic: Topic, added: str, form: dict[str, str], said: str
) -> None:
    args = [] if added == "create" else [topic.pk]
    shown = signed_in.post(reverse(f"topics:{added}", args=args), form, follow=True).content.decode()
    change = ChangeSet.objects.latest("pk")
    undo = reverse("topics:undo", args=[change.pk])
    toasts = shown.partition('id="toasts"')[2]
    assert said in toasts
    assert undo in toasts
    assert 'aria-keyshortcuts="U"' in toasts
    gone = signed_in.post(undo, {"next": reverse("topics:document", args=[topic.pk])}, follow=True)
    assert "Undone." in gone.content.decode()
    assert change.undone_by.exists()


def test_a_day_is_meant_in_the_time_zone_of_the_space(signed_in: Client, topic: Topic, space: Space) -> None:
    update_space(space=space, changes={"time_zone": "Asia/Shanghai"})
    form = {"text": "预算是十万元", "kind": "number", "certainty": "confirmed", "valid_until": "2024-05-01"}
    signed_in.post(reverse("topics:add_fact", args=[topic.pk]), form)
    fact = Fact.objects.get()
    assert fact.valid_until == datetime(2024, 5, 1, 15, 59, 59, 999999, tzinfo=UTC)
    page = signed_in.get(reverse("topics:fact", args=[topic.pk, fact.pk])).content.decode()
    assert 'value="2024-05-01"' in page


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"text": " "}, 422),
        ({"kind": "opinion"}, 422),
        ({"text": "a\x00b"}, 422),
        ({"valid_from": "0001-01-01"}, 422),
        ({"valid_from": "soon"}, 422),
        ({"valid_from": "2024-05-02", "valid_until": "2024-05-01"}, 422),
        ({"value": "9" * 201}, 422),
        ({"text": "we need 150 SEATS."}, 409),
    ],
)
def test_what_cannot_be_added_is_refused_with_everything_still_in_the_form(
    signed_in: Client, topic: Topic, fact: Fact, change: dict[str, str], status: int
) -> None:
    form = {"text": "Something else", "kind": "fact", "certainty": "confirmed", "unit": "chairs-as-typed"} | change
    response = signed_in.post(reverse("topics:add_fact", args=[topic.pk]), form)
    assert response.status_code == status
    assert "chairs-as-typed" in response.content.decode()
    assert 'role="alert"' in response.content.decode()
    assert Fact.objects.count() == 1


def test_an_edit_changes_what_differs_and_keeps_the_rest(signed_in: Client, topic: Topic, fact: Fact) -> None:
    response = signed_in.post(
        reverse("topics:fact", args=[topic.pk, fact.pk]),
        sent(fact, text="We need 160 seats", value="160", reason="Typo"),
    )
    assert response.status_code == 302
    fact.refresh_from_db()
    assert (fact.text, fact.value, fact.attribute, fact.version) == ("We need 160 seats", "160", "seats", 2)
    assert ChangeSet.objects.latest("id").reason == "Typo"


def test_the_value_of_a_fact_follows_its_text(signed_in: Client, topic: Topic, fact: Fact) -> None:
    signed_in.post(reverse("topics:fact", args=[topic.pk, fact.pk]), sent(fact, text="We need 160 seats by May"))
    fact.refresh_from_db()
    assert (fact.value, fact.attribute) == ("160", "seats")
    typed = sent(fact, text="We need 170 seats by May", value="165")
    signed_in.post(reverse("topics:fact", args=[topic.pk, fact.pk]), typed)
    fact.refresh_from_db()
    assert (fact.text, fact.value) == ("We need 170 seats by May", "165")


def test_htmx_gets_the_form_of_a_fact_for_its_place_in_the_list(signed_in: Client, topic: Topic, fact: Fact) -> None:
    response = signed_in.get(reverse("topics:fact", args=[topic.pk, fact.pk]), headers={"HX-Request": "true"})
    assert response.content.decode().lstrip().startswith(f'<li class="fact" id="s-{fact.pk}">')


def test_two_people_who_edit_one_fact_see_both_texts(signed_in: Client, topic: Topic, fact: Fact, actor: Actor) -> None:
    edit_fact(fact=fact, actor=actor, changes={"text": "We need 170 seats", "value": "170"})
    address = reverse("topics:fact", args=[topic.pk, fact.pk])
    mine = sent(fact, text="We need 160 seats", value="160")
    response = signed_in.post(address, mine)
    shown = response.content.decode()
    assert response.status_code == 412
    assert "Somebody changed this while you were writing." in shown
    assert "<del>" in shown
    assert "We need 160 seats" in shown
    fact.refresh_from_db()
    assert fact.text == "We need 170 seats"
    assert f'name="version" value="{fact.version}"' in shown
    assert signed_in.post(address, mine | {"version": fact.version}).status_code == 302
    fact.refresh_from_db()
    assert (fact.text, fact.value) == ("We need 160 seats", "160")


def test_a_fact_is_replaced_by_a_new_one_as_one_change(signed_in: Client, topic: Topic, fact: Fact) -> None:
    form = {"by": "new", "text": "We need 120 seats", "value": "120", "version": 1, "reason": "They said so"}
    response = signed_in.post(reverse("topics:replace_fact", args=[topic.pk, fact.pk]), form)
    assert response.status_code == 302
    fact.refresh_from_db()
    new = Fact.objects.get(status="active")
    assert (fact.status, fact.superseded_by) == ("superseded", new)
    assert (new.text, new.value, new.attribute, new.kind) == ("We need 120 seats", "120", "seats", "number")
    change = ChangeSet.objects.latest("id")
    assert (change.action, change.reason, topic.versions.count()) == ("replace_fact", "They said so", 3)


def test_a_fact_is_superseded_by_another_or_by_nothing(
    signed_in: Client, topic: Topic, fact: Fact, learn: Learn
) -> None:
    other = learn(topic, "We need 120 seats")
    address = reverse("topics:replace_fact", args=[topic.pk, fact.pk])
    form = {"by": "existing", "fact": str(other.pk), "valid_until": "2024-06-01", "version": 1}
    assert signed_in.post(address, form).status_code == 302
    fact.refresh_from_db()
    assert fact.superseded_by == other
    assert fact.valid_until == datetime(2024, 6, 1, tzinfo=UTC)
    ended = signed_in.post(reverse("topics:replace_fact", args=[topic.pk, other.pk]), {"by": "nothing", "version": 1})
    assert ended.status_code == 302
    other.refresh_from_db()
    assert (other.status, other.superseded_by) == ("superseded", None)


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"by": "new", "text": ""}, 422),
        ({"by": "existing", "fact": ""}, 422),
        ({"by": "existing", "fact": "01a22a51-0000-7000-8000-000000000000"}, 422),
        ({"by": "new", "text": "We need 150 seats", "value": "kept-as-typed"}, 409),
        ({"by": "nothing", "version": "7"}, 412),
    ],
)
def test_a_replacement_that_makes_no_sense_changes_nothing(
    signed_in: Client, topic: Topic, fact: Fact, form: dict[str, str], status: int
) -> None:
    response = signed_in.post(reverse("topics:replace_fact", args=[topic.pk, fact.pk]), {"version": "1"} | form)
    assert response.status_code == status
    assert form.get("value", "") in response.content.decode()
    fact.refresh_from_db()
    assert (fact.status, Fact.objects.count()) == ("active", 1)


def test_a_fact_is_retracted_with_a_reason_and_only_once(signed_in: Client, topic: Topic, fact: Fact) -> None:
    address = reverse("topics:retract_fact", args=[topic.pk, fact.pk])
    assert signed_in.post(address, {"version": "1", "reason": "Not theirs"}).status_code == 302
    fact.refresh_from_db()
    assert fact.status == "retracted"
    assert ChangeSet.objects.latest("id").reason == "Not theirs"
    assert signed_in.post(address, {"version": fact.version}).status_code == 409


def test_a_fact_that_is_no_longer_current_offers_no_edit(
    signed_in: Client, topic: Topic, fact: Fact, actor: Actor
) -> None:
    retract_fact(fact=fact, actor=actor)
    address = reverse("topics:fact", args=[topic.pk, fact.pk])
    assert "cannot be edited" in signed_in.get(address).content.decode()
    fact.refresh_from_db()
    assert signed_in.post(address, sent(fact, text="Back")).status_code == 409


def test_a_fact_of_another_topic_is_not_found(signed_in: Client, fact: Fact, space: Space, actor: Actor) -> None:
    other = create_topic(space=space, actor=actor, name="Globex")
    assert signed_in.get(reverse("topics:fact", args=[other.pk, fact.pk])).status_code == 404


@pytest.mark.parametrize(
    ("typed", "moment", "precision"),
    [
        ("2024", datetime(2024, 1, 1, tzinfo=UTC), "year"),
        ("2024-05", datetime(2024, 5, 1, tzinfo=UTC), "month"),
        ("2024年5月", datetime(2024, 5, 1, tzinfo=UTC), "month"),
        ("2024/5/14", datetime(2024, 5, 14, tzinfo=UTC), "day"),
        ("2024年5月14日", datetime(2024, 5, 14, tzinfo=UTC), "day"),
        ("2024-05-14 10:41", datetime(2024, 5, 14, 10, 41, tzinfo=UTC), "minute"),
    ],
)
def test_an_entry_is_as_exact_as_its_date_was_typed(
    signed_in: Client, topic: Topic, typed: str, moment: datetime, precision: str
) -> None:
    form = {"happened": typed, "text": "Contract signed", "certainty": "confirmed"}
    assert signed_in.post(reverse("topics:add_entry", args=[topic.pk]), form).status_code == 302
    entry = TimelineEntry.objects.get()
    assert (entry.happened_at, entry.precision) == (moment, precision)


@pytest.mark.parametrize(
    "typed", ["", "soon", "2024-13", "2024-02-30", "0000", "0001", "9999-12-31", "2024-05-14 25:00"]
)
def test_a_date_that_is_none_is_refused_with_an_example(signed_in: Client, topic: Topic, typed: str) -> None:
    form = {"happened": typed, "text": "Contract signed", "certainty": "confirmed"}
    response = signed_in.post(reverse("topics:add_entry", args=[topic.pk]), form)
    assert response.status_code == 422
    assert "Contract signed" in response.content.decode()
    assert not TimelineEntry.objects.exists()


def test_an_entry_keeps_its_precision_when_its_text_is_edited(
    signed_in: Client, topic: Topic, actor: Actor, space: Space
) -> None:
    update_space(space=space, changes={"time_zone": "Asia/Shanghai"})
    may = datetime(2024, 4, 30, 16, tzinfo=UTC)
    entry = add_entry(topic=topic, actor=actor, text="Contract signed", happened_at=may, precision="month")
    address = reverse("topics:entry", args=[topic.pk, entry.pk])
    assert 'value="2024-05"' in signed_in.get(address).content.decode()
    form = {"happened": "2024-05", "text": "Contract renewed", "certainty": "confirmed", "version": "1"}
    assert signed_in.post(address, form).status_code == 302
    entry.refresh_from_db()
    assert (entry.text, entry.happened_at, entry.precision) == ("Contract renewed", may, "month")
    stale = signed_in.post(address, form | {"text": "Mine"})
    assert stale.status_code == 412
    assert "Mine" in stale.content.decode()


def test_the_editor_of_a_fact_stands_beside_what_was_said(signed_in: Client, topic: Topic, fact: Fact) -> None:
    address = reverse("topics:fact", args=[topic.pk, fact.pk])
    pages = (reverse("topics:document", args=[topic.pk]), address)
    assert not any("edited by" in signed_in.get(page).content.decode() for page in pages)
    assert signed_in.post(address, sent(fact, text="We need 2 seats")).status_code == 302
    for page in pages:
        shown = signed_in.get(page).content.decode()
        assert "edited by Maya Ortiz" in shown
        assert "<mark>We need 150 seats</mark>" in shown


def test_an_entry_is_retracted(signed_in: Client, topic: Topic, actor: Actor) -> None:
    entry = add_entry(topic=topic, actor=actor, text="Signed", happened_at=datetime(2024, 5, 1, tzinfo=UTC))
    address = reverse("topics:retract_entry", args=[topic.pk, entry.pk])
    assert signed_in.post(address, {"version": "1"}).status_code == 302
    entry.refresh_from_db()
    assert entry.status == "retracted"
    assert signed_in.post(address, {"version": "2"}).status_code == 409
