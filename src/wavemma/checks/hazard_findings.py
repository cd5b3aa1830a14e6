"""Hazards of a program as findings."""

from collections.abc import Iterator
from itertools import groupby

from wavemma.checks.finding import Finding, Severity, where
from wavemma.checks.program import Program
from wavemma.hazards import Missing, Span, conflicts_of, missing
from wavemma.hazards.reading import AGPRS, EXEC, ISSUE
from wavemma.tables.hazard_rows import CountingRow

_ROLES = {
    "d": "the result",
    "vdst": "the result",
    "a": "A",
    "b": "B",
    "c": "C",
    "index": "the index",
    "scale": "a scale",
    "source": "a source",
    "exec": "exec",
    "issue": "the pipe",
}
"""How a producer's operand is called."""


def hazard_findings(program: Program) -> Iterator[Finding]:
    """Yield a finding for each instruction that comes too early, and one more if sources disagree.

    Of all producers the one that lacks the most is told; the others are named with it.
    """
    every = missing(program.runs, program.target)
    for _, group in groupby(every, key=lambda each: each.consumer):
        found = sorted(group, key=lambda each: (-each.lack, -each.producer))
        sure = [each for each in found if _severity(each) == "error"]
        rest = [each for each in found if _severity(each) != "error"]
        if sure:
            yield _finding(program, sure)
        if rest and (not sure or rest[0].lack > sure[0].lack):
            yield _finding(program, rest)


def _severity(each: Missing) -> Severity:
    is_sure = each.need.rule.status == "verified" and not each.need.doubt
    return "error" if is_sure else "suspect"


def _finding(program: Program, found: list[Missing]) -> Finding:
    worst = found[0]
    need, rule = worst.need, worst.need.rule
    items = program.items
    conflicts = [each.name for each in conflicts_of(rule, program.target, need.wait)]
    if need.doubt:
        conflicts = [need.doubt, *(name for name in conflicts if name != need.doubt)]
    others = [
        each for each in found[1:] if (each.producer, each.need.rule) != (worst.producer, rule)
    ]
    return Finding(
        severity=_severity(worst),
        what="hazard",
        rule=rule.name,
        at=where(items[worst.consumer], program.unit),
        message=_message(worst),
        producer=where(items[worst.producer], program.unit),
        needs=need.wait,
        has=worst.has,
        counted=need.counting.title,
        round_the_loop=worst.producer >= worst.consumer,
        dependence=need.dependence,
        fix=fillers(need.counting, worst.lack),
        also=tuple(_also(program, each) for each in others),
        sources=rule.sources,
        grade=rule.grade,
        conflicts=tuple(conflicts),
        note="; ".join(filter(None, (rule.note, rule.status_note))),
    )


def _message(each: Missing) -> str:
    need = each.need
    what = _ROLES[need.produces]
    name = registers_text(need.registers)
    if need.dependence == "structural":
        return "Both use the same pipe, which is still busy."
    verb = "overwritten" if need.dependence in ("WAR", "WAW") else "read"
    written = "is not written yet" if need.dependence in ("RAW", "WAW") else "may still be read"
    return f"{name} is {verb} while {what} of the producer {written}."


def _also(program: Program, each: Missing) -> str:
    producer = where(program.items[each.producer], program.unit)
    place = f"line {producer.place}" if producer.unit == "line" else f"0x{producer.place:x}"
    return f"{each.need.rule.name} behind {place}: {each.need.wait} needed, {each.has} there"


def registers_text(spans: tuple[Span, ...]) -> str:
    """Write registers as the assembler does."""
    return ", ".join(_span_text(span) for span in spans)


def _span_text(span: Span) -> str:
    if span == EXEC:
        return "exec"
    if span == ISSUE:
        return "the pipe"
    file = "a" if span[0] >= AGPRS else "v"
    first, end = span[0] % AGPRS, (span[1] - 1) % AGPRS
    return f"{file}[{first}:{end}]" if end > first else f"{file}{first}"


def fillers(counting: CountingRow, lack: int) -> tuple[str, ...]:
    """Write the lines that fill what is missing."""
    if counting.s_nop == "none":
        return (counting.filler,) * lack
    full, rest = divmod(lack, counting.filler_most)
    counts = [counting.filler_most] * full + ([rest] if rest else [])
    return tuple(f"{counting.filler} {count - 1}" for count in counts)
