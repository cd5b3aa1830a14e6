"""Derive the rows of ordinary instructions from LLVM's disassembler.

Every opcode of every encoding in data/isa/<architecture>/words.toml is tried; the fields that
change an operand or a modifier of the text tell what the row is. Run by people:

    PYTHONPATH=src python tools/derive_rows.py rdna3 gfx1100
"""

import re
import sys
from pathlib import Path

from row_facts import FLOWS, FORCED, HELD, ONES
from row_files import TITLES, Found, write
from row_form import Form
from row_modifiers import Modifiers
from row_prober import Prober

from wavemma.tables.files import rows
from wavemma.tables.instructions import InstructionRow
from wavemma.tables.ordinary import ExtensionRow, OrdinaryRow, WordRow

LEFT_OUT = ("tbuffer_",)
"""Typed buffers, which graphics uses."""
DATA = Path(__file__).resolve().parents[1] / "src" / "wavemma" / "data" / "isa"


def derived(prober: Prober, opcode: int) -> Found | None:
    """Derive one row; None if LLVM has no such instruction."""
    name = prober.word.name
    if prober.is_other(opcode):
        return None
    held = FORCED.get(name, {}) | ONES.get(name, {}) | HELD.get(name, {})
    values = prober.base(prober.encoding, opcode, held) or prober.base(prober.encoding, opcode, {})
    if values is None:
        return None
    shown = prober.ask(prober.encoding, opcode, values)
    if name.startswith("VOP3") and prober.has_mask(shown) != (name == "VOP3SD"):
        return None
    if shown.name.startswith(LEFT_OUT):
        return None
    mnemonic, suffix = split_suffix(shown.name)
    found = Found(mnemonic, opcode, name, suffix=suffix)
    form = Form(prober, prober.encoding, opcode, values)
    found.operands = form.slots()
    found.settings = Modifiers(form).names()
    found.fill = form.needed(found.operands)
    found.flow = next((flow for name, flow in FLOWS.items() if found.name.startswith(name)), "")
    for extension in prober.extensions if prober.word.escape else ():
        extend(prober, found, extension)
    return found


def extend(prober: Prober, found: Found, extension: ExtensionRow) -> None:
    """Add what a further word changes."""
    word = prober.word
    encoding = prober.encoding_of(word.name, word.opcode, extension.encoding)
    held = {word.escape: extension.code} | ONES.get(word.name, {})
    if extension.encoding == "DPP16":
        held |= {"DPP_CTRL": 0xE4, "ROW_MASK": 15, "BANK_MASK": 15}
    longer = prober.base(encoding, found.opcode, held)
    if longer is None:
        return
    shown = prober.ask(encoding, found.opcode, longer)
    mnemonic, suffix = split_suffix(shown.name)
    if mnemonic != found.name or shown.size != encoding.size_bytes:
        return
    found.extensions.append(extension.name)
    found.extended = suffix
    if extension.encoding == "DPP16":
        slots = Form(prober, encoding, found.opcode, longer).slots()
        for old, new in zip(found.operands, slots, strict=True):
            if new != old:
                old["extended"] = new


def split_suffix(name: str) -> tuple[str, str]:
    """Split a mnemonic from what LLVM puts behind it for the encoding."""
    stem = re.sub(r"(_e64_dpp|_e32|_e64|_dpp)\Z", "", name)
    return stem, name.removeprefix(stem)


def main() -> None:
    """Derive and write the rows of the architecture and target on the command line."""
    architecture, target = sys.argv[1:]
    matrix = {
        row.name for row in rows(f"isa/{architecture}/matrix.toml", "instruction", InstructionRow)
    }
    found: list[Found] = []
    for word in rows(f"isa/{architecture}/words.toml", "encoding", WordRow):
        prober = Prober(architecture, target, word)
        for opcode in range(1 << prober.encoding.opcode.width_bits):
            row = derived(prober, opcode)
            if row and row.name not in matrix:
                found.append(row)
        print(word.name, sum(row.encoding == word.name for row in found), file=sys.stderr)
    keep_meanings(architecture, found)
    write(DATA / architecture, architecture, target, found)


def keep_meanings(architecture: str, found: list[Found]) -> None:
    """Carry over what people wrote into the rows that are there."""
    known = {}
    for name in TITLES:
        if (DATA / architecture / f"{name}.toml").exists():
            for row in rows(f"isa/{architecture}/{name}.toml", "instruction", OrdinaryRow):
                known[row.encoding, row.opcode] = row
    for each in found:
        row = known.get((each.encoding, each.opcode))
        if row:
            each.meaning, each.packed, each.writes = row.meaning, row.packed, row.writes


if __name__ == "__main__":
    main()
