"""What is wrong with single instructions: reserved bits, absence, signs, register banks."""

from collections.abc import Iterator
from functools import cache

import msgspec

from wavemma.checks.finding import Finding, Where, where
from wavemma.checks.program import Item, Program
from wavemma.checks.shared_registers import shared_registers
from wavemma.isa.decode import Undecoded, read
from wavemma.isa.decoded import Decoded
from wavemma.isa.encode import encode
from wavemma.tables.hazard_rows import BankRow
from wavemma.tables.hazards import hazards
from wavemma.tables.steppings import lacking
from wavemma.tables.targets import architectures, targets, targets_of

_SIGNS = ("signed_a", "signed_b")
_SHORTEST = 8
_LONGEST = 16


def word_findings(program: Program) -> Iterator[Finding]:
    """Yield what is wrong with single instructions, and hints about them."""
    for problem in program.problems:
        yield Finding(
            severity="error",
            what="not there" if problem.elsewhere else "not legal",
            at=Where(problem.place, program.unit, problem.function, 0, problem.text),
            message=problem.message,
            sources=(_source(program),),
        )
    for item in program.items:
        if isinstance(item.decoded, Decoded) and item.decoded.faults:
            yield _illegal(program, item, item.decoded)
    yield from shared_registers(program)
    yield from _signs(program)
    yield from _banks(program)
    yield from _steppings(program)


def _source(program: Program) -> str:
    return architectures()[targets()[program.target].architecture].source


def _illegal(program: Program, item: Item, decoded: Decoded) -> Finding:
    row = decoded.instruction.row
    return Finding(
        severity="error",
        what="not legal",
        at=where(item, program.unit),
        message=" ".join(decoded.faults),
        sources=(row.source,),
        grade=row.grade,
    )


def foreign(data: bytes, target_name: str) -> dict[str, tuple[str, ...]]:
    """Name the matrix instructions of other targets that some bytes are, with those targets."""
    found: dict[str, tuple[str, ...]] = {}
    for architecture in architectures():
        for name in targets_of(architecture):
            other = read(data, name) if name != target_name else None
            if isinstance(other, Decoded) and not other.faults:
                key = other.instruction.name
                found[key] = (*found.get(key, ()), name)
    return found


def absent(program: Program, item: Item, data: bytes) -> Finding | None:
    """Give the finding of bytes that are a matrix instruction of other targets alone."""
    if not isinstance(item.decoded, Undecoded) or len(data) < _SHORTEST:
        return None
    owners = foreign(data[:_LONGEST], program.target)
    if not owners:
        return None
    told = ", or ".join(f"{name} of {', '.join(names)}" for name, names in owners.items())
    words = (int.from_bytes(data[at : at + 4], "little") for at in range(0, _SHORTEST, 4))
    text = f".long {', '.join(f'0x{word:08x}' for word in words)}"
    return Finding(
        severity="error",
        what="not there",
        at=msgspec.structs.replace(where(item, program.unit), text=text),
        message=f"{program.target} has no such instruction: it is {told}.",
        sources=(_source(program),),
    )


def stray(program: Program, item: Item, data: bytes) -> Finding | None:
    """Give the finding of a matrix instruction with bits set in fields that it does not use."""
    decoded = item.decoded
    if not isinstance(decoded, Decoded) or decoded.faults:
        return None
    plain = encode(decoded)
    given, usual = (int.from_bytes(each, "little") for each in (data[: len(plain)], plain))
    if given == usual:
        return None
    told = [
        f"{field.name} is 0x{field.read(given):x}, assemblers write 0x{field.read(usual):x}"
        for field in decoded.instruction.encoding.fields
        if field.read(given) != field.read(usual)
    ]
    told = told or [f"0x{given ^ usual:x} of its bits belong to no field"]
    return Finding(
        severity="suspect",
        what="not legal",
        at=where(item, program.unit),
        message=f"Bits are set that the instruction does not use: {'; '.join(told)}.",
        sources=(decoded.instruction.row.source,),
        grade=decoded.instruction.row.grade,
    )


def _signs(program: Program) -> Iterator[Finding]:
    """Yield one hint an instruction and pair of signs, where not both are signed."""
    groups: dict[tuple[str, int, int], list[Item]] = {}
    for item in program.items:
        if isinstance(item.decoded, Decoded) and "signed_a" in item.decoded.effects:
            a, b = (item.decoded.effects[name] for name in _SIGNS)
            groups.setdefault((item.decoded.instruction.name, a, b), []).append(item)
    for (name, a, b), items in groups.items():
        if a and b:
            continue
        row = items[0].decoded.instruction.row if isinstance(items[0].decoded, Decoded) else None
        others = [key for key in groups if key[0] == name and key != (name, a, b)]
        mixed = " In this code it also stands with other signs." if others else ""
        words = ["unsigned", "signed"]
        yield Finding(
            severity="hint",
            what="signs",
            at=where(items[0], program.unit),
            message=f"A is read as {words[a]}, B as {words[b]}: neg_lo tells the signs.{mixed}",
            times=len(items),
            sources=(row.source,) if row else (),
        )


def _banks(program: Program) -> Iterator[Finding]:
    """Yield one hint an instruction whose operands start in one register bank."""
    for row in _bank_rows(targets()[program.target].architecture):
        found = [item for item in program.items if _share(item, row)]
        every = [item for item in program.items if _name(item) == row.instruction]
        if found:
            yield Finding(
                severity="hint",
                what="banks",
                at=where(found[0], program.unit),
                message=(
                    f"{len(found)} of {len(every)} start two or three of A, B and C in one bank"
                    f" (first register modulo {row.modulo}): {row.cycles_shared} cycles, not"
                    f" {row.cycles_distinct}."
                ),
                times=len(found),
                sources=row.sources,
                grade=row.grade,
                note=row.note,
            )


def _steppings(program: Program) -> Iterator[Finding]:
    """Yield one hint an instruction that a stepping of the target lacks."""
    groups: dict[str, list[Item]] = {}
    for item in program.items:
        groups.setdefault(_name(item), []).append(item)
    for name, items in groups.items():
        row = lacking(program.target, name)
        if row is not None:
            yield Finding(
                severity="hint",
                what="stepping",
                at=where(items[0], program.unit),
                message=row.told(name),
                times=len(items),
                sources=(row.source,),
                grade=row.grade,
            )


@cache
def _bank_rows(architecture: str) -> tuple[BankRow, ...]:
    return tuple(row for row in hazards().banks if architecture in row.architectures)


def _name(item: Item) -> str:
    return item.decoded.instruction.name if isinstance(item.decoded, Decoded) else ""


def _share(item: Item, row: BankRow) -> bool:
    if not isinstance(item.decoded, Decoded) or _name(item) != row.instruction:
        return False
    operands = [item.decoded.operand(role) for role in ("a", "b", "c")]
    banks = [each.first % row.modulo for each in operands if each.is_register]
    return len(set(banks)) < len(banks)
