"""The WSGI entry point: `gunicorn infini.wsgi`."""

import gc
import os
from collections.abc import Iterable
from typing import Any

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "infini.settings")

CHUNK = 65_536
_answer = get_wsgi_application()


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer a request, and read what was left of its body before the answer goes out.

    Gunicorn would read the rest afterwards, and the beginning of the caller's next request along with it, for which it
    then waits in vain.
    """
    response = _answer(environ, start_response)
    while environ["wsgi.input"].read(CHUNK):
        pass
    return response


# Before the first request comes, which would otherwise wait two seconds for them: every view, and the text tables.
from infini import urls  # noqa: E402, F401
from topics.text.tables import load_tables  # noqa: E402

load_tables()

# What is loaded now stays. Left to the garbage collector, it would be looked through again and again while somebody
# waits, for an eighth of a second each time.
gc.collect()
gc.freeze()
