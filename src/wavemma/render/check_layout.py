"""How the verdict on a mapping reads."""

from collections.abc import Callable, Mapping

from wavemma.explain.check_layout import Counterexample, LayoutCheck, Verdict
from wavemma.explain.claim import PLACES
from wavemma.explain.k_orders import KPermutation
from wavemma.explain.layout_search import Owner
from wavemma.render.document import Block, Code, Detail, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.spots import asked_facts, runs
from wavemma.render.words import listed, plural

_REGISTERS = {
    "v": "v{}",
    "n": "n = {}",
    "slot": "slot {}",
    "lane": "lane {}",
    "thread": "thread {}",
}
_MOST_ORDERS = 10**9


@document_of.register
def _layout_check(answer: LayoutCheck) -> Document:
    asked = answer.asked
    blocks: list[Block] = [
        Heading(f"A mapping for {asked.operand} of {asked}", 1),
        Text(_headline(answer)),
    ]
    if answer.read_as:
        blocks.append(Text(_read_as(answer)))
    named = asked_facts(asked) if asked.modifiers or asked.is_assumed else ()
    rows = (*named, *_rows(answer))
    if rows:
        blocks.append(Facts(rows))
    blocks += _alike(answer.owners)
    if answer.right_form and answer.verdict not in ("right", "right so far", "unknown"):
        title = "The table's map" if answer.permutation else "The right map"
        blocks += [Heading(f"{title}, in your words", 3), Code(_lines(answer.right_form))]
    elif answer.syntax == "table" and answer.wrong:
        line = f"wavemma layout {asked.target} {asked.instruction} {asked.operand} --csv"
        blocks += [Heading("The right table", 3), Code(line)]
    if answer.permutation:
        blocks += _permutation(answer, answer.permutation)
    return tuple(blocks)


def _headline(answer: LayoutCheck) -> str:
    text = _VERDICTS[answer.verdict](answer)
    if not answer.unchecked or answer.verdict == "right so far":
        return text
    return f"{text.replace('Right,', 'Right so far,', 1)} {_unchecked(answer)}"


def _read_as(answer: LayoutCheck) -> str:
    how = answer.read_as.replace("stride", answer.stride)
    text = f"The subscript is read as {how}"
    if answer.read_as.startswith("column"):
        return f"{text}: it is wrong for a matrix that lies row by row."
    return f"{text}; names that are not in it, such as a tile's place, count as 0."


def _right(answer: LayoutCheck) -> str:
    return f"Right: it holds for all {answer.total} {answer.counted}."


def _so_far(answer: LayoutCheck) -> str:
    gives_places = answer.counted == "elements"
    given = [word for name, word in answer.words.items() if (name in PLACES) == gives_places]
    return (
        f"Right so far: {listed(given)} {'holds' if len(given) == 1 else 'hold'} for all"
        f" {answer.total} {answer.counted}. {_unchecked(answer)}"
    )


def _unchecked(answer: LayoutCheck) -> str:
    return f"It does not give {listed(answer.unchecked)}: that was not checked."


def _wrong(answer: LayoutCheck) -> str:
    text = f"Wrong for {answer.wrong} of {answer.total} {answer.counted}"
    if answer.outside:
        text += f"; {answer.outside} of them are outside of the matrix or of the wave's registers"
    if answer.permutation:
        text += (
            ". It is another order of k, which A and B may share without block scales; here it"
            " mixes k that have different scales"
        )
    return f"{text}."


def _equivalent(answer: LayoutCheck) -> str:
    partner = answer.permutation.partner if answer.permutation else "the other operand"
    return (
        f"Right, if {partner} has the same order of k: {answer.wrong} of {answer.total}"
        f" {answer.counted} differ from the table, by one permutation of k and nothing else."
        f" Products are right if A and B share it{_and_scales(answer)}, and wrong if they do not."
    )


def _and_scales(answer: LayoutCheck) -> str:
    moving = answer.permutation is not None and answer.permutation.scales == "move"
    return " and the block scales move with it" if moving else ""


def _first_wave(answer: LayoutCheck) -> str:
    word = answer.words.get("thread", "thread")
    return (
        f"Right in the first wave only: {word} counts the threads of the workgroup, and lane is"
        f" {word} % {answer.asked.wave}. For a tile of each wave's own, write {word} /"
        f" {answer.asked.wave} for the wave."
    )


def _unknown(answer: LayoutCheck) -> str:
    return "The layout of this operand is unknown, so nothing can be said."


_VERDICTS: dict[Verdict, Callable[[LayoutCheck], str]] = {
    "right": _right,
    "right so far": _so_far,
    "wrong": _wrong,
    "equivalent": _equivalent,
    "first wave only": _first_wave,
    "unknown": _unknown,
}


def _rows(answer: LayoutCheck) -> tuple[tuple[str, str], ...]:
    rows = []
    if answer.first:
        title = "for example" if answer.permutation else "first"
        rows.append((title, _first(answer, answer.first)))
    rows += [("whose map it is", _owner(owner)) for owner in answer.owners]
    if answer.verdict == "wrong" and not answer.owners:
        rows.append(("whose map it is", "nobody's: no operand of any instruction has it"))
    return tuple(rows)


def _first(answer: LayoutCheck, first: Counterexample) -> str:
    """Write "lane 0 v1: yours gives (row, col) = (1, 0), right is (2, 0)"."""
    names = list(first.right)
    words = ", ".join(answer.words.get(name, name) for name in names)
    claimed = _tuple(first.claimed, names) if first.claimed else "nothing"
    return (
        f"{_where(answer, first.at)}: yours gives ({words}) = {claimed}, right is"
        f" {_tuple(first.right, names)}"
    )


def _where(answer: LayoutCheck, at: Mapping[str, int]) -> str:
    if answer.counted == "places":
        return " ".join(_REGISTERS[name].format(number) for name, number in at.items())
    return ", ".join(f"{answer.words.get(name, name)} {number}" for name, number in at.items())


def _tuple(found: Mapping[str, int], names: list[str]) -> str:
    numbers = ", ".join(str(found.get(name, "-")) for name in names)
    return f"({numbers})" if len(names) > 1 else numbers


def _owner(owner: Owner) -> str:
    text = f"{owner.operand} of {owner.instruction} on {', '.join(owner.targets)}"
    text += f", wave{owner.wave}"
    if owner.half:
        text += ", high halves (op_sel 1)"
    if owner.times > 1:
        text += f", {owner.times} of them after one another along k"
    if owner.transposed:
        text += ", with rows and columns exchanged"
    if owner.others:
        count = plural(len(owner.others), "other operand")
        text += f" (and {count} with the same map: --full)"
    return text


def _alike(owners: tuple[Owner, ...]) -> list[Block]:
    """List all operands with the same map."""
    rows = tuple(
        (
            f"{each.operand}{' (high halves)' if each.half else ''}",
            each.instruction,
            str(each.wave),
            ", ".join(each.targets),
        )
        for owner in owners
        for each in owner.others
    )
    if not rows:
        return []
    title = "Others with the same map"
    return [Detail((Table(("operand", "instruction", "wave", "targets"), rows, title, keep=(1,)),))]


def _permutation(answer: LayoutCheck, found: KPermutation) -> list[Block]:
    order = f"your k 0..{len(found.order) - 1} is the table's {runs(found.order)}"
    if found.is_contiguous:
        order += "; kernels whose lanes load neighbouring k use this order"
    count = f"{found.orders:,}" if found.orders < _MOST_ORDERS else f"{found.orders:.1e}"
    rows = [
        ("order of k", order),
        *(
            (("equally right", f"{count} orders, each if A and B share it"),)
            if answer.verdict == "equivalent"
            else ()
        ),
        *(("still differs", text) for text in found.differs),
    ]
    blocks: list[Block] = [Heading("The order of k", 3), Facts(tuple(rows))]
    if found.partner_form:
        blocks += [
            Heading(f"{found.partner} in the same order", 3),
            Code(_lines(found.partner_form)),
        ]
    return blocks


def _lines(formulas: str) -> str:
    return formulas.replace("; ", ";\n") if formulas.endswith(";") else formulas.replace("; ", "\n")
