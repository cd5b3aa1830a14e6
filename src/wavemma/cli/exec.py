"""The command `wavemma exec`."""

from pathlib import Path
from typing import Annotated

import msgspec
from cyclopts import Parameter

from wavemma.cli.arrays import Array
from wavemma.cli.arrays import save as save_array
from wavemma.cli.device_code import device_code
from wavemma.cli.kernel_arguments import kernel_argument
from wavemma.cli.output import complain, present
from wavemma.cli.saved import is_saved, load_run, save_run
from wavemma.cli.written import check_distinct, check_writable
from wavemma.errors import (
    KernelFault,
    SyntaxMistake,
    Unsupported,
    WatchdogExpired,
    WavemmaError,
)
from wavemma.explain.kernel_call import KernelCall
from wavemma.explain.kernel_comparison import compare_kernel
from wavemma.explain.kernel_run import run_kernel
from wavemma.explain.saved_run import Outcome, SavedRun, failed, repeat_of
from wavemma.machine.fault import Stop
from wavemma.machine.stop_text import registers_text, stop_fields
from wavemma.machine.watchdog import check_seconds
from wavemma.render.kernel_run import repeat_sentence

OUR_ERROR = 125
OTHERWISE = 1
CODES: dict[type[WavemmaError], int] = {WatchdogExpired: 124, KernelFault: 126, Unsupported: 126}
_AXES = 3


def exec_(
    file: str,
    *,
    kernel: str = "",
    grid: str = "",
    block: str = "",
    arg: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    target: str | None = None,
    flags: Annotated[str, Parameter(allow_leading_hyphen=True)] = "",
    lds: int = 0,
    cooperative: bool = False,
    ordered: bool = False,
    seconds: float | None = None,
    interpreted: bool = False,
    model: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    compare: str = "",
    save: Path | None = None,
    registers: bool = False,
    cache: Path | None = None,
    json: bool = False,
) -> int:
    """Run one kernel of a code object or source.

    Exit codes: 0 it ended, 1 what was compared differs, 2 a mistaken option, 124 it ran too long,
    125 a mistake in the call, 126 it did what it must not, 130 interrupted.

    For example:

    | wavemma exec k.hsaco --grid 8 --block 32 --arg a.npy --arg out=c.npy:f32:256 --arg i32:256

    Args:
        file: A code object (hsaco) or bundle; a HIP source, compiled for --target; or a run that
            --save wrote, which is repeated without writing outputs: code 0 if it ends with the
            same bits, else 1.
        kernel: Name of the kernel; the only one if left out.
        grid: Workgroups along x, y and z, such as 8,8; 1 if left out.
        block: Work-items of a workgroup along x, y and z, such as 128.
        arg: The arguments, in order, one --arg each: a.npy or a.npy:f16 (read), inout=a.npy (read
            and written back), out=c.npy:f32:256x256 (zeros, then written), i32:256, f32:0.5,
            ptr:0, or a bare number where debug information (-g) tells its type.
        target: Which code object of a bundle, or what to compile a source for.
        flags: Other words for the compiler of a source, in one text.
        lds: Bytes of dynamic LDS.
        cooperative: Keep all workgroups at one time, for kernels that wait for the whole grid.
        ordered: Run workgroups in order, on one thread, so that every run is the same.
        seconds: Stop the kernel after so long, compiling included.
        interpreted: Run instruction by instruction in NumPy, thousands of times slower.
        model: An arithmetic model for a matrix instruction, as INSTRUCTION=MODEL.
        compare: Run it twice and show the first store that differs: once as it is, once with
            another MODEL for all matrix instructions whose formats it sums, with a TARGET's models
            for instructions of the same mnemonic (the code stays the same), or with
            INSTRUCTION=MODEL. Writes no outputs; code 0 if nothing differs, else 1.
        save: A zip file for everything that the run needs, and how it ended: for bug reports.
        registers: Print the registers of the wave that a fault, or the end of its time, stopped.
        cache: Folder for compiled kernels.
        json: Print JSON.

    """
    saved: SavedRun | None = None
    try:
        check_seconds(seconds)
        if is_saved(file):
            _check_alone(
                kernel, grid, block, *arg, target, flags, lds, cooperative, ordered, *model
            )
            call, saved = load_run(file)
            seconds, interpreted = seconds or call.seconds, interpreted or call.interpreted
        else:
            call = KernelCall(
                code=device_code(file, target, flags),
                kernel=kernel,
                grid=_sizes(grid or "1", "--grid"),
                block=_sizes(block, "--block"),
                given=tuple(kernel_argument(word, target) for word in arg),
                target_name=target,
                dynamic_lds_bytes=lds,
                whole_grid=cooperative,
                ordered=ordered,
                models=model,
            )
        call = msgspec.structs.replace(call, seconds=seconds, interpreted=interpreted)
        if compare:
            return _compare(call, compare, cache, save, json=json)
        _check_outputs(call, saved, save)
        return _run(call, saved, save, cache, registers=registers, json=json)
    except WavemmaError as error:
        return _told(error, saved, registers=registers, json=json)


def _compare(
    call: KernelCall, word: str, cache: Path | None, save: Path | None, *, json: bool
) -> int:
    """Run a call twice, with other arithmetic the second time."""
    if save:
        raise SyntaxMistake("One of --save and --compare must be given, not both.")
    answer = compare_kernel(call, word, cache_folder=cache)
    present(answer, json=json)
    return 0 if answer.is_same else OTHERWISE


def _run(
    call: KernelCall,
    saved: SavedRun | None,
    save: Path | None,
    cache: Path | None,
    *,
    registers: bool,
    json: bool,
) -> int:
    """Run a call, keep it if that was asked for, and tell what came out."""
    try:
        answer = run_kernel(call, _drop if saved else _write, cache_folder=cache)
    except WavemmaError as error:
        if save:
            save_run(save, call, failed(error))
        raise
    outcome = Outcome(digests=answer.digests)
    if save:
        save_run(save, call, outcome)
    if saved is None:
        present(answer, json=json)
        return 0
    repeat = repeat_of(saved, outcome)
    present(msgspec.structs.replace(answer, repeat=repeat, outputs=()), json=json)
    return 0 if repeat.is_same else OTHERWISE


def _told(
    error: WavemmaError,
    saved: SavedRun | None = None,
    *,
    registers: bool = False,
    json: bool,
) -> int:
    """Tell an error, with everything that is known of the wave that met it."""
    kind, message, more = type(error).__name__, str(error), dict[str, object]()
    stop = error.record if isinstance(error.record, Stop) else None
    if stop:
        more["stop"] = stop_fields(stop, registers=registers)
    if saved:
        repeat = repeat_of(saved, failed(error))
        more["repeat"] = msgspec.to_builtins(repeat)
        message += f"\n  Repeated: {repeat_sentence(repeat)}."
    if stop and registers and not json:
        message += f"\n{registers_text(stop.registers)}"
    return complain(kind, message, CODES.get(type(error), OUR_ERROR), json=json, more=more)


def _write(name: str, array: Array) -> None:
    save_array(Path(name), array)


def _drop(name: str, array: Array) -> None:
    """Write nothing: where a saved run wrote its outputs is nothing to this computer."""


def _check_alone(*options: object) -> None:
    """Refuse options that a saved run has of its own."""
    if any(options):
        raise SyntaxMistake(
            "A saved run has its own kernel, grid, block, arguments, target, LDS and models; of"
            " these options none must be given with it.",
            hint="To change them, run the code object inside of the zip file: code.hsaco.",
        )


def _check_outputs(call: KernelCall, saved: SavedRun | None, save: Path | None) -> None:
    """Refuse files that cannot be written, before the work."""
    named = () if saved else (each.output for each in call.given if each.output is not None)
    outputs = [*map(Path, named), *([save] if save else [])]
    for path in outputs:
        check_writable(path)
    check_distinct(outputs)


def _sizes(text: str, option: str) -> tuple[int, ...]:
    parts = text.replace("x", ",").split(",")
    if len(parts) > _AXES or not all(part.strip().isdecimal() for part in parts):
        raise SyntaxMistake(
            f"{option} must be one to three whole numbers with commas, got {text!r}.", subject=text
        )
    return tuple(int(part) for part in parts)
