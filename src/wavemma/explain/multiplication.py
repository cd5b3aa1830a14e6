"""A matrix product that was made: its plan, its accuracy, its modelled time, its evidence."""

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from wavemma.errors import UnknownProduct
from wavemma.explain.answer import Answer, Conflict, Evidence
from wavemma.explain.citation import citation, cited, distinct
from wavemma.formats import number_format
from wavemma.gemm.accuracy import Accuracy, accuracy
from wavemma.gemm.bounds import product_bound
from wavemma.gemm.difference import Difference, difference
from wavemma.gemm.plan import Plan, Product, Timing, timing
from wavemma.numerics.model import model
from wavemma.tables.products import product as product_row

Array = npt.NDArray[Any]


class Multiplication(Answer, frozen=True, kw_only=True, tag=True):
    """What is known of a product.

    Attributes:
        plan: How it was cut into instructions.
        accuracy: How far it is from the exact product; None if that was not asked for.
        timing: What it takes on a product of AMD's; None if none was named or it is unknown.
        model_title: What the arithmetic model does, in words.
        alternatives: Models that hardware may follow instead, where that is open.
        differences: Against the same product on other targets, as far as asked for.

    """

    plan: Plan
    accuracy: Accuracy | None
    timing: Timing | None
    model_title: str
    alternatives: tuple[str, ...]
    differences: tuple[Difference, ...] = ()


def multiplication(
    made: Product,
    c: Array | None,
    *,
    device: str | None,
    check: bool,
    compared: Sequence[Product] = (),
) -> Multiplication:
    """Describe a product.

    Args:
        made: The result and its plan.
        c: C as given.
        device: Name of a product of AMD's to model the time on, or None.
        check: Whether to compute the exact product too.
        compared: The same product on other targets.

    Raises:
        UnknownProduct: No such product, or it is of another target.

    """
    plan = made.plan
    row = model(plan.model).row
    form = number_format(plan.d)
    found = None
    if check:
        factors = made.factors()
        most = product_bound(plan, factors, c)
        found = accuracy(made.d, *factors.scaled(), c, form, most)
    return Multiplication(
        plan=plan,
        accuracy=found,
        timing=_timing(plan, device),
        model_title=row.title,
        alternatives=row.alternatives_on(plan.target),
        differences=tuple(difference(made, other) for other in compared),
        evidence=distinct(
            (
                *(_arithmetic(each.plan) for each in (made, *compared)),
                cited("cycles", plan.cycles_source, plan.cycles_grade),
            )
        ),
        conflicts=tuple(
            Conflict(
                f"arithmetic on {plan.target}",
                plan.model,
                other,
                citation(row.source_of_alternative(other, plan.target)),
            )
            for other in row.alternatives_on(plan.target)
        ),
        notes=_notes(plan),
    )


def _arithmetic(plan: Plan) -> Evidence:
    source = model(plan.model).row.source_on(plan.target)
    return cited(f"arithmetic ({plan.model} on {plan.target})", source, plan.model_grade)


def _timing(plan: Plan, device: str | None) -> Timing | None:
    if device is None:
        return None
    row = product_row(device)
    if row.target != plan.target:
        raise UnknownProduct(
            f"{row.name} is {row.target}; the product was made for {plan.target}.",
            subject=device,
            hint=f"All: wavemma list products --target {plan.target}",
        )
    return timing(plan, row)


def _notes(plan: Plan) -> tuple[str, ...]:
    notes = [
        f"k is numbered as {_ORDERS[plan.k_order]}; the other order gives other bits where"
        " sums round.",
    ]
    m, n, k = plan.shape
    if plan.m % m or plan.n % n or plan.k % k:
        notes.append(f"Edges are filled up with zeros to tiles of {m} x {n} x {k}.")
    return tuple(notes)


_ORDERS = {
    "calculator": "AMD's matrix calculator does",
    "contiguous": "kernels that load contiguous k do",
}
