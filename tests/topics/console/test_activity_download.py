"""The activity narrowed by topic, and as a table for spreadsheet programs."""

import csv
import io
from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from topics.changes import Actor, change_set
from topics.console import export
from topics.models import ChangeSet, Fact, Space, Topic
from topics.services.merging import merge_topics
from topics.services.preferences import set_preferences
from topics.services.spaces import create_space
from topics.services.statements import edit_fact
from topics.services.topics import create_topic, delete_topic, update_topic
from topics.services.undo import undo_change_set

pytestmark = pytest.mark.django_db
Learn = Callable[..., Fact]
ADDRESS = "/activity/changes.csv"


def download(client: Client, **query: str) -> tuple[bytes, list[list[str]]]:
    response = client.get(ADDRESS, query)
    assert response.status_code == 200
    assert response.streaming
    body = response.getvalue()
    return body, list(csv.reader(io.StringIO(body.decode("utf-8-sig"))))


def actions(client: Client, **query: str) -> list[str]:
    return [line[3] for line in download(client, **query)[1][1:]]


def test_changes_are_found_by_any_name_of_their_topic_even_when_it_is_gone(
    signed_in: Client, topic: Topic, space: Space, actor: Actor, learn: Learn
) -> None:
    learn(topic, "We need 150 seats")
    globex = create_topic(space=space, actor=actor, name="Globex")
    gone = create_topic(space=space, actor=actor, name="Initech")
    delete_topic(topic=gone, actor=actor)
    for text in ("acme RENEWAL", "續約", str(topic.pk)):
        assert actions(signed_in, topic=text) == ["Added facts", "Created the topic"]
    assert actions(signed_in, topic="initech") == ["Deleted the topic", "Created the topic"]
    merge_topics(space=space, survivor=topic, others=[globex], actor=actor)
    assert "Merged topics" in actions(signed_in, topic="Globex")
    assert actions(signed_in, topic="zebra") == []
    page = signed_in.get(reverse("topics:activity"), {"topic": "initech"}).content.decode()
    assert 'value="initech"' in page
    assert "2 changes" in page
    assert f'href="{ADDRESS}?topic=initech"' in page


def test_the_download_holds_every_page_with_who_what_and_why(
    signed_in: Client, topic: Topic, actor: Actor, learn: Learn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "BATCH", 3)
    fact = learn(topic, "We need 150 seats")
    for n in range(6):
        edit_fact(fact=fact, actor=actor, changes={"text": f"We need {n}60 seats"}, reason="Misheard")
    last = ChangeSet.objects.filter(action="edit_fact").latest("pk")
    undo_change_set(change=last, actor=Actor("Nightly cleaner"))
    body, lines = download(signed_in)
    assert body.startswith(b"\xef\xbb\xbf")
    assert len(lines) == 1 + ChangeSet.objects.count() == 10
    head, undone, edited = lines[:3]
    assert head[:4] == ["Time", "Who", "Sort of actor", "Change"]
    assert undone[1:4] == ["Nightly cleaner", "Software", "Undid a change"]
    assert edited[1:10] == [
        "Maya Ortiz",
        "Person",
        "Edited a fact",
        "We need 560 seats",
        "Misheard",
        "Acme renewal",
        "1",
        "1",
        "Nightly cleaner",
    ]
    assert edited[10] == str(last.pk)
    assert edited[0] == timezone.localtime(last.at).isoformat(timespec="seconds")
    assert actions(signed_in, who="nightly") == ["Undid a change"]
    assert actions(signed_in, action="create_topic", since=timezone.localdate().isoformat()) == ["Created the topic"]
    assert actions(signed_in, until="2001-01-01") == []


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "＝1+1", " =1+1", "|calc", "%0A", '=HYPERLINK("http://x","y")']
)
def test_what_a_spreadsheet_would_calculate_is_made_text(
    signed_in: Client, topic: Topic, actor: Actor, text: str
) -> None:
    with change_set(space=topic.space, actor=Actor(label=text), action="update_topic", reason=text):
        update_topic(topic=topic, actor=actor, name=text)
    line = download(signed_in)[1][1]
    for cell in (line[1], line[5], line[6]):
        assert cell.startswith("'")
        assert cell.lstrip("' ") == text.strip()


def test_chinese_and_line_breaks_come_through_in_the_language_of_the_person(
    signed_in: Client, user: User, topic: Topic, actor: Actor
) -> None:
    update_topic(topic=topic, actor=actor, name="智能家居，“二期”", reason='第一行\n"第二行"')
    set_preferences(user=user, changes={"language": "zh-hans"})
    line = download(signed_in)[1][1]
    assert (line[4], line[5]) == ("智能家居，“二期”", '第一行\n"第二行"')
    assert line[3] not in ("Edited the topic", "update_topic")


def test_only_ones_own_space_is_downloaded_and_nonsense_leads_back(
    client: Client, signed_in: Client, topic: Topic, actor: Actor
) -> None:
    create_topic(space=create_space(slug="other"), actor=actor, name="Secret")
    assert b"Secret" not in download(signed_in)[0]
    assert signed_in.get(ADDRESS, {"since": "whenever"})["Location"] == "/activity/?since=whenever"
    head = signed_in.head(ADDRESS)
    assert (head.status_code, head["Content-Type"]) == (200, "text/csv; charset=utf-8")
    assert "attachment" in head["Content-Disposition"]
    assert "no-store" in head["Cache-Control"]
    client.logout()
    assert "/login/" in client.get(ADDRESS)["Location"]


def test_the_queries_grow_with_the_batches_alone(
    signed_in: Client, topic: Topic, learn: Learn, django_assert_max_num_queries: Callable[..., object]
) -> None:
    for n in range(12):
        learn(topic, f"We need {n} seats")
    with django_assert_max_num_queries(20):
        download(signed_in, topic="acme")
