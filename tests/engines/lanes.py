"""Running one meaning on both engines: arrays in, arrays out."""

from collections.abc import Callable, Sequence
from ctypes import c_int64, c_void_p
from typing import Any

import llvmlite.ir as ir
import numpy as np

from wavemma.engines.array_engine import DTYPES
from wavemma.engines.engine import Lane
from wavemma.engines.jit import Jit
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.llvm_lane_types import element_type
from wavemma.engines.machine import Machine

WIDTH = 8
LANES = {np.dtype(dtype): lane for lane, dtype in DTYPES.items()}
POINTER = ir.PointerType()
I64 = ir.IntType(64)


def on_llvm(
    jit: Jit,
    name: str,
    meaning: Callable[..., Any],
    arrays: Sequence[np.ndarray],
    result: Lane,
    width: int = WIDTH,
) -> np.ndarray:
    """Run a meaning on arrays of one length, a multiple of `width`; truth comes back as i32."""
    lanes = [LANES[array.dtype] for array in arrays]
    stored = Lane.I32 if result is Lane.BOOL else result

    def emit(module: ir.Module, machine: Machine) -> None:
        kinds = [I64, POINTER, *[POINTER] * len(arrays)]
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), "lanes")
        build = ir.IRBuilder(function.append_basic_block())
        engine = LlvmEngine(build, width, machine)
        count, out, *inputs = function.args
        before, top = build.block, build.append_basic_block()
        build.branch(top)
        build.position_at_end(top)
        index = build.phi(I64)
        index.add_incoming(I64(0), before)
        values = []
        for pointer, lane in zip(inputs, lanes, strict=True):
            place = build.gep(pointer, [index], source_etype=element_type(lane))
            values.append(build.load(place, align=4, typ=engine.vector_type(lane)))
        got = engine.convert(meaning(engine, *values), stored)
        place = build.gep(out, [index], source_etype=element_type(stored))
        build.store(got, place, align=4)
        following = build.add(index, I64(width))
        index.add_incoming(following, build.block)
        after = build.append_basic_block()
        build.cbranch(build.icmp_unsigned("<", following, count), top, after)
        build.position_at_end(after)
        build.ret_void()

    function = jit.function(
        "lanes", f"{name} {width}", emit, [c_int64, c_void_p, *[c_void_p] * len(arrays)]
    )
    made = np.zeros(arrays[0].shape, dtype=DTYPES[stored])
    function(made.size, made.ctypes.data, *[array.ctypes.data for array in arrays])
    return made


INTEGERS = [0, 1, 2, 3, 5, 31, 255, 0x7FFFFFFF, -1, -2, -31, -0x80000000, 0x12345678, -0x76543210]
FLOATS = [
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, -1.5, 2.5, 0.1, -0.3, 1e-40, -1e-45, 1e38, -3e38),
    *(2.0**23, 2.0**24 + 2, -(2.0**23) - 1, 2.0**52 + 1, 4503599627370495.5, 2.0**-126),
    *(float("inf"), float("-inf"), float("nan"), 7.0, -8388607.5, 3.9999998, 1.1754942e-38),
]


def operands(lane: Lane, count: int) -> list[np.ndarray]:
    """All combinations of numbers that matter, filled up to a multiple of WIDTH."""
    numbers = FLOATS if lane.is_float else INTEGERS
    if lane is Lane.I64:
        numbers = [*INTEGERS, 1 << 62, -(1 << 63), (1 << 63) - 1, 0x123456789ABCDEF]
    with np.errstate(all="ignore"):
        base = np.array(numbers, dtype=np.float64 if lane.is_float else np.int64)
        base = base.astype(DTYPES[lane])
    grids = np.meshgrid(*[base] * count, indexing="ij")
    flat = [np.ascontiguousarray(grid.ravel()) for grid in grids]
    short = -flat[0].size % WIDTH
    return [np.concatenate([each, each[:short]]) for each in flat]
