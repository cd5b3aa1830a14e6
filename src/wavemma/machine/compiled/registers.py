"""Registers and lanes of a wave inside compiled code: they lie in memory, values are LLVM's."""

from collections.abc import Sequence
from functools import cached_property
from typing import Literal

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.llvm_lane_types import Unread, vector_type
from wavemma.engines.llvm_scalar_engine import LlvmScalarEngine
from wavemma.engines.machine import Machine
from wavemma.machine.codes import Codes
from wavemma.machine.compiled.records import I8, I32, I64, POINTER, Records
from wavemma.machine.compiled.runtime import Call, Runtime
from wavemma.machine.compiled.state import ALIGNMENT as ALIGNED
from wavemma.machine.compiled.state import GROUP, VECTORS, WAVE, place
from wavemma.machine.memory.apertures import apertures
from wavemma.machine.wave import WaveState
from wavemma.tables.targets import Wave


class LlvmRegisters(WaveState[ir.Value]):
    """Emits reads and writes of registers, and moves between lanes, at a builder's place.

    Args:
        build: Where instructions go; the function's arguments are wave, group, launch.
        machine: The processor.
        size: Lanes of the wave.
        codes: Source codes of registers without operands.
        runtime: The functions that it calls.
        accumulator_offset: Number of the vector register where AGPRs begin.
        keep_finite: Whether the mode turns f16 overflow into the largest finite number.

    Attributes:
        following: Number of the block behind the instruction that may suspend the wave.
        offset: Of the current instruction in the code, in bytes.
        behind: Of the next one.
        aligned: Bytes that the addresses of vector registers are multiples of.

    """

    lanes: LlvmEngine
    scalars: LlvmScalarEngine
    aligned = ALIGNED

    def __init__(
        self,
        build: ir.IRBuilder,
        machine: Machine,
        size: Wave,
        codes: Codes,
        runtime: Runtime,
        *,
        accumulator_offset: int = 0,
        keep_finite: bool = False,
    ) -> None:
        self.build = build
        self.accumulator_offset = accumulator_offset
        self.keep_finite = keep_finite
        self.size = size
        self.codes = codes
        self.runtime = runtime
        self.lanes, self.scalars = self._engines(machine)
        self.wave = build.function.args[0]
        self.following = 0
        self.offset = 0
        self.behind = 0
        self._words = vector_type(Lane.I32, self.lanes.width)
        self._active: ir.Value | None = None
        self._rooms: dict[str, ir.Value] = {}

    @cached_property
    def group(self) -> ir.Value:
        """The address of the workgroup."""
        return self.build.function.args[1]

    @cached_property
    def launch(self) -> ir.Value:
        """The address of the launch."""
        return self.build.function.args[2]

    def _engines(self, machine: Machine) -> tuple[LlvmEngine, LlvmScalarEngine]:
        return LlvmEngine(self.build, self.size, machine), LlvmScalarEngine(self.build, machine)

    def _room(self, name: str, count: int) -> ir.Value:
        """Give memory for words of a call: reserved once a function, at its entry."""
        if name not in self._rooms:
            with self.build.goto_entry_block():
                room = self.build.alloca(I32, count)
            room.align = ALIGNED
            room.type = POINTER
            self._rooms[name] = room
        return self._rooms[name]

    def enter(self) -> None:
        """Begin a block of the guest: nothing is known of the registers."""
        self._active = None

    # Registers

    def at(self, base: ir.Value, offset: ir.Value | int) -> ir.Value:
        """Give the address of a member."""
        return Records(self.build).at(base, offset)

    def vector_place(self, number: int) -> ir.Value:
        """Give the address of a vector register."""
        return self.at(self.wave, VECTORS + number * self.size * 4)

    def vector(self, number: int) -> ir.Value:
        """Read a vector register."""
        return self.build.load(self.vector_place(number), align=self.aligned, typ=self._words)

    def set_vector(self, number: int, value: ir.Value, *, everywhere: bool = False) -> None:
        """Write a vector register."""
        if not everywhere:
            value = self.build.select(self.active(), value, self.vector(number))
        self.build.store(value, self.vector_place(number), align=self.aligned)

    def wide(self, first: int) -> ir.Value:
        """Read two vector registers as I64 lanes: lanes of both by turns, which processors do."""
        width = self.lanes.width
        order = [half + lane for lane in range(width) for half in (0, width)]
        both = self._in_order(self.vector(first), self.vector(first + 1), order)
        return self.build.bitcast(both, vector_type(Lane.I64, width))

    def set_wide(self, first: int, value: ir.Value, *, everywhere: bool = False) -> None:
        """Write I64 lanes into two vector registers."""
        width = self.lanes.width
        both = self.build.bitcast(value, vector_type(Lane.I32, 2 * width))
        for half in (0, 1):
            word = self._in_order(both, Unread(both.type), range(half, 2 * width, 2))
            self.set_vector(first + half, word, everywhere=everywhere)

    def _in_order(self, x: ir.Value, y: ir.Value, order: Sequence[int]) -> ir.Value:
        mask = ir.Constant(vector_type(Lane.I32, len(order)), list(order))
        return self.build.shuffle_vector(x, y, mask)

    def member(self, base: ir.Value, offset: int, kind: ir.Type) -> ir.Value:
        """Load a member."""
        return self.build.load(self.at(base, offset), align=4, typ=kind)

    def _set_member(self, base: ir.Value, offset: int, value: ir.Value) -> None:
        self.build.store(value, self.at(base, offset), align=4)

    def scalar(self, code: int) -> ir.Value:
        """Read a scalar register."""
        if code == self.codes.null:
            return self.scalars.constant(Lane.I32, 0)
        return self.build.load(self.scalar_place(code), align=4, typ=I32)

    def scalar_place(self, code: int) -> ir.Value:
        """Give the address of a scalar register."""
        return self.at(self.wave, place(WAVE, "scalars", code))

    def set_scalar(self, code: int, value: ir.Value) -> None:
        """Write a scalar register."""
        if code == self.codes.null:
            return
        self.build.store(value, self.scalar_place(code), align=4)
        if code in (self.codes.exec, self.codes.exec + 1):
            self._active = None

    def scc(self) -> ir.Value:
        """Read the scalar condition."""
        word = self.member(self.wave, place(WAVE, "scc"), I32)
        return self.scalars.not_(self.scalars.eq(word, 0))

    def set_scc(self, value: ir.Value) -> None:
        """Write the scalar condition."""
        word = self.scalars.convert(value, Lane.I32)
        self._set_member(self.wave, place(WAVE, "scc"), word)

    def mode(self) -> ir.Value:
        """Read the mode register."""
        return self.member(self.wave, place(WAVE, "mode"), I32)

    def set_mode(self, value: ir.Value) -> None:
        """Write the mode register."""
        self._set_member(self.wave, place(WAVE, "mode"), value)

    def clock(self) -> ir.Value:
        """Read a counter that never goes back: the processor's own."""
        name = "llvm.readcyclecounter"
        module = self.build.module
        if name not in module.globals:
            ir.Function(module, ir.FunctionType(I64, []), name)
        return self.build.call(module.globals[name], [])

    def aperture(self, name: Literal["shared_base", "private_base"]) -> ir.Value:
        """Give the high half of the addresses of a space."""
        return self.scalars.constant(Lane.I32, apertures()[name])

    def scratch_base(self) -> ir.Value:
        """Give the address of the wave's scratch memory."""
        return self.member(self.wave, place(WAVE, "scratch"), I64)

    def vector_at(self, number: ir.Value) -> ir.Value:
        """Read the vector register that a number names."""
        at, _ = self._vector_place_at(number)
        return self.build.load(at, align=ALIGNED, typ=self._words)

    def set_vector_at(self, number: ir.Value, value: ir.Value) -> None:
        """Write the vector register that a number names."""
        at, exists = self._vector_place_at(number)
        old = self.build.load(at, align=ALIGNED, typ=self._words)
        # Where there is none, register 0 is written as it was.
        there = self.build.select(self.active(), value, old)
        self.build.store(self.build.select(exists, there, old), at, align=ALIGNED)

    def _vector_place_at(self, number: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Give the address of a register by number, and whether there is one."""
        size = self.size * 4
        wave_bytes = self.member(self.group, place(GROUP, "wave_bytes"), I64)
        count = self.build.udiv(self.build.sub(wave_bytes, I64(VECTORS)), I64(size))
        wide = self.build.zext(number, I64)
        exists = self.build.icmp_unsigned("<", wide, count)
        offset = self.build.mul(self.build.select(exists, wide, I64(0)), I64(size))
        at = self.build.add(offset, I64(VECTORS))
        return self.build.gep(self.wave, [at], source_etype=I8), exists

    def scalar_at(self, code: ir.Value) -> ir.Value:
        """Read the scalar register that a code names."""
        at, _ = self._scalar_place_at(code)
        return self.build.load(at, align=4, typ=I32)

    def set_scalar_at(self, code: ir.Value, value: ir.Value) -> None:
        """Write the scalar register that a code names."""
        at, exists = self._scalar_place_at(code)
        old = self.build.load(at, align=4, typ=I32)
        self.build.store(self.build.select(exists, value, old), at, align=4)

    def _scalar_place_at(self, code: ir.Value) -> tuple[ir.Value, ir.Value]:
        """Give the address of a register by code, and whether it counts; vcc's are the last."""
        wide = self.build.zext(code, I64)
        exists = self.build.icmp_unsigned("<=", wide, I64(self.codes.vcc + 1))
        offset = self.build.mul(self.build.select(exists, wide, I64(0)), I64(4))
        at = self.build.add(offset, I64(place(WAVE, "scalars")))
        return self.build.gep(self.wave, [at], source_etype=I8), exists

    # Lanes

    def spread(self, x: ir.Value) -> ir.Value:
        """Copy one number into all lanes."""
        return self.lanes.splat(x)

    def lanes_of(self, mask: ir.Value) -> ir.Value:
        """Turn a mask into BOOL lanes."""
        return self.build.bitcast(mask, vector_type(Lane.BOOL, self.size))

    def mask_of(self, truth: ir.Value) -> ir.Value:
        """Turn BOOL lanes into a mask."""
        return self.build.bitcast(truth, ir.IntType(self.size))

    def active(self) -> ir.Value:
        """Tell which lanes are active."""
        if self._active is None:
            self._active = self.lanes_of(self.mask(self.codes.exec))
        return self._active

    def lane_numbers(self) -> ir.Value:
        """Number the lanes."""
        return ir.Constant(self._words, list(range(self.size)))

    def permute(self, x: ir.Value, lane: ir.Value) -> ir.Value:
        """Take for each lane the number of another lane."""
        rooms = [self._room(name, self.size) for name in ("numbers", "lanes", "moved")]
        self.build.store(x, rooms[0], align=ALIGNED)
        self.build.store(lane, rooms[1], align=ALIGNED)
        self._call(("permute",), *rooms)
        return self.build.load(rooms[2], align=ALIGNED, typ=self._words)

    def shuffle(self, x: ir.Value, lanes: Sequence[int]) -> ir.Value:
        """Take for each lane the number of the lane that is listed for it."""
        mask = ir.Constant(ir.VectorType(I32, self.size), list(lanes))
        return self.build.shuffle_vector(x, Unread(x.type), mask)

    def pick(self, x: ir.Value, lane: ir.Value) -> ir.Value:
        """Take the number of one lane."""
        return self.build.extract_element(x, lane)

    # Calls

    def _call(self, call: Call, *arguments: ir.Value) -> None:
        """Call a function of the runtime that cannot fail."""
        function = self.runtime.declare(self.build.module, call, [a.type for a in arguments], None)
        self.build.call(function, arguments)
