"""Whether a product's matrices can lie in this machine's memory."""

import os

from wavemma.errors import ArrayMistake
from wavemma.formats import number_format
from wavemma.gemm.plan import Plan


def check_memory(made: Plan) -> None:
    """Refuse a product whose matrices cannot lie in this machine's memory.

    Raises:
        ArrayMistake: They need more bytes than the machine has.

    """
    widths = {
        role: number_format(name).bits
        for role, name in (("a", made.a), ("b", made.b), ("d", made.d))
    }
    elements = {"a": made.m * made.k, "b": made.k * made.n, "d": made.m * made.n}
    needed = sum(made.batch * elements[role] * widths[role] // 8 for role in widths)
    there = physical_bytes()
    if there is not None and needed > there:
        raise ArrayMistake(
            f"The product needs {needed / 1e9:,.1f} GB for {made.m} x {made.k} times {made.k} x"
            f" {made.n}{f', {made.batch} of them' if made.batch > 1 else ''}; this machine has"
            f" {there / 1e9:,.1f} GB.",
            subject=needed,
            hint="Multiply it in parts.",
        )


def physical_bytes() -> int | None:
    """Give this machine's memory; None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
