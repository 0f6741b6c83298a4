"""Change sets: what was done, by whom, and taking it back."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from topics.api.base import ApiView
from topics.api.fields import Id, Strict, Text
from topics.api.idempotency import idempotent
from topics.api.schema import BODY, PAGES, answers, page_of
from topics.api.serializers import ChangeSetOut, OneChangeSetOut, UndoneOut
from topics.api.topics import REASON, ReasonIn
from topics.models import ChangeSet, Space
from topics.selectors.history import rows_of
from topics.services.reverting import revert_row
from topics.services.undo import kept_by_undo, undo_change_set


class RevertIn(Strict):
    row = Id(help_text="The `id` of one of the set's `changes`: a fact, an entry, an alias, or an edited topic")
    reason = Text(**REASON)


class ChangeSetsView(ApiView):
    required_scopes = {"GET": "read"}

    @extend_schema(
        operation_id="list_change_sets",
        tags=["Change sets"],
        parameters=PAGES,
        responses=answers(page_of(ChangeSetOut), 404),
    )
    def get(self, request: Request) -> Response:
        """Everything that was done to the documents of the space, the latest first."""
        return self.page(_change_sets(self.space).order_by("-pk"), lambda found: ChangeSetOut(found, many=True).data)


class ChangeSetView(ApiView):
    required_scopes = {"GET": "read"}

    @extend_schema(operation_id="get_change_set", tags=["Change sets"], responses=answers(OneChangeSetOut, 404))
    def get(self, request: Request, change_set: str) -> Response:
        """One change set with every row that it changed."""
        return Response(_shown(self.row(_change_sets(self.space), change_set)))


class UndoView(ApiView):
    required_scopes = {"POST": "write"}
    names = {"change_set": "id"}

    @extend_schema(
        operation_id="undo_change_set",
        tags=["Change sets"],
        request=ReasonIn,
        responses=answers(UndoneOut, 404, 409, *BODY),
    )
    @idempotent
    def post(self, request: Request, change_set: str) -> Response:
        """Take a change set back as one unit, by a new change set, which the answer shows; undoing that one is redo.

        When something later builds on it the answer is 409 `undo_blocked`, and `blockers` lists what. A merge is undone
        all the same: `kept` lists what was done since and stays.
        """
        found = self.row(_change_sets(self.space), change_set)
        with transaction.atomic():
            kept = kept_by_undo(found)
            undo = undo_change_set(change=found, actor=self.actor, **self.body(ReasonIn))
        return Response(_shown(self.row(_change_sets(self.space), str(undo.pk))) | {"kept": kept})


class RevertView(ApiView):
    required_scopes = {"POST": "write"}
    names = {"change_set": "id"}

    @extend_schema(
        operation_id="revert_change",
        tags=["Change sets"],
        request=RevertIn,
        responses=answers(OneChangeSetOut, 404, 409, *BODY),
    )
    @idempotent
    def post(self, request: Request, change_set: str) -> Response:
        """Put one row of a change set back, by a new change set, which the answer shows; the rest of the set stays.

        What makes no sense without the row goes back with it, such as a fact and what it replaced. When something later
        builds on it the answer is 409 `undo_blocked`, as for an undo. 409 `whole_only` is for what is undone as a
        whole: a merge, and what became of a topic itself.
        """
        found = self.row(_change_sets(self.space), change_set)
        body = self.body(RevertIn)
        revert = revert_row(change=found, pk=body["row"], actor=self.actor, reason=body.get("reason", ""))
        return Response(_shown(self.row(_change_sets(self.space), str(revert.pk))))


def _change_sets(space: Space) -> QuerySet[ChangeSet]:
    return ChangeSet.objects.filter(space=space).prefetch_related("undone_by", "documents")


def _shown(change: ChangeSet) -> dict[str, Any]:
    return OneChangeSetOut(change, context={"rows": rows_of([change])}).data
