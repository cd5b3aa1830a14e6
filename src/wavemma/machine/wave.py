"""A wave as instructions see it; both engines give one.

Every value is one of an engine's: of `lanes` with one number a lane, or of `scalars` with one
number in all. Registers hold I32. Scalar registers go by source code, as the operands do: exec,
vcc and m0 are among them.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Literal, TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.isa.decoded import Decoded
from wavemma.machine.codes import Codes
from wavemma.machine.numbered_registers import NumberedRegisters
from wavemma.machine.rare_ways import RareWays
from wavemma.machine.register_moves import RegisterMoves, Space
from wavemma.tables.targets import Wave as Lanes

V = TypeVar("V")
Update = Callable[[Engine[V], V, Sequence[V]], V]
"""Old value and operands of an atomic to the new value."""


class WaveState(NumberedRegisters[V], RareWays[V], RegisterMoves[V]):
    """Registers, lanes and memory of one wave.

    Attributes:
        lanes: Computes one number a lane.
        scalars: Computes one number.
        size: How many lanes.
        codes: Source codes of registers that instructions read by themselves.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.
        indexed: Which operands of moves count from M0, a bit each; None where none may.
    """

    lanes: Engine[V]
    scalars: Engine[V]
    size: Lanes
    codes: Codes
    accumulator_offset: int
    keep_finite: bool
    indexed: int | None = None

    # Registers

    @abstractmethod
    def vector(self, number: int) -> V:
        """Read a vector register, I32 lanes."""

    @abstractmethod
    def set_vector(self, number: int, value: V, *, everywhere: bool = False) -> None:
        """Write I32 lanes into a vector register where lanes are active, or everywhere."""

    @abstractmethod
    def scalar(self, code: int) -> V:
        """Read a scalar register by source code, one I32."""

    @abstractmethod
    def set_scalar(self, code: int, value: V) -> None:
        """Write one I32 into a scalar register."""

    @abstractmethod
    def scc(self) -> V:
        """Read the scalar condition, one BOOL."""

    @abstractmethod
    def set_scc(self, value: V) -> None:
        """Write the scalar condition, one BOOL."""

    @abstractmethod
    def mode(self) -> V:
        """Read the mode register, one I32."""

    @abstractmethod
    def set_mode(self, value: V) -> None:
        """Write the mode register, one I32."""

    # Lanes

    @abstractmethod
    def spread(self, x: V) -> V:
        """Copy one number into all lanes."""

    @abstractmethod
    def lanes_of(self, mask: V) -> V:
        """Turn a mask, one I32 or I64 as wide as the wave, into BOOL lanes."""

    @abstractmethod
    def mask_of(self, truth: V) -> V:
        """Turn BOOL lanes into a mask, one I32 or I64 as wide as the wave."""

    @abstractmethod
    def active(self) -> V:
        """Tell which lanes are active, BOOL lanes."""

    @abstractmethod
    def lane_numbers(self) -> V:
        """Number the lanes, I32."""

    @abstractmethod
    def permute(self, x: V, lane: V) -> V:
        """Take for each lane the number of another lane; `lane` is I32 lanes in 0..size-1."""

    @abstractmethod
    def shuffle(self, x: V, lanes: Sequence[int]) -> V:
        """Take for each lane the number of the lane that is listed for it."""

    @abstractmethod
    def pick(self, x: V, lane: V) -> V:
        """Take the number of one lane; `lane` is one I32 in 0..size-1."""

    # Memory; a lane that is not active reads and writes nothing.

    @abstractmethod
    def load(self, space: Space, address: V, size_bytes: int, present: V | None = None) -> list[V]:
        """Read 1, 2 or a multiple of 4 bytes a lane; addresses need no alignment.

        Args:
            space: What the address counts in.
            address: I64 lanes; I32 for "lds" and "scratch".
            size_bytes: How many; 1 and 2 give zeros above.
            present: How many of the first bytes there are, I32 lanes in 0..size_bytes; words that
                are not wholly among them are 0 and reach no memory. None for all.

        Returns:
            I32 lanes, one for each started word; unspecified where lanes are not active.

        """

    @abstractmethod
    def store(
        self,
        space: Space,
        address: V,
        words: Sequence[V],
        size_bytes: int,
        present: V | None = None,
    ) -> None:
        """Write bytes from I32 lanes, of several lanes in order; arguments as for `load`.

        Words that are not wholly present are not written.
        """

    @abstractmethod
    def atomic(
        self,
        space: Space,
        address: V,
        operands: Sequence[V],
        update: Update[V],
        name: str,
        where: V | None = None,
    ) -> V:
        """Replace a number of I32 or I64, as the operands are, by a new one; no other wave between.

        Lanes follow in order. An address that is no multiple of the number's size is a fault.

        Args:
            space: What the address counts in.
            address: As for `load`.
            operands: What `update` takes besides the old number.
            update: Old number and operands to the new number, bits all of them.
            name: Of the update; there is one for each.
            where: Which lanes do it besides being active, BOOL lanes; None for all.

        Returns:
            The old number; unspecified where a lane does nothing.

        """

    @abstractmethod
    def scalar_load(self, address: V, size_bytes: int, where: V | None = None) -> list[V]:
        """Read device memory at one address.

        Args:
            address: One I64.
            size_bytes: 1, 2 or a multiple of 4; 1 and 2 give zeros above.
            where: Whether to do it, one BOOL; if not, the words are 0. None for always.

        Returns:
            One I32 for each started word.

        """

    # Other instructions

    @abstractmethod
    def multiply(self, decoded: Decoded) -> None:
        """Do a matrix instruction."""

    @abstractmethod
    def program_counter(self) -> V:
        """Give the address of the next instruction in memory, one I64."""

    @abstractmethod
    def signal(self) -> None:
        """Arrive at the barrier of the workgroup."""

    @abstractmethod
    def arrived(self) -> V:
        """Tell how many waves have arrived at the barrier since all last had, one I32."""

    @abstractmethod
    def expected(self) -> V:
        """Tell how many waves the barrier expects, those that ended not among them, one I32."""

    @abstractmethod
    def wait(self) -> None:
        """Run no further until all waves have arrived where this wave has."""

    @abstractmethod
    def give_way(self) -> None:
        """Let other waves run."""

    @abstractmethod
    def fail(self, reason: str) -> None:
        """End the kernel with an error."""

    @abstractmethod
    def fail_if(self, condition: V, reason: str) -> None:
        """End the kernel with an error if a condition, one BOOL, holds."""

    @abstractmethod
    def clock(self) -> V:
        """Read a counter that never goes back, one I64."""

    @abstractmethod
    def aperture(self, name: Literal["shared_base", "private_base"]) -> V:
        """Give the high half of the addresses of a space, one I32."""

    @abstractmethod
    def scratch_base(self) -> V:
        """Give the address of the wave's scratch memory, one I64."""

    # Made of the above

    def source(self, code: int) -> V:
        """Read what a source code names, one I32: a scalar register, or as `codes.special` says."""
        name = self.codes.special.get(code)
        if name is None:
            return self.scalar(code)
        e = self.scalars
        if name == "scc":
            return e.convert(self.scc(), Lane.I32)
        if name.endswith("z"):
            mask = self.mask(self.codes.vcc if name == "vccz" else self.codes.exec)
            return e.convert(e.eq(mask, 0), Lane.I32)
        # Of an address that has only a high half, 32 bits read the low one.
        numbers = {"limit": -1, "hi": self.codes.scratch[0]}
        return e.constant(Lane.I32, numbers.get(name.rpartition("_")[2], 0))

    def pair(self, code: int) -> V:
        """Read what a source code names as one I64: two scalar registers, or as `source`."""
        e = self.scalars
        if code == self.codes.null:
            return e.constant(Lane.I64, 0)
        name = self.codes.special.get(code, "")
        low = e.zero_extend(self.source(code), Lane.I64)
        if name and not name.endswith(("base", "limit", "_lo")):
            return low
        high = self.source(code + 1)
        if name.endswith(("base", "limit")):
            high = self.aperture("shared_base" if name.startswith("shared") else "private_base")
        return e.or_(low, e.shl(e.zero_extend(high, Lane.I64), 32))

    def set_pair(self, code: int, value: V) -> None:
        """Write one I64 into two scalar registers."""
        if code == self.codes.null:
            return
        e = self.scalars
        self.set_scalar(code, e.convert(value, Lane.I32))
        self.set_scalar(code + 1, e.convert(e.lshr(value, 32), Lane.I32))

    def mask(self, code: int) -> V:
        """Read a mask, as wide as the wave, from one scalar register or two."""
        return self.source(code) if self.size == 32 else self.pair(code)

    def set_mask(self, code: int, mask: V) -> None:
        """Write a mask, as wide as the wave, into one scalar register or two."""
        if self.size == 32:
            self.set_scalar(code, mask)
        else:
            self.set_pair(code, mask)

    def wide(self, first: int) -> V:
        """Read two vector registers as I64 lanes."""
        e = self.lanes
        low = e.zero_extend(self.vector(first), Lane.I64)
        return e.or_(low, e.shl(e.zero_extend(self.vector(first + 1), Lane.I64), 32))

    def set_wide(self, first: int, value: V, *, everywhere: bool = False) -> None:
        """Write I64 lanes into two vector registers."""
        e = self.lanes
        self.set_vector(first, e.convert(value, Lane.I32), everywhere=everywhere)
        high = e.convert(e.lshr(value, 32), Lane.I32)
        self.set_vector(first + 1, high, everywhere=everywhere)
