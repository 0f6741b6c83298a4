"""The forms of the console's and the administration's sign-in page, which stop those who guess passwords."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.forms import AuthenticationForm
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from topics.errors import TooManyAttempts
from topics.services.sign_in import begin_attempt, note_success


class SignInForm(AuthenticationForm):
    """User name and password. `refusal` is set when there were too many failures for another look at the password."""

    refusal: TooManyAttempts | None = None

    def clean(self) -> dict[str, Any]:
        name = self.cleaned_data.get("username")
        if self.request is None or not name or not self.cleaned_data.get("password"):
            return super().clean()
        address = address_of(self.request)
        try:
            begin_attempt(username=name, address=address)
        except TooManyAttempts as refusal:
            self.refusal = refusal
            raise ValidationError(refusal.message, code=refusal.code) from refusal
        cleaned = super().clean()
        note_success(username=name, address=address)
        return cleaned


class AdminSignInForm(SignInForm, AdminAuthenticationForm):
    """The same for Django's administration."""


def address_of(request: HttpRequest) -> str:
    """The address that a request came from.

    Where a proxy stands before the server (INFINI_HTTPS) that is the last one of X-Forwarded-For, which the proxy adds.
    """
    forwarded = request.headers.get("X-Forwarded-For", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return forwarded.rpartition(",")[2].strip() or request.META.get("REMOTE_ADDR", "")
