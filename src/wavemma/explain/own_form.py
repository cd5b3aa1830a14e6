"""The right map written the way a user wrote theirs: same names, same direction, same syntax."""

import re
from collections.abc import Mapping

from msgspec.structs import replace

from wavemma.errors import Unsupported
from wavemma.explain.claim import Claim, crosses, in_register
from wavemma.explain.table_input import cute_axes
from wavemma.layouts import Bit, Layout
from wavemma.layouts.formula import (
    Syntax,
    element_formulas,
    place_formulas,
    register_formulas,
)
from wavemma.layouts.layout import REGISTER_BITS


def right_form(claim: Claim, layout: Layout, role: str) -> str:
    """Write the right map in the form of a claim.

    Args:
        claim: What the user wrote.
        layout: The right layout as `seen` gives it.
        role: The operand, for the order in which CuTe counts.

    Returns:
        The text; empty where no such form describes the map, or it is a file.

    """
    try:
        return _WRITERS[claim.syntax](claim, layout, role)
    except Unsupported:
        return ""


def formulas_text(claim: Claim, layout: Layout, role: str) -> str:
    """Write formulas between semicolons."""
    syntax: Syntax = "c" if claim.syntax == "c" else "python"
    lines = [f"{word} = {text}" for word, text in _formulas(claim, layout, syntax).items()]
    return "; ".join(lines) + (";" if claim.text.rstrip().endswith(";") else "")


def _lambda(claim: Claim, layout: Layout, role: str) -> str:
    """Write a Python function in one line."""
    texts = ", ".join(_formulas(claim, layout, "python").values())
    return f"lambda {', '.join(claim.inputs.values())}: ({texts})"


def _formulas(claim: Claim, layout: Layout, syntax: Syntax) -> dict[str, str]:
    """Write the claim's outputs from its inputs, by the user's words."""
    found = (_elements if claim.is_forward else _places)(claim, layout, syntax)
    words = {**claim.inputs}
    if "thread" in words and claim.is_forward:
        words["lane"] = f"({words['thread']} % {layout.wave})"
    return {
        word: _renamed(found[name if name != "thread" else "lane"], words)
        for name, word in claim.outputs.items()
        if (name if name != "thread" else "lane") in found
    }


def _elements(claim: Claim, layout: Layout, syntax: Syntax) -> dict[str, str]:
    by_slot = "slot" in claim.inputs or crosses(layout)
    return (element_formulas if by_slot else register_formulas)(layout, syntax)


def _places(claim: Claim, layout: Layout, syntax: Syntax) -> dict[str, str]:
    found = place_formulas(layout, syntax)
    if crosses(layout) or layout.has_moves:
        return {"lane": found["lane"], "slot": found["slot"]}
    within = in_register(layout).bit_length() - 1
    low, high = layout.slot_bits[:within], layout.slot_bits[within:]
    step = max(layout.stride_bits // REGISTER_BITS, 1)
    v = _number(layout, high, syntax)
    bit = f"{layout.stride_bits}*({_number(layout, low, syntax)})" if low else "0"
    return {
        "lane": found["lane"],
        "slot": found["slot"],
        "v": v if step == 1 or v == "0" else f"{step}*({v})",
        "n": _number(layout, low, syntax),
        "bit": bit if not layout.offset_bits else f"{bit} + {layout.offset_bits}".lstrip("0 +"),
    }


def _number(layout: Layout, bits: tuple[Bit, ...], syntax: Syntax) -> str:
    """Write the number that some bits of the indices make, lowest first."""
    rest = tuple(bit for bit in layout.slot_bits if bit not in bits)
    only = replace(
        layout, lane_bits=layout.lane_bits + rest, slot_bits=bits, wave=layout.wave << len(rest)
    )
    return place_formulas(only, syntax)["slot"]


def _renamed(text: str, words: Mapping[str, str]) -> str:
    """Put the user's words for ours."""
    return re.sub(r"[A-Za-z_]+", lambda match: words.get(match[0], match[0]), text)


def _cute(claim: Claim, layout: Layout, role: str) -> str:
    """Write shape:stride of lane and value."""
    _check_plain(layout)
    fast, slow = cute_axes(role)
    sizes = layout.size
    units = {fast: 1, slow: sizes[fast], "b": sizes[fast] * sizes[slow]}
    lanes, slots = (
        [units[bit.letter] << bit.position for bit in bits]
        for bits in (layout.lane_bits, layout.slot_bits)
    )
    # Lanes that repeat others step by nothing.
    lanes += [0] * (len(layout.copies).bit_length() - 1)
    modes = [_mode(lanes), _mode(slots)]
    shapes, strides = zip(*modes, strict=True)
    return f"({','.join(shapes)}):({','.join(strides)})"


def _mode(strides: list[int]) -> tuple[str, str]:
    """Join bits whose strides double into one part of a mode."""
    parts: list[tuple[int, int]] = []
    for stride in strides:
        if parts and stride == parts[-1][0] * parts[-1][1]:
            parts[-1] = (parts[-1][0] * 2, parts[-1][1])
        else:
            parts.append((2, stride))
    if len(parts) == 1:
        return str(parts[0][0]), str(parts[0][1])
    if not parts:
        return "1", "0"
    return (
        f"({','.join(str(size) for size, _ in parts)})",
        f"({','.join(str(stride) for _, stride in parts)})",
    )


def _bases(claim: Claim, layout: Layout, role: str) -> str:
    """Write the bases of register and lane; copies are bases of zeros."""
    _check_plain(layout)
    axes = [letter for letter in ("b", "row", "col") if letter in layout.size]

    def basis(bit: Bit) -> list[int]:
        return [1 << bit.position if letter == bit.letter else 0 for letter in axes]

    lanes = list(map(basis, layout.lane_bits))
    lanes += [[0] * len(axes)] * (len(layout.copies).bit_length() - 1)
    return f"register = {list(map(basis, layout.slot_bits))}, lane = {lanes}"


def _check_plain(layout: Layout) -> None:
    if layout.has_moves:
        raise Unsupported("Moved lanes and blocks have no such form.")


def _file(claim: Claim, layout: Layout, role: str) -> str:
    return ""


def _access(claim: Claim, layout: Layout, role: str) -> str:
    """Fill the subscripts of the user's own statement."""
    found = _formulas(claim, layout, "python" if "//" in claim.text else "c")
    return claim.form.replace("{row}", found["row"]).replace("{col}", found["col"])


_WRITERS = {
    "access": _access,
    "python": formulas_text,
    "c": formulas_text,
    "callable": _lambda,
    "table": _file,
    "cute": _cute,
    "bases": _bases,
}
