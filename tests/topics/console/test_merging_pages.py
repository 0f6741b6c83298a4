"""Duplicates, the merge wizard and the split wizard: who may, what is shown, and that every choice arrives."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from topics.changes import Actor
from topics.models import ChangeSet, DuplicatePair, DuplicateSearch, Fact, Membership, Space, Topic
from topics.selectors.documents import document
from topics.services.duplicates import search_duplicates
from topics.services.spaces import set_member
from topics.services.topics import add_alias, create_topic, update_topic

pytestmark = pytest.mark.django_db
Learn = Callable[..., Fact]


@pytest.fixture
def other(space: Space, actor: Actor) -> Topic:
    return create_topic(
        space=space, actor=actor, name="Renewal of Acme", kind="customer", summary="Renews.", aliases=["Acme 合同"]
    )


@pytest.fixture
def facts(topic: Topic, other: Topic, learn: Learn) -> dict[str, Fact]:
    """One that both say, two that contradict each other, and one of each."""
    budget = {"attribute": "budget", "unit": "EUR"}
    return {
        "own": learn(topic, "The owner is Mei."),
        "same": learn(topic, "The office is in Leeds."),
        "repeat": learn(other, "The office is in Leeds."),
        "100": learn(topic, "The budget is 100.", value="100", **budget),
        "200": learn(other, "The budget is 200.", value="200", **budget),
        "theirs": learn(other, "The pilot has 38 drivers."),
    }


def as_role(client: Client, space: Space, role: str) -> Client:
    person = User.objects.create_user(f"as {role}")
    set_member(space=space, user=person, role=role)
    client.force_login(person)
    return client


def sent(*topics: Topic, **values: Any) -> dict[str, Any]:
    """The form as the page sends it when nothing was touched, but for `values`."""
    ids = [str(topic.pk) for topic in topics]
    return {"t": ids, "include": ids, "survivor": ids[0]} | values


# ------------------------------------------------------------------------------------------------------- duplicates


@pytest.fixture
def pair(space: Space, topic: Topic, other: Topic) -> DuplicatePair:
    search_duplicates(space=space)
    return DuplicatePair.objects.get()


def test_a_pair_is_shown_with_its_reasons(signed_in: Client, pair: DuplicatePair) -> None:
    shown = signed_in.get(reverse("topics:duplicates")).content.decode()
    for text in ("Acme renewal", "Renewal of Acme", "Renews.", "Same name", "Different kinds", "Possible"):
        assert text in shown
    assert f"?t={pair.first_id}&amp;t={pair.second_id}&amp;from=duplicates" in shown


def test_not_duplicates_is_remembered_and_can_be_taken_back(signed_in: Client, pair: DuplicatePair) -> None:
    answer = signed_in.post(reverse("topics:dismiss_pair", args=[pair.pk]), follow=True).content.decode()
    assert "are not duplicates" in answer
    assert reverse("topics:reopen_pair", args=[pair.pk]) in answer
    assert "No duplicates in sight" in answer
    assert "Acme renewal" in signed_in.get(reverse("topics:duplicates"), {"status": "dismissed"}).content.decode()
    signed_in.post(reverse("topics:reopen_pair", args=[pair.pk]))
    assert "Acme renewal" in signed_in.get(reverse("topics:duplicates")).content.decode()


def test_the_review_queue_counts_the_pairs(signed_in: Client, pair: DuplicatePair) -> None:
    shown = signed_in.get(reverse("extraction:queue", args=["facts"])).content.decode()
    assert f'<a href="{reverse("topics:duplicates")}" >Duplicates <span class="count">1</span>' in shown


@pytest.mark.parametrize(
    ("role", "may_dismiss", "may_merge"),
    [
        (Membership.Role.VIEWER, False, False),
        (Membership.Role.REVIEWER, True, False),
        (Membership.Role.ADMIN, True, True),
    ],
)
def test_each_role_may_do_what_it_is_for(
    client: Client, space: Space, topic: Topic, pair: DuplicatePair, role: str, may_dismiss: bool, may_merge: bool
) -> None:
    as_role(client, space, role)
    shown = client.get(reverse("topics:duplicates")).content.decode()
    assert ("Not duplicates <kbd" in shown, "Merge…" in shown) == (may_dismiss, may_merge)
    assert client.get(reverse("topics:merge")).status_code == (200 if may_merge else 403)
    assert client.get(reverse("topics:split", args=[topic.pk])).status_code == (200 if may_merge else 403)
    assert client.post(reverse("topics:dismiss_pair", args=[pair.pk])).status_code == (302 if may_dismiss else 403)


def test_the_list_of_pairs_costs_the_same_however_long_it_is(
    signed_in: Client, space: Space, actor: Actor, django_assert_max_num_queries: Any
) -> None:
    for n in range(25):
        create_topic(space=space, actor=actor, name=f"Zanzibar{n} Harbour")
        create_topic(space=space, actor=actor, name=f"Harbour Zanzibar{n}")
    search_duplicates(space=space)
    with django_assert_max_num_queries(20):
        assert signed_in.get(reverse("topics:duplicates")).status_code == 200


def test_that_topics_are_being_compared_is_told_until_it_has_ended(
    signed_in: Client, space: Space, pair: DuplicatePair, other: Topic, actor: Actor
) -> None:
    address = reverse("topics:duplicates")
    asks: Any = {"headers": {"HX-Request": "true", "HX-Target": "comparison"}}
    told = {
        "changed": "Topics have changed. They are compared in the background",
        "running": "The topics are being compared.",
        "ended": "The topics have been compared.",
        "idle": "The topics were last compared",
    }

    def which(**headers: Any) -> list[str]:
        page = signed_in.get(address, **headers).content.decode()
        return [name for name, text in told.items() if text in page]

    assert which() == ["idle"]
    update_topic(topic=other, actor=actor, summary="Renews in June.")
    assert which() == which(**asks) == ["changed"]
    searches = DuplicateSearch.objects.filter(pk=space.pk)
    searches.update(running_since=timezone.now())
    assert which() == which(**asks) == ["running"]
    searches.update(running_since=timezone.now() - timedelta(hours=1))
    assert which() == ["changed"]  # whoever was at it has died
    search_duplicates(space=space)
    assert (which(), which(**asks)) == (["idle"], ["ended"])
    assert "hx-trigger" not in signed_in.get(address, **asks).content.decode()
    assert "last compared" not in signed_in.get(address, {"status": "dismissed"}).content.decode()


# ------------------------------------------------------------------------------------------------------------ merge


def test_the_wizard_shows_what_the_merge_makes(
    signed_in: Client, topic: Topic, other: Topic, facts: dict[str, Fact], django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(40):
        shown = signed_in.get(reverse("topics:merge"), {"t": [topic.pk, other.pk]}).content.decode()
    for text in ("Merge 2 topics", "Keep both and send the conflict to review", "Joined into one fact", "Acme 合同"):
        assert text in shown
    assert "6 → 5" in shown
    assert not ChangeSet.objects.filter(action="merge_topics").exists()


def test_every_choice_arrives(signed_in: Client, topic: Topic, other: Topic, facts: dict[str, Fact]) -> None:
    alias = other.aliases.get(name="Acme 合同")
    answer = signed_in.post(
        reverse("topics:merge"),
        sent(
            other,
            topic,
            name="custom",
            name_custom="Acme",
            kind=str(topic.pk),
            summary="custom",
            summary_custom="All of it.",
            shown=[str(alias.pk), str(facts["own"].pk), str(facts["theirs"].pk)],
            keep=[str(facts["theirs"].pk)],
            reason="the same contract",
            **{f"conflict-{facts['100'].pk}": str(facts["200"].pk)},
        ),
        follow=True,
    )
    merged = Topic.objects.get(pk=other.pk)
    assert (merged.name, merged.kind, merged.summary) == ("Acme", "project", "All of it.")
    assert [line.row.text for line in document(merged).facts] == [
        "The office is in Leeds.",
        "The budget is 200.",
        "The pilot has 38 drivers.",
    ]
    assert "Acme 合同" not in merged.aliases.values_list("name", flat=True)
    change = ChangeSet.objects.get(action="merge_topics")
    assert change.reason == "the same contract"
    shown = answer.content.decode()
    assert "2 topics merged into Acme." in shown
    assert reverse("topics:undo", args=[change.pk]) in shown


def test_a_topic_that_is_not_included_is_left_as_it_is(
    signed_in: Client, topic: Topic, other: Topic, space: Space, actor: Actor
) -> None:
    third = create_topic(space=space, actor=actor, name="Third")
    signed_in.post(reverse("topics:merge"), sent(topic, other, third, include=[str(topic.pk), str(other.pk)]))
    assert list(Topic.objects.filter(status="merged")) == [other]


def test_the_dry_run_alone_for_htmx(signed_in: Client, topic: Topic, other: Topic, facts: dict[str, Fact]) -> None:
    url, htmx = reverse("topics:merge_preview"), {"HX-Request": "true"}
    form = sent(topic, other, name="custom", name_custom="Acme", shown_of=f"{topic.pk} {other.pk}")
    shown = signed_in.post(url, form, headers=htmx).content.decode()
    assert 'id="result"' in shown
    assert 'id="merge-facts"' not in shown
    assert '<p class="claim-text">Acme</p>' in shown
    # Another survivor: what stands in the form about the facts is not of these any more.
    shown = signed_in.post(url, form | {"survivor": str(other.pk)}, headers=htmx).content.decode()
    assert 'id="merge-facts" hx-swap-oob="true"' in shown
    assert not ChangeSet.objects.filter(action="merge_topics").exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"name": "custom", "name_custom": " "}, "The text is empty."),
        ({"name": "custom", "name_custom": "Taken"}, "already a name of"),
    ],
)
def test_a_choice_that_cannot_be_keeps_all_that_was_chosen(
    signed_in: Client, topic: Topic, other: Topic, space: Space, actor: Actor, wrong: dict[str, str], said: str
) -> None:
    create_topic(space=space, actor=actor, name="Taken")
    chosen = sent(topic, other, summary="custom", summary_custom="Typed.", **wrong)
    for url in (reverse("topics:merge"), reverse("topics:merge_preview")):
        answer = signed_in.post(url, chosen)
        assert answer.status_code == (200 if "preview" in url else 422 if said.startswith("The") else 409)
        assert said in answer.content.decode()
        assert "Typed." in answer.content.decode()
    assert not Topic.objects.filter(status="merged").exists()


@pytest.mark.parametrize("field", ["name", "summary"])
def test_a_text_that_is_typed_but_not_chosen_is_an_error_that_keeps_it(
    signed_in: Client, topic: Topic, other: Topic, facts: dict[str, Fact], field: str
) -> None:
    form = sent(topic, other, **{field: str(topic.pk), f"{field}_custom": "Typed by hand"})
    answer = signed_in.post(reverse("topics:merge"), form)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert f"You typed another {field}, but “Other” is not chosen." in page
    assert "Typed by hand" in page
    assert "The pilot has 38 drivers." in page  # what was chosen of the facts is still there
    assert not Topic.objects.filter(status="merged").exists()
    assert "is not chosen" in signed_in.post(reverse("topics:merge_preview"), form).content.decode()
    for mended in ({field: "custom"}, {f"{field}_custom": " "}):
        assert "is not chosen" not in signed_in.post(reverse("topics:merge_preview"), form | mended).content.decode()
    signed_in.post(reverse("topics:merge"), form | {field: "custom"})
    assert getattr(Topic.objects.get(pk=topic.pk), field) == "Typed by hand"


def test_whoever_comes_second_is_told_who_merged_and_keeps_what_was_typed(
    signed_in: Client, space: Space, topic: Topic, other: Topic
) -> None:
    rival = Client()
    as_role(rival, space, Membership.Role.ADMIN)
    rival.post(reverse("topics:merge"), sent(topic, other))
    change = ChangeSet.objects.get(action="merge_topics")
    form = sent(topic, other, name="custom", name_custom="Acme 2027", reason="One contract")
    answer = signed_in.post(reverse("topics:merge"), form)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "“Renewal of Acme” was merged into “Acme renewal” by as admin," in page
    assert "just now" in page
    assert reverse("topics:document", args=[topic.pk]) in page
    assert reverse("topics:change", args=[change.pk]) in page
    assert "Acme 2027" in page
    assert "One contract" in page
    assert "A merge is of 2 to 5 topics." not in page
    part = signed_in.post(reverse("topics:merge_preview"), form, headers={"HX-Request": "true"}).content.decode()
    assert "was merged into" in part


def test_what_is_left_of_a_merge_is_shown_before_it_is_done(
    signed_in: Client, space: Space, actor: Actor, topic: Topic, other: Topic
) -> None:
    third = create_topic(space=space, actor=actor, name="Third")
    outside = create_topic(space=space, actor=actor, name="Outside")
    rival = Client()
    as_role(rival, space, Membership.Role.ADMIN)
    rival.post(reverse("topics:merge"), sent(outside, third))
    answer = signed_in.post(reverse("topics:merge"), sent(topic, other, third, reason="One contract"))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "“Third” was merged into “Outside” by as admin," in page
    assert 'value="One contract"' in page
    assert f'name="t" value="{outside.pk}"' in page
    assert Topic.objects.filter(status="merged").count() == 1


def test_a_key_takes_back_the_latest_merge_in_any_session_of_the_person(
    client: Client, signed_in: Client, user: User, topic: Topic, other: Topic
) -> None:
    address = reverse("topics:duplicates")
    assert "last-merge" not in signed_in.get(address).content.decode()
    signed_in.post(reverse("topics:merge"), sent(topic, other, **{"from": "duplicates"}))
    fresh = Client()
    fresh.force_login(user)
    change = ChangeSet.objects.get(action="merge_topics")
    shown = fresh.get(address).content.decode().partition('id="last-merge"')[2]
    assert "Your merge into “Acme renewal”" in shown
    assert "“Renewal of Acme”" in shown
    assert f'action="{reverse("topics:undo", args=[change.pk])}"' in shown
    assert 'aria-keyshortcuts="U"' in shown
    assert (
        "Undone."
        in fresh.post(reverse("topics:undo", args=[change.pk]), {"next": address}, follow=True).content.decode()
    )
    assert "last-merge" not in fresh.get(address).content.decode()


def test_the_merge_of_somebody_else_is_not_at_hand(signed_in: Client, space: Space, topic: Topic, other: Topic) -> None:
    rival = Client()
    as_role(rival, space, Membership.Role.ADMIN)
    rival.post(reverse("topics:merge"), sent(topic, other))
    assert "last-merge" not in signed_in.get(reverse("topics:duplicates")).content.decode()


def test_what_changed_since_the_page_was_opened_stops_the_merge(
    signed_in: Client, topic: Topic, other: Topic, actor: Actor
) -> None:
    seen = [f"{row.pk}:{row.document_version}" for row in Topic.objects.filter(pk__in=[topic.pk, other.pk])]
    add_alias(topic=other, actor=actor, name="New")
    answer = signed_in.post(reverse("topics:merge"), sent(topic, other, seen=seen))
    assert answer.status_code == 412
    assert "Somebody changed this" in answer.content.decode()
    assert "New" in answer.content.decode()
    seen = [f"{row.pk}:{row.document_version}" for row in Topic.objects.filter(pk__in=[topic.pk, other.pk])]
    assert signed_in.post(reverse("topics:merge"), sent(topic, other, seen=seen)).status_code == 302


def test_a_topic_is_added_by_any_of_its_names(signed_in: Client, topic: Topic, other: Topic) -> None:
    url = reverse("topics:merge")
    answer = signed_in.get(url, {"t": topic.pk, "add": "acme 合同"})
    assert answer["Location"] == f"{url}?t={topic.pk}&t={other.pk}"
    for name in ("Nobody", "Acme renewal"):
        assert signed_in.get(url, {"t": topic.pk, "add": name}).status_code == 422


def test_a_name_that_leads_to_no_topic_stays_where_it_was_typed(signed_in: Client, topic: Topic, other: Topic) -> None:
    response = signed_in.get(reverse("topics:merge"), {"t": [topic.pk, other.pk], "add": "nobody"})
    page = response.content.decode()
    assert response.status_code == 422
    assert page.count("There is no topic called nobody.") == 1
    assert 'value="nobody" aria-invalid="true"' in page


@pytest.mark.parametrize("query", ["", "t=nonsense", "t=%00", "t=0197b2c1-7a52-7c3e-9d1f-4b8f2a6c5d10"])
def test_an_address_without_topics_asks_for_some(signed_in: Client, query: str) -> None:
    answer = signed_in.get(f"{reverse('topics:merge')}?{query}")
    assert answer.status_code == 200
    assert "Which topics are the same?" in answer.content.decode()


def test_a_form_that_makes_no_sense_is_no_server_error(signed_in: Client, topic: Topic, other: Topic) -> None:
    nonsense = [
        {},
        sent(topic, include=[]),
        sent(topic, other, include=[]),
        sent(topic, other, keep=["x"], shown=["y", str(topic.pk)]),
        sent(topic, other, seen=["a:b", ":", f"{topic.pk}:{'9' * 30}"]),
        sent(topic, other, **{"conflict-x": "y", f"conflict-{topic.pk}": str(topic.pk)}),
        sent(topic, other, name="x", kind="y", summary="z", survivor="w"),
    ]
    for form in nonsense:
        for name in ("topics:merge_preview", "topics:merge"):
            assert signed_in.post(reverse(name), form).status_code < 500


def test_the_page_of_the_merge_lists_what_its_undo_would_keep(
    signed_in: Client, topic: Topic, other: Topic, actor: Actor
) -> None:
    signed_in.post(reverse("topics:merge"), sent(topic, other))
    change = ChangeSet.objects.get(action="merge_topics")
    add_alias(topic=topic, actor=actor, name="Added since")
    shown = signed_in.get(reverse("topics:change", args=[change.pk])).content.decode()
    assert "“Added since” was added later" in shown
    assert "Merged" in shown
    signed_in.post(reverse("topics:undo", args=[change.pk]))
    assert Topic.objects.get(pk=other.pk).status == "active"


# ------------------------------------------------------------------------------------------------------------ split


def test_what_is_ticked_moves_into_a_new_topic(signed_in: Client, topic: Topic, learn: Learn) -> None:
    learn(topic, "The office is in Leeds.")
    moved = learn(topic, "The pilot has 38 drivers.")
    alias = topic.aliases.get(is_name=False)
    url = reverse("topics:split", args=[topic.pk])
    assert "The pilot has 38 drivers." in signed_in.get(url).content.decode()
    form = {"name": "Pilot", "kind": "task", "summary": "", "move": [str(moved.pk), str(alias.pk)], "reason": "apart"}
    answer = signed_in.post(url, form, follow=True)
    new = Topic.objects.get(name="Pilot")
    assert [line.row for line in document(new).facts] == [moved]
    assert new.aliases.filter(name=alias.name).exists()
    assert "Moved into the new topic Pilot." in answer.content.decode()


def test_a_split_that_cannot_be_keeps_what_was_ticked(
    signed_in: Client, topic: Topic, actor: Actor, learn: Learn
) -> None:
    moved = learn(topic, "The pilot has 38 drivers.")
    url = reverse("topics:split", args=[topic.pk])
    for form, status in (
        ({"name": "Pilot", "kind": "task"}, 422),
        ({"name": "", "kind": "task", "move": [str(moved.pk)]}, 422),
        ({"name": "Acme renewal", "kind": "task", "move": [str(moved.pk)]}, 409),
    ):
        answer = signed_in.post(url, form)
        assert answer.status_code == status
        assert "This was not saved." in answer.content.decode()
    assert f'value="{moved.pk}" checked' in answer.content.decode()
    version = Topic.objects.get(pk=topic.pk).version
    update_topic(topic=topic, actor=actor, summary="New.")
    stale = {"name": "Pilot", "kind": "task", "move": [str(moved.pk)], "version": version}
    assert signed_in.post(url, stale).status_code == 412
