"""Addresses of the site: the games', the clubs', the accounts' and the admin's."""

from __future__ import annotations

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path

# Staff log in like everybody: with the same limits, and with their second step.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = settings.SITE_NAME

urlpatterns = [
    path("", include("games.urls")),
    path("", include("tournaments.urls")),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
]

handler400 = "games.views.pages.bad_request"
handler403 = "games.views.pages.not_allowed"
handler404 = "games.views.pages.not_found"
handler500 = "games.views.pages.broken"
handler429 = "games.views.pages.too_many"  # django-allauth's
