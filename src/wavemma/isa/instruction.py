"""One matrix instruction of one architecture, put together from its rows."""

from functools import cache, cached_property

import msgspec

from wavemma import layouts
from wavemma.errors import EncodingMistake
from wavemma.isa.encoding import Encoding, Field
from wavemma.isa.modifier import Modifier
from wavemma.isa.operand import OperandField
from wavemma.layouts import Layout, Role, Shape
from wavemma.tables.format_names import format_among
from wavemma.tables.formats import format_row
from wavemma.tables.instructions import FormRow, InstructionRow, ScaleLoadRow
from wavemma.tables.targets import Wave

SPARSE_KINDS = ("smfmac", "swmmac")
SCALE_ROLES = ("scale_a", "scale_b")


class Instruction(msgspec.Struct, frozen=True, dict=True, eq=False):
    """One row of the table on its architecture. There is one object a row, so `is` compares.

    Attributes:
        row: The row itself: kind, opcode, formats, layout, model, source, grade.
        architecture: Key of the architecture, such as "cdna3".
        targets: The targets that have it.
        waves: Lanes that a wave may have, the default first.
        alignment: The first register of a range of several is a multiple of this.
        encoding: The fields of its word.
        form: Field values that it always sets, and the names of its modifiers.
        operands: The fields that name registers or constants, in the order of the text.
        modifiers_by_wave: What else a line may say, in the order in which it must be said.

    """

    row: InstructionRow | ScaleLoadRow
    architecture: str
    targets: tuple[str, ...]
    waves: tuple[Wave, ...]
    alignment: int
    encoding: Encoding
    form: FormRow
    operands: tuple[OperandField, ...]
    modifiers_by_wave: dict[Wave, tuple[Modifier, ...]]

    def __repr__(self) -> str:
        return f"<{self.name} of {self.architecture}>"

    @property
    def name(self) -> str:
        """The mnemonic, as the disassembler prints it."""
        return self.row.name

    @property
    def aliases(self) -> tuple[str, ...]:
        """Other mnemonics that the assembler takes for it."""
        return self.row.aliases if isinstance(self.row, InstructionRow) else ()

    @property
    def matrix(self) -> InstructionRow:
        """The row of an instruction that multiplies.

        Raises:
            EncodingMistake: It only loads scales.

        """
        if isinstance(self.row, InstructionRow):
            return self.row
        raise EncodingMistake(f"{self.name} loads scales, it does not multiply.", subject=self.name)

    @property
    def is_matrix(self) -> bool:
        """Whether it multiplies matrices; otherwise it only loads scales."""
        return isinstance(self.row, InstructionRow)

    @property
    def kind(self) -> str:
        """One of mfma, smfmac, wmma, swmmac and scale_load."""
        return self.row.kind if isinstance(self.row, InstructionRow) else "scale_load"

    @property
    def is_sparse(self) -> bool:
        """Whether A keeps two of each four elements along k."""
        return self.kind in SPARSE_KINDS

    @property
    def is_scaled(self) -> bool:
        """Whether blocks of A and B have scales."""
        return isinstance(self.row, InstructionRow) and self.row.scale_block > 0

    @property
    def shape(self) -> tuple[int, int, int]:
        """M, N and K; zeros if it only loads scales."""
        return self.row.shape if isinstance(self.row, InstructionRow) else (0, 0, 0)

    @property
    def blocks(self) -> int:
        """How many products of that shape it computes."""
        return self.row.blocks if isinstance(self.row, InstructionRow) else 0

    @property
    def ops(self) -> int:
        """Multiplications and additions, sparse ones counted as if dense."""
        m, n, k = self.shape
        return 2 * m * n * k * self.blocks

    @property
    def opcode(self) -> int:
        """The number in the opcode field; of 16-byte forms that of the second half."""
        return self.row.opcode

    @property
    def size_bytes(self) -> int:
        """Bytes of the instruction."""
        return self.encoding.size_bytes

    @cached_property
    def formats(self) -> dict[str, tuple[str, ...]]:
        """The formats that each role may have, by role; several where a modifier chooses."""
        if not isinstance(self.row, InstructionRow):
            return {}
        pairs = {"a": self.row.a, "b": self.row.b, "c": self.row.c, "d": self.row.d}
        found = {role: (one,) if isinstance(one, str) else one for role, one in pairs.items()}
        if self.is_scaled:
            found |= dict.fromkeys(SCALE_ROLES, self.row.scale_formats)
        return found

    def formats_of(self, role: str) -> tuple[str, ...]:
        """List the formats that a role may have; none if it has no role of that name."""
        return self.formats.get(format_role(role), ())

    @property
    def roles(self) -> tuple[str, ...]:
        """Every role of its operands: a, b, c, d, and index or scales if it takes them."""
        roles = {role for each in self.operands for role in _split(each.role)}
        order = (*layouts.MATRIX_ROLES, *layouts.SCALE_ROLES)
        return tuple(role for role in order if role in roles)

    def model(self, wave: Wave | None = None) -> str:
        """Give the name of its arithmetic model for waves of that many lanes."""
        row = self.matrix
        return (row.model_wave64 if (wave or self.waves[0]) == 64 else "") or row.model

    def operand_of(self, role: str) -> OperandField:
        """Find the field that names a role's registers.

        Args:
            role: a, b, c, d, index, scale_a or scale_b.

        Raises:
            EncodingMistake: It has no such operand.

        """
        for operand in self.operands:
            if role in _split(operand.role):
                return operand
        raise EncodingMistake(
            f"{self.name} has no operand {role!r}.", subject=role, allowed=self.roles
        )

    def modifiers(self, wave: Wave | None = None) -> tuple[Modifier, ...]:
        """List what else a line may say, in the order in which it must be said."""
        return self.modifiers_by_wave[wave or self.waves[0]]

    def layout(self, role: Role, wave: Wave | None = None, format: str | None = None) -> Layout:
        """Give the layout of one operand, before any modifier.

        Args:
            role: a, b, c, d, index, scale_a or scale_b.
            wave: Lanes of the wave, the default wave size if None.
            format: Where several are possible, the one that the modifiers choose; the first
                (the widest) if None.

        Raises:
            UnknownFormat: The role cannot have the format.

        """
        row = self.matrix
        self.operand_of(role)
        scales = role in SCALE_ROLES
        return layouts.layout(
            row.scale_layout if scales else row.layout,
            role,
            Shape(*row.shape, row.blocks),
            format_row(self.format_of(role, format)).bits,
            wave or self.waves[0],
            sparse=self.is_sparse,
            scale_block=row.scale_block,
        )

    def registers(self, role: Role, wave: Wave | None = None, format: str | None = None) -> int:
        """Count the registers of one operand, arguments as for `layout`."""
        wave = wave or self.waves[0]
        key = (role, wave, format)
        if key not in self._counts:
            given = self.operand_of(role).registers
            self._counts[key] = given or self._registers(role, wave, format)
        return self._counts[key]

    def _registers(self, role: Role, wave: Wave, format: str | None) -> int:
        return self.layout(role, wave, format).registers if self.is_matrix else 1

    @cached_property
    def _counts(self) -> dict[tuple[str, Wave, str | None], int]:
        return {}

    def format_of(self, role: str, format: str | None = None) -> str:
        """Name the format that a role has by one of its names, the role's first if None.

        Raises:
            UnknownFormat: The role cannot have it, or the name means several that it can have.

        """
        allowed = self.formats_of(role)
        if format is None:
            return allowed[0]
        return format_among(format, allowed, f"{role} of {self.name}")

    @cached_property
    def match_mask(self) -> int:
        """The bits of the word that tell this instruction from every other."""
        return sum(field.mask for field, _ in self._opcodes) | self.encoding.identity_mask

    @cached_property
    def match(self) -> int:
        """What those bits are."""
        return sum(field.put(code) for field, code in self._opcodes) | self.encoding.identity

    @cached_property
    def template(self) -> int:
        """The word with all register fields zero and all modifiers at their default."""
        fields = self.encoding.by_name
        return self.match | sum(fields[name].put(value) for name, value in self.form.set.items())

    @cached_property
    def base(self) -> int:
        """The template with the unused fields filled as the assembler fills them."""
        return self.template | self.encoding.fill

    @cached_property
    def key_mask(self) -> int:
        """The bits by which decoding finds it: those of `match_mask` and of marking fields."""
        fields = self.encoding.by_name
        return self.match_mask | sum(fields[name].mask for name in self.form.marks)

    @cached_property
    def key(self) -> int:
        """What those bits are."""
        return self.template & self.key_mask

    @property
    def _opcodes(self) -> list[tuple[Field, int]]:
        found = [(self.encoding.opcode, self.row.opcode)]
        if self.encoding.scale_opcode and isinstance(self.row, InstructionRow):
            found.append((self.encoding.scale_opcode, self.row.scale_opcode or 0))
        return found


@cache
def following(instruction: Instruction, model_name: str, layout: str = "") -> Instruction:
    """Give an instruction that is like another one but follows a model, in waves of any size.

    Args:
        instruction: The other one.
        model_name: Of the model.
        layout: The family by which its operands lie in registers; its own if "".

    """
    own = instruction.matrix
    row = msgspec.structs.replace(
        own, model=model_name, model_wave64="", layout=layout or own.layout
    )
    return msgspec.structs.replace(instruction, row=row)


def format_role(role: str) -> str:
    """Give the role whose formats a role goes by: the index is laid out as A is."""
    return "a" if role == "index" else role


def _split(role: str) -> tuple[str, ...]:
    return ("c", "d") if role == "cd" else (role,)
