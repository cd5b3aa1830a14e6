"""What a launch needs, and what it did."""

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.machine.compiled.code import CompiledCode
from wavemma.machine.compiled.translate import Code
from wavemma.machine.geometry import Geometry
from wavemma.machine.instrument import StoreTrace
from wavemma.machine.load import Module
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.machine.start.workgroup import Start
from wavemma.machine.watchdog import Watchdog


class Job(msgspec.Struct, frozen=True):
    """What a launch needs.

    Attributes:
        kernel: Name, for messages.
        module: Where it is from.
        code: The compiled code.
        entry: Offset of the first instruction in the code.
        start: What waves start with.
        geometry: Its shape.
        watchdog: Tells when its time is over.
        threads: How many run workgroups.
        whole_grid: Whether all workgroups must run side by side.
        ordered: Whether workgroups start in order on one thread.
        trace: Sees every store; None for none.

    """

    kernel: str
    module: Module
    code: CompiledCode
    entry: int
    start: Start
    geometry: Geometry
    watchdog: Watchdog
    threads: int = 1
    whole_grid: bool = False
    ordered: bool = False
    trace: StoreTrace | None = None

    @property
    def memory(self) -> DeviceMemory:
        """Device memory."""
        return self.module.memory

    @property
    def base(self) -> int:
        """Address of the code object's image."""
        return self.module.base


class Report(msgspec.Struct, frozen=True):
    """What a launch did.

    Attributes:
        seconds: Host time.
        block_counts: How often each block ran, over all waves; all 0 if interpreted.
        code: The code in blocks.
        geometry: The shape of the launch.

    """

    seconds: float
    block_counts: NDArray[np.uint64]
    code: Code
    geometry: Geometry
