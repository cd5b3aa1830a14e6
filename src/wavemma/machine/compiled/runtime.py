"""Functions that compiled kernels call: memory, barriers, other lanes, matrix instructions.

Each is compiled by itself when a kernel first needs it, kept in the same caches as kernels, and
found by a name that says everything about it.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache

import llvmlite.ir as ir

from wavemma.engines.jit import Jit
from wavemma.engines.llvm_lock import inside_llvm
from wavemma.execute.wave_product import WaveProduct
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


class Runtime:
    """The functions that the kernels of one process call, for one wave size.

    Args:
        jit: The compiler.
        size: Lanes of the wave.

    Attributes:
        updates: What atomics do, by name.
        products: What matrix instructions do, by name.

    """

    def __init__(self, jit: Jit, size: Wave) -> None:
        self.jit = jit
        self.size = size
        self.updates: dict[str, Update[ir.Value]] = {}
        self.products: dict[str, WaveProduct] = {}
        self._suffix = hashlib.sha256(repr(jit.machine).encode()).hexdigest()[:8]
        self._kinds: dict[Call, ir.FunctionType] = {}

    def symbol(self, call: Call) -> str:
        """Give the name that the linker knows a function by."""
        return "_".join(("wavemma", *map(str, call), str(self.size), self._suffix))

    def address(self, call: Call) -> int:
        """Give the address of a function that was declared and linked."""
        return self.jit.linker.addresses[self.symbol(call)]

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

    def link(self) -> None:
        """Compile what was declared, and what that calls in turn, as one object."""
        with inside_llvm():
            module = ir.Module(name="wavemma")
            while self._kinds:
                call, kind = self._kinds.popitem()
                name = self.symbol(call)
                if self.jit.linker.has(name):
                    continue
                function = module.globals.get(name) or ir.Function(module, kind, name)
                if function.is_declaration:
                    # Each stays small: the time to compile grows faster than their size.
                    function.attributes.add("noinline")
                    EMITTERS[str(call[0])](function, self.jit.machine, self, *call[1:])
            if any(not each.is_declaration for each in module.functions):
                self.jit.linker.make(module, lambda each: self.jit.compile(each, "short"))


@cache
def runtime_of(jit: Jit, size: Wave) -> Runtime:
    """Give the functions that all code of one compiler and wave size shares."""
    return Runtime(jit, size)
