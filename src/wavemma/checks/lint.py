"""Everything that is wrong with a program."""

from collections.abc import Sequence

from wavemma.checks.banks import in_banks
from wavemma.checks.finding import SEVERITIES, Finding
from wavemma.checks.hazard_findings import hazard_findings
from wavemma.checks.program import Program, of_function
from wavemma.checks.word_findings import absent, stray, word_findings
from wavemma.hazards import Reader
from wavemma.objects import Function


def findings(program: Program) -> tuple[Finding, ...]:
    """Find what is wrong with a program: errors first, then in the order of the code."""
    every = [*hazard_findings(program), *word_findings(program)]
    return in_order(every)


def function_findings(function: Function, reader: Reader) -> tuple[Program, tuple[Finding, ...]]:
    """Read a function of a code object and find what is wrong with it.

    Args:
        function: The function.
        reader: Reads the instructions of its target and wave size.

    """
    program = in_banks(of_function(function, reader), reader, function.data)
    found = list(findings(program))
    for item in program.items:
        for look in (absent, stray):
            each = look(program, item, function.data[item.offset :])
            found += [each] if each else []
    return program, in_order(found)


def in_order(found: Sequence[Finding]) -> tuple[Finding, ...]:
    """Put findings into order: the worst first, then by place."""
    return tuple(sorted(found, key=lambda each: (SEVERITIES.index(each.severity), each.at.place)))
