"""The WSGI entry point: `gunicorn infini.wsgi`."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "infini.settings")

application = get_wsgi_application()
