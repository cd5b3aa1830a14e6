"""Copies and fills of boxes: rows of layers, as records describe them."""

from typing import NamedTuple

from wavemma.hip.calls.copies import copy, fill
from wavemma.hip.calls.places import pointer_at
from wavemma.hip.graph import Work
from wavemma.hip.host import Host
from wavemma.hip.interface import plans

_PARAMETERS = "hipMemcpy3DParms"


class _Side(NamedTuple):
    """Where a box begins, and how far its rows and layers are apart."""

    address: int
    pitch: int
    layer: int

    def row(self, y: int, z: int) -> int:
        """Give the address of a row."""
        return self.address + z * self.layer + y * self.pitch


@plans("Memcpy", "hipMemcpy3D", "hipMemcpy3DAsync")
def memcpy_3d(host: Host, parameters: int, *_stream: int) -> Work | str:
    """Copy a box; arrays of textures are not supported."""
    return box_copy(host, parameters)


def box_copy(host: Host, parameters: int) -> Work | str:
    """Plan the copy that a record describes."""
    if not parameters:
        return "hipErrorInvalidValue"
    if any(host.field_of(_PARAMETERS, f"{side}Array", parameters) for side in ("src", "dst")):
        return "hipErrorNotSupported"
    source, target = (_side(host, parameters, each) for each in ("src", "dst"))
    width, height, depth = _three(host, "extent", parameters)
    kind = host.field_of(_PARAMETERS, "kind", parameters)
    if width > min(source.pitch, target.pitch):
        return "hipErrorInvalidPitchValue"

    def work() -> str | None:
        for z in range(depth):
            for y in range(height):
                error = copy(host, target.row(y, z), source.row(y, z), width, kind)
                if error:
                    return error
        return None

    return work


@plans("Memset", "hipMemset3D", "hipMemset3DAsync")
def memset_3d(host: Host, pitched: int, value: int, extent: int, *_stream: int) -> Work | str:
    """Write one byte to all of a box."""
    address, pitch, _, rows = (pointer_at(pitched + 8 * n) for n in range(4))
    width, height, depth = (pointer_at(extent + 8 * n) for n in range(3))
    if width > pitch:
        return "hipErrorInvalidPitchValue"
    byte = (value & 0xFF).to_bytes(1, "little")

    def work() -> str | None:
        for row in (z * rows + y for z in range(depth) for y in range(height)):
            error = fill(host, address + row * pitch, byte, width)
            if error:
                return error
        return None

    return work


def _side(host: Host, parameters: int, side: str) -> _Side:
    """Read where one side of a copy begins."""
    place = parameters + host.record_of(_PARAMETERS, f"{side}Ptr")[0]
    address, pitch, _, rows = (pointer_at(place + 8 * n) for n in range(4))
    x, y, z = _three(host, f"{side}Pos", parameters)
    return _Side(address + x + pitch * (y + rows * z), pitch, pitch * rows)


def _three(host: Host, name: str, parameters: int) -> tuple[int, int, int]:
    place = parameters + host.record_of(_PARAMETERS, name)[0]
    x, y, z = (pointer_at(place + 8 * n) for n in range(3))
    return x, y, z
