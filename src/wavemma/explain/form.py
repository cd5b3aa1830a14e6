"""One instruction on one architecture: everything that its rows say."""

from collections.abc import Iterable, Iterator

import msgspec

from wavemma.explain.answer import Conflict, Evidence
from wavemma.explain.arithmetic import ModelUse, model_cited, model_uses
from wavemma.explain.citation import cited, instruction_errata, row_conflicts
from wavemma.explain.formulas import LayoutFacts, layout_conflicts, layout_facts, layouts_cited
from wavemma.explain.operand_fields import OperandFacts, operand_facts
from wavemma.explain.speeds import Speed, speed_conflicts, speed_evidence, speeds
from wavemma.explain.word import RESULTS, WordFacts, word_facts
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import builtins
from wavemma.tables.instructions import InstructionRow
from wavemma.tables.keys import Grade
from wavemma.tables.targets import Wave, architectures, target
from wavemma.tables.throughput import steppings

COMPARED = {
    "llvm22": ("llvm22", "opcode and modifier bits compared"),
    "llvm24": ("llvm24", "opcode and modifier bits compared"),
    "amd_xml_index": ("amd-xml-index", "opcode compared"),
    "amd_xml_index_name": ("amd-xml-index", "has the name"),
    "calculator": ("calculator", "opcode compared"),
}
"""What each word of a row's `verified` means: source, and what was compared."""
_PAIRS = {
    "any": "The scales of A and of B have the same format, any of those that there are.",
    "e8m0_unless_fp4": "Scales are e8m0, except that a side whose elements are {} may have any of"
    " the formats; if both sides are, their scales have the same format.",
}
_EVEN = "A range of registers starts at a multiple of {}."
_ONE_FILE = "C and D are both in VGPRs or both in AGPRs."
_AGPRS = "C and D are in AGPRs."
_TIED = "C and D are the same registers: the result replaces the accumulator."
_SAME = "C may be the registers of D."
_OVERLAP = "C and D may overlap in part."
_NO_OVERLAP = "C and D must not overlap in part."


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """One instruction of one architecture.

    Attributes:
        architecture: Key of the architecture.
        title: Its name as printed.
        targets: The targets that have it.
        waves: Lanes that a wave may have, the default first.
        name: Mnemonic, as the disassembler prints it.
        aliases: Other mnemonics that the assembler takes.
        kind: mfma, smfmac, wmma, swmmac or scale_load.
        shape: M, N and K; zeros if it only loads scales.
        blocks: Products of that shape.
        sparse: Whether A keeps two of each four elements along k.
        scale_block: Elements along k that share a scale; 0 without scales.
        ops: Multiplications and additions, sparse ones counted as if dense.
        word: How it is encoded.
        operands: Its operand fields, in the order of the text.
        constraints: What registers must be, one sentence each.
        layouts: Where the elements of each role lie, at each wave size.
        speeds: Cycles by target, stepping and formats.
        models: Its arithmetic model by target.
        builtins: Compiler builtins that become it.
        verified: Sources that its encoding was compared with.
        note: What is odd about it.
        source: Key of the citation of the row.
        grade: Grade of the row.

    """

    architecture: str
    title: str
    targets: tuple[str, ...]
    waves: tuple[Wave, ...]
    name: str
    aliases: tuple[str, ...]
    kind: str
    shape: tuple[int, int, int]
    blocks: int
    sparse: bool
    scale_block: int
    ops: int
    word: WordFacts
    operands: tuple[OperandFacts, ...]
    constraints: tuple[str, ...]
    layouts: tuple[LayoutFacts, ...]
    speeds: tuple[Speed, ...]
    models: tuple[ModelUse, ...]
    builtins: tuple[str, ...]
    verified: tuple[str, ...]
    note: str
    source: str
    grade: Grade


def form_of(instruction: Instruction, waves: tuple[Wave, ...], targets: tuple[str, ...]) -> Form:
    """Describe an instruction.

    Args:
        instruction: One instruction of one architecture.
        waves: Wave sizes to give layouts for.
        targets: Targets to give cycles and models for; each must have the instruction.

    """
    row = instruction.row
    return Form(
        architecture=instruction.architecture,
        title=architectures()[instruction.architecture].title,
        targets=instruction.targets,
        waves=instruction.waves,
        name=instruction.name,
        aliases=instruction.aliases,
        kind=instruction.kind,
        shape=instruction.shape,
        blocks=instruction.blocks,
        sparse=instruction.is_sparse,
        scale_block=row.scale_block if isinstance(row, InstructionRow) else 0,
        ops=instruction.ops,
        word=word_facts(instruction),
        operands=operand_facts(instruction),
        constraints=tuple(_constraints(instruction)),
        layouts=tuple(each for wave in waves for each in layout_facts(instruction, wave)),
        speeds=tuple(_speeds(instruction, targets)),
        models=tuple(use for use in model_uses(instruction) if use.target in targets),
        builtins=builtins_of(instruction),
        verified=row.verified,
        note=row.note if isinstance(row, InstructionRow) else "",
        source=row.source,
        grade=row.grade,
    )


def form_evidence(instruction: Instruction, form: Form) -> Iterator[Evidence]:
    """Say what the parts of a form rest on."""
    where = form.architecture
    yield cited(f"operands ({where})", form.source, form.grade)
    for key in form.verified:
        source, note = COMPARED[key]
        yield cited(f"encoding ({where})", source, "V", note)
    if form.layouts:
        yield layouts_cited(instruction)
    yield from speed_evidence(form.speeds)
    yield from map(model_cited, form.models)


def builtins_of(instruction: Instruction) -> tuple[str, ...]:
    """List the compiler builtins that become an instruction."""
    key = (instruction.architecture, instruction.name)
    return tuple(row.name for row in builtins().values() if key in row.references)


def _speeds(instruction: Instruction, targets: tuple[str, ...]) -> Iterator[Speed]:
    for name in targets:
        final = speeds(instruction, name)
        yield from final
        for stepping in steppings(name):
            other = speeds(instruction, name, stepping)
            if [each.cycles for each in other] != [each.cycles for each in final]:
                yield from other


def _constraints(instruction: Instruction) -> Iterator[str]:
    """Say what the registers of an instruction must be."""
    if instruction.alignment > 1:
        yield _EVEN.format(instruction.alignment)
    kinds = {kind for each in instruction.operands if each.role in RESULTS for kind in each.kinds}
    if "agpr" in kinds:
        yield _ONE_FILE if len(kinds) > 1 else _AGPRS
    roles = {each.role for each in instruction.operands}
    if "cd" in roles:
        yield _TIED
    elif instruction.is_matrix:
        yield _SAME
        yield _OVERLAP if instruction.matrix.partial_overlap else _NO_OVERLAP
    if instruction.is_scaled and instruction.matrix.scale_pairs:
        yield _PAIRS[instruction.matrix.scale_pairs].format(instruction.matrix.scale_free)


def default_targets(instruction: Instruction, name: str | None) -> tuple[str, ...]:
    """Choose the targets to speak of: the one asked for, else all that have it."""
    return (target(name).name,) if name else instruction.targets


def form_conflicts(instruction: Instruction, targets: Iterable[str]) -> Iterator[Conflict]:
    """List what sources say otherwise about an instruction, on these targets."""
    row = instruction.row
    if isinstance(row, InstructionRow):
        yield from row_conflicts(instruction.architecture, row)
        yield from layout_conflicts(instruction)
    effects = {
        effect
        for wave in instruction.waves
        for modifier in instruction.modifiers(wave)
        for effect in modifier.row.effect
    }
    yield from instruction_errata(instruction.architecture, effects - {""})
    for name in targets:
        yield from speed_conflicts(instruction, name)
