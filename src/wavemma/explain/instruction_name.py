"""Which instruction a name means: a mnemonic with or without its v_, a builtin, or words."""

from collections.abc import Sequence
from importlib import import_module

from wavemma.errors import UnknownInstruction, UnknownName
from wavemma.explain.builtin_guards import PREFIX
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import BuiltinRow, builtins
from wavemma.tables.targets import architectures, target

_ALL = "All: wavemma list instructions"
_SHOWN = 8


def instruction_named(name: str, target_name: str) -> Instruction:
    """Find the instruction of a target that a name or words mean.

    Args:
        name: A mnemonic or an alias, with or without its v_; a builtin that becomes one
            instruction there, with or without its prefix; or words that only one fits, such as
            "f16 16x16x16".
        target_name: Such as "gfx1100".

    Raises:
        UnknownTarget: Offers the nearest names.
        UnknownInstruction: Nothing fits, or more than one does; offers those, or the nearest.

    """
    row = builtin_named(name)
    if row is not None:
        return _of_builtin(row, name, target_name)
    try:
        return catalog.instruction(name, target_name)
    except UnknownInstruction as error:
        chosen = target(target_name)
        if _called(name):
            # It is an instruction, of other targets.
            raise
        found = mnemonics_fitting(name, chosen.name)
        return catalog.instruction(_only(name, f"of {chosen.name}", found, error), chosen.name)


def mnemonic_named(name: str) -> str:
    """Find the one mnemonic that a name or words mean, on whichever targets.

    Args:
        name: As for `instruction_named`.

    Raises:
        UnknownInstruction: Nothing fits, or more than one does; offers those, or the nearest.

    """
    if _called(name):
        return name
    every = {each for key in architectures() for each in catalog.by_name(key)}
    error = UnknownInstruction(
        f"{name!r} is not a matrix instruction of any target.",
        subject=name.lower(),
        allowed=sorted(every),
        hint=_ALL,
    )
    row = builtin_named(name)
    found = tuple(each.instruction for each in row.references) if row else ()
    return _only(name, "of all targets", found or mnemonics_fitting(name), error)


def mnemonics_fitting(words: str, target_name: str | None = None) -> tuple[str, ...]:
    """List the mnemonics that a name without its v_ is, or that words fit, in the table's order.

    Args:
        words: Such as "wmma_f32_16x16x16_f16", "f16 16x16x16" or "sparse fp8".
        target_name: Only those of this target.

    """
    here = catalog.instructions(target_name)
    bare = [each.name for each in here if words.lower() in map(_bare, (each.name, *each.aliases))]
    names = {each.name for each in here}
    found = bare or [each.name for each in _meant(words) if each.name in names]
    return tuple(dict.fromkeys(found))


def _only(name: str, whose: str, found: Sequence[str], error: UnknownInstruction) -> str:
    """Give the one that was found.

    Raises:
        UnknownInstruction: That error if there is none; else one that lists all.

    """
    names = list(dict.fromkeys(found))
    if len(names) == 1:
        return names[0]
    if not names:
        raise error
    shown = ", ".join(names[:_SHOWN])
    shown += f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    raise UnknownInstruction(
        f"One instruction must be named; {name!r} fits {len(names)} {whose}: {shown}.",
        subject=name,
        hint=error.hint,
    )


def _called(name: str) -> bool:
    return any(name.lower() in catalog.by_name(key) for key in architectures())


def _bare(name: str) -> str:
    """Leave out the class before the first underline."""
    return name.partition("_")[2]


def _meant(words: str) -> tuple[Instruction, ...]:
    """Find the instructions that fit words for types, kinds and a shape."""
    # Loaded for words only: names are asked for far more often.
    feature = import_module("wavemma.explain.feature").feature
    text = words.lower()
    try:
        found: tuple[Instruction, ...] = feature(text.removeprefix("v_")).instructions
    except UnknownName:
        return ()
    return found


def builtin_named(name: str) -> BuiltinRow | None:
    """Find a builtin by its name with or without its prefix; None if it is none."""
    word = name.lower()
    return builtins().get(word) or builtins().get(PREFIX + word)


def _of_builtin(row: BuiltinRow, name: str, target_name: str) -> Instruction:
    architecture = target(target_name).architecture
    here = [each for each in row.references if each.architecture == architecture]
    made = [each.instruction for each in here or row.references]
    if here and len(set(made)) == 1:
        return catalog.instruction(made[0], target_name)
    becomes = f"becomes {' or '.join(dict.fromkeys(made))}"
    where = f"on {target_name} {becomes}" if here else f"{target_name} has not; it {becomes}"
    raise UnknownInstruction(
        f"An instruction must be given; {row.name} is a builtin, which {where}.",
        subject=name,
        hint=f"All: wavemma list --target {target_name}",
    )
