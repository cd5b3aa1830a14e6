"""Words of ordinary instructions, drawn from the rows."""

import random
from collections.abc import Iterator

from wavemma.isa.encoding import Field
from wavemma.isa.ordinary import OrdinaryInstruction, OrdinaryTable
from wavemma.tables.ordinary import OrdinaryRow

ODD_CODES = (250, 233, 234, 255, 106, 124, 125, 126, 128, 193, 240, 248, 253, 256, 300, 511, 105)
LITERALS = (0x3F000000, 0x3C00, 0x3E22F983, 0xFFFFFFFF, 5, 0)
# The banks of a dual instruction's vector registers must differ: the last two bits.
BANKS = dict.fromkeys(("SRCY0", "VSRCY1", "VSRCY2"), 3)
# They name a barrier: -1.
BARRIERS = ("s_barrier_", "s_get_barrier_", "s_wakeup_barrier")
# They are written with a register that must be the null register.
NULL_FIRST = ("s_waitcnt_vscnt", "s_waitcnt_vmcnt", "s_waitcnt_expcnt", "s_waitcnt_lgkmcnt")
TIED = ("OP", "OPX", "OPY", "ENCODING", "SEG", "VDSTX_0", "SOE", "IMM", "LDS")


def forms(table: OrdinaryTable) -> Iterator[tuple[OrdinaryRow, str]]:
    """Every row in every form: the name of the further word, or ""."""
    for row in table.rows.instructions:
        for extension in ("", *row.extensions):
            yield row, extension


def wild(table: OrdinaryTable, row: OrdinaryRow, extension: str, rng: random.Random) -> bytes:
    """Any bits around an opcode, often the codes that mean something of their own."""
    return _bytes(table, row, extension, rng, _wild)


def tame(table: OrdinaryTable, row: OrdinaryRow, extension: str, rng: random.Random) -> bytes:
    """Operands that the assembler takes: vector registers, aligned scalars, small offsets."""
    return _bytes(table, row, extension, rng, _tame)


def _bytes(table, row, extension, rng, value) -> bytes:
    encoding = table.form(row, extension).encoding
    fields = list(encoding.fields)
    for other in table.seconds:
        if other == row.encoding:
            fields += table.encodings[table.seconds[other].name].fields
    bits = encoding.identity | encoding.opcode.put(row.opcode)
    scalar = {
        slot.row.field
        for slot in table.form(row, extension).slots
        if slot.row.kind == "source" and not {"vgpr", "agpr"} & set(slot.row.classes)
    }
    numbers = {
        slot.row.field for slot in table.form(row, extension).slots if slot.row.kind == "number"
    }
    taken = modifier_bits(table.form(row, extension))
    escape = table.escapes[row.encoding]
    if extension and escape:
        bits |= escape.put(table.rows.extensions[extension].code)
    for field in fields:
        if field.name not in TIED and not (extension and escape and field.name == escape.name):
            small = value is _tame and field.name in numbers - set(SMALL)
            drawn = rng.randrange(1, 8) if small else None
            found = value(row, field, field.name in scalar, taken, rng)
            if value is _tame and field.name == "DPP_CTRL":
                found = _known_lanes(table, row, extension, found)
            bits |= field.put(found if drawn is None else drawn)
    if row.encoding in table.seconds:
        second = table.seconds[row.encoding]
        bits |= second.opcode.put(rng.choice(sorted(second.rows)))
    literal = rng.choice((*LITERALS, rng.getrandbits(32), rng.getrandbits(32)))
    literal = literal if value is _wild else literal & 0xFFFF
    return bits.to_bytes(encoding.size_bytes, "little") + 2 * literal.to_bytes(4, "little")


def _known_lanes(table: OrdinaryTable, row: OrdinaryRow, extension: str, code: int) -> int:
    """Replace a way of taking other lanes that the row does not know by one that all know."""
    known = table.choices["dpp_ctrl"]
    wide = any(slot.row.registers == 2 for slot in table.form(row, extension).slots)
    is_named = known.get(code, "").startswith(NAMED_LANE)
    fits = code in known and (is_named or not wide or NAMED_AT not in known)
    return code if fits else NAMED_AT if NAMED_AT in known else min(known)


NAMED_LANE, NAMED_AT = "row_newbcast", 0x150
"""The only way of gfx9 of taking 64 bits from other lanes, and its first code."""


def modifier_bits(instruction: OrdinaryInstruction) -> int:
    """The bits that a modifier or the sign or half of an operand has."""
    bits = {bit for each in instruction.settings for bit in each.bits}
    for slot in instruction.slots:
        bits |= {slot.half, slot.negate, slot.absolute}
    return sum(1 << bit for bit in bits if bit is not None)


def _wild(row: OrdinaryRow, field: Field, is_scalar: bool, taken: int, rng: random.Random) -> int:
    width, dice = field.width_bits, rng.random()
    code = rng.choice(ODD_CODES)
    if width in (7, 8, 9) and dice < 0.5 and not code >> width:
        return code
    return 0 if 0.5 < dice < 0.65 else rng.getrandbits(width)


def _tame(row: OrdinaryRow, field: Field, is_scalar: bool, taken: int, rng: random.Random) -> int:
    if field.name in MODIFIERS:
        if not taken & field.mask:
            return row.fill.get(field.name, field.fill)
        if field.name in PARTS:
            return rng.randrange(PARTS[field.name])
        return rng.getrandbits(field.width_bits) & taken >> field.lo
    if field.name == "SSRC0" and row.name.startswith(BARRIERS):
        return 193
    if field.name in SMALL:
        return SMALL[field.name](rng)
    if row.encoding == "SOPK" and row.name in NULL_FIRST and field.name == "SDST":
        return 124
    # LLVM has no AGPRs for some atomics.
    is_plain = field.name == "ACC" and "_atomic_" in row.name
    if field.name in row.fill or field.fill or field.name in UNTOUCHED or is_plain:
        return row.fill.get(field.name, field.fill)
    return _register(field, is_scalar, rng)


def _register(field: Field, is_scalar: bool, rng: random.Random) -> int:
    width = field.width_bits
    if is_scalar or width == 7:
        return 4 * rng.randrange(1, 20)
    if width in (8, 9):
        return (width == 9) * 256 + 4 * rng.randrange(1, 24) + BANKS.get(field.name, 0)
    return rng.getrandbits(width)


def _lanes(rng: random.Random) -> int:
    return rng.choice((rng.getrandbits(8), 0x101 + rng.randrange(15), 0x140, 0x15F, 0x165))


# Fields of which not all rows take all values, and those that no operand of a row shows.
UNTOUCHED = ("TFE", "GDS", "SVE", "S0", "S1", "SD", "SRC0_SEXT", "SRC1_SEXT")
MODIFIERS = ("OMOD", "ABS", "NEG", "NEG_HI", "OPSEL", "CLAMP", "DPP_NEG0", "DPP_ABS0", "DPP_NEG1")
MODIFIERS += ("DPP_ABS1", "OPSEL_HI", "OPSEL_HI_2", "SDWA_CLAMP", "SDWA_OMOD", "DST_SEL")
MODIFIERS += ("DST_UNUSED", "SRC0_SEL", "SRC1_SEL", "NEGX", "NEGY", "NV")
PARTS = {"DST_SEL": 7, "SRC0_SEL": 7, "SRC1_SEL": 7, "DST_UNUSED": 3}
"""How many values they have."""
SMALL = {
    "DPP_CTRL": _lanes,
    "IOFFSET": lambda rng: rng.randrange(1, 2000),
    "RSRC": lambda rng: 4 * rng.randrange(20),
    "TH": lambda rng: rng.randrange(3),
    "OFFSET": lambda rng: rng.randrange(1, 2000),
    "SBASE": lambda rng: 2 * rng.randrange(20),
    "SRSRC": lambda rng: rng.randrange(20),
    "SIMM16": lambda rng: rng.randrange(1, 8),
    "SCALE": lambda rng: 0,
    "VDSTX": lambda rng: 4 * rng.randrange(10),
    "VDSTY": lambda rng: 4 * rng.randrange(10) + 2,
}
