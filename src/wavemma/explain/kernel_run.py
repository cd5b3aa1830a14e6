"""One kernel of a code object, run: its outputs and what they rest on."""

from collections.abc import Callable, Sequence
from pathlib import Path

from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.kernel_call import KernelCall, KernelPlace, digest_of
from wavemma.explain.saved_run import Repeat
from wavemma.formats.dtypes import Array
from wavemma.machine.tally import Executed, LineCount, executed, line_counts
from wavemma.numerics.model import model
from wavemma.objects import code_objects
from wavemma.tables.targets import Wave

MODEL_NOTE = (
    "What ordinary instructions compute follows the vendor's documents (V); the last bits of"
    " reciprocals, roots, logarithms, sines, the steps of divisions and exponentials, but of"
    " RDNA's of f32, are derived (D)."
)

OTHER_MODEL = "{} follows the model {} because the call says so."


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
        digests: SHA-256 of what each array of the arguments held afterwards, by position.
        lines: How many instructions of waves each source line ran, the most frequent first, if
            the compiler noted lines (-g).
        repeat: Of a saved run: whether it came out as it did when it was saved.

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
    digests: dict[int, str]
    lines: tuple[LineCount, ...] = ()
    repeat: Repeat | None = None


def kernel_names(data: bytes, target_name: str | None = None) -> tuple[str, ...]:
    """List the kernels of a code object or bundle.

    Raises:
        FileMistake: It is none, or damaged.

    """
    return tuple(name for found in code_objects(data, target_name) for name in found.kernels)


def run_kernel(
    call: KernelCall,
    save: Callable[[str, Array], None],
    *,
    cache_folder: Path | None = None,
) -> KernelRun:
    """Run one kernel on a machine of our own.

    Args:
        call: The launch.
        save: Takes the name and the contents of each output, after the launch.
        cache_folder: Where compiled code is kept; the user's cache folder if None.

    Raises:
        FileMistake: The file is damaged, or no code object.
        UnknownName: No such kernel.
        LaunchMistake: The launch does not fit the kernel or the target.
        KernelFault: The kernel did what it must not.
        Unsupported: It came to an instruction that cannot be run.
        WatchdogExpired: It took too long.

    """
    place = KernelPlace(call, cache_folder=cache_folder)
    report = place.launch()
    for each, view in zip(call.given, place.views, strict=True):
        if each.output is not None and view is not None:
            save(each.output, view)
    found = place.module.found
    counts = executed(report.code, report.block_counts, found.target)
    geometry = report.geometry
    return KernelRun(
        kernel=place.name,
        target=found.target,
        wave=found.kernel(place.name).descriptor.wave,
        grid=geometry.grid,
        block=geometry.block,
        seconds=report.seconds,
        wave_instructions=sum(each.count for each in counts),
        executed=counts,
        outputs=tuple(each.output for each in call.given if each.output is not None),
        digests={
            number: digest_of(view) for number, view in enumerate(place.views) if view is not None
        },
        lines=line_counts(report.code, report.block_counts, found.debug),
        evidence=_evidence(counts, found.target),
        notes=(MODEL_NOTE, *(OTHER_MODEL.format(*each) for each in place.models.items())),
    )


def _evidence(counts: Sequence[Executed], target_name: str) -> tuple[Evidence, ...]:
    found = []
    for each in counts:
        if each.is_matrix:
            row = model(each.model).row
            source = row.source_on(target_name)
            found.append(cited(f"arithmetic of {each.name}", source, each.grade))
    found.append(cited("encodings of ordinary instructions", "llvm22", "V"))
    return distinct(found)
