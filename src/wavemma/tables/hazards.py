"""The rows of data/hazards.toml: what must stand between instructions that share registers."""

from functools import cache

from wavemma.tables.files import rows
from wavemma.tables.hazard_rows import (
    BankRow,
    CategoryRow,
    CountingRow,
    DelayRow,
    EvidenceRow,
    HazardConflict,
    Hazards,
    LatencyRow,
    MeaningRow,
    MemberRow,
    ReachRow,
    RemarkRow,
    ReuseRow,
    RuleRow,
)
from wavemma.tables.keys import by_name, check_known
from wavemma.tables.sources import sources
from wavemma.tables.targets import architectures, targets

_FILE = "hazards.toml"


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
        reuses=by_name(_FILE, "reuse", rows(_FILE, "reuse", ReuseRow)),
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
        others = (*rule.not_producer, *rule.not_consumer)
        check_known(place, "other classes", others, table.classes)
    for member in table.members:
        place = f"data/{_FILE}, member {member.name}"
        check_known(place, "category", [member.category], table.categories)
        doubted = [member.doubted] if member.doubted else []
        check_known(place, "doubted", doubted, table.categories)
        check_known(place, "target", [member.target], targets())
    for conflict in table.conflicts.values():
        place = f"data/{_FILE}, conflict {conflict.name}"
        check_known(place, "rules", conflict.rules, table.rules)
        check_known(place, "architectures", conflict.architectures, architectures())
        check_known(place, "targets", conflict.targets, targets())
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
    cited += [reuse.source for reuse in table.reuses.values()]
    cited += [remark.source for remark in table.remarks.values()]
    cited += [delay.source for delay in table.delays]
    cited += [reach.source for reach in table.reaches]
    check_known(f"data/{_FILE}", "source", cited, sources())
