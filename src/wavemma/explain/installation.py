"""Is this installation sound: versions, tables, the compiled engine, the cache, the compiler."""

import platform
import sys
from collections.abc import Callable
from importlib import metadata, util
from pathlib import Path

import msgspec

from wavemma.engines.jit import default_cache
from wavemma.engines.machine import host_machine
from wavemma.errors import WavemmaError
from wavemma.explain.answer import Answer
from wavemma.explain.citation import cited
from wavemma.gemm.known_answer import check_known_answers
from wavemma.tables.builtins import builtins
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.known_answers import known_answers
from wavemma.tables.products import products
from wavemma.tables.targets import architectures, targets
from wavemma.version import __version__

NEEDED = ("numpy", "ml_dtypes", "msgspec", "llvmlite", "pyelftools", "cyclopts", "rich")
OLDEST_PYTHON = (3, 11)


class Check(msgspec.Struct, frozen=True):
    """One thing that was looked at.

    Attributes:
        name: What.
        result: "ok", "fails", or "missing" for something that only some commands need.
        detail: What was found.

    """

    name: str
    result: str
    detail: str


class Installation(Answer, frozen=True, kw_only=True, tag=True):
    """What the checks found.

    Attributes:
        version: This package's version.
        checks: Every check in order.

    """

    version: str
    checks: tuple[Check, ...]

    @property
    def is_sound(self) -> bool:
        """Whether nothing fails; what is only missing does not count."""
        return all(check.result != "fails" for check in self.checks)


def installation(cache_folder: Path | None = None) -> Installation:
    """Check this installation.

    Args:
        cache_folder: Where compiled kernels are kept; the default place if None.

    """
    folder = cache_folder or default_cache()
    tests: tuple[tuple[str, Callable[[], tuple[str, str]]], ...] = (
        ("Python", _python),
        ("packages", _packages),
        ("tables", _tables),
        ("processor", _processor),
        ("engines agree", lambda: _engines(folder)),
        ("cache folder", lambda: _cache(folder)),
        ("HIP compiler", _compiler),
    )
    return Installation(
        version=__version__,
        checks=tuple(_run(name, test) for name, test in tests),
        evidence=tuple(cited(f"digest of {k.model}", k.source, k.grade) for k in known_answers()),
    )


def _run(name: str, test: Callable[[], tuple[str, str]]) -> Check:
    """Run one check; whatever breaks is its result, so that the others still run."""
    try:
        result, detail = test()
    except (WavemmaError, OSError, ImportError, metadata.PackageNotFoundError) as error:
        result, detail = "fails", f"{type(error).__name__}: {error}"
    return Check(name, result, detail)


def _python() -> tuple[str, str]:
    fine = sys.version_info >= OLDEST_PYTHON
    return "ok" if fine else "fails", f"{platform.python_version()} on {platform.platform()}"


def _packages() -> tuple[str, str]:
    return "ok", ", ".join(f"{name} {metadata.version(name)}" for name in NEEDED)


def _tables() -> tuple[str, str]:
    rows = [architecture_rows(name) for name in architectures()]
    count = sum(len(table.instructions) + len(table.scale_loads) for table in rows)
    return "ok", (
        f"{count} instructions, {len(builtins())} builtins, {len(targets())} targets,"
        f" {len(products())} products"
    )


def _processor() -> tuple[str, str]:
    machine = host_machine()
    return "ok", f"{machine.cpu}, vectors of {machine.vector_bits} bits"


def _engines(folder: Path) -> tuple[str, str]:
    check_known_answers(folder)
    return "ok", "NumPy and LLVM give the digest that silicon gave"


def _cache(folder: Path) -> tuple[str, str]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / "probe"
        probe.write_bytes(b"")
        probe.unlink()
    except OSError as error:
        return (
            "missing",
            f"{folder} cannot be written ({error.strerror}); kernels compile each time",
        )
    return "ok", str(folder)


def _compiler() -> tuple[str, str]:
    if util.find_spec("ziglang") is None:
        return "missing", "pip install 'wavemma[hip]' brings it; nothing here needs it yet"
    return "ok", f"ziglang {metadata.version('ziglang')}"
