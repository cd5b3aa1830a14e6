"""Bytes, instructions and text: one table of fields drives every way between them."""

from wavemma.isa.assemble import assemble, assemble_lines, parse
from wavemma.isa.catalog import Elsewhere, Relative, instruction, instructions, others, related
from wavemma.isa.decode import Undecoded, decode, read
from wavemma.isa.decoded import Decoded
from wavemma.isa.disassemble import disassemble, sweep, text_of
from wavemma.isa.encode import encode
from wavemma.isa.encoding import Encoding, Field
from wavemma.isa.instruction import Instruction
from wavemma.isa.meaning import FieldMeaning, explain
from wavemma.isa.modifier import Modifier
from wavemma.isa.operand import Operand, OperandField
from wavemma.isa.target import wave_of

__all__ = [
    "Decoded",
    "Elsewhere",
    "Encoding",
    "Field",
    "FieldMeaning",
    "Instruction",
    "Modifier",
    "Operand",
    "OperandField",
    "Relative",
    "Undecoded",
    "assemble",
    "assemble_lines",
    "decode",
    "disassemble",
    "encode",
    "explain",
    "instruction",
    "instructions",
    "others",
    "parse",
    "read",
    "related",
    "sweep",
    "text_of",
    "wave_of",
]
