"""Code of a device: a file that holds it, or a HIP source that is compiled first."""

from pathlib import Path

from wavemma.cli.read import read_bytes
from wavemma.errors import SyntaxMistake
from wavemma.hip.build_cache import default_folder
from wavemma.hip.request import Request
from wavemma.hip.toolchain import Toolchain
from wavemma.tables.targets import target

SOURCES = (".hip", ".cpp", ".cc", ".cxx", ".cu")


def device_code(file: str, target_name: str | None, flags: str) -> bytes:
    """Read a code object or bundle, or compile a source for a target.

    Args:
        file: Its name; a suffix of sources tells that it is one.
        target_name: What to compile for.
        flags: Other words for the compiler, in one text.

    Raises:
        FileMistake: The file cannot be read.
        SyntaxMistake: A source without a target, or flags without a source.
        CompileMistake: The compiler refuses it; holds what it says.

    """
    is_source = Path(file).suffix.lower() in SOURCES
    if flags and not is_source:
        raise SyntaxMistake(
            f"--flags must go with a source ({', '.join(SOURCES)}), got {file}.", subject=file
        )
    if not is_source:
        return read_bytes(file)
    if not target_name:
        raise SyntaxMistake(
            f"A source must be compiled for a target; {file} is one.",
            subject=file,
            hint="Add --target, such as --target gfx1100. All: wavemma list",
        )
    request = Request(
        sources=(Path(file),),
        target=target(target_name).name,
        # Debug information tells the types of arguments, and the source lines of faults.
        flags=("-g", *flags.split()),
        cache_folder=default_folder(),
    )
    return Toolchain(request).device_code(Path(file)).read_bytes()
