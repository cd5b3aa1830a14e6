"""One instruction under drawn modifiers on drawn registers, and what the twin makes of them.

Nothing here asks the code under test what a modifier does or where an element is moved to.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.execute.places import Array, Places, read, write
from tests.numerics.adversarial import codes, limited, scale_codes
from tests.twin import dot
from wavemma.formats.decode import decode
from wavemma.formats.format import Format, number_format
from wavemma.isa.instruction import Instruction

LEGAL_GROUPS = (0x4, 0x8, 0xC, 0x9, 0xD, 0xE)
GROUP, KEPT, HALF_WAVE, HALF_BITS = 4, 2, 16, 16
# Of four waves two hold finite numbers only, one numbers that lie close together.
KINDS = ("finite", "any", "near", "finite")
# In this share of the batches the copies of A and B differ.
APART = 0.5


@dataclass(frozen=True)
class Problem:
    """What is asked of both sides."""

    instruction: Instruction
    wave: int
    effects: Mapping[str, int]
    formats: Mapping[str, str]
    where: Mapping[str, Places]
    sizes: Mapping[str, int]
    keep_finite: bool

    def effect(self, name: str) -> int:
        """A modifier's value, 0 where the instruction has none."""
        return self.effects.get(name, 0)

    @property
    def copies(self) -> int:
        """How often A and B are in the wave."""
        return len(self.where["a"].copies)

    def copy_of(self, row: int) -> int:
        """4.1: the copy that a row of D is made of, that of its own 16 lanes."""
        if self.copies == 1:
            return 0
        lane = int(self.where["d"].lanes[0, row, 0])
        return self.where["a"].copies.index(lane // HALF_WAVE * HALF_WAVE)

    @property
    def scale_block(self) -> int:
        """Products that share a scale."""
        return self.instruction.matrix.scale_block


def drawn_registers(problem: Problem, rng: np.random.Generator, waves: int) -> dict[str, Array]:
    """Registers of any bits, with operands that hurt where the instruction reads."""
    registers = {
        role: rng.integers(0, 1 << 32, (waves, count, problem.wave), dtype=np.uint32)
        for role, count in problem.sizes.items()
    }
    kinds = [KINDS[number % len(KINDS)] for number in range(waves)]
    matrices = {role: _matrix(problem, role, rng, kinds) for role in "abc"}
    _cancel(problem, rng, matrices)
    for role, matrix in matrices.items():
        offset = _half(problem) if role == "c" else 0
        registers[role] = write(registers[role], problem.where[role], matrix, offset=offset)
    if problem.copies > 1 and rng.random() < APART:
        for role in "ab":
            _spoil_copies(problem, role, rng, registers)
    if "index" in registers:
        registers["index"] = _index(rng, registers["index"].shape, kinds)
    for role in ("scale_a", "scale_b"):
        if role in registers:
            shape = (*registers[role].shape, 4)
            octets = scale_codes(rng, problem.formats[role], shape).astype(np.uint8)
            registers[role] = octets.view("<u4")[..., 0]
    return registers


def _spoil_copies(
    problem: Problem, role: str, rng: np.random.Generator, registers: dict[str, Array]
) -> None:
    """Give some elements of all copies but the first another value, each its own."""
    where = problem.where[role]
    for offset in where.copies[1:]:
        one = where._replace(copies=(offset,))
        there = read(registers[role], one)
        other = _matrix(problem, role, rng, ["finite"] * len(there))
        mixed = np.where(rng.random(there.shape) < 0.3, other, there)
        registers[role] = write(registers[role], one, mixed)


def _matrix(problem: Problem, role: str, rng: np.random.Generator, kinds: list[str]) -> Array:
    form = number_format(problem.formats[role])
    shape = problem.where[role].lanes.shape
    # Rows of A and columns of B are drawn as a whole: k goes last.
    turned = shape if role != "b" else (shape[0], shape[2], shape[1])
    found = np.stack([_codes(form, rng, turned, kind) for kind in kinds])
    return found if role != "b" else np.swapaxes(found, -1, -2)


def _codes(form: Format, rng: np.random.Generator, shape: tuple[int, ...], kind: str) -> Array:
    if form.is_float and kind == "near":
        return limited(rng, form, shape, int(rng.choice([1, 4, 12])))
    found = codes(rng, form, shape)
    if form.is_float and kind == "finite":
        found = np.where(np.isfinite(decode(form, found)), found, np.uint64(0))
    return found


def _cancel(problem: Problem, rng: np.random.Generator, matrices: dict[str, Array]) -> None:
    """Make two k undo each other in some rows and columns."""
    form = number_format(problem.formats["a"])
    depth = matrices["b"].shape[2]
    if not form.is_float or form.nan == "negative_zero" or problem.instruction.is_sparse:
        return
    a, b = matrices["a"], matrices["b"]
    for wave in range(len(a)):
        for _ in range(max(1, depth // 8)):
            one, two = rng.integers(0, depth, 2)
            rows = np.flatnonzero(rng.random(a.shape[2]) < 0.4)
            columns = np.flatnonzero(rng.random(b.shape[3]) < 0.4)
            if one != two:
                a[wave, :, rows, two] = a[wave, :, rows, one] ^ np.uint64(form.sign_bit)
                b[wave][:, two, columns] = b[wave][:, one, columns]


def _index(rng: np.random.Generator, shape: tuple[int, ...], kinds: list[str]) -> Array:
    groups = rng.choice(LEGAL_GROUPS, (*shape, 8)).astype(np.uint32)
    legal = np.bitwise_or.reduce(groups << (4 * np.arange(8, dtype=np.uint32)), axis=-1)
    # Hardware uses each position as it stands (section 8); illegal ones are rare.
    wild = rng.integers(0, 1 << 32, shape, dtype=np.uint32)
    chosen = np.array([kind == "any" and rng.random() < 0.3 for kind in kinds])
    return np.where(chosen[:, None, None], wild, legal)


def _half(problem: Problem) -> int:
    return HALF_BITS * problem.effect("high_half")


def operands(problem: Problem, registers: Mapping[str, Array]) -> dict[str, Array]:
    """The codes that are multiplied, after modifiers; B's of a sparse A stay unselected."""
    where = problem.where
    each = [read(registers["a"], where["a"], copy=copy) for copy in range(problem.copies)]
    a = each[0].copy()
    for row in range(a.shape[2]):
        a[:, :, row] = each[problem.copy_of(row)][:, :, row]
    size, block = problem.effect("broadcast_size"), problem.effect("broadcast_block")
    blocks = np.arange(a.shape[1])
    a = a[:, (blocks >> size << size) + block * (size > 0)]
    a = a.reshape(*a.shape[:3], -1)
    found = {
        "a": _negated(problem, "a", a, axis=-1),
        # Copies go first.
        "b": np.stack(
            [
                read(registers["b"], where["b"], lane_of=_swizzle(problem), copy=copy)
                for copy in range(problem.copies)
            ]
        ),
        "c": _addend(problem, read(registers["c"], where["c"], offset=_half(problem))),
    }
    if not problem.instruction.is_sparse:
        found["b"] = _negated(problem, "b", found["b"], axis=-2)
    else:
        found["k"] = _kept(problem, registers["index"])
    for role in ("scale_a", "scale_b"):
        if role in where:
            found[role] = _scales(problem, role, registers[role])
    return found


def _swizzle(problem: Problem) -> Array:
    """3.11: the lane that each lane reads B from."""
    lanes, blgp = np.arange(problem.wave), problem.effect("swizzle_b")
    if blgp >= 4:
        return lanes % 16 + 16 * (blgp - 4)
    turned: Array = [lanes, lanes % 32, lanes % 32 + 32, (lanes + 16) % 64][blgp]
    return turned


def _negated(problem: Problem, role: str, matrix: Array, axis: int) -> Array:
    sign = number_format(problem.formats[role]).sign_bit
    whole = problem.effect(f"negate_{role}")
    flips = [whole ^ problem.effect(f"negate_{role}_{half}") for half in ("even", "odd")]
    shape = [1] * matrix.ndim
    shape[axis] = -1
    k = np.arange(matrix.shape[axis]).reshape(shape)
    return matrix ^ np.where(k % 2 == 0, flips[0] * sign, flips[1] * sign).astype(np.uint64)


def _addend(problem: Problem, matrix: Array) -> Array:
    sign = np.uint64(number_format(problem.formats["c"]).sign_bit)
    if problem.effect("absolute_c"):
        matrix = matrix & ~sign
    return matrix ^ sign if problem.effect("negate_c") else matrix


def _kept(problem: Problem, registers: Array) -> Array:
    """Section 8: the dense k of every stored element, [wave, row, stored]."""
    where = problem.where["index"]
    part = 0 if problem.effect("index_set_off") else problem.effect("index_part")
    positions = read(registers, where, offset=part * where.slots_bits)[:, 0]
    groups = np.arange(positions.shape[2])[None, None, :, None]
    dense = positions.astype(np.int64) + GROUP * groups
    return dense.reshape(*dense.shape[:2], -1)


def _scales(problem: Problem, role: str, registers: Array) -> Array:
    where, letter = problem.where[role], role[-1]
    # Section 7.1: scales of 32 rows are at lane r, whatever half is named.
    row = problem.effect(f"scale_row_{letter}") if int(where.lanes.max()) < HALF_WAVE else 0
    shifted = where._replace(lanes=where.lanes + HALF_WAVE * row, copies=(0,))
    return read(registers, shifted, offset=8 * problem.effect(f"scale_byte_{letter}"))


def results(
    problem: Problem, registers: Mapping[str, Array], rule: str, options: Mapping[str, Any]
) -> Array:
    """What the twin gives for every element of D, [wave, block, row, column]."""
    given = operands(problem, registers)
    formats = {f"{role}_format": problem.formats[role] for role in "abcd"}
    found = np.zeros(given["c"].shape, dtype=np.uint64)
    for wave, block in np.ndindex(found.shape[:2]):
        lefts = given["a"][wave, block].tolist()
        starts = given["c"][wave, block].tolist()
        for row, left in enumerate(lefts):
            columns = np.swapaxes(given["b"][problem.copy_of(row), wave, block], 0, 1)
            rights = _partners(problem, given, wave, row, columns)
            scaled = _row_scales(problem, given, wave, row)
            found[wave, block, row] = [
                dot(rule, left, right, starts[row][column], **{**formats, **options, **scales})
                for column, (right, scales) in enumerate(zip(rights, scaled, strict=True))
            ]
    return found


def _partners(
    problem: Problem, given: Mapping[str, Array], wave: int, row: int, columns: Array
) -> list[list[int]]:
    if problem.instruction.is_sparse:
        columns = _negated(problem, "b", columns[:, given["k"][wave, row]], axis=-1)
    chosen: list[list[int]] = columns.tolist()
    return chosen


def _row_scales(
    problem: Problem, given: Mapping[str, Array], wave: int, row: int
) -> Iterator[dict[str, Any]]:
    columns = given["b"].shape[-1]
    if not problem.scale_block:
        yield from [{}] * columns
        return
    left, right = given["scale_a"][wave, row].tolist(), given["scale_b"][wave].T.tolist()
    names = {f"scale_{x}_format": problem.formats[f"scale_{x}"] for x in "ab"}
    for column in range(columns):
        scales = {"scale_a": left, "scale_b": right[column]}
        yield {**scales, **names, "block": problem.scale_block}
