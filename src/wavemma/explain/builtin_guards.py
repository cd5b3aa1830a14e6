"""How to compile for a builtin, and the preprocessor condition under which it can be used."""

from wavemma.tables.builtins import BuiltinRow
from wavemma.tables.targets import targets

PREFIX = "__builtin_amdgcn_"
"""How the names of all builtins begin."""
WAVE_FLAG_NOTE = (
    "It is for waves of {wave} lanes: compile with -mwavefrontsize{wave}, the default is {default}."
)


def compile_lines(row: BuiltinRow, owners: tuple[str, ...]) -> tuple[str, ...]:
    """Write the command that compiles a HIP file that calls a builtin, one line a target."""
    return tuple(
        f"amdclang++ --offload-arch={name}{wave_flag(row, name)} -O3 prog.hip -o prog"
        for name in owners
    )


def wave_flag(row: BuiltinRow, target_name: str) -> str:
    """Write the flag that a builtin's wave size needs on a target; empty if it is the default."""
    needed = row.wave and row.wave != targets()[target_name].default_wave
    return f" -mwavefrontsize{row.wave}" if needed else ""


def guard(row: BuiltinRow, owners: tuple[str, ...]) -> str:
    """Write the condition under which a builtin can be called.

    The macros name the targets whose instructions have it: __has_builtin alone is true for some
    that LLVM 22 then cannot compile for. It does tell the wave sizes apart, for which clang has
    no macro any more, and whether a compiler is new enough for a builtin that came later.
    """
    macros = " || ".join(f"defined({targets()[name].macro})" for name in owners)
    if not row.wave and not row.since:
        return f"#if {macros}"
    return f"#if ({macros}) && __has_builtin({row.name})"
