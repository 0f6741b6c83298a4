"""Routes of the console's frame. They carry no namespace: Django's settings name "login"."""

from django.contrib.auth.views import LogoutView
from django.urls import path

from topics.console import shell

urlpatterns = [
    path("", shell.home, name="home"),
    path("login/", shell.SignIn.as_view(), name="login"),
    path("logout/", LogoutView.as_view(), name="logout"),
    path("language/", shell.language, name="language"),
    path("preferences/", shell.preferences, name="preferences"),
]
