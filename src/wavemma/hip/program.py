"""HIP programs: built here, run in a process of their own that holds the machine too."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from wavemma.hip.build_cache import default_folder
from wavemma.hip.device_facts import chosen
from wavemma.hip.request import Request
from wavemma.hip.toolchain import Toolchain
from wavemma.machine.other_models import checked_models
from wavemma.machine.watchdog import check_seconds

EventTime = Literal["modelled", "host"]
WATCHDOG, OURS, FAULT, INTERRUPTED = 124, 125, 126, 130
"""Exit codes that are not the program's own."""
_INTERRUPTED = "interrupted: the program was stopped before its end."
_BY_SIGNAL = 128


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What the process of a program is told.

    Attributes:
        program: The program's library.
        runtime: The runtime's library.
        words: The program's arguments, its name first.
        target: Target of the device.
        device: Product that the device is; the largest of the target if empty.
        event_time: What events tell.
        watchdog_seconds: How long a kernel may run; None for ever.
        report: A file that gets what ran; empty for none.
        build: How the program was built, for code that it compiles itself.
        registers: Whether the registers of a wave that a fault stopped are told.
        models: Arithmetic models that matrix instructions follow instead of their own.

    """

    program: str
    runtime: str
    words: tuple[str, ...]
    target: str
    device: str
    event_time: EventTime
    watchdog_seconds: float | None
    report: str
    build: Request
    registers: bool = False
    models: dict[str, str] = {}


def run(
    sources: Sequence[str | Path],
    *,
    target: str = "",
    device: str = "",
    arguments: Sequence[str] = (),
    include_folders: Sequence[str | Path] = (),
    definitions: Sequence[str] = (),
    libraries: Sequence[str] = (),
    flags: Sequence[str] = (),
    compiler: str | Path | None = None,
    cache_folder: Path | None = None,
    save_temps: Path | None = None,
    report: Path | None = None,
    registers: bool = False,
    event_time: EventTime = "modelled",
    watchdog_seconds: float | None = None,
    models: Sequence[str] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> int:
    """Build a HIP program and run it to its end.

    Args:
        sources: HIP sources, and objects and libraries to link.
        target: Such as "gfx1100"; that of the device if empty.
        device: A product; the largest of the target if empty.
        arguments: What the program gets.
        include_folders: Where headers are looked for.
        definitions: Macros, as NAME or NAME=VALUE.
        libraries: Libraries to link.
        flags: Other words for the compiler.
        compiler: A clang++; ziglang's clang if None.
        cache_folder: Where built programs are kept; the user's cache folder if None.
        save_temps: A folder for copies of device and host code.
        report: A file for what ran.
        registers: Whether the registers of a wave that a fault stopped are told.
        event_time: What events tell: modelled time of the device, or real time.
        watchdog_seconds: How long a kernel may run; None for ever.
        models: INSTRUCTION=MODEL each: arithmetic models that matrix instructions follow instead
            of their own.
        tell: Takes lines of progress.

    Returns:
        The program's exit code; 124 if a kernel ran too long, 125 for an error of ours, 126 if a
        kernel did what it must not, 130 if interrupted; 128 and the signal's number if a signal
        ended it.

    Raises:
        CompileMistake: The compiler refuses it.
        FileMistake: A source cannot be read, or the cache folder not be written.
        UnknownTarget, UnknownProduct: There is no such target or product.
        OutOfRange: The seconds of a kernel are not positive.
        SyntaxMistake, UnknownInstruction, UnknownModel, Unsupported: As for `checked_models`.

    """
    check_seconds(watchdog_seconds)
    row, product = chosen(target, device)
    other = checked_models(models, row.name)
    request = Request(
        sources=tuple(Path(each) for each in sources),
        target=row.name,
        include_folders=tuple(Path(each) for each in include_folders),
        definitions=tuple(definitions),
        libraries=tuple(libraries),
        flags=tuple(flags),
        compiler=Path(compiler) if compiler else None,
        cache_folder=cache_folder or default_folder(),
        temporaries=save_temps,
    )
    built = Toolchain(request, tell).build()
    order = Order(
        program=str(built.program),
        runtime=str(built.runtime),
        words=(str(sources[0]), *arguments),
        target=row.name,
        device=product.name if product else "",
        event_time=event_time,
        watchdog_seconds=watchdog_seconds,
        report=str(report) if report else "",
        build=request,
        registers=registers,
        models=other,
    )
    return start(order, tell)


def start(order: Order, tell: Callable[[str], None], module: str = "wavemma.hip.process") -> int:
    """Run a built program in a process of its own and wait for it.

    Args:
        order: What to run.
        tell: Takes a line if a signal ended it.
        module: What the process runs.

    """
    command = [sys.executable, "-m", module, msgspec.json.encode(order, enc_hook=str).decode()]
    sys.stdout.flush()
    child = subprocess.Popen(command, env=_environment())
    try:
        code = child.wait()
    except KeyboardInterrupt:
        # The terminal sends the signal to both; a child that does not end on it is made to.
        child.send_signal(signal.SIGINT)
        try:
            child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        tell(_INTERRUPTED)
        return INTERRUPTED
    if code >= 0:
        return code
    if -code == signal.SIGINT:
        tell(_INTERRUPTED)
        return INTERRUPTED
    tell(f"the program was ended by {signal.Signals(-code).name}.")
    return _BY_SIGNAL - code


def _environment() -> dict[str, str]:
    """Let the process find this very package."""
    root = str(Path(__file__).resolve().parents[2])
    found = os.environ.get("PYTHONPATH", "")
    return {**os.environ, "PYTHONPATH": root + (os.pathsep + found if found else "")}
