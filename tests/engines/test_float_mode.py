"""A thread that flushes subnormals gets the same bits, and keeps its mode."""

from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import c_void_p

import llvmlite.ir as ir
import numpy as np
import pytest

from wavemma.engines.jit import Jit
from wavemma.engines.machine import Machine, host_machine
from wavemma.formats.format import number_format
from wavemma.gemm.run import product
from wavemma.numerics.model import model
from wavemma.numerics.path import Setting

pytestmark = pytest.mark.skipif(not host_machine().is_x86, reason="the mode register is x86's")
FLUSHING = 0x9FC0
JIT = Jit()


def emit(name: str) -> object:
    def write(module: ir.Module, machine: Machine) -> None:
        kind = ir.FunctionType(ir.VoidType(), [ir.PointerType()])
        function = ir.Function(module, kind, name)
        intrinsic = ir.Function(module, kind, f"llvm.x86.sse.{name}")
        build = ir.IRBuilder(function.append_basic_block())
        build.call(intrinsic, [function.args[0]])
        build.ret_void()

    return write


def mode() -> int:
    word = np.zeros(1, dtype=np.uint32)
    JIT.function("stmxcsr", "read", emit("stmxcsr"), [c_void_p])(word.ctypes.data)
    return int(word[0]) & 0xFFC0


@contextmanager
def flushing() -> Iterator[None]:
    load = JIT.function("ldmxcsr", "write", emit("ldmxcsr"), [c_void_p])
    before, wanted = (np.array([bits], dtype=np.uint32) for bits in (mode(), FLUSHING))
    load(wanted.ctypes.data)
    try:
        yield
    finally:
        load(before.ctypes.data)


def test_subnormals_survive_and_the_mode_stays() -> None:
    f32 = number_format("f32")
    given = Setting(f32, f32, f32, f32)
    tiny = np.full((4, 4), 3, dtype=np.uint32)
    one = np.zeros((4, 4), dtype=np.uint32)
    np.fill_diagonal(one, 0x3F800000)
    with flushing():
        got = product(
            tiny, one, model=model("fma_chain"), setting=given, k_step=4, jit=JIT, threads=1
        )
        inside = mode()
    assert inside == FLUSHING
    assert mode() != FLUSHING
    assert np.array_equal(got, tiny)
