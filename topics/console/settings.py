"""What admins decide: the space's policies, its people and its keys."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from topics.console.access import ConsoleRequest, needs_role
from topics.console.forms import KeyForm, MemberForm, ReasonForm, ServiceForm, SpaceForm
from topics.errors import InvalidInput
from topics.models import ApiKey, Membership
from topics.selectors.vectors import vectors_of
from topics.services import spaces as services

ADMIN = Membership.Role.ADMIN
NEW_KEY = "new_api_key"  # in the session, from the making of a key to the page that shows it


@needs_role(ADMIN)
def settings(request: ConsoleRequest) -> HttpResponse:
    """Name, language, time zone and policies of the space."""
    form = SpaceForm(
        request.POST or None, initial={name: getattr(request.space, name) for name in SpaceForm.base_fields}
    )
    if request.method == "POST":
        changed = form.attempt(lambda: services.update_space(space=request.space, changes=dict(form.cleaned_data)))
        if changed is not None:
            messages.success(request, _("Saved."))
            return redirect("topics:settings")
    context = {"tab": "space", "form": form, "vectors": vectors_of(request.space)}
    return render(request, "topics/settings.html", context, status=form.status if form.is_bound else 200)


@needs_role(ADMIN)
def members(request: ConsoleRequest) -> HttpResponse:
    """The people of the space; the POST gives somebody a role, whether new here or not."""
    form = MemberForm(request.POST or None, initial={"role": Membership.Role.REVIEWER})
    if request.method == "POST":
        member = form.attempt(lambda: _set_member(request, form))
        if member is not None:
            text = _("%(name)s is now %(role)s.") % {
                "name": member.user.get_username(),
                "role": member.get_role_display(),
            }
            messages.success(request, text)
            return _after_change_of(request, member.user)
    return _members_page(request, form)


@require_POST
@needs_role(ADMIN)
def remove(request: ConsoleRequest, pk: int) -> HttpResponse:
    """Take a member out of the space."""
    member = get_object_or_404(Membership.objects.select_related("user"), pk=pk, space=request.space)
    form = ReasonForm(request.POST)
    if form.attempt(lambda: services.remove_member(member=member)) is None:
        return _members_page(request, form)
    messages.success(request, _("%(name)s no longer belongs to this space.") % {"name": member.user.get_username()})
    return _after_change_of(request, member.user)


def _after_change_of(request: ConsoleRequest, user: User) -> HttpResponse:
    """To the members again, unless people have taken the page away from themselves."""
    is_self = user.pk == request.user.pk
    still_admin = not is_self or request.space.memberships.filter(user=user, role=ADMIN).exists()
    return redirect("topics:members" if still_admin else "home")


def _members_page(request: ConsoleRequest, form: ServiceForm) -> HttpResponse:
    """The members; `form` is the one that was sent, of adding or of removing."""
    add_form = form if isinstance(form, MemberForm) else MemberForm(initial={"role": Membership.Role.REVIEWER})
    people = request.space.memberships.select_related("user").order_by("user__username")
    context = {
        "tab": "members",
        "form": add_form,
        "sent": form,
        "members": people,
        "roles": Membership.Role.choices,
    }
    return render(request, "topics/members.html", context, status=form.status if form.is_bound else 200)


@needs_role(ADMIN)
def keys(request: ConsoleRequest) -> HttpResponse:
    """The keys of the space. The page after the POST shows the new key: it is never to be seen again."""
    form = KeyForm(request.POST or None)
    if request.method == "POST":
        made = form.attempt(
            lambda: services.create_api_key(space=request.space, created_by=request.user, **form.cleaned_data)
        )
        if made is not None:
            request.session[NEW_KEY] = made[1]
            return redirect("topics:keys")
    rows = request.space.api_keys.select_related("created_by").order_by("-id")
    plain = request.session.pop(NEW_KEY, "")
    context = {"tab": "keys", "form": form, "keys": rows, "plain": plain, "scopes": dict(ApiKey.Scope.choices)}
    return render(request, "topics/keys.html", context, status=form.status if form.is_bound else 200)


@require_POST
@needs_role(ADMIN)
def revoke_key(request: ConsoleRequest, pk: UUID) -> HttpResponse:
    key = services.revoke_api_key(key=get_object_or_404(ApiKey, pk=pk, space=request.space))
    messages.success(request, _("Revoked %(key)s. It is refused from now on.") % {"key": key.name or key.prefix})
    return redirect("topics:keys")


def _set_member(request: ConsoleRequest, form: MemberForm) -> Membership:
    user = User.objects.filter(username=form.cleaned_data["username"]).first()
    if user is None:
        problem = _("There is no account with this name. An operator creates it in the administration.")
        raise InvalidInput(problem, fields={"username": [problem]})
    return services.set_member(space=request.space, user=user, role=form.cleaned_data["role"])
