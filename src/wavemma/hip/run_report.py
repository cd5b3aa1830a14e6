"""What a program ran, as a file."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from wavemma.hip.host import Host, LaunchRecord
from wavemma.hip.modelled_time import TimeModel
from wavemma.hip.program import Order
from wavemma.hip.totals import Totals
from wavemma.machine.stop_text import stop_fields
from wavemma.machine.tally import Executed

STDERR = "-"


class RunReport(msgspec.Struct, frozen=True):
    """What a program ran.

    Attributes:
        target: Of the device.
        device: The product.
        launches: In order.
        modelled_seconds: Of all launches.
        host_seconds: Of all launches.
        cycles: In which SIMDs are busy, over all launches.
        matrix_cycles: Those of them that matrix instructions take.
        executed: Every instruction that ran, with what its arithmetic rests on.
        stop: Where and how a kernel stopped, if that ended the program.

    """

    target: str
    device: str
    launches: list[LaunchRecord]
    modelled_seconds: float
    host_seconds: float
    cycles: float
    matrix_cycles: float
    executed: tuple[Executed, ...]
    stop: dict[str, object] | None = None


def run_report(order: Order, host: Host, totals: Totals, model: TimeModel) -> RunReport:
    """Sum up what a program ran."""
    executed = totals.executed()
    return RunReport(
        order.target,
        order.device,
        host.launches,
        host.modelled_seconds,
        sum(each.host_seconds for each in host.launches),
        sum(each.cycles for each in host.launches),
        sum(each.count * model.busy(each.name) for each in executed if each.is_matrix),
        executed,
        stop_fields(host.stop, registers=order.registers) if host.stop else None,
    )


def _counted(count: int, one: str, many: str = "") -> str:
    """Write a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def _accuracy(each: Executed) -> str:
    """Name an instruction, with what manuals allow its results to be off."""
    return f"{each.name} (to {each.ulps:g} ulp)" if each.ulps else each.name


def report_lines(report: RunReport) -> Iterator[str]:
    """Write a report in words, a line each."""
    count = sum(each.count for each in report.executed)
    yield (
        f"{_counted(len(report.launches), 'launch', 'launches')} on {report.target}"
        f"{f' ({report.device})' if report.device else ''} executed"
        f" {_counted(count, 'instruction')} of waves"
    )
    for each in report.executed:
        if each.is_matrix:
            yield (
                f"  {each.name}: {_counted(each.count, 'wave')}, {each.fidelity}"
                f" (model {each.model}, grade {each.grade})"
            )
    for grade in ("V", "D"):
        others = [e for e in report.executed if not e.is_matrix and e.grade == grade]
        rest = sum(each.count for each in others)
        if others:
            names = f": {', '.join(map(_accuracy, others))}" if grade == "D" else ""
            yield (
                f"  {_counted(len(others), 'other instruction')}: {_counted(rest, 'wave')},"
                f" modelled (grade {grade}){names}"
            )
    yield (
        f"  {report.cycles:,.0f} busy cycles of SIMDs, modelled {report.modelled_seconds:.3g} s;"
        f" host {report.host_seconds:.3g} s"
    )
    if report.matrix_cycles:
        share = report.matrix_cycles / report.cycles
        yield f"  {share:.1%} of the peak matrix rate of busy SIMDs, as instructions issue"


def write_report(path: str, report: RunReport, complain: Callable[[str], None]) -> None:
    """Write a report as JSON, or in words to stderr for "-"; what cannot be written is told."""
    if path == STDERR:
        for line in report_lines(report):
            complain(line)
        return
    try:
        Path(path).write_bytes(msgspec.json.format(msgspec.json.encode(report), indent=1) + b"\n")
    except OSError as error:
        complain(f"{path} cannot be written: {error.strerror}.")
