"""The matrix product of a target: choose the instruction, plan, run."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavemma.errors import ArrayMistake
from wavemma.formats import number_format
from wavemma.formats.dtypes import dtype_of
from wavemma.gemm.choice import choose
from wavemma.gemm.operands import Array, Matrix, matrix
from wavemma.gemm.plan import KOrder, Plan, plan
from wavemma.gemm.run import product
from wavemma.isa.instruction import Instruction
from wavemma.numerics.model import Model
from wavemma.numerics.model import model as named_model
from wavemma.numerics.path import Setting
from wavemma.tables.targets import Wave


class Product(NamedTuple):
    """A result and how it was made.

    Attributes:
        d: The accumulator's type, [..., M, N].
        plan: Instructions, order of k, model.

    """

    d: Array
    plan: Plan


def matmul(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    c: npt.ArrayLike | None = None,
    *,
    target: str,
    op: str | None = None,
    wave: Wave | None = None,
    k_order: KOrder = "calculator",
    model: str | None = None,
    threads: int | None = None,
    cache_folder: Path | None = None,
) -> Array:
    """Multiply matrices exactly as a loop over one matrix instruction does.

    C enters first, k ascends by instruction, the accumulator stays in D's format, and edges are
    filled up with zeros.

    Args:
        a: [..., M, K], a type that the instruction takes.
        b: [..., K, N]; batch axes broadcast.
        c: [..., M, N] of the accumulator's type; zeros if None.
        target: Name of the target, such as "gfx1100".
        op: Name of the instruction; the fastest for the types if None.
        wave: Lanes of a wave; the target's default if None.
        k_order: "calculator" numbers k inside an instruction as AMD's calculator does,
            "contiguous" as kernels load it; both are right, their bits differ.
        model: An arithmetic model other than the row's, by name.
        threads: Threads that work; one a processor if None.
        cache_folder: Where compiled kernels are kept; the user's cache if None.

    Returns:
        [..., M, N] of the accumulator's type.

    Raises:
        ArrayMistake: Types or shapes do not fit; says what the target takes.
        UnknownTarget: No such target.
        UnknownInstruction: The target has no such instruction.
        UnknownModel: No such model.

    """
    return multiply(
        a,
        b,
        c,
        target=target,
        op=op,
        wave=wave,
        k_order=k_order,
        model=model,
        threads=threads,
        cache_folder=cache_folder,
    ).d


def multiply(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    c: npt.ArrayLike | None = None,
    *,
    target: str,
    op: str | None = None,
    wave: Wave | None = None,
    k_order: KOrder = "calculator",
    model: str | None = None,
    threads: int | None = None,
    cache_folder: Path | None = None,
) -> Product:
    """Multiply as `matmul` does and give the plan beside the result."""
    left, right = matrix(a, "A"), matrix(b, "B")
    start = None if c is None else matrix(c, "C")
    instruction, *pair = choose(
        target, op, left.formats, right.formats, start.formats[0] if start else None
    )
    batch = _batch(left, right, start)
    lanes = _wave(instruction, wave)
    summing = named_model(model or instruction.model(lanes))
    made = plan(
        instruction,
        target,
        (pair[0], pair[1]),
        (left.array.shape[-2], right.array.shape[-1], left.array.shape[-1]),
        batch=int(np.prod(batch, dtype=np.int64)),
        wave=lanes,
        k_order=k_order,
        summing=summing,
    )
    work = _Work(made, summing, _setting(made, left, right), threads, cache_folder)
    return Product(work.run(left, right, start, batch), made)


class _Work(NamedTuple):
    """What all products of a batch share."""

    plan: Plan
    summing: Model
    setting: Setting
    threads: int | None
    cache_folder: Path | None

    def run(self, a: Matrix, b: Matrix, c: Matrix | None, batch: tuple[int, ...]) -> Array:
        """Multiply every product of the batch."""
        made = self.plan
        kind: Any = dtype_of(self.setting.d)
        codes_a = np.broadcast_to(a.codes(made.a), (*batch, made.m, made.k))
        codes_b = np.broadcast_to(b.codes(made.b), (*batch, made.k, made.n))
        codes_c = None
        if c is not None:
            codes_c = np.broadcast_to(c.codes(made.d), (*batch, made.m, made.n))
        d = np.empty((*batch, made.m, made.n), dtype=kind)
        for index in np.ndindex(*batch):
            start = None if codes_c is None else codes_c[index]
            d[index] = self._one(codes_a[index], codes_b[index], start).view(kind)
        return d

    def _one(self, a: Array, b: Array, c: Array | None) -> Array:
        return product(
            a,
            b,
            c,
            model=self.summing,
            setting=self.setting,
            k_step=self.plan.shape[2],
            k_permutation=self.plan.k_permutation or None,
            threads=self.threads,
            cache_folder=self.cache_folder,
        )


def _setting(made: Plan, a: Matrix, b: Matrix) -> Setting:
    d = number_format(made.d)
    return Setting(
        number_format(made.a),
        number_format(made.b),
        d,
        d,
        depth=made.shape[2],
        signed_a=a.signed,
        signed_b=b.signed,
    )


def _batch(a: Matrix, b: Matrix, c: Matrix | None) -> tuple[int, ...]:
    """Check that the shapes fit and give the batch axes together."""
    m, k = a.array.shape[-2:]
    n = b.array.shape[-1]
    if b.array.shape[-2] != k or (c is not None and c.array.shape[-2:] != (m, n)):
        given = f"A {list(a.array.shape)}, B {list(b.array.shape)}"
        if c is not None:
            given += f", C {list(c.array.shape)}"
        raise ArrayMistake(
            f"A [M, K], B [K, N] and C [M, N] must fit together; given {given}.", subject=k
        )
    shapes = [each.array.shape[:-2] for each in (a, b, c) if each is not None]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ArrayMistake(
            f"The batch axes must broadcast; given {', '.join(map(str, map(list, shapes)))}.",
            subject=shapes,
        ) from None


def _wave(instruction: Instruction, wave: Wave | None) -> Wave:
    if wave is not None and wave not in instruction.waves:
        raise ArrayMistake(
            f"{instruction.name} runs in waves of {' or '.join(map(str, instruction.waves))} lanes;"
            f" {wave} was given.",
            subject=wave,
            allowed=instruction.waves,
        )
    return wave or instruction.waves[0]
