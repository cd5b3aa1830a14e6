"""The kernel descriptor: 64 bytes that tell what a kernel's waves start with."""

import msgspec

from wavemma.objects.structures import read_struct, size_bytes
from wavemma.tables.abi import bit_fields, limit
from wavemma.tables.targets import Wave, architectures

STRUCT = "kernel_descriptor"
SIZE_BYTES = size_bytes(STRUCT)
WORDS = {
    "rsrc1": "compute_pgm_rsrc1",
    "rsrc2": "compute_pgm_rsrc2",
    "rsrc3": "compute_pgm_rsrc3",
    "properties": "kernel_code_properties",
    "preload": "kernarg_preload",
}
"""The words that have fields, by their names in data/abi, and the members that hold them."""
_SIGN = 1 << 63


class Descriptor(msgspec.Struct, frozen=True):
    """What a kernel descriptor says.

    Attributes:
        group_bytes: Static LDS of a workgroup.
        private_bytes: Scratch of a work-item.
        kernarg_bytes: Size of the kernel arguments.
        entry_offset: From the descriptor to the first instruction, signed.
        wave: Lanes of a wave.
        vgprs: Vector registers that a wave gets, AGPRs included where they share the file.
        fields: Every field of the register words, by word and name, such as
            fields["rsrc2"]["USER_SGPR_COUNT"].

    """

    group_bytes: int
    private_bytes: int
    kernarg_bytes: int
    entry_offset: int
    wave: Wave
    vgprs: int
    fields: dict[str, dict[str, int]]


def descriptor(data: bytes, offset: int, architecture: str) -> Descriptor:
    """Read a kernel descriptor.

    Args:
        data: Bytes that hold it.
        offset: Where it starts.
        architecture: Key of the architecture, which says what the bits mean.

    Raises:
        FileMistake: It runs past the end of the bytes.

    """
    raw = read_struct(data, offset, STRUCT)
    fields = {
        word: {
            name: raw[member] >> row.lo & (1 << row.hi - row.lo + 1) - 1
            for name, row in bit_fields(word, architecture).items()
        }
        for word, member in WORDS.items()
    }
    is_narrow = fields["properties"]["ENABLE_WAVEFRONT_SIZE32"] == 1
    wave: Wave = 32 if is_narrow else 64
    entry = raw["kernel_code_entry_byte_offset"]
    return Descriptor(
        raw["group_segment_fixed_size"],
        raw["private_segment_fixed_size"],
        raw["kernarg_size"],
        entry - 2 * (entry & _SIGN),
        wave,
        _vgprs(fields["rsrc1"]["GRANULATED_WORKITEM_VGPR_COUNT"], architecture, wave),
        fields,
    )


def _vgprs(granules: int, architecture: str, wave: Wave) -> int:
    """Count registers; a wave size that the architecture lacks takes the default's granule."""
    waves = architectures()[architecture].waves
    return (granules + 1) * limit("vgpr_granule", architecture, wave if wave in waves else waves[0])
