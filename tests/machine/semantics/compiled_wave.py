"""Instructions one after the other in compiled code, on the registers of a state."""

import hashlib
from ctypes import CFUNCTYPE, c_int32, c_void_p
from typing import Any, Protocol

import llvmlite.ir as ir
import numpy as np

from tests.machine.semantics.wave_state import VECTORS, State
from wavemma.engines.jit import Jit
from wavemma.machine.calls import lanes, memory
from wavemma.machine.compiled.records import I32, POINTER
from wavemma.machine.compiled.runtime import Runtime
from wavemma.machine.compiled.state import ALIGNMENT, WAVE, place
from wavemma.machine.compiled.state import VECTORS as FIRST_VECTOR
from wavemma.machine.compiled.wave import LlvmWave
from wavemma.machine.wave import Codes, WaveState
from wavemma.tables.targets import Wave

EMITTING = (lanes, memory)


class Steps(Protocol):
    """Instructions to run."""

    codes: Codes
    steps: list[Any]

    def run(self, wave: WaveState[Any], number: int) -> None:
        """Do one of them."""


def run_compiled(jit: Jit, key: str, program: Steps, state: State) -> State:
    """Run instructions and give the state behind them."""
    runtime = Runtime(jit, state.size)
    symbol = runtime.symbol(("program", hashlib.sha256(key.encode()).hexdigest()))
    module = ir.Module()
    kind = ir.FunctionType(ir.VoidType(), [POINTER, POINTER, POINTER, I32])
    build = ir.IRBuilder(ir.Function(module, kind, symbol).append_basic_block())
    wave = LlvmWave(build, jit.machine, state.size, program.codes, runtime, accumulator_offset=0)
    body = build.append_basic_block()
    build.branch(body)
    build.position_at_end(body)
    wave.enter()
    for number in range(len(program.steps)):
        program.run(wave, number)
    build.ret_void()
    runtime.link()
    if not jit.linker.has(symbol):
        jit.linker.make(module, lambda each: jit.compile(each, "short"))
    return _called(jit.linker.addresses[symbol], state)


def _called(address: int, state: State) -> State:
    memory = memory_of(state)
    function = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p, c_int32)(address)
    function(memory.ctypes.data, None, None, 0)
    return state_in(memory, state.size)


def memory_of(state: State) -> np.ndarray:
    """Lay out the memory of a wave."""
    bytes_ = FIRST_VECTOR + 4 * state.size * VECTORS
    room = np.zeros(bytes_ + ALIGNMENT, dtype=np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    memory = room[start : start + bytes_]
    scalars = place(WAVE, "scalars")
    memory[scalars : scalars + 4 * state.scalars.size] = state.scalars.view(np.uint8)
    memory[FIRST_VECTOR:] = state.vectors.reshape(-1).view(np.uint8)
    return memory


def state_in(memory: np.ndarray, size: Wave) -> State:
    """Read the registers out of the memory of a wave."""
    after, scalars = State(size), place(WAVE, "scalars")
    after.scalars[:] = memory[scalars : scalars + 4 * after.scalars.size].view(np.uint32)
    after.vectors[:] = memory[FIRST_VECTOR:].view(np.uint32).reshape(VECTORS, size)
    return after
