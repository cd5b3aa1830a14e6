"""Which copy of A and B each row of D is made of, where a wave holds several.

Each group of 16 lanes multiplies what its own lanes hold. Kernels load the same into all of them;
if they do not, the rows that a group computes follow its copy.
"""

from collections.abc import Mapping
from functools import lru_cache

from wavemma.fragments import Fragment


def copies_of_rows(fragments: Mapping[str, Fragment]) -> tuple[int, ...]:
    """Give the number of the copy for each row of D; empty where there is one copy only.

    Args:
        fragments: Operands by role; a, b and d are looked at.

    """
    return _copies(fragments["a"], fragments["d"])


@lru_cache(maxsize=4096)
def _copies(a: Fragment, d: Fragment) -> tuple[int, ...]:
    offsets = a.layout.copies
    if len(offsets) < 2:
        return ()
    group = 1 << len(a.layout.lane_bits)
    firsts = (d.layout.place(i=row, j=0)[0].lane for row in range(d.layout.size["i"]))
    return tuple(offsets.index(lane // group * group) for lane in firsts)
