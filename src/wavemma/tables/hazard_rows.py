"""The records of data/hazards.toml."""

from typing import Literal

import msgspec

from wavemma.tables.keys import Grade
from wavemma.tables.targets import targets_of

Operand = Literal[
    "a", "b", "c", "d", "index", "scale", "vdst", "source", "read", "write", "exec", "issue"
]


class MeaningRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A word of the rules (an instruction class or a kind of overlap) and what it means."""

    name: str
    meaning: str


class CountingRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a wait is counted in.

    Attributes:
        counts: Kinds of instruction that count one each.
        s_nop: Whether s_nop N counts N + 1 or nothing.
        programs: Programs with fillers that were compiled to test the counting.
        fits: Which of them came out as counted.
        filler: The instruction that is put between.
        filler_most: Most that one filler counts.
        between: Classes of which one must stand between, or the rule does not hold; empty: none.
        since: What is counted from: the producer, or the one between.
        reach: Most that may lie between producer and consumer for the rule to hold; 0: any.

    """

    name: str
    counts: tuple[str, ...]
    s_nop: Literal["n_plus_1", "none"]
    programs: int
    source: str
    grade: Grade
    title: str
    fits: str
    filler: str
    filler_most: int
    between: tuple[str, ...] = ()
    since: Literal["producer", "between"] = "producer"
    reach: int = 0


class RuleRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What must stand between a producer and a consumer of the same register.

    Attributes:
        name: Key.
        architectures: Where the rule holds.
        producer: Classes of the earlier instruction.
        produces: Its operands that the rule is about.
        consumer: Classes of the later instruction.
        consumes: Its operands, or kinds of access, that the rule is about.
        hazard: Kinds of dependence; "structural" needs no common register.
        wait: A number; [passes, number] pairs by passes of the producer; the name of a column
            of the producer's category; or "unknown". 0: the hardware keeps the order.
        counting: Key of the CountingRow that the number is told in.
        status: What compilers do.
        overlap: Key of an overlap; empty: registers meet in any way.
        file: Register file of the producer's operand, where it matters.
        same_opcode: Whether both must be the same instruction.
        other_opcode: Whether they must not be.
        not_producer: Classes that no producer may be of.
        not_consumer: Classes that no consumer may be of.
        safe: Of an unknown wait: the column of the producer's category that is enough.
        status_note: How compilers differ.

    """

    name: str
    architectures: tuple[str, ...]
    producer: tuple[str, ...]
    produces: tuple[Operand, ...]
    consumer: tuple[str, ...]
    consumes: tuple[Operand, ...]
    hazard: tuple[Literal["RAW", "WAW", "WAR", "structural"], ...]
    wait: int | Literal["next_ab", "next_valu", "unknown"] | tuple[tuple[int, int], ...]
    counting: str
    status: Literal["verified", "contradicted", "unverified", "not inserted"]
    grade: Grade
    sources: tuple[str, ...]
    overlap: str = ""
    file: Literal["", "agpr", "either"] = ""
    same_opcode: bool = False
    other_opcode: bool = False
    not_producer: tuple[str, ...] = ()
    not_consumer: tuple[str, ...] = ()
    safe: Literal["", "next_ab", "next_valu"] = ""
    note: str = ""
    status_note: str = ""

    @property
    def targets(self) -> tuple[str, ...]:
        """Names of the targets for which the rule holds."""
        return tuple(name for one in self.architectures for name in targets_of(one))


class CategoryRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Instructions of one co-execution behaviour: slots before the next matrix or vector one."""

    name: str
    cycles: int | Literal["none"]
    next_ab: int
    next_valu: int
    kind: str


class MemberRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The category of an instruction; the first row that fits target and formats holds.

    `doubted` is the category that the conflict `doubt` advises.
    """

    name: str
    target: str
    category: str
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()
    doubt: str = ""
    doubted: str = ""


class DelayRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The hint of s_delay_alu that compilers write between two instructions."""

    producer: tuple[str, ...]
    produces: tuple[Operand, ...]
    consumer: tuple[str, ...]
    consumes: tuple[Operand, ...]
    hint: str
    source: str
    grade: Grade
    architectures: tuple[str, ...]
    pipe: Literal["", "matrix", "valu"] = ""
    note: str = ""


class ReachRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How far back a hint of s_delay_alu can point."""

    hint: str
    reach: int
    unit: str
    source: str
    grade: Grade


class BankRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Cycles of an instruction by the register banks in which A, B and C start.

    Attributes:
        modulo: The bank is the number of the first register modulo this.
        cycles_distinct: Cycles if the three start in different banks.
        cycles_shared: Cycles if two or more share one.

    """

    architectures: tuple[str, ...]
    instruction: str
    modulo: int
    cycles_distinct: int
    cycles_shared: int
    sources: tuple[str, ...]
    grade: Grade
    note: str


class ReuseRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which operands of one instruction may not share registers with its result.

    Attributes:
        kinds: Kinds of matrix instruction.
        registers_over: Only where the result has more registers than this.
        roles: The operands.
        why: What is known, as the rest of a sentence.

    """

    name: str
    kinds: tuple[str, ...]
    registers_over: int
    roles: tuple[str, ...]
    source: str
    grade: Grade
    why: str


class LatencyRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact about latencies, of whole architectures or of single targets.

    `of` lists the kinds of matrix instruction, or the mnemonics, that it is about.
    """

    name: str
    source: str
    grade: Grade
    fact: str
    of: tuple[str, ...]
    architectures: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class HazardConflict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sources that disagree, and what to do.

    Attributes:
        rules: The rules that it is about.
        architectures: Where; everywhere if there are neither these nor targets.
        targets: Where.
        wait: What a linter should ask for though the rules ask for less; 0 if nothing.
        unequal_passes: Whether it should ask for more where passes differ: what the rules for
            another overlap do.
        need: Only where a rule asks for so much; 0: always.

    """

    name: str
    sources: tuple[str, ...]
    about: str
    claims: str
    advice: str
    rules: tuple[str, ...]
    architectures: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    wait: int = 0
    unequal_passes: bool = False
    need: int = 0


class RemarkRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A remark on compilers and assemblers."""

    name: str
    source: str
    fact: str


class EvidenceRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Dependent pairs compiled for a rule; "several": on all its targets together."""

    rule: str
    target: str
    wave: Literal[32, 64]
    llvm22: int | Literal["not counted"]
    llvm24: int | Literal["not counted"]


class Hazards(msgspec.Struct, frozen=True):
    """All of data/hazards.toml."""

    classes: dict[str, MeaningRow]
    overlaps: dict[str, MeaningRow]
    countings: dict[str, CountingRow]
    rules: dict[str, RuleRow]
    categories: dict[str, CategoryRow]
    members: tuple[MemberRow, ...]
    delays: tuple[DelayRow, ...]
    reaches: tuple[ReachRow, ...]
    banks: tuple[BankRow, ...]
    reuses: dict[str, ReuseRow]
    latencies: dict[str, LatencyRow]
    conflicts: dict[str, HazardConflict]
    remarks: dict[str, RemarkRow]
