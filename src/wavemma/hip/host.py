"""What the runtime knows while a program runs: its device, and what the program has made."""

import ctypes
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from wavemma.hip.device_facts import Fact
from wavemma.hip.device_heap import DEFAULT_BYTES
from wavemma.hip.graph import Capture, Wait, Work
from wavemma.hip.registered_memory import RegisteredMemory
from wavemma.hip.waiting import NULL_STREAMS, Stream, Waiting, WaitingWork
from wavemma.machine.fault import Stop
from wavemma.machine.geometry import Geometry
from wavemma.machine.load import Module, Variable
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.objects import Kernel
from wavemma.tables.products import ProductRow
from wavemma.tables.targets import TargetRow

EventTime = Literal["modelled", "host"]
_FIRST_HANDLE, _HANDLE_STEP = 0x10000, 0x10


class Ran(Protocol):
    """What a launch reports."""

    @property
    def seconds(self) -> float:
        """Host time."""

    @property
    def block_counts(self) -> NDArray[np.uint64]:
        """How often each block of the code ran."""


class RunsKernels(Protocol):
    """A device: `wavemma.machine.device.Device`, or a stand-in of a test."""

    memory: DeviceMemory
    target: TargetRow

    def load(self, data: bytes) -> Module:
        """Put a code object on the device."""

    def launch(
        self,
        module: Module,
        name: str,
        grid: int | tuple[int, ...],
        block: int | tuple[int, ...],
        arguments: Sequence[object] | bytes,
        *,
        dynamic_lds_bytes: int = 0,
        seconds: float | None = None,
        whole_grid: bool = False,
        ordered: bool = False,
        hidden: dict[str, int] | None = None,
    ) -> Ran:
        """Run a kernel to its end."""


class Function(msgspec.Struct, frozen=True):
    """A kernel that the program can launch."""

    image: "Image"
    name: str

    @property
    def kernel(self) -> Kernel:
        """Its descriptor and metadata."""
        return self.image.module.kernel(self.name)


@dataclass
class Image:
    """A code object that the program carries; it is loaded when it is first used."""

    data: bytes
    load: Callable[[bytes], Module]
    managed: dict[str, int] = field(default_factory=dict)
    _module: Module | None = None

    @property
    def module(self) -> Module:
        """The loaded code object; managed variables get the address of their memory."""
        if self._module is None:
            self._module = self.load(self.data)
            for name, address in self.managed.items():
                place = self._module.variables[name].address
                self._module.memory.write(place, address.to_bytes(8, "little"))
        return self._module

    def variable(self, name: str) -> Variable | None:
        """Find a variable."""
        return self.module.variables.get(name)

    def unload(self) -> None:
        """Give its memory back."""
        if self._module is not None:
            self._module.unload()


class LaunchRecord(msgspec.Struct, frozen=True):
    """One launch, for the report."""

    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    host_seconds: float
    modelled_seconds: float
    cycles: float
    blocks_run: int


@dataclass
class Host:
    """State of one process that runs a program.

    Attributes:
        device: Runs kernels.
        product: The product that the device is, if one is known.
        facts: Fields of hipDeviceProp_t.
        event_time: What events tell.
        watchdog_seconds: How long a kernel may run; None for ever.
        complain: Takes a sentence for stderr.
        write: Takes text that a kernel printed, and whether it is for stderr.
        compile: Compiles device code while the program runs: source, name, options.
        time_of: Gives the busy cycles and the seconds of a launch that has run.
        captures: Streams whose work is noted for a graph.
        waiting: Work of streams that waits.
        registered: The program's own memory that kernels may reach.
        pool: Handle of the device's pool of memory; 0 until a call asks for it.
        heap: Address of the memory that kernels allocate from; 0 until one needs it.
        heap_bytes: How much that is, or will be.
        stop: Where a wave stopped that ends the program; None until one does.

    """

    device: RunsKernels
    product: ProductRow | None
    facts: dict[str, Fact]
    event_time: EventTime
    watchdog_seconds: float | None
    complain: Callable[[str], None]
    write: Callable[[bytes, bool], None]
    compile: Callable[[str, str, Sequence[str]], tuple[bytes, str]]
    time_of: Callable[[Module, Kernel, Ran, Geometry], tuple[float, float]]
    record_of: Callable[[str, str], tuple[int, int]]
    memory_bytes: int
    waiting: WaitingWork
    images: dict[int, Image] = field(default_factory=dict)
    functions: dict[int, Function] = field(default_factory=dict)
    variables: dict[int, tuple[Image, str]] = field(default_factory=dict)
    handles: dict[int, object] = field(default_factory=dict)
    kept: list[object] = field(default_factory=list)
    host_memory: set[int] = field(default_factory=set)
    managed_memory: set[int] = field(default_factory=set)
    captures: dict[int, Capture] = field(default_factory=dict)
    registered: RegisteredMemory = field(default_factory=RegisteredMemory)
    launches: list[LaunchRecord] = field(default_factory=list)
    modelled_seconds: float = 0.0
    stop: Stop | None = None
    print_buffer: int = 0
    pool: int = 0
    heap: int = 0
    heap_bytes: int = DEFAULT_BYTES
    current_flags: int = 0
    _next_handle: int = _FIRST_HANDLE
    _said: set[str] = field(default_factory=set)

    @property
    def memory(self) -> DeviceMemory:
        """Device memory; the program sees the same addresses."""
        return self.device.memory

    def new_handle(self, what: object) -> int:
        """Give something a number that the program can hold as a pointer."""
        self._next_handle += _HANDLE_STEP
        self.handles[self._next_handle] = what
        return self._next_handle

    def put(self, stream: int, kind: str, work: Work) -> str | None:
        """Do work of a stream, or note it if the stream is being captured.

        Args:
            stream: Its handle.
            kind: What the work is in a graph, such as "Kernel".
            work: What to do.

        """
        capture = self.captures.get(stream)
        if capture is not None:
            capture.add(stream, kind, work)
            return None
        return self.waiting.put(self._waiting(stream, work)) if self.waiting else work()

    def hold(self, stream: int, wait: Wait) -> None:
        """Let later work of a stream wait.

        Args:
            stream: Its handle.
            wait: What for.

        """
        if self.waiting or not wait.is_ready():
            held = self._waiting(stream, lambda: None)
            held.is_ready, held.reason = wait.is_ready, wait.reason
            self.waiting.put(held)

    def finish(self, work: Work) -> str | None:
        """Do work of the null stream; it is done at the end.

        Args:
            work: What to do.

        """
        if not self.waiting:
            return work()
        return self.put(0, "", work) or self.waiting.settle(0)

    def settle(self, stream: int | None = None) -> str | None:
        """Wait until a stream, or every one, has done its work.

        Args:
            stream: Its handle; None for all of them.

        """
        if not self.waiting.is_concerned:
            return None
        return self.waiting.settle(0 if stream in NULL_STREAMS else stream)

    def is_busy(self, stream: int) -> bool:
        """Tell whether work of a stream waits."""
        return self.waiting.is_left(0 if stream in NULL_STREAMS else stream)

    def _waiting(self, stream: int, work: Work) -> Waiting:
        found = self.handles.get(stream)
        blocks = not isinstance(found, Stream) or found.is_blocking
        return Waiting(0 if stream in NULL_STREAMS else stream, blocks, work)

    def field_of(self, record: str, name: str, address: int) -> int:
        """Read a field of a record of the C interface as an unsigned number."""
        offset, size = self.record_of(record, name)
        return int.from_bytes(ctypes.string_at(address + offset, size), "little")

    def seconds(self) -> float:
        """Tell the time that events record."""
        return time.monotonic() if self.event_time == "host" else self.modelled_seconds

    def once(self, sentence: str) -> None:
        """Say something on stderr unless it has been said."""
        if sentence not in self._said:
            self._said.add(sentence)
            self.complain(sentence)

    def is_device_memory(self, address: int) -> bool:
        """Whether an address lies in the device's address space, allocated or not."""
        start = self.memory.start
        return start <= address < start + self.memory.pages * 4096

    def fill(self, record: str, address: int, values: dict[str, Fact]) -> None:
        """Write fields of a record of the C interface; the others become 0.

        Args:
            record: Such as "hipDeviceProp_t".
            address: Of the record.
            values: Numbers, tuples of numbers, and text, by field.

        """
        _, size = self.record_of(record, "")
        ctypes.memset(address, 0, size)
        for name, value in values.items():
            offset, room = self.record_of(record, name)
            ctypes.memmove(address + offset, _bytes_of(value, room), room)


def _bytes_of(value: Fact, room: int) -> bytes:
    """Write a fact into as many bytes as its field has."""
    if isinstance(value, str):
        return value.encode()[: room - 1].ljust(room, b"\0")
    if isinstance(value, tuple):
        return b"".join(_bytes_of(each, room // len(value)) for each in value)
    return (value & (1 << 8 * room) - 1).to_bytes(room, "little")
