"""Registers of the hardware: the mode is kept, clocks run, what only diagnoses reads 0."""

from typing import TypeVar

from wavemma.engines.engine import Engine, Lane
from wavemma.errors import Unsupported
from wavemma.machine.meaning import action
from wavemma.machine.operands import B32, Operands
from wavemma.machine.rounding_mode import MODE, ROUND_32, selected
from wavemma.machine.subnormals import DENORM_32
from wavemma.machine.wave import WaveState
from wavemma.tables.abi import bit_fields

V = TypeVar("V")
_SCRATCH = ("FLAT_SCR_LO", "FLAT_SCR_HI", "SCRATCH_BASE_LO", "SCRATCH_BASE_HI")
# Everything here is computed with NaN as launches of all known kernels begin. How floats are
# rounded, and what becomes of subnormals, may change.
_KEPT = {
    "DX10_CLAMP": 1,
    "IEEE": 1,
}
_FIXED = (*_KEPT, "FP16_OVFL")


def _value(wave: WaveState[V], name: str, operands: Operands[V]) -> V:
    e = wave.scalars
    if name == MODE:
        return wave.mode()
    if name == "SHADER_CYCLES_HI":
        return e.convert(e.lshr(wave.clock(), 32), Lane.I32)
    if name.startswith("SHADER_CYCLES"):
        return e.convert(wave.clock(), Lane.I32)
    if name == "SH_MEM_BASES":
        private = e.lshr(wave.aperture("private_base"), 16)
        return e.or_(e.and_(wave.aperture("shared_base"), -1 << 16), private)
    if name in _SCRATCH:
        shift = 32 if name.endswith("_HI") else 0
        return e.convert(e.lshr(wave.scratch_base(), shift), Lane.I32)
    return e.constant(Lane.I32, 0)


def _refuse(operands: Operands[V], why: str) -> None:
    row = operands.decoded.instruction.row
    raise Unsupported(f"'{row.name}' cannot be run: {why}.", subject=row.name)


def _mask(width: int) -> int:
    return (1 << width) - 1


@action("read_hardware_register")
def read_hardware_register(wave: WaveState[V], operands: Operands[V]) -> None:
    """Read bits of a register of the hardware."""
    name, first, width = selected(operands.decoded)
    e = wave.scalars
    value = e.and_(e.lshr(_value(wave, name, operands), first), _mask(width))
    operands.write("d", B32, value)


@action("write_hardware_register")
def write_hardware_register(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write bits of a register of the hardware from a scalar register."""
    name, first, width = selected(operands.decoded)
    if name in _SCRATCH:
        _refuse(operands, "scratch memory stays where it is")
    if name == MODE:
        s, value = wave.scalars, operands.read("d", B32)
        for lo, hi in _mode_fields(operands).values():
            # What stays as it is may be written.
            own = (_mask(hi - lo + 1) << lo) & (_mask(width) << first)
            change = s.and_(s.xor(s.shl(value, first), wave.mode()), own)
            if own:
                wave.fail_if(s.not_(s.eq(change, 0)), "UNSUPPORTED")
        _put_mode(wave, s, first, width, value)


@action("write_hardware_register_constant")
def write_hardware_register_constant(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write bits of a register of the hardware from a literal."""
    name, first, width = selected(operands.decoded)
    if name in _SCRATCH:
        _refuse(operands, "scratch memory stays where it is")
    if name == MODE:
        _set_mode(wave, operands, first, width, operands.decoded.literal or 0)


@action("set_rounding")
def set_rounding(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write how floats are rounded."""
    _set_group(wave, operands, ROUND_32)


@action("set_subnormals")
def set_subnormals(wave: WaveState[V], operands: Operands[V]) -> None:
    """Write what becomes of subnormal floats."""
    _set_group(wave, operands, DENORM_32)


def _set_group(wave: WaveState[V], operands: Operands[V], first_field: str) -> None:
    lo = bit_fields(MODE, operands.decoded.instruction.architecture)[first_field].lo
    number = operands.decoded.operands["number"].value
    _set_mode(wave, operands, lo, 4, number & _mask(4))


def _mode_fields(operands: Operands[V]) -> dict[str, tuple[int, int]]:
    rows = bit_fields(MODE, operands.decoded.instruction.architecture)
    return {name: (rows[name].lo, rows[name].hi) for name in _FIXED if name in rows}


def _set_mode(
    wave: WaveState[V], operands: Operands[V], first: int, width: int, number: int
) -> None:
    for field, (lo, hi) in _mode_fields(operands).items():
        for bit in range(max(lo, first), min(hi + 1, first + width)):
            if field not in _KEPT or number >> bit - first & 1 != _KEPT[field] >> bit - lo & 1:
                _refuse(operands, f"it would change {field} of the mode")
    e = wave.scalars
    _put_mode(wave, e, first, width, e.constant(Lane.I32, number & _mask(width)))


def _put_mode(wave: WaveState[V], e: Engine[V], first: int, width: int, value: V) -> None:
    own = e.shl(e.and_(value, _mask(width)), first)
    others = e.and_(wave.mode(), ~(_mask(width) << first))
    wave.set_mode(e.or_(others, own))
