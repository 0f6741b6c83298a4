"""Nothing was said in the future: the newest words win, so a time far ahead would win for ever."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.contract.helpers import Api, World, make_api
from topics.models import Message, Space

TURN = {"role": "user", "content": "The budget for Project Apollo is 40,000 euros."}
AHEAD = "2095-01-01T00:00:00+00:00"


@pytest.mark.parametrize("path", ["conversations/c/messages", "memory/extract"])
def test_a_message_from_the_future_is_refused_by_its_name(api: Api, space: Space, path: str) -> None:
    response = api.post(path, {"messages": [TURN, {**TURN, "said_at": AHEAD}]})
    assert (response.status_code, list(response.json()["fields"])) == (422, ["messages.1.said_at"])
    assert not Message.objects.exists()


def test_clocks_may_differ_by_a_day(api: Api, space: Space) -> None:
    for hours, status in ((23, 202), (25, 422)):
        said_at = (timezone.now() + timedelta(hours=hours)).isoformat()
        assert api.post("conversations/c/messages", {"messages": [{**TURN, "said_at": said_at}]}).status_code == status


def test_facts_speak_of_the_future_and_are_not_said_in_it(world: World) -> None:
    api = make_api(world.space)
    for path, body in (
        (f"topics/{world.topic}/facts", {"text": "The lease begins later.", "valid_from": AHEAD}),
        (f"topics/{world.topic}/timeline", {"text": "The lease begins.", "happened_at": AHEAD}),
    ):
        response = api.post(path, {**body, "said_at": AHEAD})
        assert (response.status_code, list(response.json()["fields"])) == (422, ["said_at"])
        assert api.post(path, body).status_code == 201
