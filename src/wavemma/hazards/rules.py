"""Which rules hold between two instructions, and how much they ask for."""

from collections.abc import Iterator
from functools import cache

import msgspec

from wavemma.hazards.reading import AGPRS, RESULTS, Reading, Span, meet, shared
from wavemma.tables.hazard_rows import CountingRow, HazardConflict, RuleRow
from wavemma.tables.hazards import hazards
from wavemma.tables.targets import targets

_WRITES = ("d", "write", "vdst")
_ISSUE = "issue"


class Need(msgspec.Struct, frozen=True):
    """What a rule asks for between two instructions.

    Attributes:
        rule: The rule.
        wait: What must stand between, in what `counting` counts.
        produces: The producer's operand.
        consumes: The consumer's.
        dependence: RAW, WAW, WAR or structural.
        registers: Those that the two have in common.
        doubt: The conflict without which nothing would be asked for; "" if the rule itself asks.

    """

    rule: RuleRow
    wait: int
    produces: str
    consumes: str
    dependence: str
    registers: tuple[Span, ...]
    doubt: str = ""

    @property
    def counting(self) -> CountingRow:
        """What the wait is counted in."""
        return hazards().countings[self.rule.counting]


def needs(producer: Reading, consumer: Reading, target: str) -> tuple[Need, ...]:
    """List what all rules ask for between two instructions, those that ask for nothing included.

    Args:
        producer: The earlier instruction.
        consumer: The later one.
        target: Whose rules hold.

    """
    found: list[Need] = []
    table = _by_classes(targets()[target].architecture)
    for first in producer.operands:
        for second in consumer.operands:
            for rule in table.get((first, second), ()):
                if _are_meant(rule, producer, consumer):
                    found += _of_rule(rule, (first, second), producer, consumer)
    return tuple(each for need in found for each in (need, *_doubts(need, producer, target)))


def countings_of(target: str) -> tuple[CountingRow, ...]:
    """List what the rules of a target are counted in."""
    named = {rule.counting for rule in hazards().rules.values() if target in rule.targets}
    return tuple(hazards().countings[name] for name in sorted(named))


@cache
def conflicts_of(rule: RuleRow, target: str, wait: int = 0) -> tuple[HazardConflict, ...]:
    """List the conflicts of sources about a rule on a target, where it asks for so much.

    Those about single instructions are left out: a Need names them as its doubt.
    """
    return tuple(
        each
        for each in hazards().conflicts.values()
        if rule.name in each.rules
        and _is_about(each, target)
        and each.need in (0, wait)
        and each.name not in _about_instructions()
    )


def horizon(reading: Reading, target: str) -> int:
    """Give the most that any rule may ask for behind an instruction; 0 if it produces nothing."""
    architecture = targets()[target].architecture
    return max(
        (
            _most(rule, reading, target)
            for rule in _of_producer(architecture, frozenset(reading.operands))
            if _produces(rule, reading)
        ),
        default=0,
    )


def _produces(rule: RuleRow, reading: Reading) -> bool:
    own = [reading.operands[name] for name in rule.producer if name in reading.operands]
    return any(words.get(word) for words in own for word in rule.produces)


def _most(rule: RuleRow, reading: Reading, target: str) -> int:
    counting = hazards().countings[rule.counting]
    doubts = [each.wait for each in conflicts_of(rule, target)]
    wait = _wait(rule, reading.category, reading.passes)
    doubted = _wait(rule, reading.doubted[0], reading.passes)
    return max(wait + counting.reach, doubted, *doubts, 0)


@cache
def _about_instructions() -> frozenset[str]:
    return frozenset(row.doubt for row in hazards().members if row.doubt)


def _is_about(conflict: HazardConflict, target: str) -> bool:
    if not conflict.architectures and not conflict.targets:
        return True
    return target in conflict.targets or targets()[target].architecture in conflict.architectures


@cache
def _by_classes(architecture: str) -> dict[tuple[str, str], tuple[RuleRow, ...]]:
    found: dict[tuple[str, str], tuple[RuleRow, ...]] = {}
    for rule in hazards().rules.values():
        if architecture in rule.architectures:
            for first in rule.producer:
                for second in rule.consumer:
                    found[first, second] = (*found.get((first, second), ()), rule)
    return found


@cache
def _of_producer(architecture: str, classes: frozenset[str]) -> tuple[RuleRow, ...]:
    return tuple(
        rule
        for rule in hazards().rules.values()
        if architecture in rule.architectures and classes & set(rule.producer)
    )


def _are_meant(rule: RuleRow, producer: Reading, consumer: Reading) -> bool:
    """Tell whether a rule that is about some of the instructions of its classes is about these."""
    same = producer.name == consumer.name
    if (rule.same_opcode and not same) or (rule.other_opcode and same):
        return False
    return not (
        any(name in producer.operands for name in rule.not_producer)
        or any(name in consumer.operands for name in rule.not_consumer)
    )


def _of_rule(
    rule: RuleRow, classes: tuple[str, str], producer: Reading, consumer: Reading
) -> Iterator[Need]:
    """Yield what one rule asks for, for each pair of operands that it is about."""
    some, others = producer.operands[classes[0]], consumer.operands[classes[1]]
    wait = _wait(rule, producer.category, producer.passes)
    for produces in rule.produces:
        own = some.get(produces, ())
        for consumes in rule.consumes if own and _is_in_file(rule, own) else ():
            kind, other = _dependence(produces, consumes), others.get(consumes, ())
            overlap = _overlap(own, other) if kind in rule.hazard else ""
            if overlap and rule.overlap in ("", overlap):
                yield Need(rule, wait, produces, consumes, kind, shared(own, other))
            elif overlap == "exact" and producer.passes != consumer.passes:
                for doubt in _forwarding(rule):
                    yield Need(rule, wait, produces, consumes, kind, shared(own, other), doubt)


def _doubts(need: Need, producer: Reading, target: str) -> Iterator[Need]:
    """Yield what conflicting sources ask for beyond a rule."""
    for conflict in conflicts_of(need.rule, target):
        if conflict.wait > need.wait:
            yield msgspec.structs.replace(need, wait=conflict.wait, doubt=conflict.name)
    category, name = producer.doubted
    wait = _wait(need.rule, category, producer.passes) if category else 0
    if wait > need.wait:
        yield msgspec.structs.replace(need, wait=wait, doubt=name)


@cache
def _forwarding(rule: RuleRow) -> tuple[str, ...]:
    """Name the conflict about forwarding between unequal instructions that a rule then replaces."""
    return tuple(
        each.name
        for each in hazards().conflicts.values()
        if each.unequal_passes
        and any(
            set(hazards().rules[name].architectures) & set(rule.architectures)
            for name in each.rules
        )
    )


def _wait(rule: RuleRow, category: str, passes: int) -> int:
    """Give the number that a rule asks for behind a producer."""
    wait = rule.safe if rule.wait == "unknown" else rule.wait
    if isinstance(wait, int):
        return wait
    if isinstance(wait, tuple):
        # More passes than any row has are not there; fewer are covered by the next number.
        return next((number for each, number in wait if each >= passes), wait[-1][1])
    row = hazards().categories.get(category)
    return 0 if row is None else getattr(row, wait)


def _dependence(produces: str, consumes: str) -> str:
    if produces == _ISSUE:
        return "structural"
    if produces in RESULTS:
        return "WAW" if consumes in _WRITES else "RAW"
    return "WAR" if consumes in _WRITES else ""


def _is_in_file(rule: RuleRow, own: tuple[Span, ...]) -> bool:
    return rule.file != "agpr" or all(first >= AGPRS for first, _ in own)


def _overlap(own: tuple[Span, ...], other: tuple[Span, ...]) -> str:
    """Name how registers meet: a key of the overlaps, or "" if they do not."""
    if own and own == other:
        return "exact"
    return "partial" if meet(own, other) else ""
