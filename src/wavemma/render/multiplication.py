"""The looks of a matrix product's report."""

from wavemma.explain.multiplication import Multiplication
from wavemma.gemm.accuracy import Accuracy
from wavemma.gemm.difference import Difference
from wavemma.gemm.plan import Plan, Timing
from wavemma.render.document import Block, Document, Facts, Heading
from wavemma.render.pages import document_of
from wavemma.render.words import plural


@document_of.register
def _multiplication(answer: Multiplication) -> Document:
    plan = answer.plan
    size = f"{plan.m} x {plan.k} times {plan.k} x {plan.n}"
    if plan.batch != 1:
        size += f", {plan.batch} of them"
    blocks: list[Block] = [
        Heading(f"{size} on {plan.target}", 1),
        Facts((*plan_facts(plan), ("arithmetic", f"{plan.model}: {answer.model_title}"))),
    ]
    if answer.accuracy is not None:
        blocks += [
            Heading(f"Against {answer.accuracy.reference}"),
            Facts(_accuracy(answer.accuracy)),
        ]
    if answer.timing is not None:
        blocks += [Heading(f"Modelled on {answer.timing.product}"), Facts(_timing(answer.timing))]
    for each in answer.differences:
        blocks += [Heading(f"Against {each.target}"), Facts(_difference(each))]
    return tuple(blocks)


def _difference(found: Difference) -> tuple[tuple[str, str], ...]:
    rows = [
        ("instruction", f"{found.instruction}, D {found.d}, {found.model} ({found.grade})"),
        ("elements that differ", f"{found.differing:,} of {found.elements:,}"),
    ]
    if not found.differing:
        return tuple(rows)
    where = f"{list(found.first)}: {found.here} here, {found.there} there"
    apart = f"{found.max_absolute:.4g}, {found.max_ulp:.4g} ulp"
    rows += [("first", where), ("largest difference", apart)]
    if found.not_finite:
        rows.append(("infinite or NaN", f"{found.not_finite:,} of them on one side"))
    return tuple(rows)


def plan_facts(plan: Plan) -> tuple[tuple[str, str], ...]:
    """Write how a product is cut into instructions."""
    m, n, k = plan.shape
    cycles = "unknown" if plan.cycles is None else f"{plan.cycles:,} a wave"
    return (
        ("instruction", plan.instruction),
        ("formats", _formats(plan)),
        ("tiles", f"{plan.tiles:,} of {m} x {n}, {plural(plan.steps, 'step')} of K = {k}"),
        ("instructions", f"{plan.instructions:,} by {plan.waves:,} waves of {plan.wave} lanes"),
        ("registers", f"{_registers(plan)} a lane for A, B and the accumulator"),
        ("cycles", cycles),
        ("order of k", plan.k_order),
    )


def _formats(plan: Plan) -> str:
    words = f"A {plan.a}, B {plan.b}, C and D {plan.d}"
    if plan.is_sparse:
        words += "; A keeps two of each four along k"
    if plan.scales:
        words += f"; scales {' and '.join(plan.scales)}"
    return words


def _registers(plan: Plan) -> str:
    return "unknown" if plan.registers is None else str(plan.registers)


# More than any sum without cancellation loses, in units of its own last place.
CANCELLED = 1000


def _accuracy(found: Accuracy) -> tuple[tuple[str, str], ...]:
    left_out = ("infinite or NaN", f"{found.not_finite:,} elements, not compared")
    if not found.elements:
        return (left_out,) if found.not_finite else (("elements", "none"),)
    rows = [
        ("largest absolute error", f"{found.max_absolute:.4g}"),
        ("mean error", f"{found.mean_ulp:.4g} ulp of the element itself"),
        ("largest error", f"{found.max_ulp:.4g} ulp at {list(found.worst)}"),
        ("correctly rounded", f"{found.exact:,} of {found.elements:,} elements"),
    ]
    if found.max_ulp > CANCELLED:
        rows.append(("", "large in ulp where products cancel: those elements are near 0"))
    if found.max_bound is not None and found.max_share is not None:
        rows.append(("bound of the model", f"{found.max_bound:.4g} at most"))
        rows.append(("nearest to its bound", f"{found.max_share:.2%} of it"))
    if found.not_finite:
        rows.append(left_out)
    return tuple(rows)


def _timing(found: Timing) -> tuple[tuple[str, str], ...]:
    return (
        ("time", f"{found.seconds * 1e6:,.2f} µs if the matrix cores never wait"),
        ("rate", f"{found.tera:.2f} tera-operations a second, {found.share:.1%} of the peak"),
        ("units", f"{found.units} at {found.clock_mhz:,.0f} MHz"),
    )
