"""A device of a target: its memory, the code objects on it, and launches."""

import os
import time
from collections.abc import Hashable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import SupportsIndex

import numpy as np

from wavemma.engines.jit import Jit, shared_jit
from wavemma.errors import FileMistake, LaunchMistake
from wavemma.machine.arguments.segment import fill_hidden, packed
from wavemma.machine.arguments.signature import Signature
from wavemma.machine.codes import codes_of
from wavemma.machine.compiled.code import CompiledCode, Tier
from wavemma.machine.compiled.state import WAVE, place
from wavemma.machine.compiled.translate import code_of
from wavemma.machine.geometry import Geometry, check, sizes
from wavemma.machine.instrument import StoreTrace
from wavemma.machine.interpreted.interpret import interpret
from wavemma.machine.job import Job, Report
from wavemma.machine.launch import Launch
from wavemma.machine.load import Module, load
from wavemma.machine.memory.allocation import Allocation
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.machine.other_models import Models
from wavemma.machine.start.packets import dispatch_packet, queue
from wavemma.machine.start.registers import Pointers, asks_for_dispatch
from wavemma.machine.start.workgroup import Start, start
from wavemma.machine.watchdog import Watchdog
from wavemma.objects import Kernel
from wavemma.tables.targets import target


class Device:
    """Runs kernels of one target.

    Args:
        target_name: Such as "gfx1100".
        memory: Device memory; its own if None.
        threads: How many run workgroups; as many as this process may use if None.
        cache_folder: Where compiled code is kept; the user's cache folder if None.
        models: Arithmetic models that matrix instructions follow instead of their own, by
            mnemonic.
        tier: How code is compiled; results are the same bits.

    """

    def __init__(
        self,
        target_name: str,
        *,
        memory: DeviceMemory | None = None,
        threads: int | None = None,
        cache_folder: Path | None = None,
        models: Models | None = None,
        tier: Tier = "both",
    ) -> None:
        self.target = target(target_name)
        self.memory = memory or DeviceMemory()
        self.threads = threads or len(os.sched_getaffinity(0))
        self.models = models or {}
        self.tier: Tier = tier
        self.jit: Jit = shared_jit(cache_folder)
        self._code: dict[Hashable, tuple[Allocation, CompiledCode]] = {}
        self._queue = self._copied(queue(self.target.architecture), "queue")

    def load(self, data: bytes) -> Module:
        """Put a code object on the device.

        Raises:
            FileMistake: It is damaged, or none.
            LaunchMistake: It is for another target.

        """
        found = load(data, self.memory, self.target.name, models=self.models)
        if found.found.target != self.target.name:
            raise LaunchMistake(
                f"The code object is for {found.found.target}, the device is a {self.target.name}.",
                subject=found.found.target,
                hint="Compile it for the device, or choose the device that it is for.",
            )
        return found

    def launch(
        self,
        module: Module,
        name: str,
        grid: SupportsIndex | Sequence[SupportsIndex],
        block: SupportsIndex | Sequence[SupportsIndex],
        arguments: Sequence[object] | bytes,
        *,
        dynamic_lds_bytes: int = 0,
        seconds: float | None = None,
        whole_grid: bool = False,
        ordered: bool = False,
        hidden: dict[str, int] | None = None,
        interpreted: bool = False,
        signature: Signature | None = None,
        trace: StoreTrace | None = None,
    ) -> Report:
        """Run a kernel over a grid and wait for its end.

        Args:
            module: A code object on this device.
            name: Of the kernel.
            grid: Workgroups along x, y and z.
            block: Work-items of a workgroup along x, y and z.
            arguments: Values, as `arguments.packed` takes them, or all bytes of the explicit ones.
            dynamic_lds_bytes: LDS besides what the kernel declares.
            seconds: How long it may take, compiling included; None for ever.
            whole_grid: Whether all workgroups must run side by side (cooperative launch).
            ordered: Whether workgroups start in order, on one thread.
            hidden: Hidden arguments by name, such as the printf buffer.
            interpreted: Whether to run on NumPy arrays: thousands of times slower, for debugging.
            signature: Types of the arguments, such as "float*, int", where nothing tells them.
            trace: Sees every store to device memory, of workgroups in order on one thread; of
                interpreted launches nothing.

        Raises:
            UnknownName: There is no such kernel.
            LaunchMistake: The target cannot do it, or the arguments are others.
            FileMistake: The kernel's descriptor is damaged.
            MemoryMistake: There is no room for it.
            KernelFault: The kernel did what it must not.
            Unsupported: It came to an instruction that cannot be run.
            WatchdogExpired: It took too long.

        """
        self._check(module)
        watchdog = Watchdog(name, seconds)
        kernel = module.kernel(name)
        shape = Geometry(sizes(grid, "grid"), sizes(block, "block"), dynamic_lds_bytes)
        check(shape, kernel, self.target.architecture)
        data = _arguments(module, kernel, arguments, signature)
        hides = {"hidden_queue_ptr": self._queue, **(hidden or {})}
        fill_hidden(data, kernel.metadata, shape, hides)
        with ExitStack() as given_back:
            kernarg = self._reserved(_room_bytes(data), f"arguments of {name}")
            given_back.callback(self.memory.free, kernarg)
            packet = 0
            if asks_for_dispatch(kernel):
                own = module.base + kernel.descriptor_address
                data_of_packet = dispatch_packet(kernel, shape, own, kernarg)
                packet = self._copied(data_of_packet, "dispatch packet")
                given_back.callback(self.memory.free, packet)
            self.memory.write(kernarg, data)
            pointers = Pointers(kernarg, packet, self._queue)
            begin = start(kernel, self.target.architecture, shape, pointers, bytes(data))
            code = self._compiled(module, begin, traced=trace is not None)
            entry = _entry(kernel, code)
            job = Job(
                name,
                module,
                code,
                entry,
                self._at_entry(begin, code, entry),
                shape,
                watchdog,
                self.threads,
                whole_grid,
                ordered or trace is not None,
                trace,
            )
            if interpreted:
                return _interpreted(job)
            code.compile(code.code.numbers[entry])
            watchdog.look_at_compiler()
            return Launch(job).run()

    def _check(self, module: Module) -> None:
        """Refuse a code object that is not on this device, or no longer."""
        if module.memory is not self.memory or module.found.target != self.target.name:
            raise LaunchMistake(
                f"A kernel must be launched on the device that its code object was loaded on; this"
                f" is another, a {self.target.name}.",
                subject=module.found.target,
                hint="Load the code object on this device, too.",
            )
        if not module.is_loaded:
            raise LaunchMistake(
                "A kernel must be launched while its code object is loaded; it was unloaded.",
                subject=module.found.target,
                hint="Load it again.",
            )

    def _copied(self, data: bytes, name: str) -> int:
        """Put bytes into memory of their own."""
        place = self._reserved(len(data), name)
        self.memory.write(place, data)
        return place

    def _reserved(self, size_bytes: int, name: str) -> int:
        return self.memory.allocate(size_bytes, name, is_ours=True)

    def _compiled(self, module: Module, begin: Start, *, traced: bool) -> CompiledCode:
        modes = (begin.keep_finite, begin.marks)
        own = (begin.wave, begin.accumulator_offset, modes, traced)
        key = (module.base, tuple(sorted(module.models.items())), own)
        owner, code = self._code.get(key, (None, None))
        # Another code object may have been where this one is.
        if code is None or owner is not module.allocation:
            listed = module.listing(begin.wave)
            code = CompiledCode(
                code_of(listed, begin.wave, marked=begin.marks),
                codes_of(self.target.architecture),
                self.jit,
                accumulator_offset=begin.accumulator_offset,
                keep_finite=begin.keep_finite,
                traced=traced,
                tier=self.tier,
            )
            self._code[key] = module.allocation, code
        return code

    def _at_entry(self, begin: Start, code: CompiledCode, entry: int) -> Start:
        """Let waves begin at the kernel's entry."""
        block = np.array([code.code.numbers[entry]], dtype=np.uint32).view(np.uint8)
        first = place(WAVE, "block")
        begin.templates[:, first : first + block.size] = block
        return begin


def _arguments(
    module: Module,
    kernel: Kernel,
    given: Sequence[object] | bytes,
    signature: Signature | None,
) -> bytearray:
    """Give the bytes of the arguments; hidden ones are 0."""
    found = kernel.metadata
    if not isinstance(given, bytes | bytearray):
        return packed(found, given, signature, module.found.debug.parameters(kernel.name))
    data = bytearray(given[: found.kernarg_segment_size])
    return data + bytes(found.kernarg_segment_size - len(data))


def _room_bytes(arguments: bytearray) -> int:
    """Give the size of the memory for arguments: compilers may load a whole 16 bytes at the end."""
    return -(-max(len(arguments), 1) // 16) * 16


def _interpreted(job: Job) -> Report:
    begun = time.perf_counter()
    interpret(job)
    counts = np.zeros(len(job.code.code.blocks), dtype=np.uint64)
    return Report(time.perf_counter() - begun, counts, job.code.code, job.geometry)


def _entry(kernel: Kernel, code: CompiledCode) -> int:
    """Give the offset of a kernel's first instruction in the code."""
    offset = kernel.entry - code.code.start
    if offset not in code.code.numbers:
        raise FileMistake(
            f"{kernel.name} must start where a function does; its descriptor leads to"
            f" 0x{kernel.entry:x}, inside of one. The file is damaged.",
            subject=kernel.name,
        )
    return offset
