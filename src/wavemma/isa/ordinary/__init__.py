"""Ordinary instructions, those that multiply no matrices: bytes, records and text."""

from wavemma.isa.ordinary.catalog import OrdinaryTable, ordinary_table
from wavemma.isa.ordinary.control import branch_target, target_role
from wavemma.isa.ordinary.decode import read_in, read_ordinary
from wavemma.isa.ordinary.decoded import DecodedOrdinary, OrdinaryOperand
from wavemma.isa.ordinary.encode import encode_ordinary
from wavemma.isa.ordinary.instruction import OrdinaryInstruction, Setting, Slot
from wavemma.isa.ordinary.stream import (
    AnyDecoded,
    encode_any,
    explain_any,
    read_any,
    sweep_any,
    text_any,
)
from wavemma.isa.ordinary.text import ordinary_text

__all__ = [
    "AnyDecoded",
    "DecodedOrdinary",
    "OrdinaryInstruction",
    "OrdinaryOperand",
    "OrdinaryTable",
    "Setting",
    "Slot",
    "branch_target",
    "encode_any",
    "encode_ordinary",
    "explain_any",
    "ordinary_table",
    "ordinary_text",
    "read_any",
    "read_in",
    "read_ordinary",
    "sweep_any",
    "target_role",
    "text_any",
]
