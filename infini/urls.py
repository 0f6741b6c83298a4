"""The site's routes. The apps bring their own; this file says where they hang."""

from django.contrib import admin
from django.urls import path

from infini import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("admin/", admin.site.urls),
]

handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.page_not_found
handler500 = views.server_error
