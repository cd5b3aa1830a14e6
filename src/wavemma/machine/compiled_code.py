"""Compiled code of a code object, ready to be launched."""

import hashlib
from ctypes import CFUNCTYPE, c_int32, c_void_p

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from wavemma.engines.jit import Jit
from wavemma.engines.machine import Machine
from wavemma.machine import group_calls, lane_calls, memory_calls, start_calls
from wavemma.machine.records import I32, POINTER
from wavemma.machine.runtime import Runtime
from wavemma.machine.translate import Code, Region
from wavemma.machine.wave import Codes

EMITTING = (group_calls, lane_calls, memory_calls, start_calls)
"""The modules that enter what writes the functions of the runtime."""


class CompiledCode:
    """The functions of all regions.

    Args:
        code: The code in blocks.
        text: Its bytes; they name it in the cache.
        codes: Source codes of registers without operands.
        jit: The compiler.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.

    Attributes:
        functions: Address of the function of each block.
        block_of_word: By word of the code, number of the block that begins there, plus 1.
        run_groups: int (group, launch): see `group_calls`.

    """

    def __init__(
        self,
        code: Code,
        text: bytes,
        codes: Codes,
        jit: Jit,
        *,
        accumulator_offset: int = 0,
        keep_finite: bool = False,
        speed_level: int = 1,
    ) -> None:
        self.code = code
        runtime = Runtime(jit, code.wave)
        options = (code.wave, accumulator_offset, keep_finite)
        key = hashlib.sha256(text).hexdigest() + repr(options)
        names = [f"region_{n}" for n in range(len(code.regions))]
        regions = [
            Region(
                code,
                region,
                codes,
                runtime,
                accumulator_offset=accumulator_offset,
                keep_finite=keep_finite,
            )
            for region in code.regions
        ]

        def emit(module: ir.Module, machine: Machine) -> None:
            for region, name in zip(regions, names, strict=True):
                region.emit(module, machine, name)

        module = ir.Module()
        emit(module, jit.machine)
        run = runtime.symbol(("run_groups",))
        runtime.declare(module, ("run_groups",), [POINTER, POINTER], I32)
        runtime.link()
        addresses = jit.addresses(names, key, emit, speed_level)
        self.functions = self._functions(addresses, names)
        self.block_of_word = self._blocks()
        self.run_groups = CFUNCTYPE(c_int32, c_void_p, c_void_p)(runtime.addresses[run])

    def _functions(self, addresses: dict[str, int], names: list[str]) -> NDArray[np.uint64]:
        found = np.zeros(len(self.code.blocks), dtype=np.uint64)
        for name, region in zip(names, self.code.regions, strict=True):
            found[region.start : region.stop] = addresses[name]
        return found

    def _blocks(self) -> NDArray[np.uint32]:
        found = np.zeros(self.code.size_bytes // 4 + 1, dtype=np.uint32)
        for offset, number in self.code.numbers.items():
            found[offset // 4] = number + 1
        return found
