"""The routes under /compat/mem0/, with or without a slash at their end, as mem0's clients send them."""

from django.urls import re_path

from extraction.api import compat

urlpatterns = [
    re_path("^memories/?$", compat.MemoriesView.as_view()),
    re_path("^search/?$", compat.SearchView.as_view()),
    re_path("^memories/(?P<memory>[^/]+)/?$", compat.MemoryView.as_view()),
    re_path("^memories/(?P<memory>[^/]+)/history/?$", compat.MemoryHistoryView.as_view()),
]
