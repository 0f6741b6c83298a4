"""The Django project: settings, routes, Celery, system checks. No domain logic."""

from infini.celery import app as celery_app

__all__ = ["celery_app"]
