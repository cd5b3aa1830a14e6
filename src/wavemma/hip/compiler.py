"""The compilers that HIP programs are built with: ziglang's clang, or one that is given."""

import os
import platform
import subprocess
import sys
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import msgspec

from wavemma.errors import CompileMistake, FileMistake, Unsupported

# The oldest C library that what we build runs on.
_LIBC = "2.28"
# The driver names a flavour first, which zig's linker does not take.
_LLD = '#!/bin/sh\nshift 2\nexec {zig} ld.lld "$@"\n'
_EMPTY = "empty.cpp"
_KEPT = 500
_INCLUDES = Path(__file__).parent / "include"


class Finished(msgspec.Struct, frozen=True):
    """A compiler that has run: its exit code and what it said."""

    code: int
    output: str


class Compiler(msgspec.Struct, frozen=True):
    """Commands that compile and link.

    Attributes:
        clang: The driver that compiles HIP.
        libraries: The driver that links C++ for this host.
        device_linker: The linker of device code.
        device: Words that device code needs besides.
        host: Words that host code needs besides.
        environment: Variables to set.
        name: What it is, for cache keys and messages.
        has_own_libraries: Whether its C++ library is built when first used.

    """

    clang: tuple[str, ...]
    libraries: tuple[str, ...]
    device_linker: tuple[str, ...]
    device: tuple[str, ...]
    host: tuple[str, ...]
    environment: Mapping[str, str]
    name: str
    has_own_libraries: bool

    def run(self, command: Sequence[str], folder: Path | None = None) -> Finished:
        """Run one of its commands.

        Args:
            command: Words; the first ones are `clang` or `libraries`.
            folder: Where; here by default.

        """
        return _run(command, self.environment, folder)


def includes() -> Path:
    """Give the folder of our own headers."""
    return _INCLUDES


def unwritable(folder: Path, error: OSError) -> FileMistake:
    """Make the error of a folder for built programs that cannot be written."""
    return FileMistake(
        f"{folder}, where built programs are kept, must be writable: {error.strerror}.",
        subject=folder,
        hint="Name another folder: --cache FOLDER",
    )


@cache
def zig(cache_folder: Path) -> Compiler:
    """Set up ziglang's clang; its caches are put under `cache_folder`.

    Raises:
        Unsupported: ziglang is not installed, or this system is not one that it was tried on.
        FileMistake: The folder cannot be written.

    """
    if find_spec("ziglang") is None:
        raise Unsupported(
            "Compiling HIP programs needs ziglang, which is not installed.",
            hint="pip install 'wavemma[hip]', or name a clang: --compiler /usr/bin/clang++",
        )
    if platform.system() != "Linux" or platform.libc_ver()[0] != "glibc":
        raise Unsupported(
            f"HIP programs are built for Linux with glibc; this is {platform.system()}"
            f" with {platform.libc_ver()[0] or 'another C library'}."
        )
    words = (sys.executable, "-m", "ziglang")
    environment = {
        "ZIG_GLOBAL_CACHE_DIR": str(cache_folder / "zig"),
        "ZIG_LOCAL_CACHE_DIR": str(cache_folder / "zig"),
    }
    tools = cache_folder / "tools"
    try:
        _write_linker(tools / "lld", words)
        _write_empty(tools / _EMPTY)
    except OSError as error:
        raise unwritable(cache_folder, error) from None
    target = ("-target", f"{platform.machine()}-linux-gnu.{_LIBC}")
    found = _library_words((*words, "c++", *target), environment, tools / _EMPTY)
    return Compiler(
        clang=(*words, "clang"),
        libraries=(*words, "c++", *target),
        device_linker=(*words, "ld.lld"),
        device=(f"-B{tools}", *found),
        host=("-target", f"{platform.machine()}-linux-gnu", *found),
        environment=environment,
        name=f"ziglang {version('ziglang')}",
        has_own_libraries=True,
    )


@cache
def given(path: Path) -> Compiler:
    """Set up a clang++ that the user names.

    Raises:
        FileMistake: It cannot be run, or is no clang.

    """
    done = _run((str(path), "--version"), {}, None)
    if done.code != 0 or "clang" not in done.output:
        raise FileMistake(f"{path} must be a clang++ that can be run; it says: {done.output[:200]}")
    words = (str(path),)
    linker = _run((*words, "-print-prog-name=ld.lld"), {}, None).output.strip()
    return Compiler(words, words, (linker,), (), (), {}, done.output.splitlines()[0], False)


def _run(command: Sequence[str], environment: Mapping[str, str], folder: Path | None) -> Finished:
    try:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            env={**os.environ, **environment},
            cwd=folder,
            check=False,
        )
    except OSError as error:
        return Finished(127, f"{command[0]}: {error.strerror}")
    return Finished(done.returncode, done.stdout.decode(errors="replace"))


def _write_linker(place: Path, words: Sequence[str]) -> None:
    """Write the program called lld that clang's driver looks for."""
    text = _LLD.format(zig=" ".join(f"'{word}'" for word in words))
    if place.exists() and place.read_text() == text:
        return
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_suffix(f".{os.getpid()}")
    fresh.write_text(text)
    fresh.chmod(0o755)
    fresh.replace(place)


def _write_empty(place: Path) -> None:
    """Write an empty source; a folder that has one may be read-only."""
    if not place.exists():
        place.touch()


def _told(command: Sequence[str], environment: Mapping[str, str]) -> str:
    """Give what zig prints.

    Raises:
        CompileMistake: It fails; holds what it says.

    """
    done = _run(command, environment, None)
    if done.code == 0:
        return done.output
    raise CompileMistake(
        f"zig must tell where its headers are; it says: {done.output.strip()[-_KEPT:]}",
        hint="Is its cache whole? A new one: --cache FOLDER",
    )


def _library_words(
    driver: Sequence[str], environment: Mapping[str, str], empty: Path
) -> tuple[str, ...]:
    """Ask zig where its C and C++ headers are and which definitions they are used with."""
    said = _told((*driver, "-v", "-E", str(empty)), environment)
    defined = _told((*driver, "-E", "-dM", str(empty)), environment)
    places = said.partition("<...> search starts here:")[2].partition("End of search list")[0]
    words = ["-nostdinc", "-nostdinc++"]
    # zig names folders below the current one from there, and programs may go elsewhere.
    found = [line.strip() for line in places.splitlines() if line.strip()]
    words += [f"-isystem{Path(place).absolute()}" for place in found]
    for line in defined.splitlines():
        _, name, value = (*line.split(maxsplit=2), "", "")[:3]
        if name.startswith("_LIBCPP") or name == "__GLIBC_MINOR__":
            words.append(f"-D{name}={value}")
    return tuple(words)
