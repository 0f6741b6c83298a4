"""Lists: `{"count", "next", "previous", "results"}`. Their order ends with a unique column.

`next` and `previous` name a position in the order, so following them neither loses nor repeats a row that stays in the
list, whatever is written or decided meanwhile. DRF's CursorPagination takes its position from one column, as text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.paginator import Paginator
from django.core.signing import BadSignature, Signer
from django.db.models import Field, Model, Q, QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import remove_query_param, replace_query_param

from topics.errors import InvalidInput, NotFound

PAGE_SIZE, MOST_ROWS = 50, 200


@dataclass(frozen=True, slots=True)
class Term:
    """A column of an order."""

    name: str
    field: Field[Any, Any]
    falls: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A place in the order of a list: behind the row with `values`, or before it."""

    terms: Sequence[Term]
    values: Sequence[str]
    is_before: bool

    @classmethod
    def at(cls, terms: Sequence[Term], row: Model, *, is_before: bool) -> Position:
        return cls(terms, [term.field.value_to_string(row) for term in terms], is_before)

    @classmethod
    def read(cls, terms: Sequence[Term], cursor: str) -> Position:
        """Raises NotFound for what `text` has not written for a list in this order."""
        try:
            order, values, is_before = _signer().unsign_object(cursor)
        except BadSignature:
            order, values, is_before = None, [], False
        if order != _names(terms):
            raise NotFound(_("There is no such page."))
        return cls(terms, values, is_before)

    @property
    def text(self) -> str:
        return _signer().sign_object([_names(self.terms), list(self.values), self.is_before])

    def beyond(self) -> Q:
        """The rows on its side: beyond in the first column, or equal there and beyond in the next, and so on."""
        found, same = Q(), Q()
        for term, text in zip(self.terms, self.values, strict=True):
            value = term.field.to_python(text)
            side = "lt" if term.falls != self.is_before else "gt"
            found |= same & Q(**{f"{term.name}__{side}": value})
            same &= Q(**{term.name: value})
        return found


class Pages:
    """`?cursor=` as `next` and `previous` have it, or `?page=` from 1; `?page_size=`, of which 200 is the most."""

    def __init__(self, request: Request, rows: QuerySet[Any]) -> None:
        """Raises InvalidInput for what is no page or size, NotFound for a page past the end or no position."""
        self.request = request
        number, size = (self._number(name) for name in ("page", "page_size"))
        self.size = min(size or PAGE_SIZE, MOST_ROWS)
        self.terms = _order_of(rows)
        pages = Paginator(rows, self.size)
        self.count = pages.count
        if "cursor" in request.query_params:
            position = Position.read(self.terms, request.query_params["cursor"])
            self.rows, self.has_before, self.has_after = self._beyond(rows, position)
            return
        if (number or 1) > pages.num_pages:
            raise NotFound(_("There is no such page."))
        page = pages.page(number or 1)
        self.rows, self.has_before, self.has_after = list(page), page.has_previous(), page.has_next()

    def answer(self, results: Any) -> Response:
        first, last = (self.rows[0], self.rows[-1]) if self.rows else (None, None)
        links = {
            "next": self._link(last, is_before=False) if self.has_after else None,
            "previous": self._link(first, is_before=True) if self.has_before else None,
        }
        return Response({"count": self.count, **links, "results": results})

    def _beyond(self, rows: QuerySet[Any], position: Position) -> tuple[list[Any], bool, bool]:
        """The rows next to a position, and whether there are others before and after them."""
        ordered = rows.reverse() if position.is_before else rows
        found = list(ordered.filter(position.beyond())[: self.size + 1])
        has_more, found = len(found) > self.size, found[: self.size]
        if position.is_before:
            return found[::-1], has_more, bool(found)
        return found, bool(found), has_more

    def _link(self, row: Any, *, is_before: bool) -> str:
        position = Position.at(self.terms, row, is_before=is_before)
        address = remove_query_param(self.request.build_absolute_uri(), "page")
        return replace_query_param(address, "cursor", position.text)

    def _number(self, name: str) -> int | None:
        text = self.request.query_params.get(name)
        if text is None:
            return None
        if not (text.isascii() and text.isdigit() and int(text[:20]) > 0):
            problem = _("Give a whole number from 1 on.")
            raise InvalidInput(problem, fields={name: [problem]})
        return int(text[:20])


def _order_of(rows: QuerySet[Any]) -> list[Term]:
    names = [str(name) for name in rows.query.order_by or rows.model._meta.ordering]
    columns = [(name.removeprefix("-"), name.startswith("-")) for name in names]
    meta = rows.model._meta
    return [Term(name, meta.pk if name == "pk" else meta.get_field(name), falls) for name, falls in columns]


def _names(terms: Sequence[Term]) -> list[str]:
    return [f"-{term.name}" if term.falls else term.name for term in terms]


def _signer() -> Signer:
    """Signed, a position needs no checks of its values."""
    return Signer(salt="topics.api.pagination")
