"""Code of a code object to compiled functions: each covers a region of neighbouring blocks.

A function takes a wave and the number of the block to run, and runs on until control leaves its
region; it gives the number of the block to run next, or a `Status`. Registers lie in memory, so
any function can go on where another has stopped.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import llvmlite.ir as ir
import msgspec

from wavemma.engines.machine import Machine
from wavemma.errors import Unsupported
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import DecodedOrdinary, branch_target
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.records import I32, I64, POINTER
from wavemma.machine.compiled.runtime import Runtime
from wavemma.machine.compiled.state import GROUP, Fault, Status, place
from wavemma.machine.compiled.wave import LlvmWave
from wavemma.machine.mode_marks import with_modes
from wavemma.machine.operands import Operands
from wavemma.machine.perform import action_of, is_taken, perform, unit_of
from wavemma.machine.value_type import value_type
from wavemma.objects import Placed
from wavemma.tables.ordinary import Flow
from wavemma.tables.targets import Wave

REGION_INSTRUCTIONS = 120
"""Instructions of a region; compile time grows faster than the size of functions."""
_ADDRESS = value_type("u64")


class GuestBlock(msgspec.Struct, frozen=True):
    """Instructions that run one after the other.

    Attributes:
        offset: Of the first, in the code, in bytes.
        end: Behind the last.
        instructions: In order.

    """

    offset: int
    end: int
    instructions: tuple[Placed, ...]


class Code(msgspec.Struct, frozen=True, dict=True):
    """All code of a code object for one wave size, in blocks.

    Attributes:
        start: Address of the first instruction in the image.
        size_bytes: Of the code.
        wave: Lanes.
        blocks: Lowest first.

    """

    start: int
    size_bytes: int
    wave: Wave
    blocks: tuple[GuestBlock, ...]

    @cached_property
    def numbers(self) -> dict[int, int]:
        """Number of each block by its offset."""
        return {block.offset: number for number, block in enumerate(self.blocks)}

    @cached_property
    def functions(self) -> tuple[range, ...]:
        """Numbers of the blocks of each function."""
        starts = [n for n, block in enumerate(self.blocks) if n == 0 or _starts_function(block)]
        return tuple(range(first, end) for first, end in pairwise([*starts, len(self.blocks)]))

    def regions(self, function: range) -> tuple[range, ...]:
        """Divide the blocks of a function into regions."""
        found, first, size = [], function.start, 0
        for number in function:
            count = len(self.blocks[number].instructions)
            if size and size + count > REGION_INSTRUCTIONS:
                found.append(range(first, number))
                first, size = number, 0
            size += count
        return (*found, range(first, function.stop))


def _starts_function(block: GuestBlock) -> bool:
    first = block.instructions[0]
    return bool(first.function) and first.offset == 0


def code_of(listed: Sequence[Placed], wave: Wave, *, marked: str = "") -> Code:
    """Divide listed instructions into blocks.

    Blocks begin at functions and branch targets, behind every instruction that may lead elsewhere,
    and behind every one that lets other waves run.

    Args:
        listed: As `objects.listing` gives them.
        wave: Lanes of the waves.
        marked: Marks of what the mode that waves start with changes (see `mode_marks`).

    """
    listed = with_modes(listed, marked)
    start = listed[0].address
    leaders = _leaders(listed)
    blocks: list[GuestBlock] = []
    current: list[Placed] = []
    is_held = False
    for number, each in enumerate(listed):
        current.append(each)
        found = action_of(each.instruction)
        is_held = is_held if found is None or found.holds is None else found.holds
        following = listed[number + 1].address if number + 1 < len(listed) else None
        is_full = len(current) >= REGION_INSTRUCTIONS and not is_held
        if following is None or following in leaders or is_full:
            end = each.address + len(each.data)
            blocks.append(GuestBlock(current[0].address - start, end - start, tuple(current)))
            current = []
    return Code(start, listed[-1].address + len(listed[-1].data) - start, wave, tuple(blocks))


def _leaders(listed: Sequence[Placed]) -> set[int]:
    found = set()
    for each in listed:
        if each.function and each.offset == 0:
            found.add(each.address)
        if not isinstance(each.instruction, DecodedOrdinary):
            continue
        target = branch_target(each.instruction, each.address)
        if target is not None:
            found.add(target)
        action = action_of(each.instruction)
        if each.instruction.instruction.row.flow or (action and action.suspends):
            found.add(each.address + len(each.data))
    return found


class Region:
    """Writes the function of one region.

    Args:
        code: The code.
        region: Numbers of its blocks.
        codes: Source codes of registers without operands.
        runtime: What the function calls.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.
        traced: Whether it notes every store (see `instrument`).

    """

    def __init__(
        self,
        code: Code,
        region: range,
        codes: Codes,
        runtime: Runtime,
        *,
        accumulator_offset: int = 0,
        keep_finite: bool = False,
        traced: bool = False,
    ) -> None:
        self.code = code
        self.region = region
        self.codes = codes
        self.runtime = runtime
        self.accumulator_offset = accumulator_offset
        self.keep_finite = keep_finite
        self.traced = traced

    def emit(self, module: ir.Module, machine: Machine, name: str) -> None:
        """Write the function: i32 (wave, group, launch, block)."""
        kind = ir.FunctionType(I32, [POINTER, POINTER, POINTER, I32])
        function = ir.Function(module, kind, name)
        self.build = ir.IRBuilder(function.append_basic_block("entry"))
        self.wave = LlvmWave(
            self.build,
            machine,
            self.code.wave,
            self.codes,
            self.runtime,
            accumulator_offset=self.accumulator_offset,
            keep_finite=self.keep_finite,
        )
        self.wave.traced = self.traced
        self.labels = {n: function.append_basic_block(f"block_{n}") for n in self.region}
        other = function.append_basic_block("other")
        choose = self.build.switch(function.args[3], other)
        for number, label in self.labels.items():
            choose.add_case(I32(number), label)
        self.build.position_at_end(other)
        self.build.ret(function.args[3])
        for number in self.region:
            self.build.position_at_end(self.labels[number])
            self._block(number)

    def _block(self, number: int) -> None:
        block, wave = self.code.blocks[number], self.wave
        wave.enter()
        wave.indexed = None
        self._count(number)
        wave.following = number + 1
        for each in block.instructions:
            wave.offset = each.address - self.code.start
            wave.behind = wave.offset + len(each.data)
            if isinstance(each.instruction, Undecoded):
                wave.fail(Fault.UNSUPPORTED.name)
                return
            if isinstance(each.instruction, DecodedOrdinary):
                flow = each.instruction.instruction.row.flow
                if flow and wave.indexed is not None:
                    break
                if flow:
                    self._leave(each, each.instruction, flow)
                    return
            self._perform(each)
            if self.build.block.is_terminated:
                return
        if wave.indexed is None:
            self._go(number + 1)
        else:
            # What would count from M0 in the next block is not known there.
            wave.fail(Fault.UNSUPPORTED.name)

    def _perform(self, each: Placed) -> None:
        assert not isinstance(each.instruction, Undecoded)
        try:
            perform(self.wave, each.instruction)
        except Unsupported:
            # Only a wave that comes here learns of it: code that never runs may hold anything.
            self.wave.fail(Fault.UNSUPPORTED.name)

    def _count(self, number: int) -> None:
        """Count a run of a block."""
        start = self.wave.member(self.wave.group, place(GROUP, "counts"), I64)
        at = self.build.inttoptr(self.build.add(start, I64(8 * number)), POINTER)
        self.build.store(self.build.add(self.build.load(at, typ=I64), I64(1)), at)

    def _leave(self, each: Placed, decoded: DecodedOrdinary, flow: Flow) -> None:
        """Write the end of a block by the kind of its last instruction."""
        if flow == "end":
            self.build.ret(I32(int(Status.ENDED)))
        elif flow in ("far_jump", "far_call"):
            self._far(decoded)
        else:
            target = branch_target(decoded, each.address)
            assert target is not None
            if flow == "branch":
                self._branch(decoded, target)
            else:
                if flow == "call":
                    operands = Operands(self.wave, decoded, unit_of(decoded))
                    operands.write("d", _ADDRESS, self.wave.program_counter())
                self._to(target)

    def _branch(self, decoded: DecodedOrdinary, target: int) -> None:
        try:
            taken = is_taken(self.wave, decoded)
        except Unsupported:
            self.wave.fail(Fault.UNSUPPORTED.name)
            return
        yes, no = self.build.append_basic_block(), self.build.append_basic_block()
        self.build.cbranch(taken, yes, no)
        self.build.position_at_end(yes)
        self._to(target)
        self.build.position_at_end(no)
        self._go(self.wave.following)

    def _to(self, target: int) -> None:
        """Go to an address of the image; loops count down, so that every wave gives way."""
        number = self.code.numbers.get(target - self.code.start)
        if number is None:
            self.wave.fail(Fault.NO_CODE.name)
            return
        if target - self.code.start <= self.wave.offset:
            self.wave.count_down(I32(number))
        self._go(number)

    def _go(self, number: int) -> None:
        if number in self.labels:
            self.build.branch(self.labels[number])
        elif number < len(self.code.blocks):
            self.build.ret(I32(number))
        else:
            self.wave.fail(Fault.NO_CODE.name)

    def _far(self, decoded: DecodedOrdinary) -> None:
        """Go to an address in registers; the driver finds its block."""
        operands = Operands(self.wave, decoded, unit_of(decoded))
        address = operands.read("a", _ADDRESS)
        if "d" in operands.slots:
            operands.write("d", _ADDRESS, self.wave.program_counter())
        self.wave.jump(address)
