"""Derive the rows of ordinary instructions from LLVM's disassembler.

Every opcode of every encoding in data/isa/<architecture>/words.toml is tried; the fields that
change an operand or a modifier of the text tell what the row is. Run by people:

    PYTHONPATH=src python tools/derive_rows.py rdna3 gfx1100
"""

import re
import sys
from pathlib import Path

from row_facts import (
    ACCUMULATORS,
    FILLS,
    FLOWS,
    FORCED,
    HELD,
    LANES,
    NEEDED,
    NOT_TAKEN,
    ONE_PART,
    ONES,
    PARTS,
    SCALAR_FLAT,
    WIDE_LANES,
)
from row_files import TITLES, Found, write
from row_form import Form
from row_modifiers import Modifiers
from row_prober import Prober

from wavemma.isa.encoding import Encoding
from wavemma.tables.files import rows
from wavemma.tables.instruction_words import ExtensionRow, WordRow
from wavemma.tables.instructions import InstructionRow, ScaleLoadRow
from wavemma.tables.ordinary import OrdinaryRow

PACKED = ("VOP3P", ACCUMULATORS)
"""Words that tell by the opcode which one they are."""
LEFT_OUT = ("tbuffer_", "v_interp_", "buffer_store_lds_", "tensor_")
"""Typed buffers and interpolation, which graphics uses, what no compiler writes and LLVM cannot
read again, and what saves the state of copies of tensors."""
DATA = Path(__file__).resolve().parents[1] / "src" / "wavemma" / "data" / "isa"


def derived(prober: Prober, opcode: int, matrix: set[str]) -> Found | None:
    """Derive one row; None if LLVM has no such instruction, or it multiplies matrices."""
    name = prober.word.name
    if prober.is_other(opcode):
        return None
    forced = {} if prober.architecture in SCALAR_FLAT.get(name, ()) else FORCED.get(name, {})
    held = forced | ONES.get(name, {}) | HELD.get(name, {})
    values = prober.base(prober.encoding, opcode, held) or prober.base(prober.encoding, opcode, {})
    if values is None:
        return None
    shown = prober.ask(prober.encoding, opcode, values)
    if prober.is_written_elsewhere(shown) or shown.name.startswith(LEFT_OUT):
        return None
    mnemonic, suffix = split_suffix(shown.name)
    if mnemonic in matrix:
        return None
    found = Found(mnemonic, opcode, name, suffix=suffix)
    form = Form(prober, prober.encoding, opcode, values)
    found.operands = form.slots()
    if name in NEEDED and all(slot["field"] != NEEDED[name] for slot in found.operands):
        return None
    found.settings = [each for each in Modifiers(form).names() if is_taken(found.name, each)]
    if name == "VOP3":
        halve(found, prober)
    found.fill = FILLS.get(name) or form.needed(found.operands)
    found.flow = next((flow for name, flow in FLOWS.items() if found.name.startswith(name)), "")
    for extension in prober.extensions if prober.word.escape else ():
        extend(prober, found, extension)
    return found


def extend(prober: Prober, found: Found, extension: ExtensionRow) -> None:
    """Add what a further word changes."""
    word = prober.word
    if extension.parts and prober.is_compare != extension.name.endswith("_compare"):
        return
    encoding = prober.encoding_of(word.name, word.opcode, extension.encoding)
    held = {word.escape: extension.code} | ONES.get(word.name, {})
    longer = first_taken(prober, encoding, found.opcode, held)
    if longer is None:
        return
    shown = prober.ask(encoding, found.opcode, longer)
    mnemonic, suffix = split_suffix(shown.name)
    if mnemonic != found.name or shown.size != encoding.size_bytes:
        return
    form = Form(prober, encoding, found.opcode, longer)
    if not extension.parts and is_too_wide(form, prober):
        return
    if extension.parts:
        found.in_parts = Modifiers(form).names()
    else:
        found.extended = suffix
    found.extensions.append(extension.name)
    if extension.parts or extension.encoding == "DPP16":
        replace(found.operands, form.slots(), "in_parts" if extension.parts else "extended")


def is_too_wide(form: Form, prober: Prober) -> bool:
    """Whether pairs of registers are taken from other lanes where no way of doing so is known.

    LLVM decodes them all the same.
    """
    known = {each.code for each in prober.choices if each.modifier == "dpp_ctrl"}
    has_pairs = any(slot.get("registers") == 2 for slot in form.slots())
    return has_pairs and WIDE_LANES["DPP_CTRL"] not in known


def replace(slots: list[dict], others: list[dict], key: str) -> None:
    """Note which operands take the places of others if a further word follows."""
    for old, new in zip(slots, others, strict=True):
        if new != {name: value for name, value in old.items() if name != "in_parts"}:
            old[key] = new


def first_taken(
    prober: Prober, encoding: Encoding, opcode: int, held: dict[str, int]
) -> dict[str, int] | None:
    """Find values of a further word that LLVM takes."""
    for more in (LANES, WIDE_LANES, PARTS, ONE_PART):
        if more.keys() & {"DPP_CTRL", "SRC0_SEL"} <= encoding.by_name.keys():
            own = {name: value for name, value in more.items() if name in encoding.by_name}
            values = prober.base(encoding, opcode, held | own)
            if values is not None:
                return values
    return prober.base(encoding, opcode, held)


def halve(found: Found, prober: Prober) -> None:
    """Say which bit chooses the half of each operand, where the text of registers does not."""
    settings = {row.name: row for row in prober.settings}
    chosen = [name for name in found.settings if name.startswith("op_sel")]
    if not chosen or any("half" in slot for slot in found.operands):
        return
    bits = settings[chosen[0]].fields
    result, _, source = found.type.partition("_")
    for slot in found.operands:
        is_third = slot["role"] == "c" and not result.endswith("16")
        kind = result if slot["role"] == "d" or is_third else source or result
        bit = f"OPSEL[{'abcd'.find(slot['role'])}]"
        if kind.endswith("16") and bit in bits and slot.get("registers", 1) == 1:
            slot |= {"half": bit, "unwritten_half": True}


def is_taken(name: str, modifier: str) -> bool:
    """Whether the assembler takes a modifier that the disassembler writes."""
    return all(modifier not in names for start, names in NOT_TAKEN if name.startswith(start))


def split_suffix(name: str) -> tuple[str, str]:
    """Split a mnemonic from what LLVM puts behind it for the encoding."""
    stem = re.sub(r"(_e64_dpp|_e32|_e64|_dpp|_sdwa)\Z", "", name)
    return stem, name.removeprefix(stem)


def main() -> None:
    """Derive and write the rows of the architecture and target on the command line."""
    architecture, target = sys.argv[1:]
    # LLVM decodes matrix instructions of relatives, too.
    paths = [f"isa/{each.parent.name}/matrix.toml" for each in DATA.glob("*/matrix.toml")]
    matrix = {row.name for path in paths for row in rows(path, "instruction", InstructionRow)}
    matrix |= {
        row.name for path in paths for row in rows(path, "scale_load", ScaleLoadRow, optional=True)
    }
    own = rows(f"isa/{architecture}/matrix.toml", "instruction", InstructionRow)
    fatal = {row.opcode for row in own if row.encoding == ACCUMULATORS}
    found: list[Found] = []
    for word in rows(f"isa/{architecture}/words.toml", "encoding", WordRow):
        prober = Prober(architecture, target, word)
        # LLVM 22 crashes at odd registers of matrix instructions, whose word VOP3P is too.
        left_out = fatal if word.name in PACKED else set()
        for opcode in range(1 << prober.encoding.opcode.width_bits):
            row = None if opcode in left_out else derived(prober, opcode, matrix)
            if row:
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
