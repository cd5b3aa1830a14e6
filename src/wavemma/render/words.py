"""Numbers and lists as words, the same on every page."""

from collections.abc import Iterable, Sequence

UNKNOWN = "unknown"


def number(value: float | None, digits: int = 6) -> str:
    """Write a number: whole ones as such, others to a few digits, None as unknown."""
    if value is None:
        return UNKNOWN
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.{digits}g}"


def hexadecimal(value: int, bits: int) -> str:
    """Write a word in hexadecimal, all its digits."""
    return f"0x{value:0{bits // 4}X}"


def listed(values: Iterable[object]) -> str:
    """Write values with commas between; a dash if there are none."""
    return ", ".join(str(value) for value in values) or "-"


def ranges(numbers: Sequence[int]) -> str:
    """Write numbers as runs: "0-15, 32-47"; runs of two stay two numbers."""
    runs: list[list[int]] = []
    for value in sorted(set(numbers)):
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ", ".join(part for run in runs for part in _run(run)) or "-"


def _run(run: list[int]) -> list[str]:
    return [f"{run[0]}-{run[-1]}"] if len(run) > 2 else [str(value) for value in run]


def plural(count: int, word: str, many: str = "") -> str:
    """Write a count with its noun."""
    return f"{count} {word if count == 1 else many or word + 's'}"
