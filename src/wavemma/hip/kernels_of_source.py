"""Kernels of a HIP source, without a program around them."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

from wavemma.errors import FileMistake, SyntaxMistake
from wavemma.hip.build_cache import default_folder
from wavemma.hip.request import Request
from wavemma.hip.toolchain import Toolchain
from wavemma.machine.device import Device
from wavemma.machine.kernels import Kernels
from wavemma.machine.shared_device import shared_device
from wavemma.tables.targets import target as target_of

_LINE_ENDS = ("\n", ";", "{")


def compile_source(
    source: Path | str,
    *,
    target: str = "",
    device: Device | None = None,
    include: Sequence[Path | str] = (),
    define: Sequence[str] = (),
    flags: Sequence[str] = (),
    compiler: Path | None = None,
    cache: Path | None = None,
) -> Kernels:
    """Compile HIP for a device and load it: `wavemma.compile(text, target="gfx1100")["gemm"]`.

    Args:
        source: A file, or the text itself. Of a text, hip_runtime.h is included already.
        target: Such as "gfx1100"; that of the device if "".
        device: Where to load it; a device of the target that this process shares if None.
        include: Folders with headers.
        define: Macros, as NAME or NAME=VALUE.
        flags: Other words for the compiler, such as "-O2" or "-mwavefrontsize64".
        compiler: A clang++ to use; None for ziglang's clang (`pip install wavemma[hip]`).
        cache: Where compiled code is kept; the user's cache folder if None.

    Raises:
        CompileMistake: The compiler refuses it; holds what it says.
        FileMistake: The source cannot be read.
        UnknownName: There is no such target.

    """
    if not target and device is None:
        raise SyntaxMistake(
            "A target must be named, or a device given, to compile for.",
            hint="wavemma.compile(source, target=...); wavemma list names the targets",
        )
    place = device or shared_device(target_of(target).name)
    kept = cache or default_folder()
    request = Request(
        sources=(_file(source, kept / "sources"),),
        target=place.target.name,
        include_folders=tuple(map(Path, include)),
        definitions=tuple(define),
        # Debug information tells the types of arguments, and the source lines of faults.
        flags=("-g", *flags),
        compiler=compiler,
        cache_folder=kept,
    )
    code = Toolchain(request).device_code(request.sources[0])
    return Kernels(code.read_bytes(), place)


def _file(source: Path | str, folder: Path) -> Path:
    """Give the file of a source; a text gets one whose name follows from what it says."""
    if isinstance(source, Path) or not any(end in source for end in _LINE_ENDS):
        return Path(source)
    digest = hashlib.sha256(source.encode()).hexdigest()[:16]
    path = folder / f"{digest}.hip"
    text = f'#include <hip/hip_runtime.h>\n#line 1 "source"\n{source}'
    # The path is a part of what decides the compiled code: one text, one path.
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileMistake(
            f"{folder}, where sources are kept, must be writable: {error.strerror}.",
            subject=folder,
            hint="Name another folder: cache=...",
        ) from None
    return path
