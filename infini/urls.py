"""The site's routes. The apps bring their own; this file says where they hang."""

from django.contrib import admin
from django.urls import include, path

from infini import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("topics.api.urls")),
    path("api/v1/", include("extraction.api.urls")),
]

handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.page_not_found
handler500 = views.server_error
