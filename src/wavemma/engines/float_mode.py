"""The processor's floating-point mode around compiled code.

A library that was built for speed may leave a thread flushing subnormals to zero or rounding
another way. Compiled meanings rely on the default mode, so a function sets it and puts the
thread's own back.
"""

import llvmlite.ir as ir

from wavemma.engines.machine import Machine

_I32 = ir.IntType(32)
_POINTER = ir.PointerType()
# All exceptions masked, nearest even, subnormals kept.
_DEFAULT = 0x1F80


class FloatMode:
    """Sets the default mode at the builder's place.

    Args:
        builder: At the start of a function.
        machine: The processor; where it is not x86 the mode is left alone.

    """

    def __init__(self, builder: ir.IRBuilder, machine: Machine) -> None:
        self._builder = builder
        self._before: ir.Value | None = None
        if not machine.is_x86:
            return
        self._before = builder.alloca(_I32)
        self._call("llvm.x86.sse.stmxcsr", self._before)
        wanted = builder.alloca(_I32)
        builder.store(_I32(_DEFAULT), wanted)
        self._call("llvm.x86.sse.ldmxcsr", wanted)

    def restore(self) -> None:
        """Put the thread's own mode back at the builder's place."""
        if self._before is not None:
            self._call("llvm.x86.sse.ldmxcsr", self._before)

    def _call(self, name: str, place: ir.Value) -> None:
        module = self._builder.module
        if name not in module.globals:
            ir.Function(module, ir.FunctionType(ir.VoidType(), [_POINTER]), name)
        self._builder.call(module.globals[name], [place])
