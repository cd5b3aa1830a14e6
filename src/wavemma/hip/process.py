"""The process that a HIP program runs in: the machine, the runtime and the program's main."""

import ctypes
import os
import signal
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

import wavemma.hip.calls
from wavemma.engines.llvm_lock import enter_for_good
from wavemma.errors import (
    CompileMistake,
    FileMistake,
    KernelFault,
    Unsupported,
    WatchdogExpired,
    WavemmaError,
)
from wavemma.hip.device_facts import chosen, facts, memory_bytes
from wavemma.hip.host import Host, Ran, RunsKernels
from wavemma.hip.interface import Interface
from wavemma.hip.modelled_time import TimeModel
from wavemma.hip.program import FAULT, INTERRUPTED, OURS, WATCHDOG, Order
from wavemma.hip.request import Request
from wavemma.hip.run_report import RunReport, run_report, write_report
from wavemma.hip.toolchain import Toolchain
from wavemma.hip.totals import Totals
from wavemma.hip.waiting import WaitingWork
from wavemma.machine.device import Device
from wavemma.machine.fault import Stop
from wavemma.machine.geometry import Geometry
from wavemma.machine.load import Module
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.machine.stop_text import registers_text
from wavemma.objects import Kernel

__all__ = ["main", "run_program"]
_MAIN = "main"
_SET_SIGNAL_OF_PARENTS_DEATH = 1
"""What Linux's prctl calls PR_SET_PDEATHSIG."""
assert wavemma.hip.calls


def main() -> None:
    """Run what the command line orders; does not return."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    _end_with_parent()
    order = msgspec.json.decode(
        sys.argv[1].encode(), type=Order, dec_hook=lambda _, text: Path(text)
    )
    run_program(order, lambda memory: Device(order.target, memory=memory, models=order.models))


def _end_with_parent() -> None:
    """Let the kernel end this process when the command that waits for it is killed."""
    ctypes.CDLL(None).prctl(_SET_SIGNAL_OF_PARENTS_DEATH, signal.SIGKILL)


def run_program(order: Order, make_device: Callable[[DeviceMemory], RunsKernels]) -> None:
    """Run a program to its end; does not return.

    Args:
        order: What to run.
        make_device: Makes the device on its memory.

    """
    try:
        interface = Interface(Path(order.runtime))
        row, product = chosen(order.target, order.device)
        model, totals = TimeModel(row, product), Totals(row.name)
        host = _host(order, interface, make_device, model, totals)
        report = _reporter(order, lambda: run_report(order, host, totals, model))
        interface.connect(host, lambda error: _stop(error, order, host, interface, report))
        _at_exit(interface, host, report)
        library = ctypes.CDLL(order.program, mode=ctypes.RTLD_GLOBAL)
        program = getattr(library, _MAIN, None)
        if program is None:
            raise FileMistake("The program must have a function main.", subject=order.words[0])
    except Exception as error:
        _say(str(error) if isinstance(error, WavemmaError) else f"a fault of ours: {error!r}")
        os._exit(OURS)
    words = [os.fsencode(word) for word in order.words]
    given = (ctypes.c_char_p * (len(words) + 1))(*words, None)
    interface.loaded.wavemma_run(program, len(words), given, _environment())


def _host(
    order: Order,
    interface: Interface,
    make_device: Callable[[DeviceMemory], RunsKernels],
    model: TimeModel,
    totals: Totals,
) -> Host:
    row, product = chosen(order.target, order.device)
    room = memory_bytes(product)
    device = make_device(DeviceMemory(room))

    def time_of(module: Module, kernel: Kernel, ran: Ran, shape: Geometry) -> tuple[float, float]:
        wave = kernel.descriptor.wave
        totals.add(module, wave, ran.block_counts)
        cycles = model.cycles(module, wave, ran.block_counts)
        return cycles, model.seconds(cycles, shape.groups * shape.waves(wave))

    return Host(
        device=device,
        product=product,
        facts=facts(row, product),
        event_time=order.event_time,
        watchdog_seconds=order.watchdog_seconds,
        complain=_say,
        write=interface.write,
        compile=lambda text, name, words: _compiled(order.build, text, name, words),
        time_of=time_of,
        record_of=interface.record_of,
        memory_bytes=room,
        waiting=WaitingWork(order.watchdog_seconds),
    )


def _compiled(build: Request, text: str, name: str, words: Sequence[str]) -> tuple[bytes, str]:
    """Compile device code for hiprtc."""
    said: list[str] = []
    chain = Toolchain(build, said.append)
    # The compiler's own switches; those that name a target are ours to choose.
    own = [word for word in words if not word.startswith(("--offload-arch", "--gpu-architecture"))]
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / (Path(name).name or "program.hip")
        source.write_text(text)
        try:
            done = chain.device_code(source, ["-D__HIPCC_RTC__", *own]).read_bytes()
        except CompileMistake as error:
            raise CompileMistake(str(error).replace(f"{folder}/", "")) from None
    return done, "\n".join(said).replace(f"{folder}/", "")


def _stop(
    error: BaseException,
    order: Order,
    host: Host,
    interface: Interface,
    report: Callable[[], None],
) -> None:
    """End the process over an error that no call can return."""
    if isinstance(error, WavemmaError) and isinstance(error.record, Stop):
        host.stop = error.record
    report()
    if isinstance(error, KeyboardInterrupt):
        interface.leave(INTERRUPTED)
    if isinstance(error, WavemmaError):
        _say(str(error))
        if order.registers and host.stop:
            _say(registers_text(host.stop.registers))
    else:
        _say(f"a fault of ours, please report it: {error!r}")
    code = OURS
    if isinstance(error, WatchdogExpired):
        code = WATCHDOG
    elif isinstance(error, KernelFault | Unsupported):
        code = FAULT
    interface.leave(code)


def _reporter(order: Order, made: Callable[[], RunReport]) -> Callable[[], None]:
    """Give what writes the report, if one is wanted."""
    if not order.report:
        return lambda: None
    return lambda: write_report(order.report, made(), _say)


def _at_exit(interface: Interface, host: Host, report: Callable[[], None]) -> None:
    """Let no thread be inside LLVM when the program exits, and write the report then."""
    kind = ctypes.CFUNCTYPE(None)
    for register, function in (
        (interface.loaded.wavemma_before_exit, kind(enter_for_good)),
        (interface.loaded.wavemma_at_exit, kind(report)),
    ):
        host.kept.append(function)
        register(function)


def _environment() -> ctypes.c_void_p:
    return ctypes.c_void_p.in_dll(ctypes.CDLL(None), "environ")


def _say(sentence: str) -> None:
    """Write to stderr behind what has been written."""
    os.write(2, f"wavemma: {sentence}\n".encode(errors="backslashreplace"))


if __name__ == "__main__":
    main()
