"""One kernel of a code object, run: its outputs and what they rest on."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from wavemma.errors import LaunchMistake
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.formats.dtypes import Array
from wavemma.machine.arguments.segment import check_count
from wavemma.machine.device import Device
from wavemma.machine.other_models import checked_models
from wavemma.machine.tally import Executed, executed
from wavemma.numerics.model import model
from wavemma.objects import code_objects
from wavemma.tables.targets import Wave

MODEL_NOTE = (
    "What ordinary instructions compute follows the vendor's documents (V); the last bits of"
    " reciprocals, roots, exponentials, logarithms, sines and of the steps of divisions are"
    " derived (D)."
)

OTHER_MODEL = "{} follows the model {} because the call says so."


class Given(msgspec.Struct, frozen=True):
    """One argument of a kernel.

    Attributes:
        array: For a pointer: what device memory holds before.
        scalar: For a value: a NumPy scalar, or an address.
        output: Where a pointer's memory goes afterwards, or None.

    """

    array: Array | None = None
    scalar: np.generic | int | None = None
    output: str | None = None


class KernelRun(Answer, frozen=True, kw_only=True, tag=True):
    """What a launch did.

    Attributes:
        kernel: Its name.
        target: Of the code object.
        wave: Lanes of its waves.
        grid: Workgroups along x, y and z.
        block: Work-items of one along x, y and z.
        seconds: Host time of the launch, compiling included.
        wave_instructions: How many instructions all waves ran.
        executed: Each instruction, the most frequent first.
        outputs: Files that were written.

    """

    kernel: str
    target: str
    wave: Wave
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    seconds: float
    wave_instructions: int
    executed: tuple[Executed, ...]
    outputs: tuple[str, ...]


def kernel_names(data: bytes, target_name: str | None = None) -> tuple[str, ...]:
    """List the kernels of a code object or bundle.

    Raises:
        FileMistake: It is none, or damaged.

    """
    return tuple(name for found in code_objects(data, target_name) for name in found.kernels)


def run_kernel(
    data: bytes,
    kernel: str,
    grid: tuple[int, ...],
    block: tuple[int, ...],
    given: Sequence[Given],
    save: Callable[[str, Array], None],
    *,
    target_name: str | None = None,
    dynamic_lds_bytes: int = 0,
    seconds: float | None = None,
    interpreted: bool = False,
    models: Sequence[str] = (),
    cache_folder: Path | None = None,
) -> KernelRun:
    """Run one kernel on a machine of our own.

    Args:
        data: A code object or bundle.
        kernel: Name of the kernel; the only one if "".
        grid: Workgroups along x, y and z.
        block: Work-items of a workgroup along x, y and z.
        given: The arguments, in order.
        save: Takes the name and the contents of each output, after the launch.
        target_name: Which code object of a bundle.
        dynamic_lds_bytes: LDS besides what the kernel declares.
        seconds: How long it may take; None for ever.
        interpreted: Whether to run on NumPy arrays, thousands of times slower.
        models: INSTRUCTION=MODEL each: arithmetic models that matrix instructions follow instead
            of their own.
        cache_folder: Where compiled code is kept; the user's cache folder if None.

    Raises:
        FileMistake: The file is damaged, or no code object.
        UnknownName: No such kernel.
        LaunchMistake: The launch does not fit the kernel or the target.
        KernelFault: The kernel did what it must not.
        Unsupported: It came to an instruction that cannot be run.
        WatchdogExpired: It took too long.

    """
    found = code_objects(data, target_name)[0]
    name = kernel or _only(found.kernels)
    check_count(found.kernel(name).metadata, len(given))
    other = checked_models(models, found.target)
    device = Device(found.target, cache_folder=cache_folder, models=other)
    module = device.load(data)
    values, views = _place(device, given)
    report = device.launch(
        module,
        name,
        grid,
        block,
        values,
        dynamic_lds_bytes=dynamic_lds_bytes,
        seconds=seconds,
        interpreted=interpreted,
    )
    for output, view in views.items():
        save(output, view)
    counts = executed(report.code, report.block_counts, found.target)
    geometry = report.geometry
    return KernelRun(
        kernel=name,
        target=found.target,
        wave=found.kernel(name).descriptor.wave,
        grid=geometry.grid,
        block=geometry.block,
        seconds=report.seconds,
        wave_instructions=sum(each.count for each in counts),
        executed=counts,
        outputs=tuple(views),
        evidence=_evidence(counts, found.target),
        notes=(MODEL_NOTE, *(OTHER_MODEL.format(*each) for each in other.items())),
    )


def _only(kernels: Mapping[str, object]) -> str:
    if len(kernels) != 1:
        raise LaunchMistake(
            f"A kernel must be named where there are {len(kernels)}.",
            subject="",
            allowed=kernels,
            hint=f"They are: {', '.join(kernels)}.",
        )
    return next(iter(kernels))


def _place(device: Device, given: Sequence[Given]) -> tuple[list[object], dict[str, Array]]:
    """Put arrays into device memory; give the values and the views of outputs."""
    values: list[object] = []
    views: dict[str, Array] = {}
    for position, each in enumerate(given):
        if each.array is None:
            values.append(each.scalar)
            continue
        address = device.memory.allocate(max(each.array.nbytes, 1), f"argument {position}")
        view = device.memory.array(address, each.array.dtype, each.array.shape)
        view[...] = each.array
        values.append(address)
        if each.output is not None:
            views[each.output] = view
    return values, views


def _evidence(counts: Sequence[Executed], target_name: str) -> tuple[Evidence, ...]:
    found = []
    for each in counts:
        if each.is_matrix:
            row = model(each.model).row
            source = row.source_on(target_name)
            found.append(cited(f"arithmetic of {each.name}", source, each.grade))
    found.append(cited("encodings of ordinary instructions", "llvm22", "V"))
    return distinct(found)
