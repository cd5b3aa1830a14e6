"""Code of a code object as functions of the host, each compiled when a wave first comes to it."""

import hashlib
import threading
from collections.abc import Callable
from ctypes import CFUNCTYPE, c_int32, c_void_p
from typing import Literal

import llvmlite.ir as ir
import numpy as np
from numpy.typing import NDArray

from wavemma.engines.jit import Jit
from wavemma.engines.llvm_lock import inside_llvm
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary, branch_target
from wavemma.machine.calls import atomics, groups, lanes, matrix, memory, rare, start, steps, trace
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.heat import Heat
from wavemma.machine.compiled.records import I32, POINTER
from wavemma.machine.compiled.runtime import Call, runtime_of
from wavemma.machine.compiled.translate import Code, GuestBlock, Region
from wavemma.machine.meaning import marks
from wavemma.machine.named_registers import count_vectors
from wavemma.machine.steps.store import store_of
from wavemma.machine.steps.table import StepTable

EMITTING = (atomics, groups, lanes, matrix, memory, rare, start, steps, trace)
"""The modules that enter what writes the functions of the runtime."""
RunGroups = Callable[[int, int], int]


Tier = Literal["both", "steps", "regions"]
"""Whether code runs step by step, which is ready at once, as regions that run faster, or first
this way and then, where it runs often, that way. Results are the same bits."""


class CompiledCode:
    """The functions of all blocks; safe to use from several threads.

    Args:
        code: The code in blocks.
        codes: Source codes of registers without operands.
        jit: The compiler.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.
        traced: Whether it notes every store (see `instrument`).
        tier: How it is compiled.

    Attributes:
        vectors: How many vector registers a wave must have for everything that code names.
        functions: Address of the function of each block.
        steps: Address of the first step of each block, 0 where it has none.
        block_of_word: By word of the code, number of the block that begins there, plus 1.
        run_groups: int (group, launch): see `groups`.
        heat: What is compiled again; None if nothing is.

    """

    def __init__(
        self,
        code: Code,
        codes: Codes,
        jit: Jit,
        *,
        accumulator_offset: int = 0,
        keep_finite: bool = False,
        traced: bool = False,
        tier: Tier = "both",
    ) -> None:
        self.code = code
        self.codes = codes
        self.jit = jit
        self.runtime = runtime_of(jit, code.wave)
        self.accumulator_offset = accumulator_offset
        self.vectors = count_vectors(code, accumulator_offset)
        self.keep_finite = keep_finite
        self.traced = traced
        self.tier: Tier = tier
        self.heat = Heat(code, self._compile_region) if tier == "both" else None
        self._lock = threading.Lock()
        self._compiled: set[int] = set()
        self._table = StepTable(
            code,
            codes,
            store_of(runtime_of(jit, code.wave, soon=True)),
            accumulator_offset=accumulator_offset,
            keep_finite=keep_finite,
            traced=traced,
        )
        self.steps = self._table.starts
        fixed = self._fixed()
        self.functions = np.full(len(code.blocks) + 1, fixed["missing"], dtype=np.uint64)
        self.functions[-1] = fixed["beyond"]
        self._run_steps = fixed["run_steps"]
        self.block_of_word = self._blocks()
        run = fixed["run_groups"]
        self.run_groups: RunGroups = CFUNCTYPE(c_int32, c_void_p, c_void_p)(run)

    def _fixed(self) -> dict[str, int]:
        """Give the addresses of the functions that every code needs."""
        module, block = ir.Module(), [POINTER, POINTER, POINTER, I32]
        steps = ("run_steps", self.codes.exec)
        calls: dict[str, Call] = {
            "missing": ("missing",),
            "beyond": ("beyond",),
            "run_steps": steps,
        }
        with inside_llvm():
            self.runtime.declare(module, ("run_groups",), block[:2], I32)
            for call in calls.values():
                self.runtime.declare(module, call, block, I32)
            self.runtime.link()
        calls["run_groups"] = ("run_groups",)
        return {name: self.runtime.address(call) for name, call in calls.items()}

    def compile(self, block: int) -> None:
        """Compile the function that a block belongs to, if it is not yet."""
        function = next(each for each in self.code.functions if block in each)
        with self._lock:
            if function.start in self._compiled:
                return
            if self.tier != "regions":
                self._table.fill(function)
                self.functions[function.start : function.stop] = self._run_steps
            else:
                for region in self.code.regions(function):
                    self._compile_region(region)
            self._compiled.add(function.start)

    def _compile_region(self, region: range) -> None:
        """Let the blocks of a region run as one function."""
        linker, key = self.jit.linker, hashlib.sha256(self._key(region).encode()).hexdigest()
        symbol = self.runtime.symbol(("region", key))
        with inside_llvm():
            if not linker.has(symbol):
                module = ir.Module(name="wavemma")
                self._region(region).emit(module, self.jit.machine, symbol)
                self.runtime.link()
                linker.make(module, lambda each: self.jit.compile(each, "whole"))
            address = linker.addresses[symbol]
        self.functions[region.start : region.stop] = address
        self.steps[region.start : region.stop] = 0

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

    def _key(self, region: range) -> str:
        """Name the code of a region and everything else that its compiled form depends on."""
        digest = hashlib.sha256()
        architectures = set()
        for number in region:
            block = self.code.blocks[number]
            digest.update(repr((block.offset, self._leads_to(block))).encode())
            for each in block.instructions:
                digest.update(each.data)
                if not isinstance(each.instruction, Undecoded):
                    architectures.add(each.instruction.instruction.architecture)
                    digest.update(_chosen(each.instruction).encode())
        options = (self.code.wave, self.accumulator_offset, self.keep_finite, self.traced, region)
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


def _chosen(found: AnyDecoded) -> str:
    """Name what no bits of an instruction say: its arithmetic model, or what the mode says."""
    if isinstance(found, DecodedOrdinary):
        return marks(found.instruction.row.meaning)
    return found.instruction.model(found.wave) if found.instruction.is_matrix else ""
