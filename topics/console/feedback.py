"""What agents say of the answers that they got: the list, and the statements that they call wrong."""

from __future__ import annotations

from uuid import UUID

from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from topics.console.access import ConsoleRequest, needs_role
from topics.console.lookup import page_of
from topics.console.notices import say_done
from topics.models import Feedback, Membership, Objection
from topics.selectors.feedback import open_objections
from topics.services.feedback import dismiss_objection

MOST_OBJECTIONS = 50


@require_safe
@needs_role(Membership.Role.VIEWER)
def feedback(request: ConsoleRequest) -> HttpResponse:
    """The statements that are called wrong, and all that was said of answers, the latest first."""
    rows: QuerySet[Feedback] = Feedback.objects.filter(space=request.space).select_related("api_key").order_by("-pk")
    context = {
        "objections": open_objections(request.space)[:MOST_OBJECTIONS],
        "page": page_of(request, rows),
        "may_edit": request.membership.may_review,
    }
    return render(request, "topics/feedback.html", context)


@require_POST
@needs_role(Membership.Role.REVIEWER)
def dismiss(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """The statement is right as it stands."""
    objection = get_object_or_404(Objection, pk=pk, space=request.space)
    dismiss_objection(objection=objection, actor=request.actor)
    say_done(request, _("The statement stands as it is."))
    back = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        back, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return redirect(back if is_ours else "topics:feedback")
