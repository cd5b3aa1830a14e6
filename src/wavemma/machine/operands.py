"""Operands of ordinary instructions as values: what they read, and how results are written."""

import struct
from typing import Generic, Literal, TypeVar

import msgspec

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import Unsupported
from wavemma.isa.ordinary import DecodedOrdinary, OrdinaryOperand, Slot
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.other_lanes import from_other_lanes, lanes_written
from wavemma.machine.parts import is_whole, part_read, part_written, takes_parts
from wavemma.machine.value_type import WORD_BITS, ValueType, value_type
from wavemma.machine.wave import WaveState

V = TypeVar("V")
HALF_BITS = 16
_SOURCES = ("a", "b", "c")
B32 = value_type("b32")
Unit = Literal["vector", "scalar"]
_REGISTERS = ("vgpr", "sgpr", "special_sgpr")


def in_one_file(decoded: DecodedOrdinary, accumulator_offset: int) -> DecodedOrdinary:
    """Name accumulators by the vector registers that they are.

    Args:
        decoded: The instruction.
        accumulator_offset: Number of the vector register where they begin.

    """
    if all(each.kind != "agpr" for each in decoded.operands.values()):
        return decoded
    operands = {
        role: msgspec.structs.replace(each, kind="vgpr", first=each.first + accumulator_offset)
        if each.kind == "agpr"
        else each
        for role, each in decoded.operands.items()
    }
    return msgspec.structs.replace(decoded, operands=operands)


class Operands(Generic[V]):
    """Reads and writes the operands of one instruction.

    Args:
        wave: The wave.
        decoded: The instruction.
        unit: Whether it computes a number a lane or one in all.

    """

    def __init__(self, wave: WaveState[V], decoded: DecodedOrdinary, unit: Unit) -> None:
        self.wave = wave
        self.decoded = decoded
        self.unit = unit
        self.slots = {slot.row.role: slot for slot in decoded.instruction.slots}

    @property
    def engine(self) -> Engine[V]:
        """The engine of the unit."""
        return self.wave.lanes if self.unit == "vector" else self.wave.scalars

    def modifier(self, word: str) -> int:
        """Give the value of a modifier, 0 if the instruction doesn't take it."""
        return self.decoded.modifiers.get(word, 0)

    def read(self, role: str, kind: ValueType) -> V:
        """Read an operand as a value of a type, or as BOOL lanes if it is a mask."""
        slot, operand = self.slots[role], self.decoded.operands[role]
        if slot.row.lanes:
            return self.wave.lanes_of(self._mask(operand))
        if operand.kind == "number":
            return self._number(operand, kind)
        bits = self._bits(slot, operand, kind)
        if operand.is_absolute:
            bits = self.engine.and_(bits, ~kind.sign & (1 << kind.bits_lane.bits) - 1)
        if operand.is_negated:
            bits = self.engine.xor(bits, kind.sign)
        return kind.value(self.engine, bits)

    def _mask(self, operand: OrdinaryOperand) -> V:
        """Read a mask as wide as the wave."""
        if operand.kind in ("sgpr", "special_sgpr"):
            return self.wave.mask(operand.code)
        kind = value_type(f"b{self.wave.size}")
        bits = constant_bits(self.decoded, operand, kind)
        return self.wave.scalars.constant(kind.lane, bits)

    def one(self, role: str, kind: ValueType) -> V:
        """Read an operand that is the same for all lanes as one number of the scalar engine."""
        operand = self.decoded.operands[role]
        if operand.kind in ("sgpr", "special_sgpr"):
            return self.wave.source(operand.code)
        bits = constant_bits(self.decoded, operand, kind)
        return self.wave.scalars.constant(kind.lane, bits)

    def word(self, role: str, kind: ValueType) -> V:
        """Read an operand as 32 bits that hold two halves of a type; constants stand low."""
        slot, operand = self.slots[role], self.decoded.operands[role]
        if operand.kind in _REGISTERS:
            return self._bits(slot, operand, B32)
        if kind.kind != "float":
            kind = B32
        return self.engine.constant(Lane.I32, constant_bits(self.decoded, operand, kind))

    def _number(self, operand: OrdinaryOperand, kind: ValueType) -> V:
        """Give the 16 bits that an instruction itself holds, with sign if the type has one."""
        number = operand.value
        if kind.kind == "signed":
            number -= number >> HALF_BITS - 1 << HALF_BITS
        return self.engine.constant(kind.lane, number)

    def _bits(self, slot: Slot, operand: OrdinaryOperand, kind: ValueType) -> V:
        bits = self._whole(slot, operand, kind)
        if not takes_parts(self.decoded):
            return bits
        if operand.kind not in _REGISTERS and not is_whole(self.decoded, slot.row.role):
            raise Unsupported("What hardware reads as a part of a constant is not known.")
        return part_read(self.engine, self.decoded, slot.row.role, bits)

    def _whole(self, slot: Slot, operand: OrdinaryOperand, kind: ValueType) -> V:
        if operand.kind == "vgpr":
            return self._moved(slot, self._of_registers(operand, kind))
        if operand.kind in ("sgpr", "special_sgpr"):
            self._refuse_half(slot)
            wide = kind.bits > WORD_BITS
            one = self.wave.pair(operand.code) if wide else self.wave.source(operand.code)
            one = self._half(self.wave.scalars, operand, one)
            return self.wave.spread(one) if self.unit == "vector" else one
        return self.engine.constant(kind.bits_lane, constant_bits(self.decoded, operand, kind))

    def _refuse_half(self, slot: Slot) -> None:
        """Refuse the high half of a scalar register.

        Raises:
            Unsupported: A modifier asks for it.

        """
        if slot.half is not None and self.modifier("op_sel") >> _SOURCES.index(slot.row.role) & 1:
            raise Unsupported(
                "What hardware reads as the high half of a scalar register is not known.",
                subject=slot.row.role,
            )

    def _of_registers(self, operand: OrdinaryOperand, kind: ValueType) -> V:
        if kind.bits > WORD_BITS:
            return self.wave.wide(operand.first)
        return self._half(self.wave.lanes, operand, self.wave.vector(operand.first))

    def _half(self, e: Engine[V], operand: OrdinaryOperand, bits: V) -> V:
        return e.lshr(bits, HALF_BITS) if operand.half else bits

    def _moved(self, slot: Slot, bits: V) -> V:
        """Take the first source from other lanes, if a further word says so."""
        extension = self.decoded.instruction.extension
        if extension is None or extension.parts or slot.row.role != "a":
            return bits
        return from_other_lanes(self.wave, self.decoded, bits)

    def write(self, role: str, kind: ValueType, value: V) -> None:
        """Write a result into an operand; BOOL lanes where it is a mask."""
        slot, operand = self.slots[role], self.decoded.operands.get(role)
        if operand is None:
            return
        if slot.row.lanes:
            truth = cleared_elsewhere(self.wave, value, self.decoded)
            self.wave.set_mask(operand.code, self.wave.mask_of(truth))
            return
        bits = kind.code(self.engine, value, keep_finite=self.wave.keep_finite)
        if operand.kind == "vgpr":
            self._write_vector(operand, kind, bits)
        elif kind.bits > WORD_BITS:
            self.wave.set_pair(operand.code, bits)
        else:
            self.wave.set_scalar(operand.code, bits)

    def _write_vector(self, operand: OrdinaryOperand, kind: ValueType, bits: V) -> None:
        e, wave = self.wave.lanes, self.wave
        if kind.bits > WORD_BITS:
            wave.set_wide(operand.first, bits)
            return
        if operand.half is not None and kind.bits <= HALF_BITS:
            shift, keep = (HALF_BITS, 0xFFFF) if operand.half else (0, -1 << HALF_BITS)
            own = e.shl(bits, shift) if shift else e.and_(bits, 0xFFFF)
            bits = e.or_(e.and_(wave.vector(operand.first), keep), own)
        if takes_parts(self.decoded):
            bits = part_written(e, self.decoded, bits, wave.vector(operand.first))
        written = lanes_written(wave, self.decoded)
        if written is not None:
            bits = e.select(written, bits, wave.vector(operand.first))
        wave.set_vector(operand.first, bits)


def cleared_elsewhere(wave: WaveState[V], truth: V, decoded: DecodedOrdinary) -> V:
    """Clear the lanes that an instruction does not write: a mask has 0 there."""
    written = lanes_written(wave, decoded)
    found = wave.lanes.and_(truth, wave.active())
    return found if written is None else wave.lanes.and_(found, written)


def constant_bits(decoded: DecodedOrdinary, operand: OrdinaryOperand, kind: ValueType) -> int:
    """Give the bits that a constant operand has for a type.

    Of 64-bit floats, the 32 bits of a short literal are the high ones; of signed numbers, the
    sign goes on.
    """
    if operand.kind == "literal" and operand.count > 1:
        return operand.value
    if operand.kind == "literal":
        if kind.bits > WORD_BITS and kind.name == "f64":
            return operand.value << WORD_BITS
        if kind.bits > WORD_BITS and kind.kind == "signed":
            return operand.value - (operand.value >> WORD_BITS - 1 << WORD_BITS)
        return operand.value
    if operand.kind == "inline_integer":
        return operand.first
    return _float_bits(decoded, operand, kind)


def _float_bits(decoded: DecodedOrdinary, operand: OrdinaryOperand, kind: ValueType) -> int:
    inline = ordinary_table(decoded.instruction.architecture).inline
    if kind.name == "f16":
        return inline.codes[operand.code]
    if kind.bits > WORD_BITS:
        return int.from_bytes(struct.pack("<d", inline.floats[operand.code]), "little")
    word = int.from_bytes(struct.pack("<f", inline.floats[operand.code]), "little")
    # Integers of 16 bits read the low half of the 32-bit constant, see LLVM on V_PK_*_IU16.
    return word >> HALF_BITS if kind.name == "bf16" else word
