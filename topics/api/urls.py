"""The routes of the memory itself, below /api/v1/."""

from django.urls import path

urlpatterns: list = []
