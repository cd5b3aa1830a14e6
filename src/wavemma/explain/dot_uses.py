"""The instructions of targets that can sum products of given formats."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from wavemma.errors import ArrayMistake, UnknownFormat, UnknownInstruction, WavemmaError
from wavemma.explain.instruction_name import mnemonic_named, mnemonics_fitting
from wavemma.explain.number_input import Side, sides
from wavemma.formats import number_format
from wavemma.gemm.choice import choose, is_dense
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.layouts import Role
from wavemma.numerics.model import Model
from wavemma.numerics.model import model as named_model
from wavemma.numerics.path import Setting
from wavemma.tables.format_names import is_format_name
from wavemma.tables.targets import Wave, target, targets

SIDES: tuple[Role, ...] = ("a", "b")


class Use(NamedTuple):
    """An instruction of a target with its formats chosen.

    Attributes:
        target: Name of the target.
        instruction: A dense instruction.
        a: Format of A.
        b: Format of B.
        wave: Lanes of a wave.

    """

    target: str
    instruction: Instruction
    a: str
    b: str
    wave: Wave

    @property
    def d(self) -> str:
        """Format of C and D."""
        return self.instruction.formats["d"][0]

    @property
    def depth(self) -> int:
        """Products of one instruction."""
        return self.instruction.shape[2]

    @property
    def model(self) -> Model:
        """The instruction's arithmetic model."""
        return named_model(self.instruction.model(self.wave))

    @property
    def saturates(self) -> bool:
        """Whether the instruction has a modifier that makes sums saturate."""
        modifiers = self.instruction.modifiers(self.wave)
        return any("saturate" in each.row.effect for each in modifiers)

    def setting(self, pair: tuple[Side, Side], *, clamp: bool) -> Setting:
        """Tell the model what the instruction would."""
        d = number_format(self.d)
        return Setting(
            number_format(self.a),
            number_format(self.b),
            d,
            d,
            depth=self.depth,
            clamp=clamp and self.saturates,
            signed_a=pair[0].signed,
            signed_b=pair[1].signed,
        )


def inputs_meant(words: str, op: str | None) -> tuple[str, str | None]:
    """Take an instruction in the place of formats as its own formats of A and B, and it alone.

    Args:
        words: A format, two with a comma, or an instruction by name or words.
        op: Only this instruction, if that was asked for.

    Returns:
        The formats, and the instruction.

    Raises:
        UnknownFormat: It is neither.
        UnknownInstruction: Words fit more than one instruction.

    """
    try:
        sides(words)
    except UnknownFormat:
        exact = words.lower() in {each.name for each in catalog.instructions()}
        formats = all(is_format_name(each) for each in words.split(","))
        if op is not None or formats or not (exact or mnemonics_fitting(words)):
            raise
        name = mnemonic_named(words)
        found = next(each for each in catalog.instructions() if each.name == name.lower())
        return ",".join(found.formats[role][0] for role in SIDES), name
    return words, op


def uses_by_target(
    pair: tuple[Side, Side], names: Sequence[str], op: str | None, wave: Wave | None
) -> dict[str, tuple[Use, ...]]:
    """Find the instructions of targets that take the formats and have the widest accumulator.

    Args:
        pair: Formats of A and B.
        names: Targets; all if empty.
        op: Only this instruction.
        wave: Lanes of a wave; targets without such waves are left out.

    Returns:
        By target, the instruction that a product uses first.

    Raises:
        ArrayMistake: A named target, or all, have no dense instruction for the formats.
        UnknownInstruction: No target, or a named one, has not the instruction.
        UnknownTarget: No such target.

    """
    op = None if op is None else mnemonic_named(op)
    found: dict[str, tuple[Use, ...]] = {}
    refusals: list[WavemmaError] = []
    for name in [target(each).name for each in names] or targets():
        try:
            uses = tuple(_uses(name, pair, op, wave))
        except (ArrayMistake, UnknownInstruction) as error:
            if names:
                raise
            refusals.append(error)
            continue
        if uses:
            found[name] = uses
    if not found:
        raise _nothing(refusals, pair, wave)
    return found


def _uses(name: str, pair: tuple[Side, Side], op: str | None, wave: Wave | None) -> Iterator[Use]:
    first, a, b = choose(name, op, pair[0].formats, pair[1].formats, None)
    lanes = wave or first.waves[0]
    if lanes not in first.waves:
        return
    yield Use(name, first, a, b, lanes)
    for each in catalog.instructions(name) if op is None else ():
        same = is_dense(each) and each.formats["d"] == first.formats["d"]
        if same and each is not first and a in each.formats["a"] and b in each.formats["b"]:
            yield Use(name, each, a, b, lanes)


def _nothing(
    refusals: Sequence[WavemmaError], pair: tuple[Side, Side], wave: Wave | None
) -> WavemmaError:
    for error in refusals:
        if isinstance(error, UnknownInstruction):
            return error
    a, b = ("/".join(side.formats) for side in pair)
    lanes = f" in waves of {wave} lanes" if wave else ""
    return ArrayMistake(
        f"No target has a dense instruction for A {a} and B {b}{lanes}.",
        subject=a,
        hint="All: wavemma list formats",
    )
