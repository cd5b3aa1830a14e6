"""The command `wavemma run`."""

import sys
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from wavemma.cli.output import complain
from wavemma.cli.written import check_writable
from wavemma.errors import SyntaxMistake, WavemmaError
from wavemma.hip.program import OURS
from wavemma.hip.program import run as run_program
from wavemma.hip.run_report import STDERR


def run(
    *source: str,
    target: str = "",
    device: str = "",
    include: Annotated[tuple[str, ...], Parameter(name=("--include", "-I"))] = (),
    define: Annotated[tuple[str, ...], Parameter(name=("--define", "-D"))] = (),
    library: Annotated[tuple[str, ...], Parameter(name=("--library", "-l"))] = (),
    flags: Annotated[str, Parameter(allow_leading_hyphen=True)] = "",
    compiler: Path | None = None,
    save_temps: Path | None = None,
    report: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None,
    registers: bool = False,
    event_time: Literal["modelled", "host"] = "modelled",
    timeout: float | None = None,
    model: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    cache: Path | None = None,
    argument: Annotated[tuple[str, ...], Parameter(show=False)] = (),
) -> int:
    """Compile a HIP program, host and device, and run it on this computer.

    Words after -- are the program's own. Exit codes: the program's own; 124 a kernel ran too long,
    125 an error of ours, 126 a kernel did what it must not, 130 interrupted.

    For example:

    | wavemma run prog.hip --target "RX 7900 XTX" -- 256

    Args:
        source: HIP sources; objects and libraries are linked.
        target: Target to compile for, such as gfx1100, or a product of it; that of the device if
            left out.
        device: Product that the program is told it runs on, such as "RX 7900 XTX"; the largest of
            the target if left out.
        include: A folder with headers.
        define: A macro, as NAME or NAME=VALUE.
        library: A library to link.
        flags: Other words for the compiler, in one text.
        compiler: A clang++ to use instead of ziglang's clang.
        save_temps: A folder that gets the device code and the host's object.
        report: A file that gets what ran, as JSON; - for words on stderr.
        registers: Print the registers of the wave that a fault, or the end of its time, stopped.
        event_time: What events tell: modelled time of the device, or real time.
        timeout: Seconds that one kernel may run.
        model: An arithmetic model for a matrix instruction, as INSTRUCTION=MODEL or
            INSTRUCTION=MODEL@LAYOUT.
        cache: Another folder for built programs.
        argument: Words after --.

    """
    try:
        if not source:
            raise SyntaxMistake("There must be a HIP source.", hint="wavemma run prog.hip")
        if report and str(report) != STDERR:
            check_writable(report)
        return run_program(
            source,
            target=target,
            device=device,
            arguments=argument,
            include_folders=include,
            definitions=define,
            libraries=library,
            flags=flags.split(),
            compiler=compiler,
            cache_folder=cache,
            save_temps=save_temps,
            report=report,
            registers=registers,
            event_time=event_time,
            watchdog_seconds=timeout,
            models=model,
            tell=_tell,
        )
    except WavemmaError as error:
        return complain(type(error).__name__, str(error), OURS, json=False)


def _tell(line: str) -> None:
    print(f"wavemma: {line}", file=sys.stderr, flush=True)
