"""Write rows of data/hazard_classes.toml for instructions that the tables of a relative lack.

Each line of tools/kin/<architecture>.txt is assembled with LLVM 22; its bits tell encoding, opcode
and the fields of its registers, which must all differ. Run by people, output to paste:

    PYTHONPATH=src python tools/kin_rows.py cdna5 gfx1250
"""

import re
import subprocess
import sys
from pathlib import Path

from wavemma.isa.ordinary.catalog import OrdinaryTable, ordinary_table
from wavemma.tables.hazard_classes import hazard_classes
from wavemma.tables.ordinary import SlotRow

ASSEMBLER = ("llvm-mc-22", "-triple=amdgcn-amd-amdhsa", "-show-encoding")
LINES = Path(__file__).resolve().parent / "kin"
ROLES = ("d", "a", "b", "c")
LOAD_ROLES = ("d", "address")
LOADS = "ds_"


def encoded(line: str, target: str) -> int:
    """Assemble a line into one number."""
    done = subprocess.run(
        [*ASSEMBLER, f"-mcpu={target}"], input=line, capture_output=True, text=True, check=True
    )
    found = re.search(r"encoding: \[(.*)\]", done.stdout)
    assert found, line
    return int.from_bytes(bytes(int(part, 16) for part in found[1].split(",")), "little")


def slot_of(table: OrdinaryTable, bits: int, encoding: str, role: str, text: str) -> str:
    """Find the operand row that reads a register of a line from its bits."""
    file, first, last = re.fullmatch(r"([vs])\[?(\d+)(?::(\d+))?\]?", text).groups()
    count = int(last) - int(first) + 1 if last else 1
    fields = table.encodings[encoding].by_name

    def fits(row: SlotRow) -> bool:
        if row.role != role or row.field not in fields or row.half or row.when or row.lanes:
            return False
        value = fields[row.field].read(bits)
        wide = row.kind == "source" and file == "v" and not row.field.startswith("VSRC")
        kind = row.kind == "vgpr" if file == "v" else "sgpr" in row.classes
        return row.registers == count and value == int(first) + 256 * wide and (wide or kind)

    return min((row.name for row in table.rows.slots.values() if fits(row)), key=len)


def row_of(line: str, target: str, table: OrdinaryTable) -> str:
    """Write the row of a line."""
    bits = encoded(line, target)
    group = next(group for group in table.groups if bits & group.mask == group.identity)
    name, _, rest = line.partition(" ")
    texts = [text.strip() for text in rest.split(",") if not text.strip().isdigit()]
    roles = LOAD_ROLES if name.startswith(LOADS) else ROLES
    operands = [
        slot_of(table, bits, group.name, role, text)
        for role, text in zip(roles, texts, strict=False)
    ]
    if rest.strip().isdigit():
        operands = ["simm16_hex"]
    suffix = re.search(r"(_e32|_e64|)$", name)[0]
    named = ", ".join(f'"{each}"' for each in operands)
    opcode = f'opcode = 0x{group.opcode.read(bits):x}, encoding = "{group.name}"'
    return (
        f'name = "{name.removesuffix(suffix)}", suffix = "{suffix}", {opcode}, operands = [{named}]'
    )


def main(architecture: str, target: str) -> None:
    """Print the rows of an architecture."""
    table = ordinary_table(hazard_classes().kin[architecture].reads_as)
    for line in (LINES / f"{architecture}.txt").read_text().splitlines():
        try:
            row = row_of(line, target, table)
        except (subprocess.CalledProcessError, StopIteration, ValueError) as error:
            print(f"# {line}: {type(error).__name__}", file=sys.stderr)
            continue
        print(f'  {{ architecture = "{architecture}", {row}, source = "llvm22", grade = "V" }},')


if __name__ == "__main__":
    main(*sys.argv[1:])
