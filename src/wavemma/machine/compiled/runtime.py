"""Functions that compiled kernels call: memory, barriers, other lanes, matrix instructions.

Each is compiled by itself when a kernel first needs it, kept in the same caches as kernels, and
found by a name that says everything about it.
"""

import ctypes
import hashlib
from collections.abc import Callable, Sequence
from typing import Any, cast

import llvmlite.ir as ir
from llvmlite import binding

from wavemma.engines.jit import Function, Jit
from wavemma.engines.llvm_lock import inside_llvm
from wavemma.engines.machine import Machine
from wavemma.machine.wave import Update
from wavemma.tables.targets import Wave

Call = tuple[str | int, ...]
"""What a function is: the name of its emitter, and the emitter's further arguments."""
Emitter = Callable[..., None]
"""Writes the body of a function: function, machine, lanes of the wave, further arguments."""
EMITTERS: dict[str, Emitter] = {}


def emitter(name: str) -> Callable[[Emitter], Emitter]:
    """Enter what writes the functions of a name."""

    def enter(function: Emitter) -> Emitter:
        EMITTERS[name] = function
        return function

    return enter


def address_of(function: Function) -> int:
    """Give the address of a compiled function."""
    return ctypes.cast(cast(Any, function), ctypes.c_void_p).value or 0


class Runtime:
    """The functions that the kernels of one process call, for one wave size.

    Args:
        jit: The compiler.
        size: Lanes of the wave.

    """

    def __init__(self, jit: Jit, size: Wave) -> None:
        self.jit = jit
        self.size = size
        self.updates: dict[str, Update[ir.Value]] = {}
        self._suffix = hashlib.sha256(repr(jit.machine).encode()).hexdigest()[:8]
        self._kinds: dict[Call, ir.FunctionType] = {}
        self._given: dict[str, Function] = {}
        self.addresses: dict[str, int] = {}

    def symbol(self, call: Call) -> str:
        """Give the name that the linker knows a function by."""
        return "_".join(("wavemma", *map(str, call), str(self.size), self._suffix))

    def declare(
        self, module: ir.Module, call: Call, arguments: Sequence[ir.Type], result: ir.Type | None
    ) -> ir.Function:
        """Declare a function in a module that calls it."""
        name = self.symbol(call)
        if name in module.globals:
            return module.globals[name]
        kind = ir.FunctionType(result or ir.VoidType(), arguments)
        self._kinds[call] = kind
        return ir.Function(module, kind, name)

    def declare_given(
        self, module: ir.Module, name: str, function: Function, arguments: Sequence[ir.Type]
    ) -> ir.Function:
        """Declare a function that is compiled already, such as a matrix instruction."""
        full = self.symbol(("given", name))
        self._given[full] = function
        if full not in module.globals:
            ir.Function(module, ir.FunctionType(ir.VoidType(), arguments), full)
        return module.globals[full]

    def link(self) -> None:
        """Compile what was declared, and let the linker find it."""
        with inside_llvm():
            for full, function in self._given.items():
                binding.add_symbol(full, address_of(function))
            while self._kinds:
                call, kind = self._kinds.popitem()
                self._link(call, kind)

    def _link(self, call: Call, kind: ir.FunctionType) -> None:
        """Compile one function, after those that it calls itself."""
        name = self.symbol(call)
        if name in self.addresses:
            return
        waiting, self._kinds = self._kinds, {}
        module = ir.Module()
        EMITTERS[str(call[0])](ir.Function(module, kind, name), self.jit.machine, self, *call[1:])
        while self._kinds:
            self._link(*self._kinds.popitem())
        self._kinds = waiting
        self.addresses[name] = self._compiled(call, kind)
        binding.add_symbol(name, self.addresses[name])

    def _compiled(self, call: Call, kind: ir.FunctionType) -> int:
        name = self.symbol(call)

        def emit(module: ir.Module, machine: Machine) -> None:
            function = ir.Function(module, kind, name)
            EMITTERS[str(call[0])](function, machine, self, *call[1:])

        return self.jit.addresses((name,), name, emit)[name]
