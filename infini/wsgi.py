"""The WSGI entry point: `gunicorn infini.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "infini.settings")

application = get_wsgi_application()

# Before the first request comes, which would otherwise wait two seconds for them: every view, and the text tables.
from infini import urls  # noqa: E402, F401
from topics.text.tables import load_tables  # noqa: E402

load_tables()
