"""A product by a dense instruction: the compiled loop over whole matrices."""

from typing import Any, NamedTuple

import numpy as np

from wavemma.formats import number_format
from wavemma.formats.dtypes import dtype_of
from wavemma.gemm.blocking import blocked
from wavemma.gemm.choice import choose
from wavemma.gemm.instruction_policy import policy_of
from wavemma.gemm.memory import check_memory
from wavemma.gemm.operands import Array
from wavemma.gemm.plan import Plan, Product, plan
from wavemma.gemm.request import Request
from wavemma.gemm.run import product
from wavemma.numerics.model import Model
from wavemma.numerics.model import model as named_model
from wavemma.numerics.path import Setting


def multiply_dense(asked: Request) -> Product:
    """Multiply by a dense instruction, the fastest for the types if none is named.

    Raises:
        ArrayMistake: Types or shapes do not fit.
        Unsupported: The instruction is not dense.
        WavemmaError: As for `matmul`.

    """
    instruction, *pair = choose(
        asked.target, asked.op, asked.a.formats, asked.b.formats, asked.c_format
    )
    size, batch = asked.size(), asked.batch()
    lanes = asked.lanes(instruction)
    summing = named_model(asked.model or instruction.model(lanes))
    made = plan(
        instruction,
        asked.target,
        (pair[0], pair[1]),
        size,
        batch=int(np.prod(batch, dtype=np.int64)),
        wave=lanes,
        k_order=asked.k_order,
        summing=summing,
    )
    if asked.tile is not None:
        compute = policy_of(instruction.name, asked.target, wave=lanes, a=pair[0], b=pair[1])
        made = blocked(made, asked.tile, compute)
    d = _Work(asked, made, summing, _setting(made, asked)).run(batch)
    return Product(d, made, asked.dense_factors)


class _Work(NamedTuple):
    """What all products of a batch share."""

    asked: Request
    plan: Plan
    summing: Model
    setting: Setting

    def run(self, batch: tuple[int, ...]) -> Array:
        """Multiply every product of the batch."""
        made, asked = self.plan, self.asked
        kind: Any = dtype_of(self.setting.d)
        check_memory(made)
        codes_a = np.broadcast_to(asked.a.codes(made.a), (*batch, made.m, made.k))
        codes_b = np.broadcast_to(asked.b.codes(made.b), (*batch, made.k, made.n))
        codes_c = None
        if asked.c is not None:
            codes_c = np.broadcast_to(asked.c.codes(made.d), (*batch, made.m, made.n))
        d = np.empty((*batch, made.m, made.n), dtype=kind)
        for index in np.ndindex(*batch):
            start = None if codes_c is None else codes_c[index]
            d[index] = self._one(codes_a[index], codes_b[index], start).view(kind)
        return d

    def _one(self, a: Array, b: Array, c: Array | None) -> Array:
        short = self.plan.steps * self.plan.shape[2] - self.plan.k
        if self.plan.blocking is not None and short:
            # The kernel runs to the end of its staged tile; zeros may still cost a model a unit.
            a, b = np.pad(a, ((0, 0), (0, short))), np.pad(b, ((0, short), (0, 0)))
        return product(
            a,
            b,
            c,
            model=self.summing,
            setting=self.setting,
            k_step=self.plan.shape[2],
            k_permutation=self.plan.k_permutation or None,
            threads=self.asked.threads,
            cache_folder=self.asked.cache_folder,
        )


def _setting(made: Plan, asked: Request) -> Setting:
    d = number_format(made.d)
    return Setting(
        number_format(made.a),
        number_format(made.b),
        d,
        d,
        depth=made.shape[2],
        signed_a=asked.a.signed,
        signed_b=asked.b.signed,
    )
