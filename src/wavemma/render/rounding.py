"""How the codes of numbers read."""

from wavemma.explain.codes import Code
from wavemma.explain.rounding import Encoding, Rounded, ValueCodes
from wavemma.render.bits import code_text, on_targets
from wavemma.render.document import Block, Document, Facts, Heading, Table
from wavemma.render.pages import document_of
from wavemma.render.words import listed, number

_OVERFLOW = {
    "special": "become infinity, else NaN, else the largest number; integers must fit",
    "saturate": "become the largest number, infinities too",
    "saturate_finite": "become the largest number, infinities stay",
    "wrap": "keep their low bits",
}


@document_of.register
def _codes(answer: ValueCodes) -> Document:
    blocks: list[Block] = [
        Heading(f"Numbers in {answer.name}{on_targets(answer.targets)}", 1),
        Facts(
            (
                (
                    "rounded",
                    answer.rounding.replace("_", ", ties ").replace("ties even", "ties to even"),
                ),
                ("too large ones", _OVERFLOW[answer.overflow]),
            )
        ),
    ]
    for each in answer.encodings:
        signs = {None: "", True: ", signed", False: ", unsigned"}
        blocks += [
            Heading(f"{each.words}{signs[each.signed]}: {listed(each.targets)}"),
            _numbers(each),
        ]
    return tuple(blocks)


def _numbers(encoding: Encoding) -> Table:
    return Table(
        ("number", "code", "stands for", "error", "next below", "next above"),
        tuple(_row(each) for each in encoding.numbers),
    )


def _row(found: Rounded) -> tuple[str, ...]:
    error = "-" if found.error is None else number(found.error)
    return (
        found.asked,
        found.code.code,
        code_text(found.code),
        "exact" if found.is_exact else error,
        _neighbour(found.below),
        _neighbour(found.above),
    )


def _neighbour(code: Code | None) -> str:
    return "-" if code is None else f"{code.code} = {code_text(code)}"
