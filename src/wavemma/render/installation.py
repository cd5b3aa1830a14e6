"""The looks of an installation's checks."""

from wavemma.explain.installation import Installation
from wavemma.render.document import Document, Heading, Table
from wavemma.render.pages import document_of


@document_of.register
def _installation(answer: Installation) -> Document:
    rows = tuple((check.name, check.result, check.detail) for check in answer.checks)
    return (
        Heading(f"wavemma {answer.version}", 1),
        Table(("check", "result", "found"), rows),
    )
