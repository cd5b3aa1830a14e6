"""An instruction as people hold it: its operands by letter, with layouts and places."""

from collections.abc import Mapping

import msgspec

from wavemma.errors import OutOfRange
from wavemma.fragments.fragment import Fragment, fragments_of
from wavemma.isa import catalog
from wavemma.isa.decoded import format_of
from wavemma.isa.effects import check_effects
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import Wave


class Operation(msgspec.Struct, frozen=True, eq=False):
    """One instruction on one target, for one wave size and choice of modifiers.

    Attributes:
        instruction: The row.
        target: Name of the target.
        wave: Lanes of the wave.
        fragments: The operands by role, where modifiers put them.

    Examples:
        >>> op = operation("v_wmma_f32_16x16x16_f16", target="gfx1100")
        >>> [(place.register, place.lane) for place in op.D.where(2, 3)]
        [(1, 3)]

    """

    instruction: Instruction
    target: str
    wave: Wave
    fragments: dict[str, Fragment]

    def __repr__(self) -> str:
        return f"<{self.name} on {self.target}, wave{self.wave}>"

    @property
    def name(self) -> str:
        """The mnemonic."""
        return self.instruction.name

    @property
    def shape(self) -> tuple[int, int, int]:
        """M, N and K."""
        return self.instruction.shape

    @property
    def A(self) -> Fragment:
        """The left factor, [M, K]."""
        return self.operand("a")

    @property
    def B(self) -> Fragment:
        """The right factor, [K, N]."""
        return self.operand("b")

    @property
    def C(self) -> Fragment:
        """What the product is added to, [M, N]."""
        return self.operand("c")

    @property
    def D(self) -> Fragment:
        """The result, [M, N]."""
        return self.operand("d")

    def operand(self, role: str) -> Fragment:
        """Give an operand by role.

        Args:
            role: a, b, c, d, index, scale_a or scale_b, in either case.

        Raises:
            OutOfRange: The instruction has no such operand.

        """
        found = self.fragments.get(role.lower())
        if found is None:
            raise OutOfRange(
                f"{self.name} has no operand {role!r}.", subject=role, allowed=self.fragments
            )
        return found


def operation(
    name: str,
    target: str,
    wave: Wave | None = None,
    effects: Mapping[str, int] | None = None,
) -> Operation:
    """Look up an instruction and its operands.

    Args:
        name: Mnemonic or alias.
        target: Name of the target.
        wave: Lanes of the wave; the target's default if None.
        effects: Modifier values by the effect names of the rows, such as {"high_half": 1}.

    Raises:
        UnknownTarget: No such target.
        UnknownInstruction: The target has no such instruction; says who has it.
        OutOfRange: The instruction does not run in such waves, or there is no such effect.

    """
    instruction = catalog.instruction(name, target)
    if wave is not None and wave not in instruction.waves:
        raise OutOfRange(
            f"{name} runs in waves of {' or '.join(map(str, instruction.waves))} lanes on"
            f" {target}; {wave} was given.",
            subject=wave,
            allowed=instruction.waves,
        )
    lanes = wave or instruction.waves[0]
    chosen = dict(effects or {})
    check_effects(chosen)
    formats = {role: format_of(instruction, role, chosen) for role in instruction.formats}
    found = fragments_of(instruction, lanes, formats)
    moved = {str(role): fragment.moved(chosen) for role, fragment in found.items()}
    return Operation(instruction, target, lanes, moved)
