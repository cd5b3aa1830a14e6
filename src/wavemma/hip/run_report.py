"""What a program ran, as a file."""

from pathlib import Path

import msgspec

from wavemma.hip.host import Host, LaunchRecord
from wavemma.hip.program import Order


class RunReport(msgspec.Struct, frozen=True):
    """What a program ran.

    Attributes:
        target: Of the device.
        device: The product.
        launches: In order.
        modelled_seconds: Of all launches.
        host_seconds: Of all launches.
        cycles: In which SIMDs are busy, over all launches.

    """

    target: str
    device: str
    launches: list[LaunchRecord]
    modelled_seconds: float
    host_seconds: float
    cycles: float


def write_report(path: Path, order: Order, host: Host) -> None:
    """Write the report as JSON; a file that cannot be written is told."""
    found = RunReport(
        order.target,
        order.device,
        host.launches,
        host.modelled_seconds,
        sum(each.host_seconds for each in host.launches),
        sum(each.cycles for each in host.launches),
    )
    try:
        path.write_bytes(msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")
    except OSError as error:
        host.complain(f"{path} cannot be written: {error.strerror}.")
