"""Whether a target has a builtin or an instruction; if not, what stands for it there."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from wavemma.clang_builtins.names import available
from wavemma.explain.answer import Evidence
from wavemma.explain.equivalents import builtins_for, nearest, setup_of, wave_there
from wavemma.explain.example_line import example_line
from wavemma.explain.guard_conditions import has_builtin_targets
from wavemma.explain.nearness import Setup
from wavemma.explain.port_changes import changes_of, obstacles
from wavemma.explain.port_side import PortSide, side_evidence, side_of
from wavemma.explain.prototype import TypeName
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import BuiltinRow
from wavemma.tables.processors import processors
from wavemma.tables.targets import Wave, target, targets, targets_of

_SHORT = ("wave", "tile", "k step", "format", "registers", "copies", "map", "operands")
_WAVE_FLAGS = {32: "-mno-wavefrontsize64", 64: "-mwavefrontsize64"}


class Advice(msgspec.Struct, frozen=True, kw_only=True):
    """What to use on a target, ready to be written.

    Attributes:
        target: The target.
        wave: Lanes of the wave.
        instruction: Mnemonic.
        line: A right line of assembly.
        builtin: The builtin; empty if the compiler has none.
        prototype: How that is declared.
        types: Vector types to declare.
        compile: Command that compiles it.
        guard: Preprocessor condition for the call.
        oldest_llvm: The first LLVM release that has target and builtin, in words.
        changes: What differs from what was asked for, in short.
        also: Other builtins that do the same.

    """

    target: str
    wave: Wave
    instruction: str
    line: str
    builtin: str
    prototype: str
    types: tuple[TypeName, ...]
    compile: str
    guard: str
    oldest_llvm: str
    changes: tuple[str, ...]
    also: tuple[str, ...]


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """What was found out.

    Attributes:
        causes: Why it does not work, one sentence each.
        steps: What to do, one sentence each.
        advice: What to use.
        solved: Whether something on the target does what was asked for.
        evidence: What it rests on.
        prototype: How a builtin is declared where there is no advice.

    """

    causes: tuple[str, ...]
    steps: tuple[str, ...] = ()
    advice: Advice | None = None
    solved: bool = True
    evidence: tuple[Evidence, ...] = ()
    prototype: str = ""


def find_builtin(rows: Sequence[BuiltinRow], target_name: str, wave: int | None) -> Finding:
    """Say whether a target has a builtin, and what to call if it does not.

    Args:
        rows: The builtin, or several that a text may mean.
        target_name: A target with matrix instructions.
        wave: Lanes of the wave that code is compiled for; the default if None.

    """
    here = [row for row in rows if target_name in available(row)]
    if here:
        return _present(here[0], target_name, wave)
    setups = [
        setup_of(each, owners[0], row.wave or None)
        for row in rows
        for each, owners in _instructions(row)
    ]
    return _absent(_called(rows), _owners(rows), setups, rows, target_name, wave)


def find_instruction(
    name: str, found: Sequence[Instruction], target_name: str, wave: int | None
) -> Finding:
    """Say whether a target has one of some instructions, and what to use if it does not.

    Args:
        name: What to call them.
        found: Instructions, of any architectures; of several on the target the first is shown.
        target_name: A target with matrix instructions.
        wave: Lanes of the wave; the target's default if None.

    """
    here = [each for each in found if target_name in each.targets]
    if here:
        setup = setup_of(here[0], target_name, wave)
        rows = builtins_for(here[0], target_name, setup.wave) if here[0].is_matrix else ()
        return Finding(
            causes=(f"{target_name} has {name}.",),
            advice=_advice(setup, rows, ()) if here[0].is_matrix else None,
            evidence=_evidence(setup, rows) if here[0].is_matrix else (),
        )
    owners = dict.fromkeys(owner for each in found for owner in each.targets)
    setups = [setup_of(each, each.targets[0]) for each in found if each.is_matrix]
    return _absent(name, tuple(owners), setups, (), target_name, wave)


def find_nothing(name: str) -> Finding:
    """Say that a processor has no matrix instructions, or that it is a generic one."""
    row = processors()[name]
    if row.covers:
        return Finding(
            causes=(f"{name} is generic: it stands for {', '.join(row.covers)}.",),
            steps=("Ask again for one of these: code for a generic target uses what all have.",),
            solved=False,
        )
    return Finding(
        causes=(f"{name} has no matrix instructions: neither WMMA nor MFMA.",),
        steps=(
            "Use dot products or plain multiplications there, behind the guard of the feature.",
            f"These have matrix instructions: {', '.join(targets())}.",
        ),
        solved=False,
    )


def _present(row: BuiltinRow, target_name: str, wave: int | None) -> Finding:
    """Say what a builtin needs on a target that has it."""
    where = target(target_name)
    instruction = next(each for each, owners in _instructions(row) if target_name in owners)
    setup = setup_of(instruction, target_name, row.wave or None)
    causes = [f"{target_name} has {row.name}."]
    steps = []
    built = wave or where.default_wave
    if row.wave and row.wave != built:
        twins = builtins_for(
            instruction, target_name, setup_of(instruction, target_name, wave).wave
        )
        causes.append(f"It is for waves of {row.wave} lanes, and the code is built for {built}.")
        steps.append(f"Compile with {_WAVE_FLAGS[row.wave]}.")
        if twins:
            steps.append(f"Or call {twins[0].name} in waves of {built}.")
    if row.since:
        causes.append(f"It is newer than LLVM 22: {row.since}.")
        steps.append("Take a newer compiler.")
    elif where.oldest_llvm > min(each.oldest_llvm for each in targets().values()):
        causes.append(f"{target_name} itself is known from LLVM {where.oldest_llvm} on.")
        steps.append("Take a newer compiler.")
    return Finding(
        causes=tuple(causes),
        steps=tuple(steps),
        advice=_advice(setup, (row,), ()),
        evidence=_evidence(setup, (row,)),
    )


def _newly_refused(row: BuiltinRow) -> str:
    """Say which feature newer compilers ask for."""
    newer = [name for name in row.features_newer if name not in row.features]
    return f"; a newer one refuses it for want of {' and '.join(newer)}" if newer else ""


def _absent(
    name: str,
    owners: tuple[str, ...],
    setups: Sequence[Setup],
    rows: Sequence[BuiltinRow],
    target_name: str,
    wave: int | None,
) -> Finding:
    """Say what comes nearest on a target that lacks it."""
    causes = [f"{target_name} lacks {name}; it is for {', '.join(owners)}."]
    if any(target_name in has_builtin_targets(row) for row in rows):
        names = [name for row in rows[:1] for name in row.features]
        words = f"feature{'s' if len(names) > 1 else ''} {' and '.join(names)}"
        causes.append(
            f"clang 22 lets the call pass there, as {target_name} has the {words}, and fails when"
            f" it looks for the instruction{_newly_refused(rows[0])}."
        )
    if not setups:
        return Finding(causes=tuple(causes), solved=False)
    old, best = nearest(setups, target_name, wave)
    before, after = side_of(old, None), side_of(best.setup, None)
    reasons = tuple(obstacles(old, best.setup, best.distance))
    word = "Nothing there does the same." if reasons else ""
    return Finding(
        causes=(*causes, *([word] if word else []), *reasons),
        steps=(_port_step(old, best.setup),),
        advice=_advice(best.setup, best.builtins, tuple(_short(before, after))),
        solved=best.distance.is_equivalent,
        evidence=_evidence(best.setup, best.builtins),
    )


def _port_step(old: Setup, new: Setup) -> str:
    """Name the command that shows both sides, with the waves that are not its defaults."""
    default = old.wave == target(old.target).default_wave
    expected = new.wave == wave_there(old, new.target)
    return (
        "Code for both sides, with loaders and maps:"
        f" wavemma port {old.target} {new.target} --op {old.instruction.name}"
        + ("" if default else f" --wave {old.wave}")
        + ("" if expected else f" --new-wave {new.wave}")
    )


def _short(before: PortSide, after: PortSide) -> Iterator[str]:
    """List what differs between two sides, in a few words each."""
    for each in changes_of(before, after):
        if each.what.startswith(_SHORT):
            yield f"{each.what}: {each.before} -> {each.after}"


def _advice(setup: Setup, rows: Sequence[BuiltinRow], changes: tuple[str, ...]) -> Advice:
    side = side_of(setup, rows[0] if rows else None)
    return Advice(
        target=side.target,
        wave=side.wave,
        instruction=side.instruction,
        line=example_line(setup.instruction, setup.wave),
        builtin=side.builtin,
        prototype=side.prototype,
        types=side.types,
        compile=side.compile,
        guard=side.guard,
        oldest_llvm=side.oldest_llvm,
        changes=changes,
        also=tuple(row.name for row in rows[1:]),
    )


def _evidence(setup: Setup, rows: Sequence[BuiltinRow]) -> tuple[Evidence, ...]:
    return tuple(side_evidence(setup, rows[0] if rows else None))


def _instructions(row: BuiltinRow) -> Iterator[tuple[Instruction, tuple[str, ...]]]:
    """Give the instructions that a builtin becomes, plain ones first, and the targets of each."""
    found = [catalog.by_name(owner)[name] for owner, name in row.references]
    for each in sorted(found, key=lambda instruction: instruction.is_scaled):
        yield each, tuple(name for name in targets_of(each.architecture) if name in each.targets)


def _owners(rows: Iterable[BuiltinRow]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for row in rows for name in available(row)))


def _called(rows: Sequence[BuiltinRow]) -> str:
    return " or ".join(row.name for row in rows[:2])
