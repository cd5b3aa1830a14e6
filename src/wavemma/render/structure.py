"""An answer as JSON: one versioned schema for every question."""

import json
from collections.abc import Mapping

import msgspec

from wavemma.explain.answer import SCHEMA, Answer


def as_json(answer: Answer) -> str:
    """Write an answer as indented JSON.

    Returns:
        An object whose first keys are `schema` and `answer` (the kind), then the fields of the
        answer in the order of its class. No newline at the end.

    """
    whole = {"schema": SCHEMA, **msgspec.to_builtins(answer)}
    return _written(whole)


def mistake_json(
    kind: str, message: str, code: int, more: Mapping[str, object] | None = None
) -> str:
    """Write a mistake as indented JSON: `schema`, `mistake` (the kind), `message`, `code`, more."""
    whole = {"schema": SCHEMA, "mistake": kind, "message": message, "code": code, **(more or {})}
    return _written(whole)


def _written(whole: dict[str, object]) -> str:
    """Write a document with indents."""
    try:
        return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()
    except UnicodeEncodeError:
        # The name of a file can hold bytes that are no text; they are escaped as Python does.
        return json.dumps(whole, indent=2)
