"""Derive the rows of ordinary instructions from LLVM's disassembler.

Every opcode of every encoding in data/isa/<architecture>/words.toml is tried; the fields that
change an operand or a modifier of the text tell what the row is. Run by people:

    PYTHONPATH=src python tools/derive_rows.py rdna3 gfx1100
"""

import itertools
import re
import sys
from dataclasses import replace
from pathlib import Path

from probe import LITERAL, Line, Register, assembled, line, register

from row_files import Found, write

from wavemma.isa.encoding import Encoding, fields_of
from wavemma.tables.files import rows
from wavemma.tables.instructions import FieldRow, InstructionRow
from wavemma.tables.ordinary import ExtensionRow, SettingRow, WordRow

DATA = Path(__file__).resolve().parents[1] / "src" / "wavemma" / "data" / "isa"
# Numbers of registers: every field its own, so that the text says which field it shows.
NUMBERS = {
    "SSRC0": 8, "SSRC1": 12, "SDST": 16, "SBASE": 10, "SDATA": 24, "SOFFSET": 4, "SRC0": 40,
    "VSRC1": 44, "SRC1": 44, "SRC2": 48, "VDST": 56, "ADDR": 60, "DATA0": 64, "DATA1": 72,
    "DATA": 68, "SADDR": 20, "VADDR": 76, "VDATA": 80, "SRSRC": 7, "SRCX0": 40, "VSRCX1": 44,
    "VDSTX": 57, "SRCY0": 48, "VSRCY1": 52, "VDSTY": 30, "DPP_SRC0": 84,
}  # fmt: skip
STEPS = {"SBASE": 2, "SRSRC": 4}
VECTOR = 256
NULL = 124
# What LLVM's text does not tell apart from other operands: see SlotRow.
RULES = {
    ("GLOBAL", "ADDR"): {"registers": 1, "wide_if_null": "SADDR"},
    ("GLOBAL", "SADDR"): {"off_if_null": True},
    ("SCRATCH", "SADDR"): {"off_if_null": True},
    ("SCRATCH", "ADDR"): {"counted": ["SVE"]},
    ("MUBUF", "VADDR"): {"counted": ["OFFEN", "IDXEN"]},
    ("SMEM", "SOFFSET"): {"offset_if_null": True},
}
# Fields that must not be 0 for an operand to be there.
FORCED = {"FLAT": {"SADDR": NULL}, "SCRATCH": {"SVE": 1}, "MUBUF": {"OFFEN": 1}}
ONES = {"VOP3P": {"OPSEL_HI": 3, "OPSEL_HI_2": 1}}
HELD = {"VOPD_X": {"OPY": 3, "SRCY0": VECTOR + 48, "VSRCY1": 52, "VDSTY": 30}}
HELD_X = {"SRCX0": VECTOR + 40, "VSRCX1": 44, "OPX": 3, "VDSTX": 57}


class Prober:
    """Asks LLVM about one encoding."""

    def __init__(self, architecture: str, target: str, word: WordRow) -> None:
        words = f"isa/{architecture}/words.toml"
        own = rows(words, "field", FieldRow)
        taken = {row.encoding for row in own}
        shared = rows(f"isa/{architecture}/encodings.toml", "field", FieldRow)
        self.fields = own + tuple(row for row in shared if row.encoding not in taken)
        self.word, self.target = word, target
        self.encoding = self._encoding(word.name, word.opcode)
        self.settings = rows(words, "modifier", SettingRow)
        self.extensions = rows(words, "extension", ExtensionRow)
        self.others = [
            self._encoding(each.name, each.opcode)
            for each in rows(words, "encoding", WordRow)
            if each.name != word.name
        ]

    def _encoding(self, name: str, opcode: str, more: str = "") -> Encoding:
        found = fields_of(self.fields, name)
        size = self.word.size_bytes
        if more:
            found += fields_of(self.fields, more, 8 * size)
            size += 4
        if name == "VOPD_X":
            found += tuple(
                f for f in fields_of(self.fields, "VOPD_Y") if f.name not in ("ENCODING", "VDSTX_0")
            )
        if name == "VOPD_Y":
            found += tuple(f for f in fields_of(self.fields, "VOPD_X") if f.name != "ENCODING")
            found = tuple(f for f in found if f.name != "VDSTX_0")
        return Encoding(name, size, found, next(f for f in found if f.name == opcode))

    def ask(self, encoding: Encoding, opcode: int, values: dict[str, int], wave: int = 32) -> Line:
        bits = assembled(encoding, opcode, values)
        return self._half(line(bits, encoding.size_bytes, self.target, wave), bits, encoding, wave)

    def _half(self, found: Line, bits: int, encoding: Encoding, wave: int) -> Line:
        """Of a dual instruction, look only at the half that the encoding is for."""
        if self.word.name != "VOPD_Y" or not found.is_good:
            return found
        from llvm_library import disassembled

        data = bits.to_bytes(8, "little") + LITERAL.to_bytes(4, "little")
        name, _, rest = disassembled(data, self.target, wave)[1].split(" :: ")[1].partition(" ")
        return replace(found, name=name, operands=tuple(rest.split(", ")))

    def base(self, encoding: Encoding, opcode: int, held: dict[str, int]) -> dict[str, int] | None:
        """Find values of as many fields as possible that LLVM takes."""
        choices = []
        names = [f.name for f in encoding.fields if f.name in NUMBERS and f.name not in held]
        for name in names:
            number = NUMBERS[name]
            wide = encoding.by_name[name].width_bits == 9
            choices.append([VECTOR + number, number, 129, 0] if wide else [number, 0])
        best, most = None, -1
        for values in itertools.product(*choices):
            tried = dict(zip(names, values, strict=True)) | held
            found = self.ask(encoding, opcode, tried)
            shown = [each for each in map(register, found.operands) if each]
            if found.is_good and len(shown) > most:
                best, most = tried, len(shown)
        return best

    def row(self, opcode: int) -> Found | None:
        """Derive one row; None if LLVM has no such instruction."""
        name = self.word.name
        if self.is_other(opcode):
            return None
        held = FORCED.get(name, {}) | ONES.get(name, {}) | HELD.get(name, {})
        held |= HELD_X if name == "VOPD_Y" else {}
        base = self.base(self.encoding, opcode, held)
        if base is None:
            return None
        shown = self.ask(self.encoding, opcode, base)
        if self.word.name.startswith("VOP3") and self.has_mask(shown) != (name == "VOP3SD"):
            return None
        mnemonic, suffix = split_suffix(shown.name)
        found = Found(mnemonic, opcode, name, suffix=suffix)
        form = Form(self, self.encoding, opcode, base)
        found.operands = form.slots()
        found.settings = form.modifiers()
        for extension in self.extensions if self.word.escape else ():
            self.extend(found, extension, base)
        return found

    def has_mask(self, shown: Line) -> bool:
        """Whether the second operand is the mask of lanes that VOP3SD writes."""
        second = register(shown.operands[1]) if len(shown.operands) > 3 else None
        return second is not None and second.first in (0, NUMBERS["SDST"])

    def is_other(self, opcode: int) -> bool:
        """Whether the opcode makes it a word that more bits name."""
        own = self.encoding.identity | self.encoding.opcode.put(opcode)
        fixed = self.encoding.identity_mask | self.encoding.opcode.mask
        return any(
            each.identity_mask & fixed == each.identity_mask
            and each.identity_mask.bit_count() > self.encoding.identity_mask.bit_count()
            and own & each.identity_mask == each.identity
            for each in self.others
        )

    def extend(self, found: Found, extension: ExtensionRow, base: dict[str, int]) -> None:
        """Add what a further word changes."""
        encoding = self._encoding(self.word.name, self.word.opcode, extension.encoding)
        held = {self.word.escape: extension.code} | ONES.get(self.word.name, {})
        if extension.encoding == "DPP16":
            held |= {"DPP_CTRL": 0xE4, "ROW_MASK": 15, "BANK_MASK": 15}
        longer = self.base(encoding, found.opcode, held)
        if longer is None:
            return
        shown = self.ask(encoding, found.opcode, longer)
        mnemonic, suffix = split_suffix(shown.name)
        if mnemonic != found.name or shown.size != encoding.size_bytes:
            return
        found.extensions.append(extension.name)
        found.extended = suffix
        if extension.encoding == "DPP16":
            slots = Form(self, encoding, found.opcode, longer).slots()
            for old, new in zip(found.operands, slots, strict=True):
                if new != old:
                    old["extended"] = new


def split_suffix(name: str) -> tuple[str, str]:
    match = re.match(r"(.*?)((?:_e32|_e64|_dpp|_e64_dpp)?)\Z", name)
    assert match
    return match[1], match[2]


class Form:
    """One opcode in one form: which field is which operand, and what else changes the text."""

    def __init__(self, prober: Prober, encoding: Encoding, opcode: int, base: dict[str, int]) -> None:
        self.prober, self.encoding, self.opcode, self.values = prober, encoding, opcode, base
        self.shown = self.line()

    def line(self, wave: int = 32, **changed: int) -> Line:
        return self.prober.ask(self.encoding, self.opcode, self.values | changed, wave)

    def with_bit(self, name: str, place: int, on: int = 1) -> Line:
        value = self.values.get(name, 0)
        return self.line(**{name: value & ~(1 << place) | on << place})

    def slots(self) -> list[dict]:
        found = []
        wide = self.line(64)
        for place, text in enumerate(self.shown.operands):
            slot = self.slot(place, text)
            other = register(wide.operands[place]) if len(wide.operands) > place else None
            mine = register(text)
            if mine and other and other.count == 2 * mine.count:
                slot["lanes"] = True
            found.append(slot)
        return self.returned() + found

    def returned(self) -> list[dict]:
        """Of atomics: the result that is there only if it is asked for."""
        if "GLC" not in self.encoding.by_name or "VDST" not in self.encoding.by_name:
            return []
        asked = self.line(GLC=1)
        if len(asked.operands) != len(self.shown.operands) + 1:
            return []
        first = register(asked.operands[0])
        assert first and first.first == NUMBERS["VDST"]
        return [{"field": "VDST", "kind": "vgpr", "registers": first.count, "when": "GLC"}]

    def slot(self, place: int, text: str) -> dict:
        found = register(text)
        if found:
            for name in self.encoding.by_name:
                if name in self.values and self._number(name) == found.first:
                    return self.registers(name, place, found)
        if text in ("vcc_lo", "vcc"):
            return {"field": "", "kind": "fixed", "code": 106, "classes": ["special_sgpr"], "lanes": True}
        if text in (f"0x{LITERAL:x}", f"0x{LITERAL & 0xFFFF:x}"):
            bits = {} if len(text) > 6 else {"literal_bits": 16}
            return {"field": "", "kind": "literal", **bits}
        if text == "off":
            return {"field": "SADDR", "kind": "source", "classes": ["sgpr", "special_sgpr"], "registers": 2, "off_if_null": True}
        for name in ("SIMM16", "SSRC0", "SRC2", "SDATA", "SDST"):
            if name in self.encoding.by_name:
                return self.number(name, place)
        raise ValueError(f"{self.shown}: {text}")

    def _number(self, name: str) -> int:
        value = self.values[name]
        if name == "VDSTY":
            return value << 1 | 1 - (NUMBERS["VDSTX"] & 1)
        return (value - VECTOR if value >= VECTOR else value) * STEPS.get(name, 1)

    def registers(self, name: str, place: int, found: Register) -> dict:
        width = self.encoding.by_name[name].width_bits
        slot: dict = {"field": name, "kind": "source"}
        if found.file == "v" and width < 9:
            slot["kind"] = "vgpr"
        if name == "VDSTY":
            slot["low_bit_not"] = "VDSTX_0"
        if found.count > 1:
            slot["registers"] = found.count
        if name in STEPS:
            slot["step"] = STEPS[name]
        if slot["kind"] == "source":
            slot["classes"] = self.classes(name, found, place)
            self.constants(slot, name, place)
        self.halves(slot, name, place, found)
        for attribute, bits, sign in self.signs():
            for bit, each in enumerate(bits):
                changed = self.with_bit(*each)
                token = register(changed.operands[place]) if len(changed.operands) > place else None
                if token and getattr(token, sign):
                    slot[attribute] = f"{each[0]}[{each[1]}]" if self.encoding.by_name[each[0]].width_bits > 1 else each[0]
        if name == "VDATA" and self.line(TFE=1).is_good and register(self.line(TFE=1).operands[place]).count > found.count:
            slot["extra"] = "TFE"
        return slot | RULES.get((self.encoding.name, name), {})

    def signs(self):
        names = self.encoding.by_name
        groups = [("negate", "is_negated", ("NEG", "DPP_NEG0", "DPP_NEG1")),
                  ("absolute", "is_absolute", ("ABS", "NEG_HI", "DPP_ABS0", "DPP_ABS1"))]
        for attribute, sign, fields in groups:
            yield attribute, [(f, b) for f in fields if f in names for b in range(names[f].width_bits)], sign

    def halves(self, slot: dict, name: str, place: int, found: Register) -> None:
        if not found.half:
            return
        if "OPSEL" in self.encoding.by_name:
            for bit in range(4):
                changed = self.with_bit("OPSEL", bit)
                token = register(changed.operands[place]) if changed.is_good else None
                if token and token.half != found.half:
                    slot["half"] = f"OPSEL[{bit}]"
                    return
        changed = self.with_bit(name, 7)
        assert register(changed.operands[place]).half == ".h", (self.shown, changed)
        slot["half"] = "code"

    def classes(self, name: str, found: Register, place: int) -> list[str]:
        wide = self.encoding.by_name[name].width_bits
        probes = [("vgpr", VECTOR + self._number(name)), ("sgpr", 8), ("special_sgpr", 106), ("inline_constant", 129), ("literal", 255)]
        taken = []
        for which, code in probes:
            if code >> wide or name in STEPS and which != "sgpr":
                continue
            value = code // STEPS.get(name, 1)
            if self.line(**{name: value}).is_good:
                taken.append(which)
        return taken

    def constants(self, slot: dict, name: str, place: int) -> None:
        if "inline_constant" in slot["classes"]:
            if self.line(**{name: 240}).operands[place] == "0x3800":
                slot["as_halves"] = True
            text = self.line(**{name: 248}).operands[place]
            if text not in ("0.15915494", "0x3118"):
                slot["inv_2pi_text"] = text
        if "literal" in slot["classes"] and self.line(**{name: 255}).operands[place] == f"0x{LITERAL & 0xFFFF:x}":
            slot["literal_bits"] = 16

    def number(self, name: str, place: int) -> dict:
        texts = {v: self.line(**{name: v}).operands for v in (0, 10, 64, 65, 1)}
        at = {v: t[place] if len(t) > place else "" for v, t in texts.items()}
        styles = [("register_field", "hwreg(" in at[1]), ("message", "sendmsg(" in at[1]), ("counters", "cnt(" in at[0] and "depctr" not in at[0]), ("dependencies", "depctr" in at[0]), ("delay", "instid" in at[1]),
                  ("hex", at[64] == "0x40"), ("inline", at[65] == "0x41"), ("if_any", at[65] == "65" and not at[0]), ("decimal", at[65] == "65")]
        style = next((s for s, holds in styles if holds), None)
        assert style, (self.shown, name, at)
        return {"field": name, "kind": "number", "style": style}

    def modifiers(self) -> list[str]:
        found: list[tuple[int, str]] = []
        words: set[str] = set()
        for setting in self.prober.settings:
            names = [each.partition("[")[0] for each in setting.fields]
            if not names or setting.word in words or not all(map(self.has, setting.fields)):
                continue
            if self.takes(setting):
                words.add(setting.word)
                found.append(setting.name)
        return sorted(found, key=ORDER.index)

    def has(self, reference: str) -> bool:
        """Whether the encoding has the field, or the bit of it, that a modifier names."""
        name, _, bit = reference.rstrip("]").partition("[")
        known = self.encoding.by_name.get(name)
        return known is not None and int(bit or 0) < known.width_bits

    def takes(self, setting: SettingRow) -> bool:
        return {"flag": self._flag, "choice": self._choice, "mask": self._mask}.get(setting.kind, self._value)(setting)

    def _flag(self, setting: SettingRow) -> bool:
        on = self.line(**{setting.fields[0]: 1})
        off = self.line(**{setting.fields[0]: 0})
        return setting.word in on.modifiers and setting.word not in off.modifiers

    def _choice(self, setting: SettingRow) -> bool:
        return "mul:2" in self.line(**{setting.fields[0]: 1}).modifiers

    def _mask(self, setting: SettingRow) -> bool:
        count = len(setting.fields)
        defaults = setting.default or (0,) * count
        for place, reference in enumerate(setting.fields):
            name, _, bit = reference.rstrip("]").partition("[")
            bits = [0] * count
            bits = list(defaults)
            bits[place] = 1 - defaults[place]
            wanted = f"{setting.word}:[{','.join(map(str, bits))}]"
            # Every other bit of the mask at its default.
            changed = dict(self.values)
            for other, each in enumerate(setting.fields):
                n, _, b = each.rstrip("]").partition("[")
                value = changed.get(n, 0) & ~(1 << int(b or 0))
                changed[n] = value | bits[other] << int(b or 0)
            if wanted not in self.prober.ask(self.encoding, self.opcode, changed).modifiers:
                return False
        return True

    def _value(self, setting: SettingRow) -> bool:
        names = setting.fields
        every = {n: (1 << self.encoding.by_name[n].width_bits) - 1 for n in names}
        total = sum(self.encoding.by_name[n].width_bits for n in names)
        texts = {"int": str((1 << total) - 1), "signed": "-1", "signed_hex": "-0x1"}
        return f"{setting.word}:{texts.get(setting.kind)}" in self.line(**every).modifiers


ORDER = [
    "op_sel_1d", "op_sel_2", "op_sel_2d", "op_sel_3", "op_sel_3d", "op_sel_hi_2", "op_sel_hi_3", "mix_hi",
    "neg_lo_2", "neg_lo_3", "neg_hi_2", "neg_hi_3", "clamp", "omod", "idxen", "offen", "offset", "signed",
    "signed_hex", "lds_offset", "offset0", "offset1", "gds", "glc", "slc", "dlc", "tfe",
]  # fmt: skip


def main() -> None:
    architecture, target = sys.argv[1:]
    matrix = {row.name for row in rows(f"isa/{architecture}/matrix.toml", "instruction", InstructionRow)}
    found: list[Found] = []
    for word in rows(f"isa/{architecture}/words.toml", "encoding", WordRow):
        prober = Prober(architecture, target, word)
        for opcode in range(1 << prober.encoding.opcode.width_bits):
            row = prober.row(opcode)
            if row and row.name not in matrix:
                found.append(row)
        print(word.name, sum(row.encoding == word.name for row in found), file=sys.stderr)
    write(DATA / architecture, architecture, target, found)


if __name__ == "__main__":
    main()
