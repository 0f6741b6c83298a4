"""The space's language model: how it is reached, whether it answers, and every call of it."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from inference.connection import try_connection
from inference.endpoints import chat_endpoint, policy_of
from inference.errors import InferenceError
from inference.models import ModelCall
from topics.console.access import ConsoleRequest, needs_role
from topics.console.forms import CallFilter, ModelPolicyForm
from topics.console.lookup import page_of
from topics.models import Membership
from topics.selectors.model_calls import TEXTS, calls_in, today_of
from topics.services.model_policy import update_model_policy

ADMIN, VIEWER = Membership.Role.ADMIN, Membership.Role.VIEWER


@needs_role(ADMIN)
def model_settings(request: ConsoleRequest) -> HttpResponse:
    """Endpoint, model, key, budget and prices of the space."""
    policy = policy_of(request.space)
    form = ModelPolicyForm(request.POST or None, initial={name: getattr(policy, name) for name in form_fields()})
    if request.method == "POST":
        changed = form.attempt(
            lambda: update_model_policy(
                space=request.space,
                changes={name: form.cleaned_data[name] for name in form_fields()},
                api_key=form.cleaned_data["api_key"],
                forget_key=form.cleaned_data["forget_key"],
            )
        )
        if changed is not None:
            messages.success(request, _("Saved."))
            return redirect("topics:model")
    return _settings_page(request, form, status=form.status if form.is_bound else 200)


@require_POST
@needs_role(ADMIN)
def test_model(request: ConsoleRequest) -> HttpResponse:
    """Ask the model something easy and say how it went."""
    policy = policy_of(request.space)
    form = ModelPolicyForm(initial={name: getattr(policy, name) for name in form_fields()})
    try:
        call = try_connection(request.space)
    except InferenceError as error:
        return _settings_page(request, form, problem=str(error), failed_call=error.call)
    return _settings_page(request, form, tested=call)


@needs_role(VIEWER)
def model_calls(request: ConsoleRequest) -> HttpResponse:
    """Every call of the space's model, by filter, under the totals of the day. Texts are on a call's own page."""
    form = CallFilter(request.GET)
    form.full_clean()
    wanted = {name: value for name, value in form.cleaned_data.items() if value}
    context = {
        "form": form,
        "page": page_of(request, calls_in(request.space, **wanted)),
        "is_filtered": bool(wanted),
        "today": today_of(request.space),
        "endpoint": chat_endpoint(request.space),
    }
    return render(request, "topics/model_call_rows.html" if request.htmx else "topics/model_calls.html", context)


@needs_role(VIEWER)
def model_call(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    """One call; its prompt and answer, which hold people's words from any conversation, are shown to admins only."""
    may_read = request.membership.may_administer
    calls = ModelCall.objects.all() if may_read else ModelCall.objects.defer(*TEXTS)
    call = get_object_or_404(calls, pk=pk, space=request.space)
    return render(request, "topics/model_call.html", {"call": call, "may_read": may_read})


def form_fields() -> list[str]:
    """The fields of the form that are also the policy's."""
    return [name for name in ModelPolicyForm.base_fields if name not in ("api_key", "forget_key")]


def _settings_page(
    request: ConsoleRequest, form: ModelPolicyForm, *, status: int = 200, **result: object
) -> HttpResponse:
    """The page of the settings; `result` is that of a test."""
    context = {
        "tab": "model",
        "form": form,
        "endpoint": chat_endpoint(request.space),
        "policy": policy_of(request.space),
        "today": today_of(request.space),
        "prices": settings.INFINI_MODEL_PRICES,
        "kept_days": settings.INFINI_MODEL_CALL_DAYS,
    }
    return render(request, "topics/model.html", context | result, status=status)
