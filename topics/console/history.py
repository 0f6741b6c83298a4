"""What changed, who changed it and why: of one topic, of the space; comparing and undoing."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _

from topics.console.access import ConsoleRequest, needs_role
from topics.console.export import as_csv
from topics.console.forms import ActivityFilter, ReasonForm
from topics.console.lookup import find_change, find_topic, page_of
from topics.console.notices import say_done
from topics.errors import NotFound, UndoBlocked, WrongState
from topics.models import ChangeSet, Membership, Topic
from topics.selectors.activity import changes_in
from topics.selectors.history import Change, change_of, changes_of, compare, full_changes, row_change
from topics.services.reverting import plan_revert, revert_row
from topics.services.undo import kept_by_undo, undo_change_set

VIEWER, REVIEWER = Membership.Role.VIEWER, Membership.Role.REVIEWER

VERSIONS = 40  # in the list beside a change
MOST_DECISIONS = 200  # on the page of a change
MOST_TO_CHOOSE = 200  # versions in a list to choose from; of more, a number is typed


@needs_role(VIEWER)
def topic_history(request: ConsoleRequest, pk: UUID, version: int | None = None) -> HttpResponse:
    """The versions of a document and one of them in detail; without `version` the current one."""
    topic = find_topic(request, pk)
    before = _number(request, "before")
    if version is not None and before is None and version <= topic.document_version - VERSIONS:
        before = version + 1  # the list begins with it
    changes = changes_of(topic, before=before, limit=VERSIONS + 1) if version is None or not request.htmx else []
    try:
        chosen = _chosen(topic, changes, version)
    except NotFound as refusal:
        raise Http404 from refusal
    at = (chosen and chosen.version) or 0
    context = {
        "topic": topic,
        "tab": "history",
        "changes": changes[:VERSIONS],
        "has_more": len(changes) > VERSIONS,
        "change": chosen,
        "later": at + 1 if 0 < at < topic.document_version else None,
        "earlier": at - 1 if at > 1 else None,
        "is_one_open": version is not None,
        "has_newer": before is not None and before <= topic.document_version,
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
    context = {
        "topic": topic,
        "tab": "history",
        "rows": rows,
        "old": old,
        "new": new,
        "versions": versions if last <= MOST_TO_CHOOSE else [],
    }
    return render(request, "topics/compare.html", context)


@needs_role(VIEWER)
def activity(request: ConsoleRequest) -> HttpResponse:
    """Every change of the space, by filter."""
    form = ActivityFilter(request.GET)
    wanted = form.wanted()
    page = page_of(request, changes_in(request.space, **wanted))
    context = {
        "form": form,
        "page": page,
        "changes": full_changes(list(page), most=1),
        "is_filtered": bool(wanted),
    }
    return render(request, "topics/activity_rows.html" if request.htmx else "topics/activity.html", context)


@needs_role(VIEWER)
def activity_csv(request: ConsoleRequest) -> HttpResponseBase:
    """The same as a table to download, all pages of it. A filter that makes no sense leads back to the page."""
    form = ActivityFilter(request.GET)
    changes = changes_in(request.space, **form.wanted())
    if form.errors:
        return redirect(f"{reverse('topics:activity')}?{request.GET.urlencode()}")
    name = f"activity-{request.space.slug}-{timezone.localdate().isoformat()}.csv"
    response = StreamingHttpResponse(as_csv(changes), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@needs_role(VIEWER)
def show_change(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """One change set with all that it did, in every topic."""
    change_set = find_change(request, pk)
    return render(request, "topics/change.html", _change_context(change_set, ReasonForm()))


@needs_role(REVIEWER)
def revert(request: ConsoleRequest, pk: UUID, row: UUID) -> HttpResponse:
    """Put one row of a change set back: the page shows what goes back with it and what blocks it, the POST does it."""
    change_set = find_change(request, pk)
    form = ReasonForm(request.POST or None)
    try:
        plan = plan_revert(change_set, row)
    except NotFound as refusal:
        raise Http404 from refusal
    except WrongState as refusal:
        context = {"change": Change(change_set), "refusal": refusal}
        return render(request, "topics/revert.html", context, status=refusal.status)
    if request.method == "POST":
        done = form.attempt(
            lambda: revert_row(change=change_set, pk=row, actor=request.actor, reason=form.cleaned_data["reason"])
        )
        if done is not None:
            say_done(request, _("Put back. The rest of the change stays."))
            return redirect("topics:change", done.pk)
    blockers = form.refusal.found if isinstance(form.refusal, UndoBlocked) else plan.blockers
    rows = [row_change(step.model, step.pk, step.before, step.after) for step in plan.steps]
    change = Change(change_set, rows=[row for row in rows if row is not None])
    context = {"change": change, "form": form, "blockers": blockers}
    return render(request, "topics/revert.html", context, status=form.status if form.is_bound else 200)


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
        gone = undone.documents.filter(topic__status=Topic.Status.DELETED).values_list("topic_id", flat=True)
        target = _next(request)
        # The page of a topic that the change had made is gone with it.
        if not target or any(str(pk) in target for pk in gone):
            target = reverse("topics:change", args=[undone.pk])
        return redirect(target)
    context = _change_context(find_change(request, pk), form)
    return render(request, "topics/change.html", context, status=form.status)


def _chosen(topic: Topic, changes: list[Change], version: int | None) -> Change | None:
    """The version that is open, without asking again for what the list holds. Raises NotFound for an unknown one."""
    if version is None:
        return next(iter(changes), None)
    return next((change for change in changes if change.version == version), None) or change_of(topic, version)


def _change_context(change_set: ChangeSet, form: ReasonForm) -> dict[str, Any]:
    topics = [row.topic for row in change_set.documents.all()]
    return {
        "change": full_changes([change_set], most=MOST_DECISIONS)[0],
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
