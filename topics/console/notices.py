"""What the console says after an act, with the button that takes it back."""

from __future__ import annotations

from django.contrib import messages
from django.urls import reverse

from topics.console.access import ConsoleRequest
from topics.models import ChangeSet


def say_done(request: ConsoleRequest, text: str) -> None:
    """Tell that something was done; with Undo where this request has written a change set."""
    mine = ChangeSet.objects.filter(space=request.space, actor_user=request.user, request_id=request.request_id)
    change = mine.order_by("-id").first()
    messages.success(request, text, extra_tags=reverse("topics:undo", args=[change.pk]) if change else "")
