"""Records of data/hazards.toml: what must stand between instructions that share registers."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import architectures, targets, targets_of

_FILE = "hazards.toml"
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

    """

    name: str
    counts: tuple[str, ...]
    s_nop: Literal["n_plus_1", "none"]
    programs: int
    source: str
    grade: Grade
    title: str
    fits: str


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
    """The category of an instruction; the first row that fits target and formats holds."""

    name: str
    target: str
    category: str
    a: tuple[str, ...] = ()
    b: tuple[str, ...] = ()


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


class LatencyRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact about latencies, of whole architectures or of single targets."""

    name: str
    source: str
    grade: Grade
    fact: str
    architectures: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


class HazardConflict(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Sources that disagree, and what to do."""

    name: str
    sources: tuple[str, ...]
    about: str
    claims: str
    advice: str


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
    latencies: dict[str, LatencyRow]
    conflicts: dict[str, HazardConflict]
    remarks: dict[str, RemarkRow]


@cache
def hazards() -> Hazards:
    """Load the hazards, checked across rows.

    Raises:
        DataMistake: If a name is used twice, or a row names a class, overlap, counting, category,
            architecture, target or source that is not there.

    """
    table = Hazards(
        classes=by_name(_FILE, "class", rows(_FILE, "class", MeaningRow)),
        overlaps=by_name(_FILE, "overlap", rows(_FILE, "overlap", MeaningRow)),
        countings=by_name(_FILE, "counting", rows(_FILE, "counting", CountingRow)),
        rules=by_name(_FILE, "rule", rows(_FILE, "rule", RuleRow)),
        categories=by_name(_FILE, "category", rows(_FILE, "category", CategoryRow)),
        members=rows(_FILE, "member", MemberRow),
        delays=rows(_FILE, "delay", DelayRow),
        reaches=rows(_FILE, "reach", ReachRow),
        banks=rows(_FILE, "bank", BankRow),
        latencies=by_name(_FILE, "latency", rows(_FILE, "latency", LatencyRow)),
        conflicts=by_name(_FILE, "conflict", rows(_FILE, "conflict", HazardConflict)),
        remarks=by_name(_FILE, "remark", rows(_FILE, "remark", RemarkRow)),
    )
    _check_references(table)
    _check_sources(table)
    return table


@cache
def evidence() -> tuple[EvidenceRow, ...]:
    """Load how many pairs were compiled for each rule.

    Raises:
        DataMistake: If a row names a rule or target that is not there.

    """
    table = rows("hazard_evidence.toml", "evidence", EvidenceRow)
    place = "data/hazard_evidence.toml, evidence"
    check_known(place, "rule", [row.rule for row in table], hazards().rules)
    check_known(place, "target", [row.target for row in table], {*targets(), "several"})
    return table


def _check_references(table: Hazards) -> None:
    for rule in table.rules.values():
        place = f"data/{_FILE}, rule {rule.name}"
        check_known(place, "producer", rule.producer, table.classes)
        check_known(place, "consumer", rule.consumer, table.classes)
        check_known(place, "overlap", [rule.overlap] if rule.overlap else [], table.overlaps)
        check_known(place, "counting", [rule.counting], table.countings)
    for member in table.members:
        place = f"data/{_FILE}, member {member.name}"
        check_known(place, "category", [member.category], table.categories)
        check_known(place, "target", [member.target], targets())
    for delay in table.delays:
        place = f"data/{_FILE}, delay"
        check_known(place, "producer", delay.producer, table.classes)
        check_known(place, "consumer", delay.consumer, table.classes)
    placed: tuple[RuleRow | DelayRow | BankRow | LatencyRow, ...] = (
        *table.rules.values(),
        *table.delays,
        *table.banks,
        *table.latencies.values(),
    )
    for row in placed:
        check_known(f"data/{_FILE}", "architectures", row.architectures, architectures())
    for latency in table.latencies.values():
        check_known(f"data/{_FILE}, {latency.name}", "targets", latency.targets, targets())


def _check_sources(table: Hazards) -> None:
    cited = [name for rule in table.rules.values() for name in rule.sources]
    cited += [name for bank in table.banks for name in bank.sources]
    cited += [name for conflict in table.conflicts.values() for name in conflict.sources]
    cited += [counting.source for counting in table.countings.values()]
    cited += [latency.source for latency in table.latencies.values()]
    cited += [remark.source for remark in table.remarks.values()]
    cited += [delay.source for delay in table.delays]
    cited += [reach.source for reach in table.reaches]
    check_known(f"data/{_FILE}", "source", cited, sources())
