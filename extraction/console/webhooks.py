"""Settings → Webhooks: who is told what happens, and how the telling went."""

from __future__ import annotations

from collections.abc import Callable
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from extraction.models import Event, Webhook, WebhookDelivery
from extraction.services import webhooks as services
from topics.console.access import ConsoleRequest, needs_role
from topics.console.forms import ServiceForm
from topics.console.lookup import page_of
from topics.errors import MemoryRefusal
from topics.models import Membership

ACTIONS = ("test", "enable", "disable", "secret", "delete")
ADMIN = Membership.Role.ADMIN
NEW_SECRET = "new_webhook_secret"  # noqa: S105 - where the session keeps it until the page shows it


class WebhookForm(ServiceForm):
    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=500,
        widget=forms.URLInput(attrs={"placeholder": "https://"}),
        help_text=gettext_lazy("It gets a signed POST for each event."),
    )
    events = forms.MultipleChoiceField(
        label=gettext_lazy("What it is told"), choices=Event.choices, widget=forms.CheckboxSelectMultiple
    )


@needs_role(ADMIN)
def webhooks(request: ConsoleRequest) -> HttpResponse:
    """The webhooks of the space; the POST makes one, whose page shows its secret once."""
    form = WebhookForm(request.POST or None, initial={"events": Event.values})
    if request.method == "POST":
        made = form.attempt(
            lambda: services.create_webhook(space=request.space, actor=request.actor, **form.cleaned_data)
        )
        if made is not None:
            request.session[NEW_SECRET] = made.secret
            return redirect("extraction:webhook", made.pk)
    rows = request.space.webhooks.order_by("pk")
    context = {"tab": "webhooks", "form": form, "webhooks": rows, "labels": dict(Event.choices)}
    return render(request, "extraction/webhooks.html", context, status=form.status if form.is_bound else 200)


@needs_role(ADMIN)
def webhook(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """One webhook with its deliveries, the latest first; the POST changes it."""
    hook = _hook(request, pk)
    form = WebhookForm(request.POST or None, initial={"url": hook.url, "events": hook.events})
    if request.method == "POST":
        saved = form.attempt(lambda: services.update_webhook(webhook=hook, **form.cleaned_data))
        if saved is not None:
            messages.success(request, _("Saved."))
            return redirect("extraction:webhook", pk)
        hook.refresh_from_db()
    context = {
        "tab": "webhooks",
        "hook": hook,
        "form": form,
        "secret": request.session.pop(NEW_SECRET, ""),
        "page": page_of(request, hook.deliveries.select_related("job").order_by("-pk")),
        "labels": dict(Event.choices),
    }
    return render(request, "extraction/webhook.html", context, status=form.status if form.is_bound else 200)


@require_POST
@needs_role(ADMIN)
def act(request: ConsoleRequest, pk: UUID, action: str) -> HttpResponse:
    """Send a test, enable, disable, renew the secret or delete."""
    hook = _hook(request, pk)
    if action not in ACTIONS:
        raise Http404
    if action == "delete":
        services.delete_webhook(webhook=hook)
        messages.success(request, _("Deleted."))
        return redirect("extraction:webhooks")
    if action == "secret":
        request.session[NEW_SECRET] = services.renew_secret(webhook=hook).secret
    elif action == "test":
        _attempt(request, lambda: services.send_test(webhook=hook), _("A test is on its way."))
    else:
        services.set_enabled(webhook=hook, enabled=action == "enable", actor=request.actor)
        messages.success(request, _("Saved."))
    return redirect("extraction:webhook", pk)


@require_POST
@needs_role(ADMIN)
def redeliver(request: ConsoleRequest, pk: UUID, delivery: UUID) -> HttpResponse:
    """Deliver the same once more."""
    found = get_object_or_404(
        WebhookDelivery.objects.select_related("job", "webhook"), pk=delivery, webhook=_hook(request, pk)
    )
    _attempt(request, lambda: services.redeliver(delivery=found), _("It is being delivered again."))
    return redirect("extraction:webhook", pk)


def _hook(request: ConsoleRequest, pk: UUID) -> Webhook:
    return get_object_or_404(Webhook, pk=pk, space=request.space)


def _attempt(request: ConsoleRequest, do: Callable[[], object], done: str) -> None:
    try:
        do()
    except MemoryRefusal as refusal:
        messages.error(request, refusal.message)
    else:
        messages.success(request, done)
