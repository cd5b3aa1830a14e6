"""Kernels whose mode turns overflow of f16 and of 8-bit floats into the largest finite number."""

import struct

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.machine.device import Device
from wavemma.objects import code_object

LINES = {
    # What it leaves where the mode keeps numbers finite, and where it does not.
    "v_add_f16 v4, v1, v1": (0x7BFF, 0x7C00),
    "v_mul_f16 v4, v1, v2": (0xFBFF, 0xFC00),
    "v_add_f16 v4, v3, v3": (0x7C00, 0x7C00),
    "v_pk_add_f16 v4, v1, v1 op_sel_hi:[0,0]": (0x7BFF7BFF, 0x7C007C00),
    "v_pk_fma_f16 v4, v3, v1, v1 op_sel_hi:[0,0,0]": (0x7C007C00, 0x7C007C00),
    "v_fma_mixlo_f16 v4, v5, v5, v5": (0x7BFF, 0x7C00),
    "v_cvt_f16_f32 v4, v5": (0x7BFF, 0x7C00),
    "v_pk_fmac_f16 v4, v6, v6": (0x7BFF7BFF, 0x7C007C00),
    "v_add_f32 v4, v7, v7": (0x7F800000, 0x7F800000),
}
SMALL = {
    "v_cvt_pk_fp8_f32 v4, v5, -v5": (0xFE7E, 0xFF7F),
    "v_cvt_pk_bf8_f32 v4, v5, -v8": (0xFC7B, 0xFC7C),
    "v_cvt_sr_fp8_f32 v4, -v5, v1": (0xFE, 0xFF),
    "v_cvt_sr_bf8_f32 v4, v8, v1": (0x7C, 0x7C),
}
RSRC1, KEEP_FINITE = 48, 1 << 26


def kernel(target: str, lines: list[str]) -> bytes:
    """Compile lines that each start from the same registers and store v4."""
    body = []
    for number, line in enumerate(lines):
        start = {4: 0, 1: 0x7BFF, 2: 0xFBFF, 3: 0x7C00, 5: 0x48800000, 6: 0x78007800}
        start |= {7: 0x7F7FFFFF, 8: 0x7F800000}
        body += [f"v_mov_b32 v{n}, {value:#x}" for n, value in start.items()]
        body += [line, "v_mov_b32 v9, 0", f"global_store_b32 v9, v4, s[2:3] offset:{4 * number}"]
    text = "\\n".join(body)
    clobbers = ", ".join(f'"v{n}"' for n in range(1, 10))
    source = f"""
extern "C" __attribute__((global)) void k(int *out) {{
  asm volatile("{text}" :: "{{s[2:3]}}"(out) : {clobbers}, "memory");
}}
"""
    return linked(target, "-O3", source=source)


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
@pytest.mark.parametrize("interpreted", [False, True])
@pytest.mark.parametrize("keeps", [False, True])
def test_overflow(target: str, interpreted: bool, keeps: bool) -> None:
    lines = LINES | (SMALL if target == "gfx1201" else {})
    data = bytearray(kernel(target, list(lines)))
    place = code_object(bytes(data)).kernel("k").descriptor_address + RSRC1
    (word,) = struct.unpack_from("<I", data, place)
    struct.pack_into("<I", data, place, word | KEEP_FINITE if keeps else word & ~KEEP_FINITE)
    device = Device(target, threads=1)
    out = device.memory.allocate(4 * len(lines), "out")
    device.launch(device.load(bytes(data)), "k", 1, 32, [out], interpreted=interpreted)
    got = device.memory.array(out, np.uint32, (len(lines),))
    for line, number in zip(lines, got.tolist(), strict=True):
        assert number == lines[line][0 if keeps else 1], (line, hex(number))
