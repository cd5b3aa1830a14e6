"""An open point on one target: the instruction to run and what the silicon may do."""

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from wavemma.errors import UnknownInstruction, UnknownName, Unsupported
from wavemma.execute.matrix import Operands, operands_of, setting_of
from wavemma.explain.equivalents import builtins_for
from wavemma.explain.instruction_name import instruction_named
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.isa.target import wave_of
from wavemma.numerics.model import Model, model
from wavemma.numerics.path import Setting
from wavemma.tables.builtins import BuiltinRow
from wavemma.tables.probes import CandidateRow, PointRow, points
from wavemma.tables.targets import Wave, target

LIST_HINT = "All: wavemma probe --list"
_CLAMP, _PLACES = "clamp", "places"


class Candidate(NamedTuple):
    """What the silicon may do.

    Attributes:
        name: Of the model, with the layout where that is another than the row's; of the layout
            where places are asked.
        title: What it means.
        model: The arithmetic model.
        instruction: The instruction with the layout.

    """

    name: str
    title: str
    model: Model
    instruction: Instruction


class Point(NamedTuple):
    """An open point on one target.

    Attributes:
        row: The point.
        target: Name of the target.
        instruction: What the probe runs.
        wave: Lanes of its wave.
        builtin: How a program calls it.
        effects: Its modifiers, by effect.
        candidates: What the silicon may do.

    """

    row: PointRow
    target: str
    instruction: Instruction
    wave: Wave
    builtin: BuiltinRow
    effects: dict[str, int]
    candidates: tuple[Candidate, ...]

    @property
    def operands(self) -> Operands:
        """Its operands, with their formats."""
        return operands_of(self.instruction, self.wave, self.effects)

    @property
    def setting(self) -> Setting:
        """What its models must know."""
        return setting_of(self.instruction, self.operands, self.effects, keep_finite=False)


def find_points(target_name: str, word: str, wave: int | None = None) -> tuple[Point, ...]:
    """Find the open points of a target that a word means.

    Args:
        target_name: Such as "gfx950".
        word: A mnemonic, or the name of a point.
        wave: Lanes of the wave; if None the one that the point is about, or the default.

    Returns:
        Of a point with several instructions, the first of them; none where nothing is open about
        an instruction.

    Raises:
        UnknownTarget: No such target.
        OutOfRange: The target has no such wave.
        UnknownName: The word names neither a point nor an instruction of the target.

    """
    where = target(target_name).name
    size = wave_of(target(where), wave) if wave else None
    row = points().get(word.lower())
    if row is not None:
        first = next(points_of(row, where, size), None)
        if first:
            return (first,)
        raise UnknownName(
            f"{row.name} is open on {', '.join(row.targets)}"
            f"{f', wave{row.wave}' if row.wave else ''}; {where}"
            f"{f', wave{size}' if size else ''} was given.",
            subject=where,
            allowed=row.targets,
            hint=LIST_HINT,
        )
    name = _mnemonic(word, where)
    return tuple(
        first
        for each in points().values()
        for first in [next(points_of(each, where, size, name), None)]
        if first
    )


def _mnemonic(word: str, target_name: str) -> str:
    """Find the instruction that a word names."""
    try:
        return instruction_named(word, target_name).name
    except UnknownInstruction as error:
        if not error.allowed:
            raise
        open_here = [row.name for row in points().values() if target_name in row.targets]
        names = [each.name for each in catalog.instructions(target_name)]
        raise UnknownName(
            f"An open point or an instruction of {target_name} must be named; {word!r} was given.",
            subject=word,
            allowed=[*open_here, *names],
            hint=LIST_HINT,
        ) from None


def points_of(
    row: PointRow, target_name: str, wave: Wave | None = None, instruction_name: str = ""
) -> Iterator[Point]:
    """Yield a point with each instruction and wave that it is open for on a target.

    Args:
        row: The point.
        target_name: The target; nothing is yielded if the point is not open on it.
        wave: Only waves of that size; if None all, the default first.
        instruction_name: Only this instruction; all if empty.

    """
    if target_name not in row.targets:
        return
    own = target(target_name)
    for size in dict.fromkeys((own.default_wave, *own.waves)):
        if row.wave not in (0, size) or wave not in (None, size):
            continue
        for instruction in _instructions(row, target_name, size, instruction_name):
            point = _point(row, target_name, instruction, size)
            if point:
                yield point


def _point(row: PointRow, target_name: str, instruction: Instruction, wave: Wave) -> Point | None:
    """Put a point together; None where there is nothing to compare, or nothing to call."""
    calls = builtins_for(instruction, target_name, wave)
    effects = _effects(row, instruction, wave)
    operands = operands_of(instruction, wave, effects)
    setting = setting_of(instruction, operands, effects, keep_finite=False)
    candidates = tuple(_candidates(row, instruction, wave, setting))
    whole = len(candidates) == len(row.candidates)
    if not calls or not (whole or len(candidates) > 1):
        return None
    return Point(row, target_name, instruction, wave, calls[0], effects, candidates)


def _instructions(row: PointRow, target_name: str, wave: Wave, name: str) -> Iterator[Instruction]:
    """Yield the instructions that a point names, or those that follow its first model."""
    for each in catalog.instructions(target_name):
        if not each.is_matrix or each.blocks > 1 or wave not in each.waves:
            continue
        if name not in ("", each.name):
            continue
        named = each.name in row.instructions
        if named if row.instructions else each.model(wave) == row.candidates[0].model:
            yield each


def _effects(row: PointRow, instruction: Instruction, wave: Wave) -> dict[str, int]:
    """Choose the modifiers: signed integers, clamp where that is asked, formats of the point."""
    has = {name for each in instruction.modifiers(wave) for name in each.row.effect}
    found = {f"format_{role}": _code(instruction, role, row) for role in ("a", "b")}
    found |= {"signed_a": 1, "signed_b": 1, "saturate": int(row.inputs == _CLAMP)}
    return {name: value for name, value in found.items() if name in has}


def _code(instruction: Instruction, role: str, row: PointRow) -> int:
    """Give the code of the format that a point names for A or B; of the first if it names none."""
    named = dict(zip(("a", "b"), row.formats, strict=False))
    allowed = instruction.formats[role]
    return allowed.index(named[role]) if role in named else 0


def _candidates(
    row: PointRow, instruction: Instruction, wave: Wave, setting: Setting
) -> Iterator[Candidate]:
    """Yield the candidates whose models sum numbers of the instruction's formats."""
    for each in row.candidates:
        chosen = model(each.model or instruction.model(wave))
        try:
            chosen.paths(setting)
        except Unsupported:
            continue
        yield Candidate(
            _name(row, each, instruction, chosen),
            each.title or chosen.row.title,
            chosen,
            _laid(instruction, each.layout),
        )


def _name(row: PointRow, each: CandidateRow, instruction: Instruction, chosen: Model) -> str:
    if row.inputs == _PLACES:
        return each.layout or instruction.matrix.layout
    return f"{chosen.name} in {each.layout}" if each.layout else chosen.name


def _laid(instruction: Instruction, layout: str) -> Instruction:
    """Give an instruction that has its operands laid otherwise."""
    if not layout:
        return instruction
    row = msgspec.structs.replace(instruction.matrix, layout=layout)
    return msgspec.structs.replace(instruction, row=row)
