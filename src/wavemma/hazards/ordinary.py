"""How rules see ordinary instructions."""

from functools import cache

import msgspec

from wavemma.hazards.reading import (
    AGPRS,
    EXEC,
    IN_PLACE,
    ISSUE,
    Operands,
    Reading,
    Shifts,
    Span,
    moved,
)
from wavemma.isa.ordinary import DecodedOrdinary, OrdinaryOperand, ordinary_table
from wavemma.tables.hazard_classes import hazard_classes
from wavemma.tables.hazards import hazards
from wavemma.tables.ordinary import OrdinaryRow

VALU = "VALU"
RESULT_ROLES = ("d", "d_mask")
MEMORY_ROLES = ("data", "data_1", "address")


class Registers(msgspec.Struct, frozen=True):
    """The vector registers of one half of an instruction, by role, and what is written of others.

    Attributes:
        by_role: Registers by role.
        writes_exec: Whether it writes the mask of active lanes.
        number: The number that it holds, 0 if none.

    """

    by_role: dict[str, tuple[Span, ...]]
    writes_exec: bool = False
    number: int = 0


class Traits(msgspec.Struct, frozen=True):
    """What rows tell of an instruction, whatever its operands are.

    Attributes:
        classes: Of the rules.
        space: What it addresses; "" if it is no memory instruction.
        is_vector: Whether it computes a number a lane.
        reads_result: Whether its result is read too.
        writes_source: Whether its first source is written too.
        writes_data: Whether its data is what it writes.

    """

    classes: frozenset[str]
    space: str
    is_vector: bool
    reads_result: bool
    writes_source: bool
    writes_data: bool


def ordinary_reading(
    decoded: DecodedOrdinary, architecture: str, shifts: Shifts = IN_PLACE
) -> Reading:
    """Read an ordinary instruction, both halves of a dual one.

    Args:
        decoded: The instruction.
        architecture: The one whose classes hold, which need not be the one whose rows read it.
        shifts: What is added to the numbers of registers, by role.

    """
    row = decoded.instruction.row
    table = decoded.instruction.architecture
    found = reading(row, architecture, table, _registers(decoded), shifts)
    if decoded.second is None:
        return found
    other = ordinary_reading(decoded.second, architecture, shifts)
    return dual(found, other)


def dual(found: Reading, other: Reading) -> Reading:
    """Put the two halves of a dual instruction together."""
    some, others = found.operands[VALU], other.operands[VALU]
    words = {word: (*some.get(word, ()), *others.get(word, ())) for word in {*some, *others}}
    return msgspec.structs.replace(
        found,
        operands={VALU: words, "VOPD": words},
        writes=(*found.writes, *other.writes),
    )


def reading(
    row: OrdinaryRow,
    architecture: str,
    table: str,
    registers: Registers,
    shifts: Shifts = IN_PLACE,
) -> Reading:
    """Read an instruction by its row and its registers.

    Args:
        row: The row.
        architecture: The one whose classes hold.
        table: The one whose row it is.
        registers: What its operands name.
        shifts: What is added to their numbers, by role.

    """
    traits = _traits(row.name, row.encoding, row.meaning, architecture, table)
    by_role = {
        role: moved(spans, shifts.get(f"{traits.space}.{role}", shifts.get(role, 0)))
        for role, spans in registers.by_role.items()
    }
    if traits.space:
        return _memory(row, traits, by_role)
    if not traits.is_vector:
        states = wait_states(row.name, registers.number)
        return Reading(row.name, {}, wait_states=states)
    written = tuple(s for role in RESULT_ROLES for s in by_role.get(role, ()))
    read = tuple(s for role, spans in by_role.items() if role not in RESULT_ROLES for s in spans)
    read += by_role.get("d", ()) if traits.reads_result else ()
    written += by_role.get("a", ()) if traits.writes_source else ()
    words: dict[str, tuple[Span, ...]] = {
        "vdst": written,
        "write": written,
        "source": read,
        "read": read,
        "issue": (ISSUE,),
    }
    if registers.writes_exec:
        words["exec"] = (EXEC,)
    return Reading(
        row.name,
        {name: _words(name, words, by_role) for name in traits.classes},
        writes=written,
        slots=1,
    )


def _words(name: str, words: Operands, by_role: dict[str, tuple[Span, ...]]) -> Operands:
    """Give the words of a class: those that multiply pairs have A, B and C of their own."""
    if name == "DOT":
        c = by_role.get("c", by_role.get("d", ()))
        return {**words, "a": by_role.get("a", ()), "b": by_role.get("b", ()), "c": c}
    if name == "ACC_WRITE":
        return {**words, "exec": (EXEC,)}
    return words


def _memory(row: OrdinaryRow, traits: Traits, by_role: dict[str, tuple[Span, ...]]) -> Reading:
    written = tuple(s for role in RESULT_ROLES for s in by_role.get(role, ()))
    roles = MEMORY_ROLES[1:] if traits.writes_data else MEMORY_ROLES
    written += by_role.get("data", ()) if traits.writes_data else ()
    read = tuple(span for role in roles for span in by_role.get(role, ()))
    words = {"MEM": {"read": read}, "LOAD": {"write": written}}
    return Reading(row.name, words, writes=written)


def wait_states(name: str, number: int) -> int:
    """Count the wait states of a scalar instruction: those of a filler by its number."""
    for counting in hazards().countings.values():
        if name == counting.filler and counting.s_nop == "n_plus_1":
            return number % counting.filler_most + 1
    return 1


@cache
def _traits(name: str, encoding: str, meaning: str, architecture: str, table: str) -> Traits:
    """Tell what rows say of an instruction."""
    word = next(each for each in ordinary_table(table).rows.words if each.name == encoding)
    named = [
        each
        for each in hazard_classes().named
        if name in each.names and (not each.architectures or architecture in each.architectures)
    ]
    rest = set() if any(each.alone for each in named) else {VALU}
    what = {
        each.what
        for each in hazard_classes().results
        if meaning in each.meanings or name in each.names
    }
    return Traits(
        classes=frozenset(rest | {each.name for each in named}),
        space=word.space,
        is_vector=word.unit == "vector",
        reads_result="read" in what,
        writes_source="written" in what,
        writes_data="data" in what,
    )


def _registers(decoded: DecodedOrdinary) -> Registers:
    found = {role: spans for role, each in decoded.operands.items() if (spans := _span(each))}
    d = decoded.operands.get("d")
    numbers = [each.value for each in decoded.operands.values() if each.kind == "number"]
    return Registers(
        by_role=found,
        writes_exec="exec" in decoded.instruction.row.writes or (d is not None and _is_exec(d)),
        number=numbers[0] if numbers else 0,
    )


def _span(operand: OrdinaryOperand) -> tuple[Span, ...]:
    if operand.kind not in ("vgpr", "agpr"):
        return ()
    first = operand.first + (AGPRS if operand.kind == "agpr" else 0)
    return ((first, first + operand.count),)


def _is_exec(operand: OrdinaryOperand) -> bool:
    codes = {code for row in hazard_classes().codes for code in row.codes}
    return operand.kind == "special_sgpr" and operand.code in codes
