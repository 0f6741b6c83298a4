"""What an endpoint does not know is asked of it once, by all workers together."""

from __future__ import annotations

import pytest

from inference.client import ChatModel, JsonSchema, chat_model
from inference.errors import EndpointRejected
from inference.models import EndpointTrait, Purpose
from tests.inference.asking import BLUE, COLOURS, MESSAGES, ask, ask_text
from tests.inference.wire import Reply, Request, Wire, answer, answer_json, fault
from topics.models import Space
from topics.services.spaces import create_space


def old_server(request: Request) -> Reply:
    """Knows neither response_format, nor temperature, nor a system role."""
    body = request.json
    for parameter in ("response_format", "temperature"):
        if parameter in body:
            return fault(422, f"extra fields not permitted: body.{parameter}")
    if body["messages"][0]["role"] == "system":
        return fault(400, "Conversation roles must alternate user/assistant/user/assistant/...")
    return answer_json(BLUE)


def test_it_is_remembered_for_everybody(model: ChatModel, wire: Wire) -> None:
    wire.always(old_server)
    assert ask(model) == BLUE
    assert len(wire.requests) == 5
    other = chat_model(create_space(slug="other"))
    assert other
    assert ask(other) == BLUE
    assert len(wire.requests) == 6


def test_another_model_at_the_same_endpoint_is_asked_for_everything(
    model: ChatModel, wire: Wire, space: Space, settings: object
) -> None:
    wire.always(old_server)
    ask(model)
    wire.always(answer_json(BLUE))
    settings.INFINI_MODEL = "another"  # type: ignore[attr-defined]
    another = chat_model(space)
    assert another
    ask(another)
    assert "temperature" in wire.requests[-1].json


def test_nothing_is_learnt_from_a_request_that_fails_anyhow(model: ChatModel, wire: Wire) -> None:
    wire.always(fault(400, "Bad request"))
    with pytest.raises(EndpointRejected):
        ask(model)
    assert not EndpointTrait.objects.exists()


def test_the_form_is_a_strict_schema_first(model: ChatModel, wire: Wire) -> None:
    wire.always(answer_json(BLUE))
    ask(model)
    body = wire.requests[0].json
    wanted = {"name": "colours", "schema": COLOURS.schema, "strict": True}
    assert body["response_format"] == {"type": "json_schema", "json_schema": wanted}
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("wire-model", 0, 2000)
    assert [message["content"] for message in body["messages"]] == [message.content for message in MESSAGES]


def test_a_schema_with_optional_keys_is_not_called_strict(model: ChatModel, wire: Wire) -> None:
    wire.always(answer_json({}))
    schema = JsonSchema("open", {"type": "object", "properties": {"enum": {"type": "string", "enum": ["a"]}}})
    model.answer_json(purpose=Purpose.FIND, messages=MESSAGES, schema=schema)
    assert wire.requests[0].json["response_format"]["json_schema"]["strict"] is False


def test_without_schemas_the_form_stands_in_the_prompt(model: ChatModel, wire: Wire) -> None:
    wire.script(fault(400, "response_format json_schema is not supported"), fault(400, "unknown: response_format"))
    wire.always(answer_json(BLUE))
    ask(model)
    assert wire.requests[1].json["response_format"] == {"type": "json_object"}
    assert "response_format" not in wire.requests[2].json
    for request in wire.requests[1:]:
        system = request.json["messages"][0]
        assert system["role"] == "system"
        assert system["content"].startswith("You list colours.")
        assert '"colours"' in system["content"]


def test_without_a_system_role_its_words_lead_the_user_message(model: ChatModel, wire: Wire) -> None:
    wire.script(fault(500, "Jinja Exception: System role not supported"), answer("Blue."))
    assert ask_text(model) == "Blue."
    assert wire.requests[1].json["messages"] == [{"role": "user", "content": "You list colours.\n\nThe sky is blue."}]


def test_the_second_try_at_an_unreadable_answer_may_differ(model: ChatModel, wire: Wire) -> None:
    wire.script(answer("blue"), answer_json(BLUE))
    assert ask(model) == BLUE
    assert ["temperature" in request.json for request in wire.requests] == [True, False]
    wire.always(answer_json(BLUE))
    ask(model)
    assert "temperature" in wire.requests[-1].json
