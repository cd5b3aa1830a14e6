"""Which program settles an open point, and which points are open?"""

import msgspec

from wavemma.errors import DataMistake
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.citation import cited, distinct
from wavemma.explain.instruction_name import instruction_named
from wavemma.explain.probe_experiment import Experiment, Separated, experiment, separated
from wavemma.explain.probe_point import Point, find_points, points_of
from wavemma.explain.prototype import type_name, types_of
from wavemma.tables.builtins import ArgumentRow, arguments
from wavemma.tables.probes import PointRow, points
from wavemma.tables.targets import target

ONE_NOTE = "There is one candidate: the output says whether the silicon follows it."
NONE_NOTE = "There is no candidate: the output is a measurement."


class CandidateTitle(msgspec.Struct, frozen=True):
    """What the silicon may do: a name, and what it means."""

    name: str
    title: str


class ProbeOperand(msgspec.Struct, frozen=True, kw_only=True):
    """What the program gives to the instruction.

    Attributes:
        role: a, b, c, index, scale_a or scale_b.
        type: C type of the builtin's argument.
        registers: Registers of each lane.
        words: Run by run, register by register, lane by lane.

    """

    role: str
    type: str
    registers: int
    words: tuple[int, ...]


class Probe(Answer, frozen=True, kw_only=True, tag=True):
    """A program that settles an open point.

    Attributes:
        point: The open point.
        question: What is not known.
        target: The target that the program is for.
        instruction: What it runs.
        formats: Formats of A, B, C and D.
        wave: Lanes of the wave.
        wave_option: Whether the compiler must be told the size of the wave.
        builtin: How the program calls it.
        declarations: C++ that declares the builtin's vector types.
        returns: C type of its result.
        call: Its arguments in order: operands by role, constants as values.
        operands: What it gets.
        result_registers: Registers of D in each lane.
        result_shape: Rows and columns of D.
        runs: How often the instruction runs.
        digest: Names the inputs.
        candidates: What the silicon may do, what this project takes first.
        separated: How many elements of D tell each two apart; all of them more than none.
        also_open: Other points that are open about the instruction.
        file: Where the program was written; empty if nowhere yet.

    """

    point: str
    question: str
    target: str
    instruction: str
    formats: tuple[str, str, str, str]
    wave: int
    wave_option: bool
    builtin: str
    declarations: tuple[str, ...]
    returns: str
    call: tuple[str, ...]
    operands: tuple[ProbeOperand, ...]
    result_registers: int
    result_shape: tuple[int, int]
    runs: int
    digest: str
    candidates: tuple[CandidateTitle, ...]
    separated: tuple[Separated, ...]
    also_open: tuple[str, ...]
    file: str = ""


class OpenPoint(msgspec.Struct, frozen=True, kw_only=True):
    """An open point in a list.

    Attributes:
        point: Its name.
        question: What is not known.
        targets: Where.
        instruction: The one that a probe of the point runs, on the first target.
        candidates: What the silicon may do.

    """

    point: str
    question: str
    targets: tuple[str, ...]
    instruction: str
    candidates: tuple[str, ...]


class ProbeList(Answer, frozen=True, kw_only=True, tag=True):
    """The open points that a probe settles.

    Attributes:
        target: Only those of this target; empty for all.
        points: The points.
        instruction: Only those about this instruction; empty for all.

    """

    target: str
    points: tuple[OpenPoint, ...]
    instruction: str = ""


def probe(target_name: str, word: str, wave: int | None = None) -> Probe | ProbeList:
    """Make the program that settles an open point.

    Args:
        target_name: Such as "gfx950".
        word: A mnemonic, or the name of a point.
        wave: Lanes of the wave; if None the one that the point is about, or the default.

    Returns:
        The probe; of an instruction about which nothing is open, a list without points.

    Raises:
        WavemmaError: As for `find_points`.

    """
    found = find_points(target_name, word, wave)
    if not found:
        return ProbeList(
            target=target(target_name).name,
            points=(),
            instruction=instruction_named(word, target_name).name,
            evidence=distinct(cited("open points", row.source, "D") for row in points().values()),
        )
    point, also = found[0], tuple(each.row.name for each in found[1:])
    made = experiment(point)
    pairs = separated(made)
    blind = [f"{each.first} and {each.second}" for each in pairs if not each.elements]
    if blind:
        raise DataMistake(
            f"The inputs of {point.row.name} must tell all candidates apart; of"
            f" {point.instruction.name} they do not tell {blind[0]}.",
            subject=blind[0],
        )
    return _probe(made, pairs, also)


def list_points(target_name: str = "") -> ProbeList:
    """List the open points, of one target or of all.

    Raises:
        UnknownTarget: No such target.

    """
    name = target(target_name).name if target_name else ""
    listed = [row for row in points().values() if not name or name in row.targets]
    return ProbeList(
        target=name,
        points=tuple(_open(row, name) for row in listed),
        evidence=distinct(cited("open points", row.source, "D") for row in listed),
    )


def _open(row: PointRow, target_name: str) -> OpenPoint:
    first = next(points_of(row, target_name or row.targets[0]))
    return OpenPoint(
        point=row.name,
        question=row.question,
        targets=row.targets,
        instruction=first.instruction.name,
        candidates=tuple(each.name for each in first.candidates),
    )


def _probe(made: Experiment, pairs: tuple[Separated, ...], also: tuple[str, ...]) -> Probe:
    point = made.point
    formats = point.operands.formats
    return Probe(
        point=point.row.name,
        question=point.row.question,
        target=point.target,
        instruction=point.instruction.name,
        formats=(formats["a"], formats["b"], formats["c"], formats["d"]),
        wave=point.wave,
        wave_option=point.wave != target(point.target).default_wave,
        builtin=point.builtin.name,
        declarations=tuple(each.declaration for each in types_of(point.builtin)),
        returns=type_name(point.builtin.returns),
        call=tuple(_argument(point, text, arguments()[role]) for text, role in point.builtin.args),
        operands=tuple(_operands(made)),
        result_registers=point.operands.moved["d"].registers,
        result_shape=point.instruction.shape[:2],
        runs=made.runs,
        digest=made.digest,
        candidates=tuple(CandidateTitle(each.name, each.title) for each in point.candidates),
        separated=pairs,
        also_open=also,
        evidence=evidence_of(point),
        notes=tuple(_notes(point, also)),
    )


def evidence_of(point: Point) -> tuple[Evidence, ...]:
    """Say what an open point and its candidates rest on."""
    open_point = cited(f"open point {point.row.name}", point.row.source, "D")
    builtin = cited("builtin", point.builtin.source, point.builtin.grade)
    models = (
        cited(
            f"candidate {each.name}",
            each.model.row.source_on(point.target),
            each.model.grade_on(point.target) if each.model.name == own else "D",
        )
        for own in (point.instruction.model(point.wave),)
        for each in point.candidates
    )
    return distinct((open_point, builtin, *models))


def _notes(point: Point, also: tuple[str, ...]) -> list[str]:
    found = [point.row.note] if point.row.note else []
    if len(point.candidates) < 2:
        found.append(ONE_NOTE if point.candidates else NONE_NOTE)
    if also:
        found.append(f"Also open about the instruction: {', '.join(also)}.")
    return found


def _operands(made: Experiment) -> list[ProbeOperand]:
    point = made.point
    types = {arguments()[role].operand: type_name(text) for text, role in point.builtin.args}
    return [
        ProbeOperand(
            role=role,
            type=types[role],
            registers=words.shape[1],
            words=tuple(words.reshape(-1).tolist()),
        )
        for role, words in made.registers.items()
        if role in types
    ]


def _argument(point: Point, text: str, row: ArgumentRow) -> str:
    """Write one argument of the call: an operand by its role, or a modifier's value."""
    if row.operand:
        return row.operand if row.operand in point.instruction.roles else "0"
    value = point.effects.get(row.effects[0], 0) if row.effects else 0
    if "bool" in text:
        return "true" if value else "false"
    return str(value)
