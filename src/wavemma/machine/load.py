"""A code object put into device memory."""

from collections.abc import Mapping

import msgspec

from wavemma.errors import FileMistake
from wavemma.machine.banks import in_banks
from wavemma.machine.memory.allocation import Allocation
from wavemma.machine.memory.device_memory import DeviceMemory
from wavemma.machine.other_models import Models, with_models
from wavemma.objects import CodeObject, Kernel, Placed, code_objects, listing
from wavemma.tables.targets import TargetRow, Wave, target


class Variable(msgspec.Struct, frozen=True):
    """A variable of the device: where it lies and how large it is."""

    address: int
    size_bytes: int


class Module(msgspec.Struct, frozen=True):
    """A code object in device memory.

    Attributes:
        found: The code object.
        memory: Where it lies.
        allocation: The memory of its image.
        variables: By name.
        models: Arithmetic models that instructions follow instead of their own, by mnemonic.

    """

    found: CodeObject
    memory: DeviceMemory
    allocation: Allocation
    variables: dict[str, Variable]
    models: Models = {}

    @property
    def base(self) -> int:
        """Address of the first byte of its image."""
        return self.allocation.address

    @property
    def is_loaded(self) -> bool:
        """Whether it still has its memory."""
        return self.memory.find(self.base) is self.allocation

    @property
    def target(self) -> TargetRow:
        """The target that the code is for."""
        return target(self.found.target)

    def kernel(self, name: str) -> Kernel:
        """Find a kernel.

        Raises:
            UnknownName: Offers the nearest names.

        """
        return self.found.kernel(name)

    def listing(self, wave: Wave) -> tuple[Placed, ...]:
        """Decode all its code, each instruction with the model that it follows."""
        whole = in_banks(listing(self.found, wave), self.target.architecture)
        return with_models(whole, self.models)

    def unload(self) -> None:
        """Give its memory back."""
        self.memory.free(self.base)


def load(
    data: bytes,
    memory: DeviceMemory,
    target_name: str | None = None,
    externals: Mapping[str, int] | None = None,
    models: Models | None = None,
) -> Module:
    """Put a code object into device memory, relocated.

    The image is one allocation: code reaches its constants and variables by distance. Kernels may
    write its variables, but neither code nor constants.

    Args:
        data: An ELF file, or a bundle.
        memory: Where to put it.
        target_name: Which code object of a bundle.
        externals: Addresses of symbols that the file does not define.
        models: Arithmetic models that instructions follow instead of their own, by mnemonic.

    Raises:
        FileMistake: The file is damaged, or not a code object.
        MemoryMistake: There is no room.

    """
    found = _chosen(code_objects(data, target_name, externals))
    base = memory.allocate(len(found.image.data), f"code object for {found.target}")
    memory.write(base, found.image.at(base))
    memory.protect_rest(base, found.image.writable)
    variables = {
        name: Variable(base + found.address_of(symbol), symbol.size)
        for name, symbol in found.variables.items()
    }
    allocation = memory.find(base)
    assert allocation is not None
    return Module(found, memory, allocation, variables, models or {})


def _chosen(found: tuple[CodeObject, ...]) -> CodeObject:
    """Take the code object; of variants for one target, which differ in features, the first."""
    targets = list(dict.fromkeys(each.target for each in found))
    if len(targets) != 1:
        raise FileMistake(
            f"A file to be loaded must hold code for one target; it is for"
            f" {', '.join(targets) or 'none'}.",
            subject=len(targets),
            allowed=targets,
            hint="Name the target." if targets else "",
        )
    return found[0]
