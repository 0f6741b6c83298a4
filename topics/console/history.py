"""What changed, who changed it and why: of one topic, of the space; comparing and undoing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from topics.console.access import ConsoleRequest, needs_role
from topics.console.forms import ActivityFilter, ReasonForm
from topics.console.lookup import find_change, find_topic, page_of
from topics.errors import NotFound, UndoBlocked
from topics.models import ChangeSet, Membership
from topics.selectors.activity import changes_in
from topics.selectors.history import Change, change_of, changes_of, compare, rows_of
from topics.services.undo import kept_by_undo, undo_change_set

VIEWER, REVIEWER = Membership.Role.VIEWER, Membership.Role.REVIEWER

VERSIONS = 40  # in the list beside a change


@needs_role(VIEWER)
def topic_history(request: ConsoleRequest, pk: UUID, version: int | None = None) -> HttpResponse:
    """The versions of a document and one of them in detail; without `version` the current one."""
    topic = find_topic(request, pk)
    changes = changes_of(topic, before=_number(request, "before"), limit=VERSIONS + 1)
    try:
        chosen = change_of(topic, version) if version else next(iter(changes), None)
    except NotFound as refusal:
        raise Http404 from refusal
    context = {
        "topic": topic,
        "tab": "history",
        "changes": changes[:VERSIONS],
        "has_more": len(changes) > VERSIONS,
        "change": chosen,
        "is_one_open": version is not None,
        "undo_form": ReasonForm(),
    }
    return render(request, "topics/change_detail.html" if request.htmx else "topics/history.html", context)


@needs_role(VIEWER)
def compare_versions(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """What differs between two versions, the older one first whatever the order in the address."""
    topic = find_topic(request, pk)
    last = topic.document_version
    old, new = sorted([_number(request, "old") or max(last - 1, 1), _number(request, "new") or last])
    try:
        rows = compare(topic, old, new)
    except NotFound as refusal:
        raise Http404 from refusal
    versions = topic.versions.select_related("change_set").order_by("-version")
    context = {"topic": topic, "tab": "history", "rows": rows, "old": old, "new": new, "versions": versions[:500]}
    return render(request, "topics/compare.html", context)


@needs_role(VIEWER)
def activity(request: ConsoleRequest) -> HttpResponse:
    """Every change of the space, by filter."""
    form = ActivityFilter(request.GET)
    form.full_clean()
    wanted = {name: value for name, value in form.cleaned_data.items() if value}
    page = page_of(request, changes_in(request.space, **wanted))
    rows = rows_of(list(page))
    context = {
        "form": form,
        "page": page,
        "changes": [Change(change, rows=rows[change.pk]) for change in page],
        "is_filtered": bool(wanted),
    }
    return render(request, "topics/activity_rows.html" if request.htmx else "topics/activity.html", context)


@needs_role(VIEWER)
def show_change(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """One change set with all that it did, in every topic."""
    change_set = find_change(request, pk)
    return render(request, "topics/change.html", _change_context(change_set, ReasonForm()))


@needs_role(REVIEWER)
def undo(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Take a change set back. When something later builds on it, the page of the change lists what."""
    change_set = find_change(request, pk)
    if request.method != "POST":
        return redirect("topics:change", pk)
    form = ReasonForm(request.POST)
    undone = form.attempt(
        lambda: undo_change_set(change=change_set, actor=request.actor, reason=form.cleaned_data["reason"])
    )
    if undone is not None:
        messages.success(request, _("Undone. The undoing is a change of its own and can be undone as well."))
        return redirect(_next(request) or reverse("topics:change", args=[undone.pk]))
    context = _change_context(find_change(request, pk), form)
    return render(request, "topics/change.html", context, status=form.status)


def _change_context(change_set: ChangeSet, form: ReasonForm) -> dict[str, Any]:
    topics = [row.topic for row in change_set.documents.all()]
    return {
        "change": Change(change_set, rows=rows_of([change_set])[change_set.pk]),
        "topics": topics if len(topics) > 1 else [],
        "undo_form": form,
        "kept": kept_by_undo(change_set) if not change_set.undone_by.all() else [],
        "blockers": form.refusal.found if isinstance(form.refusal, UndoBlocked) else [],
    }


def _number(request: ConsoleRequest, name: str) -> int | None:
    """A version number in the address; None for none and for anything else."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and 0 < int(text) < 2**31 else None


def _next(request: ConsoleRequest) -> str:
    """The page that the form names in `next`, if it is one of ours."""
    target = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return target if is_ours else ""
