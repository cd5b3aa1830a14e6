"""Number formats: codes to numbers and back, in registers, in blocks and as array types."""

from wavemma.formats.blocks import BlockError, Quantised, block_error, dequantise, quantise
from wavemma.formats.decode import decode
from wavemma.formats.dtypes import code_dtype, codes_of, dtype_of, formats_of, typed
from wavemma.formats.encode import convert, encode, encode_exact
from wavemma.formats.format import Format, number_format, number_formats
from wavemma.formats.packing import pack_codes, unpack_codes, words_for

__all__ = [
    "BlockError",
    "Format",
    "Quantised",
    "block_error",
    "code_dtype",
    "codes_of",
    "convert",
    "decode",
    "dequantise",
    "dtype_of",
    "encode",
    "encode_exact",
    "formats_of",
    "number_format",
    "number_formats",
    "pack_codes",
    "quantise",
    "typed",
    "unpack_codes",
    "words_for",
]
