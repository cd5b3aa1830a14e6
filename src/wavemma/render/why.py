"""How the reason of a failed compilation reads."""

from collections.abc import Iterator

from wavemma.explain.availability import Advice
from wavemma.explain.why import Why
from wavemma.render.builtin import unfolded
from wavemma.render.document import Block, Code, Document, Facts, Heading
from wavemma.render.guard import folded
from wavemma.render.pages import document_of


@document_of.register
def _why(answer: Why) -> Document:
    return (
        Heading(_title(answer), 1),
        Facts(
            (
                *((f"{answer.tool} says", answer.message) for _ in [0] if answer.message),
                *(("why", each) for each in answer.causes),
                *(("prototype", answer.prototype) for _ in [0] if answer.prototype),
                *(("do", each) for each in answer.steps),
            )
        ),
        *(_advice(answer.advice, solved=answer.solved) if answer.advice else ()),
    )


def _title(answer: Why) -> str:
    subject = answer.subject or answer.message or answer.given
    return f"{subject} on {answer.target}" if answer.target else subject


def _advice(advice: Advice, *, solved: bool) -> Iterator[Block]:
    yield Heading("Use" if solved else "Nearest")
    yield Facts(tuple(_facts(advice)))
    if advice.builtin:
        lines = [each.declaration for each in advice.types]
        yield Code("\n".join([*lines, unfolded(advice.prototype)]), "cpp")
        yield Code(advice.compile, "bash")
        yield Heading("Only where", 3)
        yield Code(folded(advice.guard), "cpp")


def _facts(advice: Advice) -> Iterator[tuple[str, str]]:
    if advice.builtin:
        yield "builtin", advice.builtin
    yield "instruction", f"{advice.instruction}, wave{advice.wave}"
    yield "line", advice.line
    for each in advice.changes:
        yield "differs", each
    for name in advice.also:
        yield "also", name
    yield "first LLVM", advice.oldest_llvm
