"""What `triton.compile` returns, on a device: loaded, and launched by Triton's conventions."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, SupportsIndex

import msgspec

from wavemma.errors import LaunchMistake
from wavemma.machine.device import Device
from wavemma.machine.geometry import Geometry, sizes
from wavemma.machine.job import Report
from wavemma.machine.load import Module

_BINARY = "hsaco"
_CONSTANT = "constexpr"
_POINTER = "*"
_WORDS = {"fp16": "f16", "fp32": "f32", "fp64": "f64", "i1": "int8", "u1": "uint8"}
"""Triton's words for types that a signature calls otherwise."""


class Metadata(Protocol):
    """What the compiler notes of a kernel: the part that a launch needs."""

    name: str
    num_warps: int
    warp_size: int
    shared: int
    global_scratch_size: int
    profile_scratch_size: int
    launch_cooperative_grid: bool


class Source(Protocol):
    """What was compiled: Triton's words for the types of its arguments, by name."""

    signature: Mapping[str, Any]


class Compiled(Protocol):
    """What `triton.compile` returns: the part that a launch needs."""

    asm: Mapping[str, Any]
    metadata: Metadata
    src: Source


class TritonKernel(msgspec.Struct, frozen=True):
    """A kernel of Triton's on a device.

    Attributes:
        device: Where it runs.
        module: Its code object there.
        metadata: What the compiler noted.
        types: Triton's words for the types of the arguments that a launch takes, by name.

    """

    device: Device
    module: Module
    metadata: Metadata
    types: dict[str, str]

    def launch(
        self,
        grid: SupportsIndex | Sequence[SupportsIndex],
        arguments: Sequence[object],
        *,
        seconds: float | None = None,
        ordered: bool = False,
        interpreted: bool = False,
    ) -> Report:
        """Run it over a grid of programs and wait for its end.

        Args:
            grid: Programs along axes 0, 1 and 2.
            arguments: Values of all parameters but the constexpr ones; pointers are addresses
                in device memory or something there.
            seconds: How long it may take; None for ever.
            ordered: Whether programs start in order, on one thread.
            interpreted: Whether to run on NumPy arrays: thousands of times slower, for debugging.

        Raises:
            LaunchMistake: The target cannot do it, or the arguments are others.
            MemoryMistake: There is no room for it.
            KernelFault: The kernel did what it must not.
            Unsupported: It came to an instruction that cannot be run.
            WatchdogExpired: It took too long.

        """
        if len(arguments) != len(self.types):
            told = ", ".join(f"{name} ({word})" for name, word in self.types.items())
            raise LaunchMistake(
                f"{self.metadata.name} takes {len(self.types)} arguments besides its constexpr"
                f" ones, got {len(arguments)}.",
                subject=len(arguments),
                hint=f"They are: {told or 'none'}.",
            )
        shape = Geometry(
            sizes(grid, "grid"), (self.metadata.num_warps * self.metadata.warp_size, 1, 1)
        )
        with self._scratch(shape.groups) as pointers:
            return self.device.launch(
                self.module,
                self.metadata.name,
                shape.grid,
                shape.block,
                [*arguments, *pointers],
                dynamic_lds_bytes=self.metadata.shared,
                seconds=seconds,
                whole_grid=self.metadata.launch_cooperative_grid,
                ordered=ordered,
                interpreted=interpreted,
                signature=[*map(_word, self.types.values()), *[_POINTER] * len(pointers)],
            )

    def unload(self) -> None:
        """Give its memory back."""
        self.module.unload()

    @contextmanager
    def _scratch(self, groups: int) -> Iterator[list[int]]:
        """Lend the two scratch buffers behind a kernel's own arguments; null where it has none."""
        found = self.metadata
        wanted = {
            "global scratch": found.global_scratch_size,
            "profile scratch": found.profile_scratch_size,
        }
        memory = self.device.memory
        lent: list[int] = []
        try:
            for what, size in wanted.items():
                name = f"{what} of {found.name}"
                lent.append(memory.allocate(size * groups, name) if size else 0)
            yield lent
        finally:
            for address in filter(None, lent):
                memory.free(address)


def load_compiled(device: Device, compiled: Compiled) -> TritonKernel:
    """Put what `triton.compile` returned on a device.

    Args:
        device: Of the target that it was compiled for.
        compiled: What was returned.

    Raises:
        LaunchMistake: It is for another target, or has arguments that are no pointers or numbers.
        FileMistake: Its code object is damaged.

    """
    if _BINARY not in compiled.asm:
        raise LaunchMistake(
            f"A Triton kernel must have been compiled for the backend 'hip'; this one has"
            f" {', '.join(compiled.asm) or 'nothing'}.",
            subject=compiled.metadata.name,
            hint=f'Compile it with target=GPUTarget("hip", "{device.target.name}", ...).',
        )
    words: Mapping[str, Any] = compiled.src.signature
    types = {name: word for name, word in words.items() if word != _CONSTANT}
    for name, word in types.items():
        if not isinstance(word, str) or not word.replace(_POINTER, "").isalnum():
            raise LaunchMistake(
                f"Arguments of a Triton kernel must be pointers or numbers to be launched here;"
                f" {name} is {word}.",
                subject=name,
                hint="Pass its parts as arguments of their own.",
            )
    return TritonKernel(device, device.load(compiled.asm[_BINARY]), compiled.metadata, types)


def _word(type_word: str) -> str:
    """Give a signature's word for a type of Triton's."""
    return _POINTER if type_word.startswith(_POINTER) else _WORDS.get(type_word, type_word)
