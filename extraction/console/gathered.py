"""What belongs to no topic yet, and looking for topics in it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from extraction.models import Job
from extraction.selectors.gathered import gathered, gathered_counts
from extraction.selectors.jobs import latest_job
from extraction.services.discovery import SMALLEST, discover_now
from topics.console.access import ConsoleRequest, needs_role
from topics.console.lookup import page_of
from topics.models import Membership


@require_safe
@needs_role(Membership.Role.VIEWER)
def show(request: ConsoleRequest) -> HttpResponse:
    """Statements that wait in no topic, with their turns, and how the last look for topics went."""
    context = {
        "page": page_of(request, gathered(request.space).select_related("message__conversation")),
        "counts": gathered_counts(request.space),
        "job": latest_job(request.space, Job.Kind.DISCOVER),
        "now": timezone.now(),
        "smallest": SMALLEST[request.space.topic_sensitivity],
    }
    return render(request, "extraction/gathered.html", context)


@require_POST
@needs_role(Membership.Role.REVIEWER)
def discover(request: ConsoleRequest) -> HttpResponse:
    """Look for topics now."""
    discover_now(space=request.space)
    messages.success(request, _("Looking for topics. What is found comes into the review queue."))
    return redirect("extraction:gathered")
