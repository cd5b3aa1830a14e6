"""Compiled functions from LLVM IR, kept in memory and on disk."""

import ctypes
import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import llvmlite
import llvmlite.ir as ir
import platformdirs
from llvmlite import binding

from wavemma.engines.llvm_lock import inside_llvm
from wavemma.engines.machine import Machine, host_machine
from wavemma.errors import Unsupported

Emit = Callable[[ir.Module, Machine], None]
Function = Callable[..., None]
"""A compiled function; it takes plain integers, addresses included, and releases the GIL."""
_DIGEST_BYTES = 32


def default_cache() -> Path:
    """Give the folder where compiled objects are kept unless the caller names another."""
    return Path(platformdirs.user_cache_dir("wavemma", appauthor=False)) / "objects"


@cache
def source_fingerprint() -> str:
    """Digest this package's code and rows, so that no object outlives what it was made from."""
    digest = hashlib.sha256(llvmlite.__version__.encode())
    root = Path(__file__).resolve().parent.parent
    for path in sorted((*root.rglob("*.py"), *root.rglob("*.toml"))):
        digest.update(str(path.relative_to(root)).encode() + path.read_bytes())
    return digest.hexdigest()


class Jit:
    """Compiles functions for one machine. Safe to use from several threads and across forks.

    Args:
        machine: The processor to compile for; this host by default.
        cache_folder: Where objects are kept between processes; None keeps none.

    """

    def __init__(self, machine: Machine | None = None, cache_folder: Path | None = None) -> None:
        self.machine = machine or host_machine()
        self.cache_folder = cache_folder
        self._functions: dict[tuple[str, str], Function] = {}
        self._engines: list[Any] = []

    def function(self, name: str, key: str, emit: Emit, arguments: Sequence[Any]) -> Function:
        """Give the C function `name` that `emit` writes into a module.

        Args:
            name: Symbol of the function; it must return nothing.
            key: What the code depends on besides this package's sources and the machine.
            emit: Writes the function into a fresh module; called only if nothing is cached.
            arguments: ctypes types of the arguments.

        """
        found = self._functions.get((name, key))
        if found is not None:
            return found
        with inside_llvm():
            found = self._functions.get((name, key))
            if found is None:
                address = self._load(name, self._object(name, key, emit))
                found = ctypes.CFUNCTYPE(None, *arguments)(address)
                self._functions[(name, key)] = found
            return found

    def addresses(
        self, names: Sequence[str], key: str, code: Emit | ir.Module, speed_level: int = 2
    ) -> dict[str, int]:
        """Give the addresses of functions of one module.

        Args:
            names: Symbols of the functions.
            key: What the code depends on besides this package's sources and the machine.
            code: The module, or what writes the functions into a fresh one, called only if nothing
                is cached. What they call must be known to the linker
                (`llvmlite.binding.add_symbol`).
            speed_level: How hard LLVM optimises, 0 to 3.

        """
        with inside_llvm():
            found = self._object(f"{names[0]}/{speed_level}", key, code, speed_level)
            engine = self._loaded(found)
            return {name: int(engine.get_function_address(name)) for name in names}

    def _object(self, name: str, key: str, code: Emit | ir.Module, speed_level: int = 2) -> bytes:
        text = "\n".join([name, key, repr(self.machine), source_fingerprint()])
        file_name = hashlib.sha256(text.encode()).hexdigest() + ".o"
        place = self.cache_folder / file_name if self.cache_folder else None
        stored = _read_object(place) if place else None
        if stored is not None:
            return stored
        compiled = self._compile(self._written(code), speed_level)
        if place:
            _write_object(place, compiled)
        return compiled

    def _written(self, code: Emit | ir.Module) -> ir.Module:
        if isinstance(code, ir.Module):
            return code
        module = ir.Module(name="wavemma")
        code(module, self.machine)
        return module

    def _compile(self, module: ir.Module, speed_level: int) -> bytes:
        module.triple = self.machine.triple
        machine = self.machine.target_machine()
        try:
            parsed = binding.parse_assembly(str(module))
            parsed.verify()
        except RuntimeError as error:
            raise Unsupported(f"This code cannot be compiled: {error}") from error
        options = binding.create_pipeline_tuning_options(speed_level=speed_level)
        options.loop_vectorization = False
        options.slp_vectorization = False
        options.loop_unrolling = False
        builder = binding.create_pass_builder(machine, options)
        builder.getModulePassManager().run(parsed, builder)
        return bytes(machine.emit_object(parsed))

    def _load(self, name: str, code: bytes) -> int:
        return int(self._loaded(code).get_function_address(name))

    def _loaded(self, code: bytes) -> binding.ExecutionEngine:
        machine = self.machine.target_machine()
        engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
        engine.add_object_file(binding.ObjectFileRef.from_data(code))
        engine.finalize_object()
        self._engines.append(engine)
        return engine


@cache
def shared_jit(cache_folder: Path | None = None) -> Jit:
    """Give this process's compiler that keeps its objects in a folder.

    Args:
        cache_folder: The folder; the user's cache folder if left out.

    """
    return Jit(cache_folder=cache_folder or default_cache())


def _read_object(place: Path) -> bytes | None:
    """Read a stored object; None if there is none or its digest is wrong."""
    try:
        stored = place.read_bytes()
    except OSError:
        return None
    digest, code = stored[:_DIGEST_BYTES], stored[_DIGEST_BYTES:]
    return code if hashlib.sha256(code).digest() == digest else None


def _write_object(place: Path, code: bytes) -> None:
    """Store an object, whole or not at all; a folder that cannot be written is no fault."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=place.parent)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(code).digest() + code)
        os.replace(temporary, place)
    except BaseException as error:
        os.unlink(temporary)
        if not isinstance(error, OSError):
            raise
