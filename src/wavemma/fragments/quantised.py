"""Real numbers as A or B of a block-scaled instruction: codes, scales and the error."""

from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake, EncodingMistake
from wavemma.formats.blocks import BlockError, ScaleRule, block_error, quantise
from wavemma.formats.exact import as_f64
from wavemma.formats.format import number_format
from wavemma.fragments.cells import Matrix
from wavemma.isa.instruction import Instruction
from wavemma.tables.format_names import format_among

_AXES: dict[str, int] = {"a": -1, "b": -2}


class QuantisedOperand(NamedTuple):
    """One factor of a scaled product.

    Attributes:
        codes: Codes of the elements, A [..., M, K] or B [..., K, N], k filled up with zeros to
            whole blocks.
        scales: Codes of the scales, [..., M, K/block] or [..., K/block, N].
        format: Name of the elements' format.
        scale_format: Name of the scales' format.
        block: Elements that share a scale.
        error: How far the codes are from the numbers.

    """

    codes: Matrix
    scales: Matrix
    format: str
    scale_format: str
    block: int
    error: BlockError


def quantise_operand(
    numbers: npt.ArrayLike,
    instruction: Instruction,
    role: Literal["a", "b"],
    *,
    format: str | None = None,
    scale_format: str | None = None,
    rule: ScaleRule | None = None,
) -> QuantisedOperand:
    """Turn real numbers into a factor of a scaled instruction.

    Args:
        numbers: Finite, A [..., M, K] or B [..., K, N], any size.
        instruction: A scaled instruction.
        role: "a" or "b".
        format: Format of the elements; the first that the instruction takes if None.
        scale_format: Format of the scales; the first that goes with the elements if None.
        rule: How scales are chosen, as for `formats.blocks.quantise`.

    Raises:
        ArrayMistake: A number is not finite, or the array has no two axes.
        EncodingMistake: The instruction has no scales.
        UnknownFormat: The instruction does not take the format, or not with these elements.

    """
    if not instruction.is_scaled:
        raise EncodingMistake(
            f"{instruction.name} has no block scales.",
            subject=instruction.name,
            hint="Places of scales: wavemma scale where --help",
        )
    form = number_format(_allowed(instruction, role, format, instruction.formats[role]))
    fitting = scale_formats(instruction, form.name)
    scale_form = number_format(_allowed(instruction, f"scale_{role}", scale_format, fitting))
    block, axis = instruction.matrix.scale_block, _AXES[role]
    whole = _padded(as_f64(numbers), block, axis)
    made = quantise(whole, form, scale_form, block, axis=axis, rule=rule)
    return QuantisedOperand(
        made.codes,
        made.scales,
        form.name,
        scale_form.name,
        block,
        block_error(whole, made, form, scale_form, block, axis=axis),
    )


def scale_formats(instruction: Instruction, format: str) -> tuple[str, ...]:
    """List the scale formats that go with elements of a format."""
    row = instruction.matrix
    if row.scale_free and format != row.scale_free:
        return row.scale_formats[:1]
    return row.scale_formats


def _allowed(
    instruction: Instruction, role: str, name: str | None, allowed: tuple[str, ...]
) -> str:
    if name is None:
        return allowed[0]
    return format_among(name, allowed, f"{role} of {instruction.name}")


def _padded(numbers: npt.NDArray[np.float64], block: int, axis: int) -> npt.NDArray[np.float64]:
    """Fill k up with zeros to whole blocks."""
    if numbers.ndim < 2:
        raise ArrayMistake(
            f"A factor must be a matrix; it has shape {list(numbers.shape)}.",
            subject=numbers.shape,
        )
    short = [(0, 0)] * numbers.ndim
    short[axis] = (0, -numbers.shape[axis] % block)
    return np.pad(numbers, short)
