"""Loaded by schemathesis itself, in a process of its own."""

import re
import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):  # type: ignore[no-untyped-def]
    """A valid Idempotency-Key is that of one request: the same one for another is refused, as the API promises.

    An ETag that was made up is always stale. Where one request follows another, what was made is to be changed and
    deleted, so If-Match is sent as one who does not care.
    """
    headers = case.headers or {}
    key = headers.get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,200}", key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
    if case.meta and case.meta.phase.name == "stateful" and headers.get("If-Match"):
        case.headers["If-Match"] = "*"
