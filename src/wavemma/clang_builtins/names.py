"""Which instruction a builtin becomes on a target."""

from wavemma.errors import UnknownBuiltin
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import available, builtin_row, builtins
from wavemma.tables.targets import target


def instructions_of(name: str, target_name: str) -> tuple[Instruction, ...]:
    """Give what a builtin can become on a target: one instruction, or the scaled and unscaled.

    Args:
        name: The builtin.
        target_name: The target.

    Raises:
        UnknownBuiltin: No such builtin, or the target does not have it; says who has it, and
            which builtins of the target come nearest.
        UnknownTarget: No such target.

    """
    row = builtin_row(name)
    where = target(target_name)
    found = [
        catalog.instruction(mnemonic, where.name)
        for owner, mnemonic in row.references
        if owner == where.architecture
    ]
    if not found or where.name not in available(row):
        near = [each for each in builtins() if has_builtin(each, where.architecture)]
        raise UnknownBuiltin(
            f"{name} does not exist on {where.name}; it is for {', '.join(available(row))}.",
            subject=name,
            allowed=near,
            hint=f"All: wavemma list builtins --target {where.name}",
        )
    return tuple(found)


def has_builtin(name: str, architecture: str) -> bool:
    """Tell whether an architecture has a builtin."""
    return any(each.architecture == architecture for each in builtins()[name].references)


__all__ = ["available", "has_builtin", "instructions_of"]
