"""Trying a model out, for the person who has just set it up."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from inference import breaker
from inference.client import ChatMessage, ChatModel, JsonSchema
from inference.endpoints import Space, chat_endpoint
from inference.errors import NotConfigured
from inference.models import ModelCall, Purpose
from inference.traits import forget_traits

MESSAGES = [
    ChatMessage("system", "You answer arithmetic questions with JSON."),
    ChatMessage("user", "How much is two plus two?"),
]
NUMBER = JsonSchema(
    "number",
    {
        "type": "object",
        "additionalProperties": False,
        "required": ["number"],
        "properties": {"number": {"type": "integer"}},
    },
)
MAX_TOKENS = 1000  # some models think aloud even about this


def try_connection(space: Space) -> ModelCall:
    """Ask the space's model something easy; the call, if it answered in the form that was wanted.

    What was learnt about the model before is forgotten, and its breaker closed: the person says that it is well now.
    Raises NotConfigured where there is no model, and the errors of `inference.errors`.
    """
    endpoint = chat_endpoint(space)
    if endpoint is None:
        raise NotConfigured(_("No model is configured."))
    breaker.reset(endpoint)
    forget_traits(endpoint)
    answer = ChatModel(space, endpoint).answer_json(
        purpose=Purpose.TEST, messages=MESSAGES, schema=NUMBER, max_tokens=MAX_TOKENS
    )
    return ModelCall.objects.get(pk=answer.call)
