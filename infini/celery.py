"""The Celery application. Celery is the doorbell and the schedule; the job table is the truth."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "infini.settings")

app = Celery("infini")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
