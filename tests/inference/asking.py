"""What the tests ask for."""

from __future__ import annotations

from typing import Any

from inference.client import ChatMessage, ChatModel, JsonSchema
from inference.models import Purpose

MESSAGES = [ChatMessage("system", "You list colours."), ChatMessage("user", "The sky is blue.")]
COLOURS = JsonSchema(
    "colours",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["colours"],
        "properties": {
            "colours": {
                "type": "array",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "required": ["name"],
                    "properties": {"name": {"type": "string"}},
                },
            }
        },
    },
)
BLUE: dict[str, Any] = {"colours": [{"name": "blue"}]}


def ask(model: ChatModel) -> Any:
    """The data of a JSON answer about colours."""
    return model.answer_json(purpose=Purpose.FIND, messages=MESSAGES, schema=COLOURS).data


def ask_text(model: ChatModel) -> str:
    return model.answer_text(purpose=Purpose.SUMMARISE, messages=MESSAGES).text


def stream(model: ChatModel) -> list[Any]:
    return list(model.stream_text(purpose=Purpose.CHAT, messages=MESSAGES))
