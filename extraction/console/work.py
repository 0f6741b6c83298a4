"""Background work in front of people: what failed, why, and another try at it; what waits and what was done."""

from __future__ import annotations

from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from extraction.models import Job
from extraction.selectors.jobs import UNFINISHED, find_jobs
from extraction.services.jobs import retry_failed_jobs, retry_job
from topics.console.access import ConsoleRequest, needs_role
from topics.console.lookup import page_of
from topics.console.shell import back
from topics.errors import MemoryRefusal
from topics.models import Membership

STATES = {
    "": (Job.Status.FAILED,),
    "open": UNFINISHED,
    "done": (Job.Status.DONE,),
    "any": tuple(Job.Status),
}


class JobFilter(forms.Form):
    """Which jobs the list shows, as it stands in the address."""

    kind = forms.ChoiceField(
        label=gettext_lazy("Kind"), required=False, choices=[("", gettext_lazy("Any work")), *Job.Kind.choices]
    )
    state = forms.ChoiceField(
        label=gettext_lazy("State"),
        required=False,
        choices=[
            ("", gettext_lazy("Failed")),
            ("open", gettext_lazy("Waiting or running")),
            ("done", gettext_lazy("Done")),
            ("any", gettext_lazy("Any state")),
        ],
    )


@needs_role(Membership.Role.VIEWER)
def jobs(request: ConsoleRequest) -> HttpResponse:
    """Jobs that match the filters in the address, by default the failed ones; htmx gets the list alone."""
    form = JobFilter(request.GET)
    form.full_clean()
    kind, state = form.cleaned_data.get("kind", ""), form.cleaned_data.get("state", "")
    page = page_of(request, find_jobs(request.space, status=STATES[state], kind=kind))
    context = {"form": form, "page": page, "kind": kind, "state": state, "is_filtered": bool(kind or state)}
    return render(request, "jobs/rows.html" if request.htmx else "jobs/list.html", context)


@require_POST
@needs_role(Membership.Role.REVIEWER)
def retry(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """Try a failed job again."""
    job = get_object_or_404(Job, pk=pk, space=request.space)
    try:
        retry_job(job=job)
    except MemoryRefusal as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, _("It waits to be done again."))
    if "next" in request.POST:
        return back(request)
    return (
        redirect("extraction:conversation", job.conversation_id) if job.conversation_id else redirect("extraction:jobs")
    )


@require_POST
@needs_role(Membership.Role.REVIEWER)
def retry_failed(request: ConsoleRequest) -> HttpResponse:
    """Try all that failed again, of one kind or of any."""
    kind = request.POST.get("kind", "")
    count = retry_failed_jobs(space=request.space, kind=kind if kind in Job.Kind.values else "")
    text = ngettext("%(count)d job waits to be done again.", "%(count)d jobs wait to be done again.", count)
    messages.success(request, text % {"count": count} if count else _("Nothing has failed."))
    return back(request) if "next" in request.POST else redirect("extraction:jobs")
