"""How the numbers of codes read."""

from wavemma.explain.bits import CodeValues, Reading
from wavemma.explain.codes import Code
from wavemma.render.document import Block, Document, Facts, Heading, Table
from wavemma.render.number_format import value
from wavemma.render.pages import document_of
from wavemma.render.words import listed


@document_of.register
def _values(answer: CodeValues) -> Document:
    blocks: list[Block] = [
        Heading(f"Codes of {answer.name}{on_targets(answer.targets)}", 1),
        Facts(tuple((reading_name(each), reading_words(each)) for each in answer.readings)),
        _side_by_side(answer),
    ]
    for each in answer.readings:
        if each.codes and each.codes[0].exponent is not None:
            blocks += [Heading(f"Fields of {each.format}"), _fields(each)]
    return tuple(blocks)


def on_targets(targets: tuple[str, ...]) -> str:
    """Write the targets behind a title."""
    return f" on {', '.join(targets)}" if targets else ""


def reading_name(reading: Reading) -> str:
    """Name a reading: the format, and its sign where the instruction chooses that."""
    signs = {None: "", True: " signed", False: " unsigned"}
    return reading.format + signs[reading.signed]


def reading_words(reading: Reading) -> str:
    """Write the format in words, and who reads the name so."""
    return f"{reading.words}: {listed(reading.targets)}"


def code_text(code: Code | None) -> str:
    """Write the number of a code, with its power of two if that is short."""
    if code is None:
        return "none"
    return code.text if code.value is None or code.value == 0 else value(code.value)


def _side_by_side(answer: CodeValues) -> Table:
    head = ("code", *(_column(answer, each) for each in answer.readings))
    columns = [[code_text(code) for code in each.codes] for each in answer.readings]
    codes = [code.code for code in answer.readings[0].codes]
    return Table(head, tuple(zip(codes, *columns, strict=True)))


def _column(answer: CodeValues, reading: Reading) -> str:
    name = reading_name(reading)
    return f"{', '.join(reading.targets)} ({name})" if answer.targets else name


def _fields(reading: Reading) -> Table:
    return Table(
        ("code", "kind", "sign", "exponent", "fraction", "number"),
        tuple(
            (
                code.code,
                code.kind,
                "-" if code.sign is None else str(code.sign),
                str(code.exponent),
                str(code.fraction),
                code.product or code.text,
            )
            for code in reading.codes
        ),
        right=(2, 3, 4),
    )
