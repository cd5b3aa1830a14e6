"""Text of instructions, run by the waves of one workgroup; their registers before and after."""

import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec
import numpy as np

from tests.oracles.assemblers import zig
from wavemma.engines.jit import shared_jit
from wavemma.errors import Unsupported
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import sweep_any
from wavemma.machine.codes import codes_of
from wavemma.machine.compiled.code import CompiledCode
from wavemma.machine.compiled.state import ALIGNMENT, GROUP, LAUNCH, VECTORS, WAVE, Fault, Status
from wavemma.machine.compiled.translate import code_of
from wavemma.machine.interpreted.memory import GroupMemory, Stopped
from wavemma.machine.interpreted.wave import ArrayWave
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.machine.perform import perform
from wavemma.objects import Placed
from wavemma.tables.targets import target

REGISTERS = 64
CODE_AT = 0x1_2345_6700
# Nearest even, subnormals kept, NaN as this generation has it.
MODE = 0x3F0
Lanes = Literal[32, 64]


class Ended(msgspec.Struct, frozen=True):
    """Registers of every wave at the end: u32 [wave, code], [wave, register, lane] and records."""

    status: Status
    scalars: np.ndarray
    vectors: np.ndarray
    records: np.ndarray

    @property
    def fault(self) -> Fault:
        return Fault(int(self.records[0]["fault_kind"]))


@cache
def placed(lines: tuple[str, ...], target_name: str, wave: Lanes) -> tuple[Placed, ...]:
    data, complaints = zig([*lines, "s_endpgm"], target_name, wave)
    assert data, complaints
    return tuple(
        Placed(at, "", at, data[at : at + each.size_bytes], each)
        for at, each in sweep_any(data, target_name, wave)
    )


@cache
def compiled(lines: tuple[str, ...], target_name: str, wave: Lanes) -> CompiledCode:
    jit = shared_jit(Path(tempfile.gettempdir(), "wavemma-tests"))
    codes = codes_of(target(target_name).architecture)
    code = code_of(placed(lines, target_name, wave), wave)
    made = CompiledCode(code, codes, jit)
    made.compile(0)
    return made


def on_arrays(
    lines: Sequence[str],
    *,
    target_name: str = "gfx1100",
    wave: Lanes = 32,
    scalars: Mapping[int, int] | None = None,
    vectors: np.ndarray | None = None,
    active: int | None = None,
) -> Ended:
    """Run lines without branches by one wave on NumPy arrays; arguments as for `run`."""
    words = np.zeros(128, dtype=np.uint32)
    for at, value in start_of(0, wave, active, scalars).items():
        words[at] = value & 0xFFFFFFFF
    held = np.zeros((REGISTERS, wave), dtype=np.uint32)
    if vectors is not None:
        held[: len(vectors)] = vectors
    codes = codes_of(target(target_name).architecture)
    memory = GroupMemory(DeviceMemory(), 0, 1)
    scratch = np.zeros(0, dtype=np.uint8)
    one = ArrayWave(wave, codes, words, held, memory, scratch, mode=MODE)
    status, fault = Status.NO_MORE, Fault.NONE
    for each in placed(tuple(lines), target_name, wave)[:-1]:
        assert not isinstance(each.instruction, Undecoded), each
        one.next_address = CODE_AT + each.address + len(each.data)
        try:
            perform(one, each.instruction)
        except (Stopped, Unsupported) as stopped:
            status = Status.FAULT
            fault = stopped.kind if isinstance(stopped, Stopped) else Fault.UNSUPPORTED
            break
    record = np.zeros(1, dtype=WAVE)
    record[0]["scc"], record[0]["mode"] = one.scc()[0], int(one.mode()[0]) & 0xFFFFFFFF
    record[0]["fault_kind"] = int(fault)
    after = one.vector_words.view(np.uint32)[np.newaxis].copy()
    return Ended(status, one.scalar_words.view(np.uint32)[np.newaxis].copy(), after, record)


def start_of(
    number: int, wave: Lanes, active: int | None, scalars: Mapping[int, int] | None
) -> dict[int, int]:
    """Give what scalar registers hold at the start."""
    full = (1 << wave) - 1 if active is None else active
    return {0: number, 126: full & 0xFFFFFFFF, 127: full >> 32} | dict(scalars or {})


def aligned(size: int) -> np.ndarray:
    room = np.zeros(size + ALIGNMENT, dtype=np.uint8)
    return room[-room.ctypes.data % ALIGNMENT :][:size]


def run(
    lines: Sequence[str],
    *,
    target_name: str = "gfx1100",
    wave: Lanes = 32,
    scalars: Mapping[int, int] | None = None,
    vectors: np.ndarray | None = None,
    active: int | None = None,
    waves: int = 1,
    rounds: int = 1,
) -> Ended:
    """Run lines and s_endpgm.

    Args:
        lines: Instructions.
        target_name: Of the device.
        wave: Lanes.
        scalars: By source code; every wave has its number in s0 unless it is given.
        vectors: u32 [register, lane], at most all REGISTERS.
        active: The mask of active lanes; all if None.
        waves: Of the workgroup.
        rounds: How often the workgroup goes on after waves gave way.

    """
    code = compiled(tuple(lines), target_name, wave)
    wave_bytes = VECTORS + REGISTERS * wave * 4
    room, records = aligned(waves * wave_bytes), []
    for number in range(waves):
        own = room[number * wave_bytes : (number + 1) * wave_bytes]
        record = own[: WAVE.itemsize].view(WAVE)
        for at, value in start_of(number, wave, active, scalars).items():
            record[0]["scalars"][at] = value & 0xFFFFFFFF
        record[0]["mode"] = MODE
        if vectors is not None:
            own[VECTORS:].view("<u4").reshape(REGISTERS, wave)[: len(vectors)] = vectors
        records.append(record)
    launch, group = np.zeros(1, LAUNCH), np.zeros(1, GROUP)
    counts = np.zeros(len(code.code.blocks), dtype=np.uint64)
    launch[0]["code"], launch[0]["code_bytes"] = CODE_AT, code.code.size_bytes
    launch[0]["block_of_word"] = code.block_of_word.ctypes.data
    launch[0]["functions"] = code.functions.ctypes.data
    launch[0]["steps"] = code.steps.ctypes.data
    group[0]["counts"], launch[0]["budget"] = counts.ctypes.data, 4096
    group[0]["waves"], group[0]["wave_bytes"] = room.ctypes.data, wave_bytes
    group[0]["count"] = group[0]["expected"] = waves
    group[0]["is_running"], group[0]["at_once"] = 1, 2
    for _ in range(rounds):
        status = Status(code.run_groups(group.ctypes.data, launch.ctypes.data))
        if status is not Status.GAVE_WAY:
            break
    vectors_after = room.reshape(waves, wave_bytes)[:, VECTORS:].view("<u4")
    found = np.array([record[0] for record in records])
    shaped = vectors_after.reshape(waves, REGISTERS, wave).copy()
    return Ended(status, found["scalars"].copy(), shaped, found)
