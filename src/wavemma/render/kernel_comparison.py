"""How the comparison of two runs of a kernel reads."""

from wavemma.explain.kernel_comparison import KernelComparison
from wavemma.explain.store_place import StorePlace
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.words import number

ENDED = "The run had ended."


@document_of.register
def _kernel_comparison(answer: KernelComparison) -> Document:
    models = tuple((each.instruction, each.own, each.other) for each in answer.models)
    blocks: list[Block] = [
        Heading(f"{answer.kernel} on {answer.target}, compared with {answer.compared_with}", 1),
        Table(("instruction", "own model", "other model"), models, "Models", keep=(0,)),
    ]
    if answer.is_same:
        blocks.append(Text(f"All {answer.stores:,} stores of lanes are the same bits."))
    else:
        blocks += _first(answer)
    rows = tuple(
        (
            f"{each.argument}, {each.output}" if each.output else str(each.argument),
            each.type,
            f"{each.elements:,}",
            f"{each.differing:,}",
            number(each.largest),
        )
        for each in answer.arrays
    )
    head = ("argument", "type", "elements", "differing", "largest difference")
    blocks.append(Table(head, rows, "Arrays at the end", right=(2, 3, 4), keep=(0,)))
    return tuple(blocks)


def _first(answer: KernelComparison) -> list[Block]:
    """Show the first store that differs: once if both runs do it at one place, else twice."""
    own, other = answer.own, answer.other
    title = f"First store that differs, after {answer.stores:,} equal ones"
    if own and other and _where(own) == _where(other):
        values = (("stored", _value(own)), ("stored instead", _value(other)))
        return [Heading(title), Facts((*_where(own), *values))]
    blocks: list[Block] = [Heading(title), Text("The runs went different ways.")]
    for name, each in (("This run", own), ("The other run", other)):
        blocks.append(Heading(name, 3))
        blocks.append(Facts((*_where(each), ("stored", _value(each)))) if each else Text(ENDED))
    return blocks


def _where(store: StorePlace) -> tuple[tuple[str, str], ...]:
    function = f" in {store.function}" if store.function else ""
    facts = [("instruction", store.instruction), ("at", f"0x{store.code_address:x}{function}")]
    if store.line:
        facts.append(("line", str(store.line)))
    group = ", ".join(map(str, store.group))
    facts.append(("by", f"workgroup ({group}), wave {store.wave}, lane {store.lane}"))
    facts.append(("address", f"0x{store.address:x}, {store.size_bytes} bytes"))
    if store.argument is not None:
        name = f" ({store.output})" if store.output else ""
        index = ", ".join(map(str, store.index))
        facts.append(("element", f"[{index}] of argument {store.argument}{name}, {store.type}"))
    return tuple(facts)


def _value(store: StorePlace) -> str:
    return f"0x{store.bits}" + (f", {store.number}" if store.number else "")
