"""The site: settings and the wiring of its processes."""

from euchre_site.celery import app as celery_app

__all__ = ["celery_app"]
