"""The levels of this processor that compiled code is tested at."""

import pytest

from wavemma.engines.jit import Jit
from wavemma.engines.machine import host_machine

_HOST = host_machine()
JITS = {
    level: Jit(host_machine(level))
    for level in ("baseline", "avx2", "avx512")
    if _HOST.is_x86 and host_machine(level).vector_bits <= _HOST.vector_bits
}
if not JITS:
    JITS = {"host": Jit(_HOST)}
HIGHEST = list(JITS)[-1]
LEVELS = [
    pytest.param(level, marks=[] if level == HIGHEST else [pytest.mark.slow]) for level in JITS
]
"""Each level as a test's parameter; only the highest is quick."""
