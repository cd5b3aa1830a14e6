"""An answer as JSON: one versioned schema for every question."""

import msgspec

from wavemma.explain.answer import SCHEMA, Answer


def as_json(answer: Answer) -> str:
    """Write an answer as indented JSON.

    Returns:
        An object whose first keys are `schema` and `answer` (the kind), then the fields of the
        answer in the order of its class. No newline at the end.

    """
    whole = {"schema": SCHEMA, **msgspec.to_builtins(answer)}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()


def mistake_json(kind: str, message: str, code: int) -> str:
    """Write a mistake as indented JSON: `schema`, `mistake` (the kind), `message`, `code`."""
    whole = {"schema": SCHEMA, "mistake": kind, "message": message, "code": code}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()
