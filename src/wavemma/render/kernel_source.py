"""A side of a port as program text: loaders, the call in its loop over k, and the store."""

from collections.abc import Iterator

from wavemma.explain.layout import RegisterLayout
from wavemma.explain.operand import Asked
from wavemma.explain.port_side import OperandUse, PortSide
from wavemma.render.source import C_HEAD, c_load, c_store, c_type

_WIDTH, _DEEPEST = 80, 10
_NOTHING: dict[str, int] = {}
_POINTERS = {"index": "Index", "scale_a": "ScaleA", "scale_b": "ScaleB"}


def as_kernel(side: PortSide) -> str:
    """Write HIP C++ with one kernel: one wave multiplies one tile with the builtin.

    A, B, C and D are row-major matrices of codes. A is as wide as all of k, B as wide as the tile.
    A sparse A has its kept elements side by side, the index their places in their groups of four.
    With several blocks, or where C and D differ in format, the kernel takes one step of k only.

    Args:
        side: A side with a builtin.

    """
    parts = [_head(side), *_declarations(side), C_HEAD]
    for use in side.operands:
        if use.role == "d":
            parts.append(c_store(_as_layout(side, use)))
        else:
            parts.append(c_load(_as_layout(side, use)))
    return "\n".join([*parts, _kernel(side)])


def has_loop(side: PortSide) -> bool:
    """Whether the result can be the accumulator of the next step of k."""
    c, d = side.operand("c"), side.operand("d")
    return bool(c and d and c.format == d.format and c.type == d.type and side.blocks == 1)


def _head(side: PortSide) -> str:
    m, n, k = side.shape
    steps = f"steps of k: {k}" if has_loop(side) else f"one step of k: {k}"
    blocks = f", {side.blocks} blocks" if side.blocks > 1 else ""
    return (
        f"// {side.instruction} on {side.target}, wave{side.wave}\n"
        f"// one wave: D = A*B + C, tile {m}x{n}{blocks}, {steps}\n"
        f"// {side.compile}\n"
    )


def _declarations(side: PortSide) -> Iterator[str]:
    lines = [each.declaration for each in side.types]
    if lines:
        yield "\n".join(lines) + "\n"


def _kernel(side: PortSide) -> str:
    inputs = [use for use in side.operands if use.role != "d"]
    moved = [use for use in inputs if use.role != "c"]
    d = next(use for use in side.operands if use.role == "d")
    c = next(use for use in inputs if use.role == "c")
    inside = [line for use in moved for line in _load(side, use)]
    lines = [*_signature(side, inputs, d), "{"]
    lines.append(f"    const int lane = threadIdx.x % {side.wave};")
    lines += _indented(_load(side, c))
    if has_loop(side):
        call = _call(side, "c")
        lines.append(f"    for (int k = 0; k < K; k += {side.shape[2]}) {{")
        lines += _indented(_indented([*inside, *call]))
        lines.append("    }")
        result = "c"
    else:
        lines.append("    const int k = 0;")
        lines += _indented([*inside, *_call(side, f"const {d.type} d")])
        result = "d"
    lines += [
        f"    uint32_t v_d[sizeof {result} / 4];",
        f"    __builtin_memcpy(v_d, &{result}, sizeof {result});",
        f"    store_d(D, {_columns(side, d)}, v_d, lane);",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _signature(side: PortSide, inputs: list[OperandUse], d: OperandUse) -> Iterator[str]:
    words = [f"const {c_type(use.element_bits)} *{_pointer(use)}" for use in inputs]
    words += [f"{c_type(d.element_bits)} *D", "int K"]
    yield from _wrapped("__global__ void multiply_tile(", words, ")")


def _load(side: PortSide, use: OperandUse) -> list[str]:
    """Write the lines that load one operand into a variable of its C type."""
    name = use.role
    # Older compilers take one register of an index that fills two.
    count = use.registers if name == "index" else f"sizeof({use.type}) / 4"
    return [
        f"uint32_t v_{name}[{count}] = {{0}};",
        f"load_{name}(v_{name}, {_place(side, use)}, {_columns(side, use)}, lane);",
        f"{use.type} {name};",
        f"__builtin_memcpy(&{name}, v_{name}, sizeof {name});",
    ]


def _call(side: PortSide, result: str) -> list[str]:
    return list(_wrapped(f"{result} = {side.builtin}(", list(side.call), ");"))


def _wrapped(start: str, words: list[str], end: str) -> Iterator[str]:
    """Write a list on one line, or filled into lines below."""
    line = start + ", ".join(words) + end
    if len(line) <= _WIDTH - _DEEPEST:
        yield line
        return
    yield start
    line = "   "
    for number, word in enumerate(words):
        part = f" {word}{',' if number + 1 < len(words) else end}"
        if len(line) + len(part) > _WIDTH - _DEEPEST:
            yield line
            line = "   "
        line += part
    yield line


def _pointer(use: OperandUse) -> str:
    return _POINTERS.get(use.role, use.name)


def _place(side: PortSide, use: OperandUse) -> str:
    """Write where the part of a matrix for this step begins."""
    part = _part(side, use.role)
    if use.role in ("b", "scale_b"):
        return f"{_pointer(use)} + {part} * {_width(use)}"
    return f"{_pointer(use)} + {part}" if use.role != "c" else _pointer(use)


def _columns(side: PortSide, use: OperandUse) -> str:
    """Write the length of a row: all of k, or the width of the tile."""
    if use.role in ("b", "c", "d", "scale_b"):
        return str(_width(use))
    return _part(side, use.role, "K") if has_loop(side) else str(_width(use))


def _part(side: PortSide, role: str, count: str = "k") -> str:
    """Write how many elements of a role belong to that many k."""
    if role.startswith("scale"):
        return f"{count} / {side.scale_block}"
    return f"{count} / 2" if side.sparse and role in ("a", "index") else count


def _width(use: OperandUse) -> int:
    return int(use.matrix.partition("x")[2])


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _as_layout(side: PortSide, use: OperandUse) -> RegisterLayout:
    """Give an operand as the record that source text is written from."""
    return RegisterLayout(
        asked=Asked(side.target, side.instruction, use.name, side.wave, use.format, _NOTHING),
        extents=use.extents,
        element_bits=use.element_bits,
        stride_bits=use.stride_bits,
        offset_bits=use.offset_bits,
        slots=use.slots,
        registers=use.registers,
        lanes=tuple(range(use.lanes[0], use.lanes[1] + 1)),
        formulas=use.formulas,
        evidence=(),
    )
