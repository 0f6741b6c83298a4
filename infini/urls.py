"""The site's routes. The apps bring their own; this file says where they hang."""

from django.contrib import admin
from django.urls import include, path

from infini import views
from topics.api import docs

urlpatterns = [
    path("favicon.ico", views.favicon),
    path("healthz", views.healthz, name="healthz"),
    path("admin/", admin.site.urls),
    path("api/schema/", docs.schema, name="api_schema"),
    path("api/docs/", docs.reference, name="api_docs"),
    path("api/v1/", include("topics.api.urls")),
    path("api/v1/", include("extraction.api.urls")),
    path("compat/mem0/", include("extraction.api.compat_urls")),
    path("", include("topics.console.shell_urls")),
    path("", include("topics.console.urls")),
    path("", include("extraction.console.urls")),
]

handler400 = views.bad_request
handler403 = views.permission_denied
handler404 = views.page_not_found
handler500 = views.server_error
