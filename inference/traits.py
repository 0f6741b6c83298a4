"""What endpoints do not know. A request leaves out what its endpoint has refused before.

Servers that call themselves OpenAI-compatible differ in the parameters they accept, and say so in a 400 or 422 whose
words nobody has standardised. A refused request is sent again without the parameter that the refusal names; if it
names none, without one after the other. What was left out is remembered as soon as the endpoint has accepted a request.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from inference.endpoints import Endpoint
from inference.errors import InferenceError, NotUnderstood
from inference.models import EndpointTrait

Body = dict[str, Any]

NO_JSON_SCHEMA = "no_json_schema"
NO_JSON_OBJECT = "no_json_object"
NO_TEMPERATURE = "no_temperature"
NO_MAX_TOKENS = "no_max_tokens"
NO_MAX_COMPLETION_TOKENS = "no_max_completion_tokens"
NO_STREAM_OPTIONS = "no_stream_options"
NO_SYSTEM_ROLE = "no_system_role"


@dataclass(frozen=True, slots=True)
class Trait:
    """Something that a request may use (`is_used`) and that a refusal may name (`is_named`)."""

    name: str
    is_used: Callable[[Body], bool]
    is_named: re.Pattern[str]


def _format_is(kind: str) -> Callable[[Body], bool]:
    return lambda body: body.get("response_format", {}).get("type") == kind


def _has(parameter: str) -> Callable[[Body], bool]:
    return lambda body: parameter in body


def _has_system_role(body: Body) -> bool:
    return any(message["role"] == "system" for message in body.get("messages", []))


# In the order in which they are left out when a refusal names none: what is known least comes first.
TRAITS = (
    Trait(NO_JSON_SCHEMA, _format_is("json_schema"), re.compile(r"response_format|json_?schema|schema|grammar", re.I)),
    Trait(NO_JSON_OBJECT, _format_is("json_object"), re.compile(r"response_format|json_?object|json mode", re.I)),
    Trait(NO_STREAM_OPTIONS, _has("stream_options"), re.compile(r"stream_options|include_usage", re.I)),
    Trait(NO_TEMPERATURE, _has("temperature"), re.compile(r"temperature", re.I)),
    Trait(NO_MAX_TOKENS, _has("max_tokens"), re.compile(r"max_tokens", re.I)),
    Trait(NO_MAX_COMPLETION_TOKENS, _has("max_completion_tokens"), re.compile(r"max_completion_tokens", re.I)),
    Trait(
        NO_SYSTEM_ROLE,
        _has_system_role,
        re.compile(r"\bsystem\b.{0,40}\b(role|message|prompt|instruction)|\brole.{0,40}\bsystem\b|alternat", re.I),
    ),
)
# A server's crash may contain any word. Only when it says that something is not supported is it about the request.
_UNSUPPORTED = re.compile(r"not support|unsupported|unrecogni[sz]ed|unknown (parameter|field|argument)", re.I)


def known_traits(endpoint: Endpoint) -> set[str]:
    """The names of the traits that the endpoint's model has shown."""
    rows = EndpointTrait.objects.filter(endpoint=endpoint.base_url, model=endpoint.model)
    return set(rows.values_list("trait", flat=True))


def remember_traits(endpoint: Endpoint, names: Collection[str]) -> None:
    """Note them for all workers; whatever is noted already stays."""
    EndpointTrait.objects.bulk_create(
        [EndpointTrait(endpoint=endpoint.base_url, model=endpoint.model, trait=name) for name in names],
        ignore_conflicts=True,
    )


def forget_traits(endpoint: Endpoint) -> None:
    """Ask the endpoint for everything again: it may have learnt."""
    EndpointTrait.objects.filter(endpoint=endpoint.base_url, model=endpoint.model).delete()


def trait_in(error: InferenceError, body: Body) -> str | None:
    """The name of what the next try should leave out of `body`; None if leaving something out will not help."""
    used = [trait for trait in TRAITS if trait.is_used(body)]
    named = [trait for trait in used if trait.is_named.search(error.detail)]
    if isinstance(error, NotUnderstood):
        return (named or used)[0].name if used else None
    return named[0].name if named and _UNSUPPORTED.search(error.detail) else None


def fit_messages(messages: list[dict[str, Any]], traits: Collection[str]) -> list[dict[str, Any]]:
    """For a model without a system role, each system message becomes the beginning of the user message after it.

    Neighbours of one role are then joined, since such models insist that user and assistant take turns.
    """
    if NO_SYSTEM_ROLE not in traits:
        return messages
    joined: list[dict[str, Any]] = []
    for message in messages:
        role = "user" if message["role"] == "system" else message["role"]
        if joined and joined[-1]["role"] == role:
            joined[-1]["content"] += "\n\n" + message["content"]
        else:
            joined.append({"role": role, "content": message["content"]})
    return joined
