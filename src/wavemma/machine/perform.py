"""One instruction on a wave, on either engine."""

from functools import cache
from typing import Generic, TypeVar

import msgspec

from wavemma.engines.engine import Lane
from wavemma.errors import Unsupported
from wavemma.isa.decode import Undecoded
from wavemma.isa.decoded import Decoded
from wavemma.isa.ordinary import AnyDecoded, DecodedOrdinary
from wavemma.isa.ordinary.catalog import ordinary_table
from wavemma.machine.indexed import counts_from_index, move_by_index
from wavemma.machine.meaning import Action, Meaning, Part
from wavemma.machine.operands import Operands, Unit, cleared_elsewhere, in_one_file
from wavemma.machine.packed import packed_value
from wavemma.machine.rounding_mode import ROUNDING, rounding_of
from wavemma.machine.semantics import find_meaning
from wavemma.machine.subnormals import keeps_results
from wavemma.machine.subnormals import result as by_mode_given
from wavemma.machine.subnormals import source as by_mode_taken
from wavemma.machine.value_type import (
    FLAG,
    MASK,
    ValueType,
    clamped,
    scaled_output,
    types_of_row,
    value_type,
)
from wavemma.machine.wave import WaveState
from wavemma.tables.abi import numbers

V = TypeVar("V")
_CODE, _HALVES, _RESULT = "code", "halves", "result"
AS_WIDE_AS_WAVE = "bits"
"""The type of a mask that is read as a number."""


class Result(msgspec.Struct, Generic[V]):
    """A value that waits to be written: both halves of a dual instruction read first."""

    operands: Operands[V]
    part: Part
    kind: ValueType
    value: V


def meaning_of(decoded: AnyDecoded) -> Meaning | Action | None:
    """Find what an ordinary instruction computes; None for matrix instructions.

    Raises:
        Unsupported: Its meaning is not known.

    """
    if isinstance(decoded, Decoded):
        return None
    found = find_meaning(decoded.instruction.row.meaning)
    if found is None:
        raise Unsupported(
            f"'{decoded.instruction.row.name}' cannot be run: what it computes is not known here.",
            subject=decoded.instruction.row.name,
            hint="wavemma coverage tells what can be run.",
        )
    return found


def action_of(decoded: AnyDecoded | Undecoded) -> Action | None:
    """Find the action of an instruction; None if it has none, or none that is known."""
    if not isinstance(decoded, DecodedOrdinary):
        return None
    found = find_meaning(decoded.instruction.row.meaning)
    return found if isinstance(found, Action) else None


def unit_of(decoded: DecodedOrdinary) -> Unit:
    """Tell whether an instruction computes a number a lane or one in all.

    Words of vector instructions can do the latter too: those whose result is a scalar register.
    """
    instruction = decoded.instruction
    for slot in instruction.slots:
        if slot.row.role == "d" and slot.row.kind == "source" and not slot.row.lanes:
            return "scalar"
    return _units(instruction.architecture)[instruction.row.encoding]


@cache
def _units(architecture: str) -> dict[str, Unit]:
    return {word.name: word.unit for word in ordinary_table(architecture).rows.words}


def perform(wave: WaveState[V], decoded: AnyDecoded) -> None:
    """Do an instruction that control runs through.

    Raises:
        Unsupported: Its meaning is not known.

    """
    if isinstance(decoded, Decoded):
        wave.multiply(decoded)
        return
    decoded = in_one_file(decoded, wave.accumulator_offset)
    if counts_from_index(wave, decoded):
        move_by_index(wave, Operands(wave, decoded, unit_of(decoded)))
        return
    halves = (decoded, decoded.second) if decoded.second else (decoded,)
    results: list[Result[V]] = []
    for half in halves:
        found = meaning_of(half)
        if isinstance(found, Action):
            found.act(wave, Operands(wave, half, unit_of(half)))
        elif found is not None:
            results += _compute(wave, half, found)
    for result in results:
        _write(wave, result)


def is_taken(wave: WaveState[V], decoded: DecodedOrdinary) -> V:
    """Tell whether a branch goes to its target, one BOOL.

    Raises:
        Unsupported: Its meaning is not known.

    """
    found = meaning_of(decoded)
    assert isinstance(found, Meaning)
    (result,) = _compute(wave, decoded, found)
    return result.value


def _compute(wave: WaveState[V], decoded: DecodedOrdinary, found: Meaning) -> list[Result[V]]:
    operands = Operands(wave, decoded, unit_of(decoded))
    result_type, source_type = types_of_row(decoded.instruction.row.type)
    if decoded.instruction.row.packed:
        kind = value_type(result_type)
        value = packed_value(operands, found, kind, value_type(source_type))
        return [Result(operands, found.gives[0], value_type(f"b{2 * kind.bits}"), value)]
    values = [_read(operands, part, source_type, result_type) for part in found.takes]
    clamp = bool(operands.modifier("clamp"))
    given = found.on(operands.engine, values, result_type, clamp)
    given = given if isinstance(given, tuple) else (given,)
    results = []
    for part, value in zip(found.gives, given, strict=True):
        kind = value_type(part.type or result_type)
        if kind.kind == "float":
            value = by_mode_given(operands, kind, _modified(operands, kind, value))
        results.append(Result(operands, part, kind, value))
    return results


def _modified(operands: Operands[V], kind: ValueType, value: V) -> V:
    """Scale a float and limit it, as the modifiers of its instruction say."""
    scale = operands.modifier("omod")
    always = _scales_output(operands.decoded.instruction.architecture)
    kept = keeps_results(operands, kind)
    if scale and (always or kept is not None):
        e, finite = operands.engine, operands.wave.keep_finite
        scaled = scaled_output(e, kind, value, scale, keep_finite=finite)
        value = scaled if always or kept is None else e.select(kept, value, scaled)
    return clamped(operands.engine, value) if operands.modifier("clamp") else value


@cache
def _scales_output(architecture: str) -> bool:
    return bool(numbers("output_scale", architecture)["APPLIES"])


def _read(operands: Operands[V], part: Part, source_type: str, result_type: str) -> V:
    wave = operands.wave
    if part.role == ROUNDING:
        return rounding_of(operands, result_type)
    if part.type == _HALVES:
        return operands.word(part.role, value_type(source_type))
    names = {"": source_type, _CODE: source_type, _RESULT: result_type}
    names[AS_WIDE_AS_WAVE] = f"b{wave.size}"
    kind = value_type(names.get(part.type, part.type))
    if part.type == _CODE:
        kind = kind.as_bits
    if part.role in operands.slots:
        return by_mode_taken(operands, kind, operands.read(part.role, kind))
    return _implicit(wave, operands.unit, part.role, kind)


def _implicit(wave: WaveState[V], unit: Unit, role: str, kind: ValueType) -> V:
    """Read a register that no operand names."""
    if role == "scc":
        return wave.scc()
    if role == "lane":
        return wave.lane_numbers()
    code = {"exec": wave.codes.exec, "vcc": wave.codes.vcc, "m0": wave.codes.m0}[role]
    if kind is MASK:
        return wave.active() if role == "exec" else wave.lanes_of(wave.mask(code))
    one = wave.pair(code) if kind.lane is Lane.I64 else wave.scalar(code)
    return wave.spread(one) if unit == "vector" else one


def _write(wave: WaveState[V], result: Result[V]) -> None:
    operands, part, kind, value = result.operands, result.part, result.kind, result.value
    row = operands.decoded.instruction.row
    if kind is MASK and "exec" in row.writes:
        mask = wave.mask_of(cleared_elsewhere(wave, value, operands.decoded))
        if part.role in operands.slots:
            operands.write(part.role, kind, value)
        wave.set_mask(wave.codes.exec, mask)
    elif part.role in operands.slots:
        operands.write(part.role, kind, value)
    elif kind is FLAG:
        wave.set_scc(value)
    elif kind.lane is Lane.I64:
        wave.set_pair({"exec": wave.codes.exec, "vcc": wave.codes.vcc}[part.role], value)
    else:
        codes = {"exec": wave.codes.exec, "vcc": wave.codes.vcc, "m0": wave.codes.m0}
        wave.set_scalar(codes[part.role], value)
