"""What an output should be, from A, B and C."""

import numpy as np

from wavemma.errors import ArrayMistake
from wavemma.explain.shape_difference import factor_hint, shape_hint, start_hint
from wavemma.explain.tile_sample import Array, numbers
from wavemma.formats import number_format
from wavemma.isa.instruction import Instruction

# Products of more multiplications are summed in float32 if their factors are narrow.
_LARGE = 1 << 33


def wanted_of(
    instruction: Instruction,
    got: Array,
    arrays: tuple[Array | None, Array | None, Array | None],
    scales: tuple[Array | None, Array | None],
) -> Array:
    """Compute what D should be.

    Args:
        instruction: The one that computes it.
        got: What came.
        arrays: A, B and C.
        scales: Scales of A and of B, or None.

    Raises:
        ArrayMistake: A or B is missing, or they make a matrix of another size.

    """
    a, b, c = arrays
    if a is None or b is None:
        raise ArrayMistake(
            "want must be given, or a and b to compute it from.",
            hint="wavemma diagnose TARGET OP --want want.npy --got got.npy",
        )
    hint = factor_hint(got.shape, a, b) if got.ndim > 1 else ""
    made = exact_product(instruction, (a, b, c), scales, hint)
    if made.shape[-2:] != got.shape[-2:]:
        raise ArrayMistake(
            f"a and b make a matrix of {list(made.shape)}; got has shape {list(got.shape)}.",
            subject=got.shape,
            hint=hint or shape_hint(made, got, instruction.formats["d"][0]),
        )
    return made


def exact_product(
    instruction: Instruction,
    arrays: tuple[Array, Array, Array | None],
    scales: tuple[Array | None, Array | None],
    hint: str = "",
) -> Array:
    """Multiply in float64.

    Args:
        instruction: Whose formats the arrays have.
        arrays: A [..., M, K], B [..., K, N], and C [..., M, N] or None.
        scales: Scales of A [..., M, K / block] and of B [..., K / block, N], or None.
        hint: What to say of A and B that do not share K.

    Returns:
        float64 [..., M, N].

    Raises:
        ArrayMistake: A and B do not share K, or C does not fit.

    """
    a, b, c = arrays
    left, right = numbers(a, instruction.formats["a"][0]), numbers(b, instruction.formats["b"][0])
    spread = instruction.matrix.scale_block
    if scales[0] is not None and spread:
        found = numbers(scales[0], instruction.formats["scale_a"][0])
        left = left * np.repeat(found, spread, axis=-1)[..., : left.shape[-1]]
    if scales[1] is not None and spread:
        found = numbers(scales[1], instruction.formats["scale_b"][0])
        right = right * np.repeat(found, spread, axis=-2)[..., : right.shape[-2], :]
    if left.ndim < 2 or right.ndim < 2 or left.shape[-1] != right.shape[-2]:
        raise ArrayMistake(
            f"a [..., M, K] and b [..., K, N] must share K; they have shapes {list(a.shape)} and"
            f" {list(b.shape)}.",
            subject=a.shape,
            hint=hint,
        )
    floats = all(number_format(instruction.formats[role][0]).is_float for role in ("a", "b"))
    if floats and left.size * right.shape[-1] > _LARGE and max(a.itemsize, b.itemsize) <= 2:
        # Floats of 16 bits and less lose nothing that a comparison of sums would see.
        left, right = left.astype(np.float32), right.astype(np.float32)
    product: Array = np.matmul(left, right).astype(np.float64)
    if c is None:
        return product
    if c.shape[-2:] != product.shape[-2:]:
        raise ArrayMistake(
            f"c must have the shape of a @ b, {list(product.shape)}; it has {list(c.shape)}.",
            subject=c.shape,
            hint=start_hint(product.shape, c),
        )
    return product + numbers(c, instruction.formats["c"][0])
