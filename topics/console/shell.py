"""The frame around the console: signing in and out, the current space, language, theme and keys."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.auth import views as auth_views
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import check_for_language
from django.views.decorators.http import require_POST

from topics.console.access import ConsoleRequest, needs_role
from topics.console.sign_in import SignInForm
from topics.errors import InvalidInput
from topics.models import Membership, Preference
from topics.services.preferences import set_preferences


class SignIn(auth_views.LoginView):
    """The sign-in page. It brings along the language that the person chose earlier, perhaps on another machine."""

    redirect_authenticated_user = True
    form_class = SignInForm

    def form_invalid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_invalid(form)
        if isinstance(form, SignInForm) and form.refusal:
            response.status_code = form.refusal.status
            response["Retry-After"] = str(form.refusal.details["seconds"])
        return response

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        response = super().form_valid(form)
        preference = Preference.objects.filter(user=form.get_user()).first()
        if preference and preference.language:
            keep_language(response, preference.language)
        return response


@needs_role(Membership.Role.VIEWER)
def home(request: ConsoleRequest) -> HttpResponse:
    """The start page is the review queue."""
    return redirect("extraction:review")


@require_POST
def language(request: HttpRequest) -> HttpResponse:
    """Switch the language of the interface, for the signed-out too: a cookie, and the person's preference."""
    code = request.POST.get("language", "")
    if not check_for_language(code) or code not in dict(settings.LANGUAGES):
        raise BadRequest("unknown language")
    if request.user.is_authenticated:
        set_preferences(user=request.user, changes={"language": code})
    response = back(request)
    keep_language(response, code)
    return response


@require_POST
@needs_role(Membership.Role.VIEWER)
def preferences(request: ConsoleRequest) -> HttpResponse:
    """Theme, single keys or current space. Answers 204 to htmx, which has applied the choice already."""
    try:
        set_preferences(user=request.user, changes=read_preferences(request))
    except InvalidInput as problem:
        raise BadRequest(problem.message) from problem
    if request.htmx:
        return HttpResponse(status=204)
    return redirect("home") if "space" in request.POST else back(request)


def read_preferences(request: ConsoleRequest) -> dict[str, Any]:
    """The choices in the form, as `set_preferences` takes them. An unticked box sends only its "…-shown" field."""
    changes: dict[str, Any] = {}
    if "theme" in request.POST:
        changes["theme"] = request.POST["theme"]
    if "single_keys-shown" in request.POST:
        changes["single_keys"] = "single_keys" in request.POST
    if "space" in request.POST:
        slug = request.POST["space"]
        changes["space"] = next((m.space for m in request.memberships if m.space.slug == slug), None)
    return changes


def back(request: HttpRequest) -> HttpResponseRedirect:
    """To the page that the form names in `next`, if it is one of ours."""
    target = request.POST.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(target, {request.get_host()}, require_https=request.is_secure())
    return HttpResponseRedirect(target if is_ours else resolve_url(settings.LOGIN_REDIRECT_URL))


def keep_language(response: HttpResponse, code: str) -> None:
    """Remember the language in this browser, as Django's LocaleMiddleware reads it."""
    response.set_cookie(settings.LANGUAGE_COOKIE_NAME, code, max_age=365 * 24 * 3600, samesite="Lax", httponly=True)
