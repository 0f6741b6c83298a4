"""A repeated chat request gets the same answer, and the model is not asked again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.contract.helpers import Api
from tests.extraction.chat.helpers import BUDGET, REPLY, chat, events_of, names, remember
from tests.inference.wire import Wire, answer
from tests.inference.wire import stream as streamed
from topics.models import IdempotencyRecord, Message, Space


def test_the_answer_is_kept(api: Api, space: Space, wire: Wire) -> None:
    remember(space)
    wire.always(answer(REPLY))
    first, again = (chat(api, key="k1") for _ in range(2))
    assert again.headers["Idempotent-Replay"] == "true"
    assert (again.status_code, again.json()) == (200, first.json())
    assert len(wire.requests) == 1
    assert Message.objects.filter(conversation__external_id="c1").count() == 2


def test_a_stream_is_kept_and_streamed_again(api: Api, space: Space, wire: Wire) -> None:
    remember(space)
    wire.always(streamed("The budget is", " 40,000 euros [1]."))
    first = events_of(chat(api, key="k1", stream=True))
    response = chat(api, key="k1", stream=True)
    again = events_of(response)
    assert response.headers["Idempotent-Replay"] == "true"
    assert names(again) == ["memory", "delta", "done"]
    assert (again[0], again[-1]) == (first[0], first[-1])
    assert again[1].data == {"text": "The budget is 40,000 euros [1]."}
    assert len(wire.requests) == 1


def test_a_refusal_is_kept_too(api: Api, wire: Wire) -> None:
    for streamed_ in (False, True):
        first, again = (chat(api, "", key=f"k{streamed_}", stream=streamed_) for _ in range(2))
        assert (first.status_code, again.status_code) == (422, 422)
        assert again.headers["Idempotent-Replay"] == "true"


def test_another_request_with_the_key_is_refused(api: Api, wire: Wire) -> None:
    wire.always(answer("Noted."))
    chat(api, key="k1")
    assert chat(api, BUDGET, key="k1").json()["code"] == "idempotency_mismatch"
    assert chat(api, key="k1", stream=True).json()["code"] == "idempotency_mismatch"


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_while_the_first_is_at_work_the_second_is_told_so(api: Api, wire: Wire, stream: bool) -> None:
    seen = []

    def meanwhile(_request: object) -> object:
        seen.append(chat(api, key="k1", stream=stream).json()["code"])
        return streamed("Noted.") if stream else answer("Noted.")

    wire.always(meanwhile)  # type: ignore[arg-type]
    response = chat(api, key="k1", stream=stream)
    assert b"Noted." in b"".join(response)
    assert seen == ["in_flight"]


def test_one_that_was_taken_over_files_nothing(api: Api, wire: Wire) -> None:
    def take_over(_request: object) -> object:
        IdempotencyRecord.objects.update(reserved_at=timezone.now() + timedelta(seconds=1))
        return answer("Noted.")

    wire.always(take_over)  # type: ignore[arg-type]
    response = chat(api, key="k1")
    assert (response.status_code, response.json()["code"]) == (409, "in_flight")
    assert [m.role for m in Message.objects.all()] == ["user"]


def test_a_key_is_free_again_after_a_day(api: Api, wire: Wire) -> None:
    wire.always(answer("Noted."))
    chat(api, key="k1")
    IdempotencyRecord.objects.update(reserved_at=timezone.now() - timedelta(hours=25))
    assert chat(api, key="k1").status_code == 200
    assert Message.objects.count() == 4
