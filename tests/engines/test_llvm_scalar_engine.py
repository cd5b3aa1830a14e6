"""Plain numbers in LLVM IR."""

import subprocess
import sys
from ctypes import CFUNCTYPE, c_int64

import llvmlite.ir as ir
import pytest

from wavemma.engines.engine import Lane
from wavemma.engines.jit import Effort, Jit
from wavemma.engines.llvm_scalar_engine import LlvmScalarEngine

I64 = ir.IntType(64)
CONSTANT, NUMBER = 0b101101, 1 << 40


def plus_a_bit(jit: Jit, effort: Effort, place: int) -> int:
    """Compile what adds a bit of a constant to a number, and call it."""
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(I64, [I64, I64]), "plus_a_bit")
    build = ir.IRBuilder(function.append_basic_block())
    e = LlvmScalarEngine(build, jit.machine)
    number, at = function.args
    bit = e.and_(e.lshr(e.constant(Lane.I64, CONSTANT), e.and_(at, 7)), 1)
    build.ret(e.add(number, bit))
    jit.linker.make(module, lambda each: jit.compile(each, effort))
    made = CFUNCTYPE(c_int64, c_int64, c_int64)(jit.linker.addresses["plus_a_bit"])
    return int(made(NUMBER, place))


@pytest.mark.parametrize("effort", ["least", "short", "whole"])
def test_llvm_compiles_a_bit_of_a_constant_plus_a_number(effort: Effort) -> None:
    # In a process of its own: as vectors of one number LLVM ends it.
    done = subprocess.run(
        [sys.executable, "-m", "tests.engines.test_llvm_scalar_engine", effort],
        capture_output=True,
        check=False,
    )
    expected = [NUMBER + (CONSTANT >> place & 1) for place in range(8)]
    assert (done.returncode, done.stdout.decode().split()) == (0, [str(n) for n in expected])


if __name__ == "__main__":
    for place in range(8):
        print(plus_a_bit(Jit(), sys.argv[1], place))  # type: ignore[arg-type]
