"""Who may call: API keys, their scopes, and the space that comes from the key and from nowhere else."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from topics.models import ApiKey
from topics.models.space import SCOPES
from topics.services.spaces import digest_key

if TYPE_CHECKING:
    from rest_framework.views import APIView

SCHEMES = ("bearer", "token")
USE_NOTED_EVERY = timedelta(minutes=1)


class ApiKeyAuthentication(BaseAuthentication):
    """`Authorization: Bearer KEY`, `Authorization: Token KEY` or `X-API-Key: KEY`. `request.auth` is the key's row."""

    def authenticate(self, request: Request) -> tuple[AnonymousUser, ApiKey] | None:
        plain = _sent_key(request)
        if plain is None:
            return None
        key = ApiKey.objects.select_related("space").filter(digest=digest_key(plain)).first()
        if key is None or not key.is_usable:
            raise AuthenticationFailed(_("This API key is unknown, expired or revoked."), code="invalid_key")
        _note_use(key)
        return AnonymousUser(), key

    def authenticate_header(self, request: Request) -> str:
        return 'Bearer realm="api"'


class HasScope(BasePermission):
    """The key carries what the view names for the method in `required_scopes`: `a|b` is either, `a+b` both."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if not isinstance(request.auth, ApiKey):
            return False
        check_scope(request.auth, view.required_scopes.get(_reading(request.method), ""))  # type: ignore[attr-defined]
        return True


class MissingScope(PermissionDenied):
    default_code = "missing_scope"


def check_scope(key: ApiKey, needed: str) -> None:
    """Raise MissingScope, which says what is missing, unless the key carries `needed`: `a|b` is either, `a+b` both."""
    missing = [[scope for scope in both.split("+") if scope not in key.scopes] for both in needed.split("|") if both]
    if missing and all(missing):
        least = min(len(scopes) for scopes in missing)
        shown = " / ".join(dict.fromkeys(" + ".join(scopes) for scopes in missing if len(scopes) == least))
        raise MissingScope(_("This key lacks the scope %(scope)s.") % {"scope": shown})


class ApiKeyScheme(OpenApiAuthenticationExtension):
    """How the OpenAPI description names the three ways to send a key."""

    target_class = ApiKeyAuthentication
    name = ["bearer", "apiKey"]

    def get_security_requirement(self, auto_schema: Any) -> list[dict[str, list[Any]]]:
        """Either of them, not both."""
        return [{"bearer": []}, {"apiKey": []}]

    def get_security_definition(self, auto_schema: Any) -> list[dict[str, str]]:
        return [
            {
                "type": "http",
                "scheme": "bearer",
                "description": f"`Authorization: Token KEY` is understood too. A key carries scopes:\n\n{_scopes()}",
            },
            {"type": "apiKey", "in": "header", "name": "X-API-Key"},
        ]


def _scopes() -> str:
    """What each scope allows, as a list in Markdown."""
    return "\n".join(f"- `{scope}`: {allowed}" for scope, allowed in SCOPES.items())


def _sent_key(request: Request) -> str | None:
    """The key as sent, None when none was. A scheme that is not ours is a wrong key rather than none."""
    header = request.headers.get("Authorization", "")
    if not header:
        return request.headers.get("X-API-Key") or None
    scheme, _space, key = header.partition(" ")
    if scheme.lower() not in SCHEMES or not key.strip():
        raise AuthenticationFailed(_("Send the key as Authorization: Bearer KEY."), code="invalid_key")
    return key.strip()


def _note_use(key: ApiKey) -> None:
    """Note the time of use, at most once a minute, so that reading stays free of writes."""
    now = timezone.now()
    is_old = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_NOTED_EVERY)
    if key.last_used_at is None or key.last_used_at < now - USE_NOTED_EVERY:
        ApiKey.objects.filter(is_old, pk=key.pk).update(last_used_at=now)


def _reading(method: str | None) -> str:
    return "GET" if method == "HEAD" else method or ""
