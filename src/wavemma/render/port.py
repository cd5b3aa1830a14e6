"""How a port from one target to another reads."""

from collections.abc import Iterator

from wavemma.explain.port import Port
from wavemma.explain.port_changes import Change
from wavemma.explain.port_side import PortSide
from wavemma.explain.port_steps import Step
from wavemma.render.builtin import unfolded
from wavemma.render.document import Block, Code, Detail, Document, Facts, Heading, Table, Text
from wavemma.render.kernel_lines import kernel_lines
from wavemma.render.kernel_source import as_kernel
from wavemma.render.pages import document_of, footer_of, short_footer
from wavemma.render.words import number

_VERDICTS = {
    "same": "The same operation; registers, maps, speed or rounding change as below.",
    "equivalent": "It stands for the old one; shape, wave or codes change as below.",
    "none": "None: no instruction there computes the same. The nearest is shown.",
}
_MAPS = "map of"
_LONG = ("instruction", "builtin", "arguments", "model")


@document_of.register
def _port(answer: Port) -> Document:
    before, after = answer.before, answer.after
    short = [each for each in answer.changes if each.what not in _LONG]
    return (
        Heading(f"{answer.asked}: {before.target} to {after.target}", 1),
        Text(_VERDICTS[answer.verdict]),
        *(Text(each) for each in answer.obstacles),
        *_also(answer),
        Facts((*_calls("old", before), *_calls("new", after), *_bits(answer))),
        Detail(
            (
                _table(short, before.target, after.target),
                *_advice(answer.steps),
                *_others(answer),
                *_side("Old", before),
                *_side("New", after),
            ),
            (
                _table(
                    [each for each in short if not each.what.startswith(_MAPS)],
                    before.target,
                    after.target,
                ),
                *_advice(answer.steps),
                *_short_others(answer),
                *_loops(answer),
            ),
        ),
    )


@footer_of.register
def _footer(answer: Port) -> Document:
    return short_footer(answer)


def _short_others(answer: Port) -> Iterator[Block]:
    """Name what stands for it too."""
    if answer.others:
        names = ", ".join(each.instruction for each in answer.others)
        yield Text(f"On {answer.after.target} these stand for it too: {names}.")


def _loops(answer: Port) -> Iterator[Block]:
    """Write the loads and the store of the new side, one line each."""
    lines = kernel_lines(answer.after) if answer.after.builtin else ""
    if lines:
        yield Heading(f"New: {answer.after.target}")
        yield Code(lines, "cpp")
    if answer.before.builtin or answer.after.builtin:
        yield Text("The old side beside it: --full. Whole kernels: --code old, --code new.")


def _also(answer: Port) -> Iterator[Block]:
    if answer.also_meant:
        names = ", ".join(answer.also_meant[:4])
        more = len(answer.also_meant) - 4
        rest = f" and {more} more" if more > 0 else ""
        yield Text(f"The words also mean {names}{rest}; name one to port that.")


def _calls(word: str, side: PortSide) -> Iterator[tuple[str, str]]:
    yield word, f"{side.instruction} on {side.target} ({side.title}), wave{side.wave}"
    yield "call", side.builtin or "no builtin: use it in assembly"


def _bits(answer: Port) -> Iterator[tuple[str, str]]:
    model = next(each for each in answer.changes if each.what == "model")
    yield "bits", f"{model.do} ({model.before}, then {model.after})"


def _table(changes: list[Change], old: str, new: str) -> Table:
    return Table(
        ("what", f"{old} (old)", f"{new} (new)"),
        tuple((each.what, each.before, each.after) for each in changes),
    )


def _advice(steps: tuple[Step, ...]) -> Iterator[Block]:
    rows = tuple((f"{place}. {each.what}", each.do) for place, each in enumerate(steps, 1))
    if rows:
        yield Heading("What to do", 3)
        yield Facts(rows)


def _others(answer: Port) -> Iterator[Block]:
    if not answer.others:
        return
    yield Table(
        ("instruction", "A, B, D", f"ops/{answer.after.unit}/cycle"),
        tuple(
            (each.instruction, ", ".join(each.formats), number(each.ops_per_cu_per_cycle))
            for each in answer.others
        ),
        title=f"These on {answer.after.target} stand for it too",
        right=(2,),
        keep=(0,),
    )


def _side(word: str, side: PortSide) -> Iterator[Block]:
    yield Heading(f"{word}: {side.target}")
    if not side.builtin:
        yield Text("The compiler has no builtin for it, so no kernel can be written.")
        return
    yield Facts((("first LLVM", side.oldest_llvm),))
    yield Code(unfolded(side.prototype), "cpp")
    yield Code(as_kernel(side), "cpp")
