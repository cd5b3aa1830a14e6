"""How plans, launches and runs of programs read."""

from collections import Counter

from wavemma.gemm.plan import Plan
from wavemma.hip.run_report import RunReport, report_lines
from wavemma.isa.decode import Undecoded
from wavemma.machine.job import Report
from wavemma.render.document import Code, Document, Facts, Heading, Table
from wavemma.render.multiplication import plan_facts
from wavemma.render.words import number

_SHOWN = 20


def plan_document(plan: Plan) -> Document:
    """Write the plan of a product."""
    size = f"{plan.m} x {plan.k} times {plan.k} x {plan.n} on {plan.target}"
    model = ("arithmetic", f"{plan.model} ({plan.model_grade})")
    return (Heading(size, 1), Facts((*plan_facts(plan), model)))


def launch_document(report: Report) -> Document:
    """Write what a launch did: its shape, its time, and its most frequent instructions."""
    shape = report.geometry
    counts = _counts(report)
    facts = (
        ("grid", " x ".join(map(str, shape.grid))),
        ("block", " x ".join(map(str, shape.block))),
        ("instructions of waves", f"{counts.total():,}"),
        ("host time", f"{number(report.seconds, 3)} s"),
    )
    rows = tuple((name, f"{count:,}") for name, count in counts.most_common(_SHOWN))
    table = Table(("instruction", "waves"), rows, right=(1,), keep=(0,))
    return (Heading("A launch", 1), Facts(facts), *((table,) if rows else ()))


def run_document(report: RunReport) -> Document:
    """Write what a program ran."""
    return (Heading("A program's run", 1), Code("\n".join(report_lines(report))))


def _counts(report: Report) -> Counter[str]:
    """Count how often waves ran each instruction."""
    found: Counter[str] = Counter()
    for block, runs in zip(report.code.blocks, report.block_counts.tolist(), strict=True):
        for placed in block.instructions if runs else ():
            if not isinstance(placed.instruction, Undecoded):
                found[placed.instruction.instruction.name] += runs
    return found
