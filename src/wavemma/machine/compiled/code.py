"""Code of a code object as functions of the host, each compiled when a wave first comes to it."""

import hashlib
import threading
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int32, c_void_p

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from wavemma.engines.jit import Jit
from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary, branch_target
from wavemma.machine.calls import atomics, groups, lanes, memory, start, trace
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.records import I32, POINTER
from wavemma.machine.compiled.runtime import Runtime
from wavemma.machine.compiled.translate import Code, GuestBlock, Region
from wavemma.machine.named_registers import count_vectors

EMITTING = (atomics, groups, lanes, memory, start, trace)
"""The modules that enter what writes the functions of the runtime."""
RunGroups = Callable[[int, int], int]


class CompiledCode:
    """The functions of all blocks; safe to use from several threads.

    Args:
        code: The code in blocks.
        codes: Source codes of registers without operands.
        jit: The compiler.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.
        traced: Whether it notes every store (see `instrument`).

    Attributes:
        vectors: How many vector registers a wave must have for everything that code names.
        functions: Address of the function of each block.
        block_of_word: By word of the code, number of the block that begins there, plus 1.
        run_groups: int (group, launch): see `groups`.

    """

    def __init__(
        self,
        code: Code,
        codes: Codes,
        jit: Jit,
        *,
        accumulator_offset: int = 0,
        keep_finite: bool = False,
        speed_level: int = 1,
        traced: bool = False,
    ) -> None:
        self.code = code
        self.codes = codes
        self.jit = jit
        self.runtime = Runtime(jit, code.wave)
        self.accumulator_offset = accumulator_offset
        self.vectors = count_vectors(code, accumulator_offset)
        self.keep_finite = keep_finite
        self.speed_level = speed_level
        self.traced = traced
        self._lock = threading.Lock()
        self._compiled: set[int] = set()
        fixed = ir.Module()
        block = [POINTER, POINTER, POINTER, I32]
        self.runtime.declare(fixed, ("run_groups",), block[:2], I32)
        self.runtime.declare(fixed, ("missing",), block, I32)
        self.runtime.link()
        missing = self.runtime.addresses[self.runtime.symbol(("missing",))]
        self.functions = np.full(len(code.blocks), missing, dtype=np.uint64)
        self.block_of_word = self._blocks()
        run = self.runtime.addresses[self.runtime.symbol(("run_groups",))]
        self.run_groups: RunGroups = CFUNCTYPE(c_int32, c_void_p, c_void_p)(run)

    def compile(self, block: int) -> None:
        """Compile the function that a block belongs to, if it is not yet."""
        function = next(each for each in self.code.functions if block in each)
        with self._lock:
            if function.start in self._compiled:
                return
            regions = self.code.regions(function)
            names = [f"region_{number}" for number in range(len(regions))]
            # Written even where the object is cached: that tells what it calls.
            module = ir.Module(name="wavemma")
            for region, name in zip(regions, names, strict=True):
                self._region(region).emit(module, self.jit.machine, name)
            self.runtime.link()
            key = self._key(function)
            addresses = self.jit.addresses(names, key, module, self.speed_level)
            for name, region in zip(names, regions, strict=True):
                self.functions[region.start : region.stop] = addresses[name]
            self._compiled.add(function.start)

    def _region(self, region: range) -> Region:
        return Region(
            self.code,
            region,
            self.codes,
            self.runtime,
            accumulator_offset=self.accumulator_offset,
            keep_finite=self.keep_finite,
            traced=self.traced,
        )

    def _key(self, function: range) -> str:
        """Name the code of a function and everything else that its compiled form depends on."""
        digest = hashlib.sha256()
        architectures = set()
        for number in function:
            block = self.code.blocks[number]
            digest.update(repr((block.offset, self._leads_to(block))).encode())
            for each in block.instructions:
                digest.update(each.data)
                if not isinstance(each.instruction, Undecoded):
                    architectures.add(each.instruction.instruction.architecture)
                    digest.update(_model_of(each.instruction).encode())
        options = (self.code.wave, self.accumulator_offset, self.keep_finite, self.traced, function)
        return digest.hexdigest() + repr((*options, sorted(architectures)))

    def _leads_to(self, block: GuestBlock) -> int | None:
        """Give the number of the block that a block branches to, which may be in any function."""
        last = block.instructions[-1]
        if not isinstance(last.instruction, DecodedOrdinary):
            return None
        target = branch_target(last.instruction, last.address)
        return None if target is None else self.code.numbers.get(target - self.code.start)

    def _blocks(self) -> NDArray[np.uint32]:
        found = np.zeros(self.code.size_bytes // 4 + 1, dtype=np.uint32)
        for offset, number in self.code.numbers.items():
            found[offset // 4] = number + 1
        return found


def _model_of(found: AnyDecoded) -> str:
    """Name the arithmetic model that an instruction follows; "" if it multiplies no matrices."""
    if isinstance(found, Decoded) and found.instruction.is_matrix:
        return found.instruction.model(found.wave)
    return ""
