"""A wave inside compiled code: registers lie in memory, values are LLVM's."""

from collections.abc import Sequence

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.isa.decoded import Decoded
from wavemma.machine.calls.matrix import call_matrix
from wavemma.machine.compiled.records import I32, I64
from wavemma.machine.compiled.state import ALIGNMENT, GROUP, LAUNCH, WAVE, Fault, Status, place
from wavemma.machine.compiled.wave_memory import LlvmMemory


class LlvmWave(LlvmMemory):
    """Emits the effects of instructions at a builder's place; arguments as its base takes them."""

    def following_offset(self) -> ir.Value:
        """Give where the next instruction lies in the code, in bytes."""
        return I64(self.behind)

    def following_block(self) -> ir.Value:
        """Give the number of the block behind the instruction."""
        return I32(self.following)

    def multiply(self, decoded: Decoded) -> None:
        """Do a matrix instruction."""
        call_matrix(self, decoded)

    def program_counter(self) -> ir.Value:
        """Give the address of the next instruction in memory."""
        start = self.member(self.launch, place(LAUNCH, "code"), I64)
        return self.build.add(start, self.following_offset())

    def signal(self) -> None:
        """Arrive at the barrier of the workgroup."""
        self._call(("signal",), self.wave, self.group)

    def arrived(self) -> ir.Value:
        """Tell how many waves have arrived at the barrier since all last had."""
        return self.member(self.group, place(GROUP, "arrived"), I32)

    def expected(self) -> ir.Value:
        """Tell how many waves the barrier expects."""
        return self.member(self.group, place(GROUP, "expected"), I32)

    def wait(self) -> None:
        """Run no further until all waves have arrived."""
        self._set_member(self.wave, place(WAVE, "block"), self.following_block())
        self.build.ret(I32(int(Status.WAITING)))

    def give_way(self) -> None:
        """Let other waves run."""
        self.stop_before(self.following_block())

    def count_down(self, block: ir.Value) -> None:
        """Count a jump back to a block, and let other waves run before it if it was the last."""
        at = self.at(self.wave, place(WAVE, "budget"))
        left = self.build.sub(self.build.load(at, typ=I64), I64(1))
        self.build.store(left, at)
        with self.build.if_then(self.build.icmp_signed("<=", left, I64(0)), likely=False):
            self.stop_before(block)

    def stop_before(self, block: ir.Value) -> None:
        """Let other waves run before a block."""
        self._set_member(self.wave, place(WAVE, "block"), block)
        self.build.ret(I32(int(Status.GAVE_WAY)))

    def jump(self, address: ir.Value) -> None:
        """Go to an address in memory whose block is not known here."""
        self._set_member(self.wave, place(WAVE, "target"), address)
        self._stop(Status.UNKNOWN_TARGET)

    def fail(self, reason: str) -> None:
        """End the kernel with an error."""
        self._set_member(self.wave, place(WAVE, "fault_kind"), I32(int(Fault[reason])))
        self._stop(Status.FAULT)

    def fail_if(self, condition: ir.Value, reason: str) -> None:
        """End the kernel with an error if a condition holds."""
        with self.build.if_then(condition, likely=False):
            self.fail(reason)

    def words_in_memory(self, words: Sequence[int]) -> ir.Value:
        """Put a number into all lanes of each of some registers that only this call sees."""
        room = self._block(len(words))
        for number, word in enumerate(words):
            at = self.at(room, number * self.size * 4)
            self.build.store(self.lanes.constant(Lane.I32, word), at, align=ALIGNMENT)
        return room
