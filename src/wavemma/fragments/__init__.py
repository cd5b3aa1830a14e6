"""What an instruction holds in registers: matrix to registers and back."""

from wavemma.fragments.fragment import INDEX_FORMAT, Fragment, fragment_of, fragments_of
from wavemma.fragments.pack import pack
from wavemma.fragments.registers import Registers, batch_of, check_registers, empty_registers
from wavemma.fragments.scales import scale_word, spread
from wavemma.fragments.sparse import Compressed, compress, expand, illegal_group, kept_k
from wavemma.fragments.unpack import Disagreement, disagreement, unpack

__all__ = [
    "INDEX_FORMAT",
    "Compressed",
    "Disagreement",
    "Fragment",
    "Registers",
    "batch_of",
    "check_registers",
    "compress",
    "disagreement",
    "empty_registers",
    "expand",
    "fragment_of",
    "fragments_of",
    "illegal_group",
    "kept_k",
    "pack",
    "scale_word",
    "spread",
    "unpack",
]
