"""Functions that compiled kernels call: memory, barriers, other lanes, matrix instructions.

Each is compiled by itself when a kernel first needs it, kept in the same caches as kernels, and
found by a name that says everything about it.
"""

import hashlib
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import permutations

import llvmlite.ir as ir

from wavemma.engines.jit import Effort, Jit
from wavemma.engines.llvm_lock import inside_llvm
from wavemma.engines.llvm_names import count_names
from wavemma.execute.wave_product import WaveProduct
from wavemma.machine.rare_ways import Places
from wavemma.machine.wave import Update
from wavemma.tables.targets import Wave

Call = tuple[str | int, ...]
"""What a function is: the name of its emitter, and the emitter's further arguments."""
Emitter = Callable[..., None]
"""Writes the body of a function: function, machine, lanes of the wave, further arguments."""
EMITTERS: dict[str, Emitter] = {}
_SOON: set[str] = set()


def emitter(name: str, *, soon: bool = False) -> Callable[[Emitter], Emitter]:
    """Enter what writes the functions of a name.

    Args:
        name: The first part of a call.
        soon: Whether steps call a form that is ready sooner and takes half as long again.

    """

    def enter(function: Emitter) -> Emitter:
        EMITTERS[name] = function
        if soon:
            _SOON.add(name)
        return function

    return enter


class Runtime:
    """The functions that the kernels of one process call, for one wave size.

    Args:
        jit: The compiler.
        size: Lanes of the wave.
        soon: Whether functions should be ready soon rather than fast, where they have both forms.

    Attributes:
        updates: What atomics do, by name.
        products: What matrix instructions do, by name.
        rare: Where words of an access lie, by name.

    """

    def __init__(self, jit: Jit, size: Wave, *, soon: bool = False) -> None:
        self.jit = jit
        self.size = size
        self.soon = soon
        self.updates: dict[str, Update[ir.Value]] = {}
        self.products: dict[str, WaveProduct] = {}
        self.rare: dict[str, Places] = {}
        self._suffix = hashlib.sha256(repr(jit.machine).encode()).hexdigest()[:8]
        self._kinds: dict[Call, ir.FunctionType] = {}

    def symbol(self, call: Call) -> str:
        """Give the name that the linker knows a function by."""
        form = ("soon",) if self._effort(call) == "least" else ()
        return "_".join(("wavemma", *map(str, call), *form, str(self.size), self._suffix))

    def _effort(self, call: Call) -> Effort:
        return "least" if self.soon and call[0] in _SOON else "short"

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
        """Compile what was declared, and what that calls in turn, as one object for each effort."""
        with inside_llvm():
            asked = dict(self._kinds)
            modules = self._written(apart=True)
            pairs = list(permutations(modules.values(), 2))
            if pairs and all(_calls(one, other) for one, other in pairs):
                # Neither of two objects that call each other can be loaded first.
                self._kinds = asked
                modules = self._written(apart=False)
            callers = [one for one, other in pairs if _calls(one, other)]
            for effort, module in sorted(modules.items(), key=lambda each: each[1] in callers):
                self.jit.linker.make(module, partial(self.jit.compile, effort=effort))

    def _written(self, *, apart: bool) -> dict[Effort, ir.Module]:
        """Write what was declared, and what that calls in turn, into modules by effort, or one."""
        modules: dict[Effort, ir.Module] = {}
        while self._kinds:
            call, kind = self._kinds.popitem()
            name = self.symbol(call)
            if self.jit.linker.has(name):
                continue
            effort = self._effort(call) if apart else "short"
            module = modules.setdefault(effort, ir.Module(name="wavemma"))
            function = module.globals.get(name) or ir.Function(module, kind, name)
            if function.is_declaration:
                # Each stays small: the time to compile grows faster than their size.
                function.attributes.add("noinline")
                count_names(function)
                EMITTERS[str(call[0])](function, self.jit.machine, self, *call[1:])
        return modules


def _calls(one: ir.Module, other: ir.Module) -> bool:
    """Tell whether functions of a module call such as another one defines."""
    made = {each.name for each in other.functions if not each.is_declaration}
    return any(each.is_declaration and each.name in made for each in one.functions)


@cache
def runtime_of(jit: Jit, size: Wave, *, soon: bool = False) -> Runtime:
    """Give the functions that all code of one compiler and wave size shares.

    Args:
        jit: The compiler.
        size: Lanes of the wave.
        soon: As `Runtime` takes it.

    """
    return Runtime(jit, size, soon=soon)
