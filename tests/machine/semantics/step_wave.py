"""Instructions one after the other as steps of the first tier, on the registers of a state."""

from collections.abc import Sequence
from ctypes import CFUNCTYPE, c_int32, c_uint32, c_uint64, c_void_p

import numpy as np

from tests.machine.semantics.compiled_wave import memory_of, state_in
from tests.machine.semantics.wave_state import State
from wavemma.engines.jit import Jit
from wavemma.isa.ordinary import DecodedOrdinary
from wavemma.machine.calls import lanes, memory
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.runtime import runtime_of
from wavemma.machine.compiled.state import PLACES, STEP, WAVE, Status, place
from wavemma.machine.compiled.translate import Code, GuestBlock
from wavemma.machine.steps.store import store_of
from wavemma.machine.steps.table import StepTable
from wavemma.objects import Placed

EMITTING = (lanes, memory)
WORD_BYTES = 4


def run_in_steps(
    jit: Jit, codes: Codes, steps: Sequence[tuple[DecodedOrdinary, int, int]], state: State
) -> State:
    """Do each instruction with its own active lanes, keep the masks, and give the state behind."""
    placed = [Placed(8 * n, "all", 8 * n, b"", each[0]) for n, each in enumerate(steps)]
    blocks = tuple(GuestBlock(each.address, each.address + 8, (each,)) for each in placed)
    code = Code(0, 8 * len(steps), state.size, blocks)
    store = store_of(runtime_of(jit, state.size, soon=True))
    table = StepTable(code, codes, store, accumulator_offset=0, keep_finite=False, traced=False)
    table.fill(range(len(steps)))
    room = memory_of(state)
    words = room[place(WAVE, "scalars") :][: WORD_BYTES * state.scalars.size].view(np.uint32)
    for number, (_, active, kept) in enumerate(steps):
        pair = np.array([active], dtype=np.uint64).view(np.uint32)
        count = state.size // 32
        words[codes.exec : codes.exec + count] = pair[:count]
        _run(room, int(table.starts[number]), active, state.size)
        for code_, to in ((codes.exec, kept), (codes.vcc, kept + 2)):
            words[to : to + count] = words[code_ : code_ + count]
    return state_in(room, state.size)


def _run(room: np.ndarray, record: int, active: int, size: int) -> None:
    step = np.frombuffer((c_uint64 * (STEP.itemsize // 8)).from_address(record), dtype=STEP)[0]
    mask = c_uint32 if size == 32 else c_uint64
    call = CFUNCTYPE(c_int32, c_void_p, c_void_p, mask, *[c_void_p] * PLACES)(int(step["function"]))
    wave = room.ctypes.data
    places = [(wave + int(each)) % 2**64 for each in step["arguments"][:PLACES]]
    assert call(wave, record, active, *places) == Status.GOES_ON
