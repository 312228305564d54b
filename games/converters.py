"""Parts of addresses: ``<id:...>``, registered by importing this module."""

from __future__ import annotations

from django.urls import register_converter
from django.urls.converters import IntConverter


class IdConverter(IntConverter):
    """The number of a table or game: ASCII digits, no more of them than the database can hold."""

    regex = "[0-9]{1,18}"


register_converter(IdConverter, "id")
