"""Loaded by schemathesis itself, in a process of its own."""

import re
import uuid

import schemathesis


@schemathesis.hook
def before_call(context, case, kwargs):  # type: ignore[no-untyped-def]
    """A valid Idempotency-Key is that of one request: the same one for another is refused, as the API promises."""
    key = (case.headers or {}).get("Idempotency-Key")
    if isinstance(key, str) and re.fullmatch("[!-~]{1,200}", key):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
