"""The metadata of a code object: a MessagePack map in a note."""

from functools import cached_property

import msgspec

from wavemma.objects.damage import damage

HIDDEN = "hidden_"


class Argument(msgspec.Struct, frozen=True, rename=lambda name: "." + name):
    """One kernel argument.

    Attributes:
        offset: From the start of the kernel arguments, in bytes.
        size: In bytes.
        value_kind: "by_value", "global_buffer", "hidden_block_count_x" and so on.
        name: As in the source, "" if the compiler left it out.
        address_space: Of a pointer: "global", "generic", "local" ...
        actual_access: Of a pointer: "read_only", "write_only", "read_write", or "".
        type_name: As in the source, usually "".
        is_const: Whether what it points at is const.

    """

    offset: int
    size: int
    value_kind: str
    name: str = ""
    address_space: str = ""
    actual_access: str = ""
    type_name: str = ""
    is_const: bool = False

    @property
    def is_hidden(self) -> bool:
        """Whether the launcher fills it, not the caller."""
        return self.value_kind.startswith(HIDDEN)


class KernelMetadata(
    msgspec.Struct, frozen=True, eq=False, dict=True, rename=lambda name: "." + name
):
    """What the compiler notes about a kernel; counts of registers are what it uses.

    What follows from it is kept by its identity.
    """

    name: str
    symbol: str
    kernarg_segment_size: int
    args: tuple[Argument, ...] = ()
    kernarg_segment_align: int = 8
    group_segment_fixed_size: int = 0
    private_segment_fixed_size: int = 0
    wavefront_size: int = 64
    sgpr_count: int = 0
    vgpr_count: int = 0
    agpr_count: int = 0
    sgpr_spill_count: int = 0
    vgpr_spill_count: int = 0
    max_flat_workgroup_size: int = 1024
    reqd_workgroup_size: tuple[int, ...] = ()
    cluster_dims: tuple[int, ...] = ()
    uses_dynamic_stack: bool = False
    uniform_work_group_size: int = 0
    workgroup_processor_mode: int = 0
    language: str = ""
    language_version: tuple[int, ...] = ()

    @cached_property
    def explicit(self) -> tuple[Argument, ...]:
        """The arguments that the caller gives."""
        return tuple(each for each in self.args if not each.is_hidden)

    @property
    def hidden(self) -> tuple[Argument, ...]:
        """The arguments that the launcher fills."""
        return tuple(each for each in self.args if each.is_hidden)


class Metadata(msgspec.Struct, frozen=True, rename=lambda name: "amdhsa." + name):
    """The whole map: kernels, the target in one of its spellings, version, printf formats."""

    version: tuple[int, ...]
    kernels: tuple[KernelMetadata, ...] = ()
    target: str = ""
    printf: tuple[str, ...] = ()


def metadata(note: bytes) -> Metadata:
    """Read the metadata; keys that are not known are ignored.

    Args:
        note: The note's description, a MessagePack map.

    Raises:
        FileMistake: It is no such map, or a key holds something else than it must.

    """
    with damage("a code object with metadata in MessagePack"):
        return msgspec.msgpack.decode(note, type=Metadata)
