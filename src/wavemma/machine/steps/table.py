"""The steps of all blocks of a code: one record an instruction, in memory that compiled code reads.

A block that has no steps yet, or runs as a whole by now, has the address 0.
"""

from collections.abc import Iterator

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary, branch_target
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.state import STEP, Fault
from wavemma.machine.compiled.translate import Code
from wavemma.machine.indexed import indexed_after
from wavemma.machine.steps.emission import TARGET, Pattern, Way
from wavemma.machine.steps.form import Key, form_of
from wavemma.machine.steps.store import StepStore
from wavemma.objects import Placed

_NOTHING = "nothing"


class Step(msgspec.Struct):
    """One instruction of a block before its function is known.

    Attributes:
        placed: The instruction.
        block: Number of its block.
        key: What its function does.
        pattern: What that is made of.
        arguments: What it is called with.

    """

    placed: Placed
    block: int
    key: Key
    pattern: Pattern
    arguments: tuple[int, ...] = ()


class StepTable:
    """Steps of the blocks of a code.

    Args:
        code: The code.
        codes: Source codes of registers without operands.
        store: Where functions are.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.
        traced: Whether it notes every store (see `instrument`).

    Attributes:
        starts: Address of the first step of each block.

    """

    def __init__(
        self,
        code: Code,
        codes: Codes,
        store: StepStore,
        *,
        accumulator_offset: int,
        keep_finite: bool,
        traced: bool,
    ) -> None:
        self.starts = np.zeros(len(code.blocks) + 1, dtype=np.uint64)
        self._code = code
        self._codes = codes
        self._store = store
        self._accumulator_offset = accumulator_offset
        self._keep_finite = keep_finite
        self._traced = traced
        self._records: list[NDArray[np.void]] = []

    def fill(self, blocks: range) -> None:
        """Make the steps of some blocks."""
        steps = [step for block in blocks for step in self._steps(block)]
        self._settle(steps)
        records = np.zeros(len(steps), dtype=STEP)
        addresses = self._store.addresses({each.key: each.pattern for each in steps})
        records["function"] = [addresses[each.key] for each in steps]
        records["offset"] = [each.placed.address - self._code.start for each in steps]
        records["behind"] = records["offset"] + [len(each.placed.data) for each in steps]
        records["following"] = [each.block + 1 for each in steps]
        for number, each in enumerate(steps):
            if each.arguments:
                records["arguments"][number, : len(each.arguments)] = each.arguments
        self._records.append(records)
        base, last = int(records.ctypes.data), -1
        for number, each in enumerate(steps):
            if each.block != last:
                self.starts[each.block] = base + number * STEP.itemsize
                last = each.block

    def _settle(self, steps: list[Step]) -> None:
        """Give each step a form that a function can be made for."""
        for settle in (self._close, self._refuse):
            found = self._store.addresses({each.key: each.pattern for each in steps})
            for each in steps:
                if found[each.key] is None:
                    settle(each)

    def _close(self, step: Step) -> None:
        """Make what operands name a part of the form."""
        decoded = step.pattern.decoded
        assert decoded is not None
        form = form_of(decoded, self._accumulator_offset, is_open=False)
        step.key = (*form.key, *_rest(step.pattern), "closed")
        step.pattern = msgspec.structs.replace(step.pattern, is_open=False)
        step.arguments = (0,) * TARGET + step.arguments[TARGET:]

    def _refuse(self, step: Step) -> None:
        step.key, step.pattern = self._fault(Fault.UNSUPPORTED)

    def _fault(self, fault: Fault) -> tuple[Key, Pattern]:
        return ("fault", int(fault)), Pattern(None, self._codes, fault=fault)

    def _steps(self, number: int) -> Iterator[Step]:
        """Give the steps of a block; what changes nothing is none."""
        instructions = self._code.blocks[number].instructions
        indexed: int | None = None
        for placed in instructions:
            found = placed.instruction
            if isinstance(found, Undecoded):
                yield Step(placed, number, *self._fault(Fault.UNSUPPORTED))
                return
            flow = found.instruction.row.flow if isinstance(found, DecodedOrdinary) else ""
            if flow and indexed is not None:
                break
            if flow or not _is_nothing(found):
                yield self._step(placed, number, found, indexed)
            if flow:
                return
            indexed = indexed_after(found, indexed)
        yield self._last(number, instructions[-1], indexed)

    def _last(self, number: int, placed: Placed, indexed: int | None) -> Step:
        """Give the step from a block to the next one."""
        if indexed is not None:
            # What would count from M0 in the next block is not known there.
            return Step(placed, number, *self._fault(Fault.UNSUPPORTED))
        if number + 1 < len(self._code.blocks):
            return Step(placed, number, ("onward",), Pattern(None, self._codes))
        return Step(placed, number, *self._fault(Fault.NO_CODE))

    def _step(self, placed: Placed, block: int, decoded: AnyDecoded, indexed: int | None) -> Step:
        way, target = self._way(placed, decoded)
        form = form_of(decoded, self._accumulator_offset, is_open=True)
        pattern = Pattern(
            decoded,
            self._codes,
            is_open=True,
            way=way,
            accumulator_offset=self._accumulator_offset,
            keep_finite=self._keep_finite,
            traced=self._traced,
            indexed=indexed,
        )
        arguments = form.arguments
        if target is not None:
            arguments = arguments[:TARGET] + (0,) * (TARGET - len(arguments)) + (target,)
        return Step(placed, block, (*form.key, *_rest(pattern)), pattern, arguments)

    def _way(self, placed: Placed, decoded: AnyDecoded) -> tuple[Way, int | None]:
        """Tell where a jump by number leads, and the block there."""
        if not isinstance(decoded, DecodedOrdinary):
            return "onward", None
        target = branch_target(decoded, placed.address)
        if target is None:
            return "onward", None
        number = self._code.numbers.get(target - self._code.start)
        if number is None:
            return "nowhere", None
        return "back" if target <= placed.address else "onward", number


def _rest(pattern: Pattern) -> Key:
    """Give what a function depends on besides the form of its instruction."""
    return (pattern.way, pattern.keep_finite, pattern.traced, pattern.indexed)


def _is_nothing(decoded: AnyDecoded) -> bool:
    return isinstance(decoded, DecodedOrdinary) and decoded.instruction.row.meaning == _NOTHING
