"""The command `wavemma exec`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.arrays import save as save_array
from wavemma.cli.kernel_arguments import kernel_argument
from wavemma.cli.output import complain, present
from wavemma.cli.read import read_bytes
from wavemma.cli.written import check_distinct, check_writable
from wavemma.errors import (
    KernelFault,
    SyntaxMistake,
    Unsupported,
    WatchdogExpired,
    WavemmaError,
)
from wavemma.explain.kernel_run import run_kernel

OUR_ERROR = 125
CODES: dict[type[WavemmaError], int] = {WatchdogExpired: 124, KernelFault: 126, Unsupported: 126}
_AXES = 3


def exec_(
    file: str,
    *,
    kernel: str = "",
    grid: str = "1",
    block: str,
    arg: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    target: str | None = None,
    lds: int = 0,
    seconds: float | None = None,
    interpreted: bool = False,
    model: Annotated[tuple[str, ...], Parameter(negative=())] = (),
    cache: Path | None = None,
    json: bool = False,
) -> int:
    """Run one kernel of a code object.

    Args:
        file: A code object (hsaco) or bundle.
        kernel: Name of the kernel; the only one if left out.
        grid: Workgroups along x, y and z, such as 8,8.
        block: Work-items of a workgroup along x, y and z, such as 128.
        arg: The arguments, in order, one --arg each: a.npy or a.npy:f16 (read), inout=a.npy (read
            and written back), out=c.npy:f32:256x256 (zeros, then written), i32:256, f32:0.5,
            ptr:0.
        target: Which code object of a bundle.
        lds: Bytes of dynamic LDS.
        seconds: Stop the kernel after so long.
        interpreted: Run instruction by instruction in NumPy, thousands of times slower.
        model: An arithmetic model for a matrix instruction, as INSTRUCTION=MODEL.
        cache: Folder for compiled kernels.
        json: Print JSON.

    """
    try:
        given = [kernel_argument(word) for word in arg]
        outputs = [Path(each.output) for each in given if each.output is not None]
        for path in outputs:
            check_writable(path)
        check_distinct(outputs)
        answer = run_kernel(
            read_bytes(file),
            kernel,
            _sizes(grid, "--grid"),
            _sizes(block, "--block"),
            given,
            lambda name, array: save_array(Path(name), array),
            target_name=target,
            dynamic_lds_bytes=lds,
            seconds=seconds,
            interpreted=interpreted,
            models=model,
            cache_folder=cache,
        )
    except WavemmaError as error:
        code = CODES.get(type(error), OUR_ERROR)
        return complain(type(error).__name__, str(error), code, json=json)
    present(answer, json=json)
    return 0


def _sizes(text: str, option: str) -> tuple[int, ...]:
    parts = text.replace("x", ",").split(",")
    if len(parts) > _AXES or not all(part.strip().isdigit() for part in parts):
        raise SyntaxMistake(
            f"{option} must be one to three whole numbers with commas, got {text!r}.", subject=text
        )
    return tuple(int(part) for part in parts)
