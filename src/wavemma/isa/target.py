"""A compile target as the instruction set sees it."""

from wavemma.errors import OutOfRange
from wavemma.tables.targets import TargetRow, Wave, target


def wave_of(row: TargetRow, wave: int | None) -> Wave:
    """Choose the wave size: the given one if the target has it, else its default.

    Args:
        row: The target.
        wave: Lanes of a wave, or None.

    Raises:
        OutOfRange: The target has no waves of that size.

    """
    if wave is None:
        return row.default_wave
    for size in row.waves:
        if size == wave:
            return size
    sizes = " or ".join(str(size) for size in row.waves)
    raise OutOfRange(
        f"A wave of {row.name} must have {sizes} lanes; {wave} was given.",
        subject=wave,
        allowed=row.waves,
    )


__all__ = ["TargetRow", "Wave", "target", "wave_of"]
