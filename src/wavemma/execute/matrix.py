"""Run one matrix instruction on registers: read fragments, sum products, write the result."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from wavemma.errors import ArrayMistake
from wavemma.execute.modifiers import change_factor, change_result
from wavemma.execute.own_copies import copies_of_rows
from wavemma.formats import number_format
from wavemma.fragments import (
    Fragment,
    Registers,
    batch_of,
    empty_registers,
    fragments_of,
    kept_k,
    pack,
    unpack,
)
from wavemma.fragments.cells import Matrix
from wavemma.isa.decoded import format_of
from wavemma.isa.effects import check_effects
from wavemma.isa.instruction import Instruction
from wavemma.layouts import MATRIX_ROLES
from wavemma.numerics.dot import Scales, accumulate, dot
from wavemma.numerics.model import Model, model
from wavemma.numerics.path import Setting
from wavemma.tables.targets import Wave

NO_EFFECTS: Mapping[str, int] = {}


class Operands(NamedTuple):
    """What the instruction reads, modifiers that move data included.

    Attributes:
        fragments: Every operand by role, before modifiers.
        moved: The same where data is really read and written.
        formats: The number format of each role.

    """

    fragments: dict[str, Fragment]
    moved: dict[str, Fragment]
    formats: dict[str, str]


def operands_of(
    instruction: Instruction, wave: Wave | None = None, effects: Mapping[str, int] = NO_EFFECTS
) -> Operands:
    """Describe the operands of an instruction under modifiers.

    Args:
        instruction: An instruction that multiplies.
        wave: Lanes of the wave, the default wave size if None.
        effects: Modifier values by the effect names of the rows, as `Decoded.effects` gives them.

    Raises:
        EncodingMistake: It does not multiply, or a format code is unknown.
        OutOfRange: A modifier moves data in a way that the instruction cannot, or there is no
            such effect or value.

    """
    check_effects(effects)
    formats = {role: format_of(instruction, role, dict(effects)) for role in instruction.formats}
    fragments = {str(role): f for role, f in fragments_of(instruction, wave, formats).items()}
    moved = {role: fragment.moved(effects) for role, fragment in fragments.items()}
    return Operands(fragments, moved, formats)


def execute(
    instruction: Instruction,
    registers: Mapping[str, Registers],
    *,
    wave: Wave | None = None,
    effects: Mapping[str, int] = NO_EFFECTS,
    summing: Model | None = None,
    keep_finite: bool = False,
) -> Registers:
    """Run an instruction on the registers of any number of waves.

    Args:
        instruction: An instruction that multiplies.
        registers: By role (a, b, c, and index, scale_a, scale_b where the instruction has them):
            uint32 [..., register, lane]; batch axes broadcast. "d", if given, holds what stood in
            the result's registers; bits that the instruction does not write are kept from it,
            else from c if c and d are one operand, else zero.
        wave: Lanes of the wave, the default wave size if None.
        effects: Modifier values by the effect names of the rows.
        summing: An arithmetic model other than the row's.
        keep_finite: The mode bit that turns an f16 overflow into the largest finite number.

    Returns:
        The result's registers, new uint32 [..., register, lane].

    Raises:
        ArrayMistake: A role is missing, or an array has another type or shape.
        EncodingMistake: The instruction does not multiply.
        OutOfRange: A modifier has a value that the instruction cannot have.

    """
    operands = operands_of(instruction, wave, effects)
    read: dict[str, Matrix] = {
        role: unpack(_given(registers, role, instruction), operands.moved[role])
        for role in (*MATRIX_ROLES, "scale_a", "scale_b")
        if role in operands.moved and role != "d"
    }
    written, before = operands.moved["d"], _before(registers, operands)
    batch = batch_of(np.asarray(registers[role]) for role in (*read, "d") if role in registers)
    if 0 in batch:
        return empty_registers(written.registers, written.lanes, batch)
    setting = setting_of(instruction, operands, effects, keep_finite)
    chosen = summing or model(instruction.model(wave))
    c = change_result(read["c"], operands.formats["c"], effects)
    own = copies_of_rows(operands.moved)
    if instruction.is_sparse:
        a = change_factor(read["a"], operands.formats["a"], "a", effects)
        d = _sparse(chosen, setting, a, read, c, effects)
    elif own:
        d = _by_copies(chosen, setting, registers, operands, c, effects)
    else:
        d = _dense(chosen, setting, read, c, effects)
    d = np.broadcast_to(d, (*batch, *written.matrix_shape))
    return pack(d.astype(written.dtype), written, before)


def _given(registers: Mapping[str, Registers], role: str, instruction: Instruction) -> Registers:
    for name, array in registers.items():
        if name == role:
            return np.asarray(array)
    needed = [each for each in instruction.roles if each != "d"]
    raise ArrayMistake(
        f"{instruction.name} needs registers for {', '.join(needed)}; {role} is missing.",
        subject=role,
        allowed=needed,
    )


def setting_of(
    instruction: Instruction, operands: Operands, effects: Mapping[str, int], keep_finite: bool
) -> Setting:
    """Turn formats and modifiers into what the model must know."""
    forms = {role: number_format(name) for role, name in operands.formats.items()}
    return Setting(
        forms["a"],
        forms["b"],
        forms["c"],
        forms["d"],
        depth=operands.fragments["a"].matrix_shape[-1],
        clamp=bool(effects.get("saturate", 0)),
        signed_a=_signed(operands.formats["a"], effects, "a"),
        signed_b=_signed(operands.formats["b"], effects, "b"),
        keep_finite=keep_finite,
        scale_a=forms.get("scale_a"),
        scale_b=forms.get("scale_b"),
        scale_block=instruction.matrix.scale_block,
    )


def _signed(name: str, effects: Mapping[str, int], role: str) -> bool:
    """Tell whether integers are signed: by the modifier if the format leaves it open."""
    if number_format(name).sign == "chosen":
        return bool(effects.get(f"signed_{role}", 0))
    return True


def _scales(read: Mapping[str, Matrix], setting: Setting) -> Scales | None:
    return Scales(read["scale_a"], read["scale_b"]) if setting.scale_block else None


def _dense(
    summing: Model,
    setting: Setting,
    read: Mapping[str, Matrix],
    c: Matrix,
    effects: Mapping[str, int],
) -> Matrix:
    a = change_factor(read["a"], setting.a.name, "a", effects)
    b = change_factor(read["b"], setting.b.name, "b", effects)
    return dot(summing, setting, a, b, c, _scales(read, setting))


def _by_copies(
    summing: Model,
    setting: Setting,
    registers: Mapping[str, Registers],
    operands: Operands,
    c: Matrix,
    effects: Mapping[str, int],
) -> Matrix:
    """Multiply each row with the copies of A and B that its own lanes hold."""
    own = np.array(copies_of_rows(operands.moved))
    parts = []
    for copy in range(own.max() + 1):
        read = {
            role: unpack(np.asarray(registers[role]), operands.moved[role], copy) for role in "ab"
        }
        rows = np.flatnonzero(own == copy)
        read["a"] = read["a"][..., rows, :]
        parts.append(_dense(summing, setting, read, c[..., rows, :], effects))
    order = np.argsort(np.concatenate([np.flatnonzero(own == copy) for copy in set(own)]))
    return np.concatenate(parts, axis=-2)[..., order, :]


def _sparse(
    summing: Model,
    setting: Setting,
    a: Matrix,
    read: Mapping[str, Matrix],
    c: Matrix,
    effects: Mapping[str, int],
) -> Matrix:
    """Multiply kept elements with the rows of B that the index names, row by row of A."""
    rows = np.asarray(kept_k(read["index"]))
    b = np.swapaxes(read["b"], -1, -2)[..., None, :, :]
    chosen = np.take_along_axis(b, rows[..., :, None, :], axis=-1)
    # Signs change after selection: the modifier speaks of the partners of the kept elements.
    chosen = change_factor(chosen, setting.b.name, "b", effects, along=-1)
    return accumulate(summing, setting, a[..., :, None, :], chosen, c)


def _before(registers: Mapping[str, Registers], operands: Operands) -> Registers | None:
    """Give what the result's registers hold before the instruction."""
    if "d" in registers:
        return np.asarray(registers["d"])
    c, d = operands.fragments["c"], operands.fragments["d"]
    return np.asarray(registers["c"]) if c.registers == d.registers else None
