"""The API for programs, version 1: ``/api/v1/``.

Read :mod:`games.api.v1` for the addresses, :mod:`games.api.schemas` for what they take and give,
:mod:`games.api.callers` for who may ask and how often, :mod:`games.api.stream` for a table as it moves.
Everything is done by the selectors and services that the pages use.
"""
