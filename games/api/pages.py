"""The page about the API, ``/api/``: how to begin, and the reference, made from the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.api import limits
from games.api.guard import LONGEST_BODY
from games.api.v1 import api
from games.services.programs import MOST_TOKENS

EXAMPLE: Final = settings.BASE_DIR / "docs" / "example_client.py"


class Kind(NamedTuple):
    """A type in words, with the schema that it names, if it does: "list of" :schema:`Play` "or null"."""

    before: str
    schema: str = ""
    after: str = ""


class Field(NamedTuple):
    """A parameter or a property."""

    name: str
    kind: Kind
    place: str
    needed: bool
    description: str


class Operation(NamedTuple):
    """One method of one address."""

    id: str
    method: str
    path: str
    summary: str
    description: str
    token: str
    """"needed" or "welcome"."""
    fields: tuple[Field, ...]
    answer: str
    """The name of its schema, or its media type."""
    refusals: str


class Section(NamedTuple):
    name: str
    operations: tuple[Operation, ...]


class Shape(NamedTuple):
    """A schema by its name."""

    name: str
    description: str
    fields: tuple[Field, ...]


@require_safe
def reference(request: HttpRequest) -> HttpResponse:
    sections, shapes = _reference()
    context = {
        "sections": sections,
        "shapes": shapes,
        "example": _example(),
        "site": request.build_absolute_uri("/").rstrip("/"),
        "most_tokens": MOST_TOKENS,
        "longest": LONGEST_BODY,
        "by_address": limits.BY_ADDRESS,
        "by_person": limits.BY_PERSON,
        "streams_by_address": limits.STREAMS_BY_ADDRESS.each,
        "streams_by_person": limits.STREAMS_BY_PERSON.each,
    }
    return render(request, "api/reference.html", context)


@cache
def _example() -> str:
    return EXAMPLE.read_text()


@cache
def _reference() -> tuple[tuple[Section, ...], tuple[Shape, ...]]:
    document = api.get_openapi_schema()
    schemas: Mapping[str, Any] = document["components"]["schemas"]
    by_tag: dict[str, list[Operation]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append(_operation(path, method, operation, schemas))
    shapes = [
        Shape(name, schema.get("description", ""), tuple(_properties(schema, "")))
        for name, schema in sorted(schemas.items())
        if not name.endswith("Params")
    ]
    return tuple(Section(name, tuple(found)) for name, found in by_tag.items()), tuple(shapes)


def _operation(path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Operation:
    fields = [
        Field(one["name"], kind_of(one["schema"]), one["in"], one["required"], one.get("description", ""))
        for one in operation["parameters"]
    ]
    if body := operation.get("requestBody"):
        name = _name(body["content"]["application/json"]["schema"])
        fields += _properties(schemas[name], "body")
    responses = {int(status): answer for status, answer in operation["responses"].items()}
    (good,) = [answer for status, answer in responses.items() if status < 300]
    contents: Mapping[str, Any] = good.get("content", {})
    answer = next((_name(content["schema"]) or media for media, content in contents.items()), "")
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        description=operation.get("description", ""),
        token="welcome" if {} in operation["security"] else "needed",
        fields=tuple(fields),
        answer=answer,
        refusals=", ".join(str(status) for status in sorted(responses) if status >= 400),
    )


def _properties(schema: Mapping[str, Any], place: str) -> Iterator[Field]:
    needed = schema.get("required", ())
    for name, one in schema.get("properties", {}).items():
        yield Field(name, kind_of(one), place, name in needed, one.get("description", ""))


def kind_of(schema: Mapping[str, Any]) -> Kind:
    """The type of a JSON schema in a few words."""
    if name := _name(schema):
        return Kind("", name)
    if choices := schema.get("anyOf") or schema.get("allOf"):
        null = any(choice.get("type") == "null" for choice in choices)
        inner = kind_of(next(choice for choice in choices if choice.get("type") != "null"))
        return inner._replace(after=f"{inner.after} or null" if null else inner.after)
    if "enum" in schema:
        return Kind(", ".join(map(str, schema["enum"])))
    if "const" in schema:
        return Kind(str(schema["const"]))
    if schema.get("type") == "array":
        inner = kind_of(schema["items"])
        return inner._replace(before=f"list of {inner.before}")
    if schema.get("format") == "date-time":
        return Kind("time")
    return Kind(schema.get("type", "anything"))


def _name(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]
