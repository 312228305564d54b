"""Addresses of the site: the games' own, the accounts' and the admin's."""

from __future__ import annotations

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("", include("games.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]
