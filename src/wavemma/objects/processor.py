"""The processor that the header of a code object names."""

from functools import cache

from wavemma.errors import UnknownTarget
from wavemma.tables.abi import abi
from wavemma.tables.targets import targets

_SETS = ("machine", "machine_older", "machine_generic")
_GENERIC = "machine_generic"


def processor(flags: int) -> str:
    """Name the processor of a header's flags; "" if no list has its number."""
    return next((names[_machine(flags)] for names in _lists() if _machine(flags) in names), "")


def is_generic(flags: int) -> bool:
    """Tell whether the processor stands for several targets, as gfx11-generic does."""
    return _machine(flags) in by_value(_GENERIC)


def target_of(flags: int) -> str:
    """Name the target of a header's flags.

    Raises:
        UnknownTarget: It is for a processor that is not in the tables; names it.

    """
    name = processor(flags)
    if name not in targets():
        raise UnknownTarget(
            f"The code object must be for a target that is known; its machine number is"
            f" 0x{_machine(flags):x} ({name or 'in no list'}).",
            subject=name,
            allowed=targets(),
            hint="All: wavemma list",
        )
    return name


def flags_field(flags: int, name: str) -> int:
    """Read one field of a header's flags, such as "MACH" or "XNACK"."""
    row = next(row for row in abi().bits if (row.word, row.name) == ("e_flags_v4", name))
    return flags >> row.lo & (1 << row.hi - row.lo + 1) - 1


@cache
def by_value(set_name: str) -> dict[int, str]:
    """Give the names of a set of numbers, by number."""
    return {row.value: row.name for row in abi().numbers if row.set == set_name}


@cache
def _lists() -> tuple[dict[int, str], ...]:
    return tuple(by_value(each) for each in _SETS)


def _machine(flags: int) -> int:
    return flags_field(flags, "MACH")
