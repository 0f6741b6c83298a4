"""Who may open a page of the console, and in which space.

    @needs_role(Membership.Role.REVIEWER)
    def decide(request: ConsoleRequest, ...) -> HttpResponse: ...

Every page of the console stands behind `needs_role`. It sends the signed-out to the sign-in page and back, finds the
person's current space, sets its time zone and the person's language, and tells the caches nothing may be kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, cast
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render, resolve_url
from django.utils import timezone, translation
from django.utils.cache import add_never_cache_headers, patch_vary_headers
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect
from django_htmx.middleware import HtmxDetails

from topics.changes import Actor
from topics.models import Membership, Preference, Space

P = ParamSpec("P")
RANK = {role: rank for rank, role in enumerate(Membership.Role.values)}


class ConsoleRequest(HttpRequest):
    """A request of a signed-in member of `space`. `memberships` are all of the person's, in the order of joining."""

    user: User
    htmx: HtmxDetails
    request_id: str
    space: Space
    membership: Membership
    memberships: list[Membership]
    preference: Preference
    actor: Actor


View = Callable[Concatenate[ConsoleRequest, P], HttpResponseBase]


def needs_role(role: str) -> Callable[[View[P]], Callable[Concatenate[HttpRequest, P], HttpResponseBase]]:
    """Let only members through who have this role, or a higher one, in their current space."""

    def decorate(view: View[P]) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
        @wraps(view)
        def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            response: HttpResponseBase
            if not request.user.is_authenticated:
                return ask_to_sign_in(request)
            console = cast(ConsoleRequest, request)
            is_member = enter(console)
            if not is_member:
                response = render(request, "shell/no_space.html", status=403)
            elif RANK[console.membership.role] < RANK[role]:
                raise RoleMissing(role)
            else:
                response = view(console, *args, **kwargs)
            add_never_cache_headers(response)
            # One address answers a page or a part of it.
            patch_vary_headers(response, ["HX-Request"])
            return response

        return guarded

    return decorate


class RoleMissing(PermissionDenied):
    """The person's role does not reach. `for_people` says so in words for the page."""

    def __init__(self, role: str) -> None:
        self.for_people = refusal(role)
        super().__init__(self.for_people)


def enter(request: ConsoleRequest) -> bool:
    """Put space, membership, preference and actor on the request. False when the person belongs to no space."""
    memberships = Membership.objects.filter(user=request.user).select_related("space", "user__preference")
    request.memberships = list(memberships)
    person = request.memberships[0].user if request.memberships else request.user
    request.preference = getattr(person, "preference", None) or Preference(user=request.user)
    if request.preference.language:
        translation.activate(request.preference.language)
        request.LANGUAGE_CODE = translation.get_language()
    if not request.memberships:
        return False
    chosen = {m.space_id: m for m in request.memberships}.get(request.preference.space_id or 0)
    request.membership = chosen or request.memberships[0]
    request.space = request.membership.space
    request.actor = Actor.person(request.user, request_id=request.request_id)
    timezone.activate(ZoneInfo(request.space.time_zone))
    return True


def refusal(role: str) -> str:
    """Why a page stays closed, for the person who tried to open it."""
    if role == Membership.Role.ADMIN:
        return _("Only an admin of this space may do this.")
    return _("Your role in this space lets you read, but not decide.")


def ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    """To the sign-in page, and from there back to the page that is open in the browser."""
    details = cast(Any, request).htmx
    if not details:
        came_from = request.get_full_path() if request.method in ("GET", "HEAD") else referring_page(request)
        return redirect_to_login(came_from)
    address = urlsplit(details.current_url or "")
    came_from = f"{address.path}?{address.query}" if address.query else address.path
    login = redirect_to_login(came_from or settings.LOGIN_REDIRECT_URL)
    return HttpResponseClientRedirect(login["Location"])


def referring_page(request: HttpRequest) -> str:
    """The path of the page that held the form; the address of a POST itself cannot be opened."""
    referrer = urlsplit(request.headers.get("Referer", ""))
    if referrer.netloc != request.get_host():
        return resolve_url(settings.LOGIN_REDIRECT_URL)
    return f"{referrer.path}?{referrer.query}" if referrer.query else referrer.path
