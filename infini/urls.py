"""The site's routes. The apps bring their own; this file says where they hang."""

from django.contrib import admin
from django.urls import path

urlpatterns = [
    path("admin/", admin.site.urls),
]
