"""Compiled functions from LLVM IR, kept in memory and on disk."""

import ctypes
import hashlib
from collections.abc import Callable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal

import llvmlite.ir as ir
import platformdirs
from llvmlite import binding

from wavemma.engines.linker import Linker
from wavemma.engines.llvm_lock import inside_llvm
from wavemma.engines.llvm_shelter import begun
from wavemma.engines.llvm_text import module_text
from wavemma.engines.machine import Machine, host_machine
from wavemma.engines.object_folder import ObjectFolder, Stored
from wavemma.engines.sources import fingerprint
from wavemma.errors import Unsupported

Emit = Callable[[ir.Module, Machine], None]
Effort = Literal["least", "short", "whole"]
"""Least is for code that is ready soon and runs seldom, short for what LLVM's passes change little,
whole for the rest."""
Function = Callable[..., None]
"""A compiled function; it takes plain integers, addresses included, and releases the GIL."""


def default_cache() -> Path:
    """Give the folder where compiled objects are kept unless the caller names another."""
    return Path(platformdirs.user_cache_dir("wavemma", appauthor=False)) / "objects"


class Jit:
    """Compiles functions for one machine. Safe to use from several threads and across forks.

    Args:
        machine: The processor to compile for; this host by default.
        cache_folder: Where objects are kept between processes; None keeps none.

    Attributes:
        folder: That folder.
        linker: The functions that compiled code may call.

    """

    def __init__(self, machine: Machine | None = None, cache_folder: Path | None = None) -> None:
        self.machine = machine or host_machine()
        self.folder = ObjectFolder(cache_folder)
        self.linker = Linker(self.folder, lambda text: self.file_name("", text), self._load_shared)
        self._functions: dict[tuple[str, str], Function] = {}
        self._engines: list[Any] = []
        self._shared: binding.ExecutionEngine | None = None
        self._target_machines: dict[int, binding.TargetMachine] = {}

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
                engine = self._load(self._object(name, key, emit))
                address = int(engine.get_function_address(name))
                found = ctypes.CFUNCTYPE(None, *arguments)(address)
                self._functions[(name, key)] = found
            return found

    def file_name(self, name: str, key: str) -> str:
        """Name the file of an object by all that it depends on.

        Args:
            name: Of its first function.
            key: What the code depends on besides this package's sources and the machine.

        """
        text = "\n".join([name, key, repr(self.machine), self._fingerprint])
        return hashlib.sha256(text.encode()).hexdigest() + ".o"

    @cached_property
    def _fingerprint(self) -> str:
        return fingerprint(self.folder)

    def compile(self, module: ir.Module, effort: Effort = "whole") -> bytes:
        """Compile a module to an object.

        Args:
            module: Complete.
            effort: How hard LLVM works for fast code.

        Raises:
            Unsupported: LLVM refuses it.

        """
        return self.begin(module, effort)()

    def begin(self, module: ir.Module, effort: Effort) -> Callable[[], bytes]:
        """Begin to compile a module, while other code is written; gives what waits for the object.

        Args:
            module: As `compile` takes it; callers wait before they leave `inside_llvm`.
            effort: As `compile` takes it.

        """
        module.triple = self.machine.triple
        text, machine = module_text(module), self._target_machine(0 if effort == "least" else 2)
        return begun(lambda: _compiled(text, machine, effort))

    def _target_machine(self, speed_level: int) -> binding.TargetMachine:
        """Give what makes objects; to make it takes longer than to compile a short function."""
        if speed_level not in self._target_machines:
            self._target_machines[speed_level] = self.machine.target_machine(speed_level)
        return self._target_machines[speed_level]

    def _load(self, code: bytes) -> binding.ExecutionEngine:
        """Load an object whose names other objects may have too."""
        engine = self._engine()
        self._engines.append(engine)
        return _loaded(engine, code)

    def _load_shared(self, code: bytes) -> binding.ExecutionEngine:
        """Load an object whose names say all that it does; what it calls must be loaded."""
        if self._shared is None:
            self._shared = self._engine()
        return _loaded(self._shared, code)

    def _engine(self) -> binding.ExecutionEngine:
        machine = self.machine.target_machine()
        return binding.create_mcjit_compiler(binding.parse_assembly(""), machine)

    def _object(self, name: str, key: str, emit: Emit) -> bytes:
        file = self.file_name(name, key)
        stored = self.folder.read(file)
        if stored is not None:
            return stored.code
        module = ir.Module(name="wavemma")
        emit(module, self.machine)
        compiled = self.compile(module)
        self.folder.write(file, Stored(compiled))
        return compiled


def _loaded(engine: binding.ExecutionEngine, code: bytes) -> binding.ExecutionEngine:
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    return engine


def _compiled(text: str, machine: binding.TargetMachine, effort: Effort) -> bytes:
    """Compile the text of a module."""
    try:
        parsed = binding.parse_assembly(text)
        parsed.verify()
    except RuntimeError as error:
        raise Unsupported(f"This code cannot be compiled: {error}") from error
    if effort != "least":
        options = binding.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = False
        options.slp_vectorization = False
        options.loop_unrolling = False
        builder = binding.create_pass_builder(machine, options)
        passes = _short_passes() if effort == "short" else builder.getModulePassManager()
        passes.run(parsed, builder)
    return bytes(machine.emit_object(parsed))


def _short_passes() -> binding.ModulePassManager:
    """Give the passes that code needs which is written with care."""
    passes = binding.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.add_instruction_combine_pass()
    return passes


@cache
def shared_jit(cache_folder: Path | None = None) -> Jit:
    """Give this process's compiler that keeps its objects in a folder.

    Args:
        cache_folder: The folder; the user's cache folder if left out.

    """
    return Jit(cache_folder=cache_folder or default_cache())
