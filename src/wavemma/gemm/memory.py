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
    check_sizes((made.a, made.b, made.d), (made.m, made.n, made.k), made.batch)


def check_sizes(formats: tuple[str, str, str], size: tuple[int, int, int], batch: int) -> None:
    """Refuse matrices before anything is made of them, by their formats and sizes alone.

    Args:
        formats: Of A, B and D.
        size: M, N and K.
        batch: How many products.

    Raises:
        ArrayMistake: They need more bytes than the machine has.

    """
    m, n, k = size
    elements = (m * k, k * n, m * n)
    widths = (number_format(name).bits for name in formats)
    needed = sum(batch * count * bits // 8 for count, bits in zip(elements, widths, strict=True))
    there = physical_bytes()
    if there is not None and needed > there:
        raise ArrayMistake(
            f"The product needs {needed / 1e9:,.1f} GB for {m} x {k} times {k} x {n}"
            f"{f', {batch} of them' if batch > 1 else ''}; this machine has {there / 1e9:,.1f} GB.",
            subject=needed,
            hint="Multiply it in parts.",
        )


def physical_bytes() -> int | None:
    """Give this machine's memory; None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return None
