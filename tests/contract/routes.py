"""Every route and method of the API, read from the URL conf so that none is forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from urllib.parse import quote

from topics.api.base import ApiView

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")


@dataclass(frozen=True)
class Operation:
    method: str
    route: str
    view: type[ApiView]

    def __str__(self) -> str:
        return f"{self.method} {self.route}"

    @property
    def template(self) -> str:
        """The route as the description writes it."""
        return re.sub(r"<\w+:(\w+)>", r"{\1}", self.route)

    @property
    def names(self) -> list[str]:
        """What the route asks for: topic, fact and so on."""
        return re.findall(r"<\w+:(\w+)>", self.route)

    def path(self, ids: dict[str, str]) -> str:
        return re.sub(r"<\w+:(\w+)>", lambda match: quote(ids[match[1]]), self.route)


def operations(*methods: str) -> list[Operation]:
    return [operation for operation in _operations() if operation.method in (methods or METHODS)]


def _operations() -> Iterator[Operation]:
    for module in ("topics.api.urls", "extraction.api.urls"):
        for pattern in import_module(module).urlpatterns:
            view = pattern.callback.view_class
            for method in METHODS:
                if hasattr(view, method.lower()):
                    yield Operation(method, str(pattern.pattern), view)
