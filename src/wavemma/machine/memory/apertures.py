"""The high halves of generic addresses of a workgroup's and a lane's own memory."""

from functools import cache

from wavemma.errors import DataMistake
from wavemma.tables.abi import numbers
from wavemma.tables.targets import architectures

_HALF_BITS = 32


@cache
def apertures() -> dict[str, int]:
    """Give the high halves by name: "shared_base" and "private_base".

    Raises:
        DataMistake: Architectures whose kernels run here differ; then code must be told which.

    """
    found = {
        (numbers("aperture", name)["SHARED_BASE"], numbers("aperture", name)["PRIVATE_BASE"])
        for name in architectures()
        # Where addresses name lanes, code is told another base, see `Codes.scratch`.
        if "FLAT_SCRATCH_BASE_LO" not in numbers("source_code", name)
    }
    if len(found) != 1:
        raise DataMistake("Kernels run with one pair of apertures.", subject=found)
    shared, private = found.pop()
    return {"shared_base": shared >> _HALF_BITS, "private_base": private >> _HALF_BITS}
