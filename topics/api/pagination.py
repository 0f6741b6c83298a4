"""Lists: `{"count", "next", "previous", "results"}`, in the order of one unique column."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from topics.errors import InvalidInput, NotFound


class Pages(PageNumberPagination):
    """`?page=` from 1 and `?page_size=` up to 200 (a larger one gets 200)."""

    page_size = 50
    max_page_size = 200
    page_size_query_param = "page_size"

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any] | None:
        """Raises InvalidInput for a page or size that is no number from 1 on, NotFound for a page past the end."""
        wanted = {name: request.query_params.get(name, "1") for name in ("page", "page_size")}
        problem = _("Give a whole number from 1 on.")
        wrong = {n: [problem] for n, v in wanted.items() if not (v.isascii() and v.isdigit() and int(v[:20]) > 0)}
        if wrong:
            raise InvalidInput(problem, fields=wrong)
        pages = self.django_paginator_class(queryset, self.get_page_size(request) or self.page_size)
        number = int(wanted["page"][:20])
        if number > pages.num_pages:
            raise NotFound(_("There is no such page."))
        self.page, self.request = pages.page(number), request
        return list(self.page)
