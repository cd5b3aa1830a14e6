"""A layout as program text: functions that load a fragment from a matrix and store it back."""

from collections.abc import Sequence
from textwrap import dedent, indent

from wavemma.errors import Unsupported
from wavemma.explain.formula_pairs import Formula
from wavemma.explain.layout import RegisterLayout
from wavemma.render.register_map import matrix_sizes
from wavemma.render.spots import caption

REGISTER_BITS = 32
_C_WIDTHS = (8, 16, 32, 64)


def as_python(answer: RegisterLayout) -> str:
    """Write Python that loads the fragment of a whole wave from a matrix and stores it back.

    A matrix is a list of rows of codes; registers are registers[lane][v] of 32 bits each.

    Args:
        answer: A layout without moves.

    Raises:
        Unsupported: The layout is unknown, or modifiers move its lanes or blocks.

    """
    formulas = _formulas(answer)
    name = answer.asked.operand.lower()
    steps = [f"{each.name} = {each.python}" for each in formulas]
    element = "matrix" + "".join(f"[{part}]" for part in _subscripts(answer))
    zeros = "0"
    for size in reversed(matrix_sizes(answer)):
        zeros = f"[{zeros}] * {size}" if zeros == "0" else f"[{zeros} for _ in range({size})]"
    return _PYTHON.format(
        title=caption(answer.asked),
        wave=answer.asked.wave,
        lanes=_lanes(answer.lanes),
        registers=answer.registers,
        slots=answer.slots,
        stride=answer.stride_bits,
        offset=answer.offset_bits,
        mask=hex((1 << answer.element_bits) - 1),
        name=name,
        subscripts="".join(f"[{part}]" for part in _subscripts(answer)),
        steps=indent("\n".join(steps), " " * 12),
        element=element,
        zeros=zeros,
    )


def as_c(answer: RegisterLayout) -> str:
    """Write C that loads the registers of one lane from a row-major matrix and stores them back.

    The text is also C++ and HIP. Elements of 4 and 6 bits are one code a byte.

    Args:
        answer: A layout without moves.

    Raises:
        Unsupported: The layout is unknown, or modifiers move its lanes or blocks.

    """
    return _C.format(
        title=caption(answer.asked),
        matrix="".join(f"[{part}]" for part in _subscripts(answer)),
        registers=answer.registers,
        wave=answer.asked.wave,
        head=C_HEAD,
        load=c_load(answer),
        store=c_store(answer),
    )


def c_load(answer: RegisterLayout) -> str:
    """Write the function of `as_c` that loads, without the lines that it needs above (C_HEAD).

    Raises:
        Unsupported: As for `as_c`.

    """
    return _C_LOAD.format(**_c_values(answer))


def c_store(answer: RegisterLayout) -> str:
    """Write the function of `as_c` that stores, without the lines that it needs above (C_HEAD).

    Raises:
        Unsupported: As for `as_c`.

    """
    return _C_STORE.format(**_c_values(answer))


def c_type(element_bits: int) -> str:
    """Name the C type that holds the code of an element."""
    return f"uint{next(width for width in _C_WIDTHS if width >= element_bits)}_t"


def _c_values(answer: RegisterLayout) -> dict[str, object]:
    """Give what the templates of C leave open."""
    steps = [f"const int {each.name} = {each.c};" for each in _formulas(answer)]
    load, store = _c_moves(answer.element_bits)
    values = {
        "bits": str(answer.element_bits),
        "mask": f"{hex((1 << answer.element_bits) - 1)}u",
        "element": f"matrix[{_flat(answer)}]",
        "type": c_type(answer.element_bits),
    }
    return {
        **values,
        "registers": answer.registers,
        "slots": answer.slots,
        "stride": answer.stride_bits,
        "offset": f" + {answer.offset_bits}" if answer.offset_bits else "",
        "name": answer.asked.operand.lower(),
        "guard": _guard(answer),
        "steps": indent("\n".join(steps), " " * 8),
        "load": indent(load.format(**values), " " * 8),
        "store": indent(store.format(**values), " " * 8),
    }


def _formulas(answer: RegisterLayout) -> Sequence[Formula]:
    if answer.unknown:
        raise Unsupported(f"No source can be written: {answer.unknown}.")
    if not answer.formulas.element:
        raise Unsupported(
            "No source can be written where modifiers move lanes or blocks: they change what is"
            " read, not how it is loaded.",
            hint="Leave cbsz, abid and blgp out.",
        )
    return answer.formulas.element


def _subscripts(answer: RegisterLayout) -> tuple[str, ...]:
    """Write the subscripts of an element; kept elements of a group stand side by side."""
    letters = [letter for letter, _ in answer.extents]
    if letters[-1] == "s":
        letters[-2:] = [f"{answer.extents[-1][1]}*g + s"]
    return tuple(letters)


def _flat(answer: RegisterLayout) -> str:
    """Write the number of an element in a row-major matrix, blocks one after the other."""
    *blocks, row, column = _subscripts(answer)
    line = f"({blocks[0]} * {matrix_sizes(answer)[-2]} + {row})" if blocks else row
    return f"{line} * stride + {column}"


def _lanes(lanes: tuple[int, ...]) -> str:
    return f"range({lanes[0]}, {lanes[-1] + 1})"


def _guard(answer: RegisterLayout) -> str:
    """Write what keeps lanes out that hold nothing; "" if all hold something."""
    if len(answer.lanes) == answer.asked.wave:
        return ""
    below = f"lane < {answer.lanes[0]} || " if answer.lanes[0] else ""
    return f"    if ({below}lane > {answer.lanes[-1]}) return;\n"


def _c_moves(bits: int) -> tuple[str, str]:
    """Choose how C takes an element out of the matrix and puts it back."""
    if bits > REGISTER_BITS:
        return _C_WIDE
    return _C_SPANNING if REGISTER_BITS % bits else _C_NARROW


_PYTHON = '''\
"""{title}.

A matrix is a list of rows of codes, matrix{subscripts}; registers[lane][v] are 32 bits each.
A lane is the thread's number modulo the wave size.
"""

WAVE = {wave}
LANES = {lanes}
REGISTERS = {registers}
SLOTS = {slots}
STRIDE_BITS = {stride}
OFFSET_BITS = {offset}
MASK = {mask}


def load_{name}(matrix):
    """Fill the registers of every lane from a matrix."""
    registers = [[0] * REGISTERS for _ in range(WAVE)]
    for lane in LANES:
        held = 0
        for slot in range(SLOTS):
{steps}
            held |= ({element} & MASK) << OFFSET_BITS + STRIDE_BITS * slot
        registers[lane] = [held >> 32 * v & 0xFFFFFFFF for v in range(REGISTERS)]
    return registers


def store_{name}(registers):
    """Read a matrix out of the registers of every lane."""
    matrix = {zeros}
    for lane in LANES:
        held = sum(bits << 32 * v for v, bits in enumerate(registers[lane]))
        for slot in range(SLOTS):
{steps}
            {element} = held >> OFFSET_BITS + STRIDE_BITS * slot & MASK
    return matrix
'''

_C = """\
/* {title}.
 *
 * matrix{matrix} is row-major, stride elements from one row to the next; one code each.
 * v holds the {registers} registers of one lane; lane is the thread's number modulo {wave}.
 */
{head}
{load}
{store}"""

C_HEAD = """\
#include <stddef.h>
#include <stdint.h>

#ifdef __HIP__
#define WAVEMMA_FUNCTION __device__ static inline
#else
#define WAVEMMA_FUNCTION static inline
#endif
"""

_C_LOAD = """\
WAVEMMA_FUNCTION void load_{name}(uint32_t *v, const {type} *matrix, size_t stride, int lane)
{{
    for (int n = 0; n < {registers}; ++n) v[n] = 0;
{guard}    for (int slot = 0; slot < {slots}; ++slot) {{
{steps}
        const int bit = {stride} * slot{offset};
{load}
    }}
}}
"""

_C_STORE = """\
WAVEMMA_FUNCTION void store_{name}({type} *matrix, size_t stride, const uint32_t *v, int lane)
{{
{guard}    for (int slot = 0; slot < {slots}; ++slot) {{
{steps}
        const int bit = {stride} * slot{offset};
{store}
    }}
}}
"""

_C_NARROW = (
    "v[bit / 32] |= (uint32_t)({element} & {mask}) << bit % 32;",
    "{element} = ({type})(v[bit / 32] >> bit % 32 & {mask});",
)
# Elements that may run over the border of a register.
_C_SPANNING = (
    dedent(
        """\
        const uint64_t code = (uint64_t)({element} & {mask}) << bit % 32;
        v[bit / 32] |= (uint32_t)code;
        if (code >> 32) v[bit / 32 + 1] |= (uint32_t)(code >> 32);"""
    ),
    dedent(
        """\
        uint64_t code = v[bit / 32];
        if (bit % 32 + {bits} > 32) code |= (uint64_t)v[bit / 32 + 1] << 32;
        {element} = ({type})(code >> bit % 32 & {mask});"""
    ),
)
_C_WIDE = (
    dedent(
        """\
        v[bit / 32] = (uint32_t){element};
        v[bit / 32 + 1] = (uint32_t)({element} >> 32);"""
    ),
    "{element} = (uint64_t)v[bit / 32 + 1] << 32 | v[bit / 32];",
)
