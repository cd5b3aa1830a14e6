"""The functions of steps that a process has, and those that earlier processes left on disk."""

import hashlib
from collections.abc import Mapping
from functools import cache

import llvmlite.ir as ir

from wavemma.engines.collection import without_collection
from wavemma.engines.llvm_lock import inside_llvm
from wavemma.errors import Unsupported
from wavemma.machine.compiled.runtime import Runtime
from wavemma.machine.steps.emission import Pattern, emit_step
from wavemma.machine.steps.form import Key


class StepStore:
    """Finds or makes functions of steps. Safe to use from several threads.

    Args:
        runtime: The functions that they call.

    """

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._linker = runtime.jit.linker
        self._found: dict[Key, int | None] = {}

    def addresses(self, wanted: Mapping[Key, Pattern]) -> dict[Key, int | None]:
        """Give the address of each function; None for one that its pattern cannot make.

        Args:
            wanted: What each is made of, by what it does.

        """
        missing = {key: each for key, each in wanted.items() if key not in self._found}
        if missing:
            with inside_llvm(), without_collection():
                self._find(missing)
        return {key: self._found[key] for key in wanted}

    def _find(self, missing: Mapping[Key, Pattern]) -> None:
        """Load what is on disk, and compile all that is left as one object."""
        symbols = {key: _symbol(key, self._runtime) for key in missing}
        made, refused = ir.Module(name="wavemma"), []
        for key, symbol in symbols.items():
            if not self._linker.is_refused(symbol) and not self._linker.has(symbol):
                refused += self._write(made, symbol, missing[key])
        self._linker.refuse(refused)
        if any(not each.is_declaration for each in made.functions):
            self._make(made)
        for key, symbol in symbols.items():
            self._found[key] = self._linker.addresses.get(symbol)

    def _make(self, made: ir.Module) -> None:
        """Compile steps while what they call is written, and load them behind it."""
        # Steps are many, and each is short: what runs hot is compiled again as a whole.
        wait = self._runtime.jit.begin(made, "least")
        try:
            self._runtime.link()
        finally:
            code = wait()
        self._linker.make(made, lambda _: code)

    def _write(self, module: ir.Module, symbol: str, pattern: Pattern) -> list[str]:
        """Write one function; gives its symbol if that is impossible."""
        try:
            emit_step(module, self._runtime.jit.machine, self._runtime, symbol, pattern)
        except Unsupported:
            return [symbol]
        return []


def _symbol(key: Key, runtime: Runtime) -> str:
    digest = hashlib.sha256(repr(key).encode()).hexdigest()[:32]
    return runtime.symbol(("step", digest))


@cache
def store_of(runtime: Runtime) -> StepStore:
    """Give the store that all code shares which calls the same functions."""
    return StepStore(runtime)
