"""Registers of a stopped wave as text: what is not 0, in eight lanes a line."""

import numpy as np

from wavemma.machine.stop_text import registers_text
from wavemma.machine.wave_registers import WaveRegisters

WIDTH = 80


def test_registers() -> None:
    vectors = np.zeros((12, 32), dtype=np.uint32)
    vectors[2] = 0x7B
    vectors[11, 9] = 0xFFFFFFFF
    accumulators = np.zeros((1, 32), dtype=np.uint32)
    accumulators[0, :] = 1
    scalars = {"s0": 1, "s1": 0, "s2": 2, "s3": 3, "s4": 4, "exec_lo": 0xFF, "ttmp11": 0}
    text = registers_text(WaveRegisters(scalars, vectors, accumulators))
    zeros = " ".join(["00000000"] * 8)
    assert text.split("\n") == [
        "Registers of the wave; those that are not listed hold 0.",
        "s0       00000001  s2       00000002  s3       00000003  s4       00000004",
        "exec_lo  000000ff",
        "v2   all 0000007b",
        f"v11    0 {zeros}",
        "v11    8 00000000 ffffffff 00000000 00000000 00000000 00000000 00000000 00000000",
        f"v11   16 {zeros}",
        f"v11   24 {zeros}",
        "a0   all 00000001",
    ]
    assert max(map(len, text.split("\n"))) <= WIDTH


def test_no_accumulators() -> None:
    nothing = np.zeros((0, 64), dtype=np.uint32)
    assert registers_text(WaveRegisters({"scc": 0}, nothing, nothing)).count("\n") == 0
