"""ETags: what a caller has seen, so that nobody overwrites what they have not."""

from __future__ import annotations

import hashlib
from typing import Any

from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from topics.api.errors import PreconditionRequired
from topics.errors import Stale


def etag_of(data: Any, version: int = 0) -> str:
    """The strong ETag of a representation: the version of the row, and a digest of all that is shown."""
    return tag_body(JSONRenderer().render(data), version)


def tag_body(body: bytes, version: int = 0) -> str:
    """The strong ETag of these bytes, quoted."""
    return f'"{version}-{hashlib.sha256(body).hexdigest()[:16]}"'


def require_match(request: Request, data: Any, version: int) -> int:
    """The version that the caller has seen, to hand to the service. Raises PreconditionRequired, and Stale."""
    if "If-Match" not in request.headers:
        raise PreconditionRequired
    return check_match(request, data, version)


def check_match(request: Request, data: Any, version: int) -> int:
    """As `require_match`, for acts where If-Match may be left out: the version is then the present one."""
    wanted = parse_etags(request.headers.get("If-Match", "*"))
    if "*" not in wanted and etag_of(data, version) not in wanted:
        raise Stale(_("Somebody changed this in the meantime. Look at it again, then repeat your change."))
    return version


def is_known(request: Request, etag: str) -> bool:
    """Whether the caller has this representation already (If-None-Match, weak comparison)."""
    known = parse_etags(request.headers.get("If-None-Match", ""))
    return "*" in known or etag in [tag.removeprefix("W/") for tag in known]
