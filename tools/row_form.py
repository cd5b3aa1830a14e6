"""One opcode in one form: which field of the word is which operand of the text."""

from probe import LITERAL, Line, Register, register
from row_facts import NUMBERS, RETURNS, ROLES, SCALAR_FLAT, STEPS, VECTOR
from row_prober import Prober
from row_source import literal_style, source_slot

from wavemma.isa.encoding import Encoding

MARKS = (
    ("register_field", "hwreg("),
    ("message", "sendmsg("),
    ("dependencies", "depctr"),
    ("counters", "cnt("),
    ("delay", "instid"),
    ("index_mode", "gpr_idx("),
)
FIXED = {
    "field": "",
    "kind": "fixed",
    "code": 106,
    "classes": ["special_sgpr"],
    "lanes": True,
}


class Form:
    """One opcode in one form: which field is which operand, and what else changes the text."""

    def __init__(
        self, prober: Prober, encoding: Encoding, opcode: int, base: dict[str, int]
    ) -> None:
        self.prober, self.encoding, self.opcode, self.values = prober, encoding, opcode, base
        self.architecture = prober.architecture
        self.unit = prober.word.unit
        # Of the words that take parts of registers, those with a mask obey the same rules.
        self.rules = "SDWA" if "SDWA_SRC0" in encoding.by_name else encoding.name
        if self.architecture in SCALAR_FLAT.get(encoding.name, ()):
            self.rules += " with SADDR"
        self.long_literals = prober.long_literals
        self.shown = self.line()

    def line(self, wave: int = 32, **changed: int) -> Line:
        """Give the line in which some fields have other values."""
        return self.prober.ask(self.encoding, self.opcode, self.values | changed, wave)

    def ask(self, values: dict[str, int], literal: int = LITERAL) -> Line:
        """Give the line of all values, with a literal behind it."""
        return self.prober.ask(self.encoding, self.opcode, values, 32, literal)

    def with_bit(self, name: str, place: int) -> Line:
        """Give the line in which one bit of a field is 1."""
        return self.line(**{name: self.values.get(name, 0) | 1 << place})

    def register_at(self, place: int, shown: Line) -> Register | None:
        """Take the register apart that stands at a place of a line."""
        return register(shown.operands[place]) if len(shown.operands) > place else None

    def slots(self) -> list[dict]:
        """Describe every operand as the fields of its SlotRow."""
        found = []
        wide = self.line(64)
        for place, text in enumerate(self.shown.operands):
            slot = self.slot(place, text)
            other = register(wide.operands[place]) if len(wide.operands) > place else None
            mine = register(text)
            if mine and other and other.count < mine.count:
                slot["registers_wave64"] = other.count
            if mine and other and other.count == 2 * mine.count:
                slot["lanes"] = True
                slot["classes"] = [each for each in slot["classes"] if each != "vgpr"]
            found.append({"role": self.role(slot, place)} | slot)
        return self.returned() + found

    def role(self, slot: dict, place: int) -> str:
        """Say what an operand does; VCC is the result, a further result or the third source."""
        if slot["kind"] == "literal":
            return "k"
        if slot["kind"] == "fixed":
            last = len(self.shown.operands) - 1
            return {0: "d", last: "c"}.get(place, "d_mask")
        if slot["kind"] == "number" and slot["field"] not in ("IOFFSET", "OFFSET"):
            return "number"
        is_second = slot["field"] == "SDST" and self.prober.word.name == "VOP3SD"
        return "d_mask" if is_second else ROLES[slot["field"]]

    def needed(self, slots: list[dict]) -> dict[str, int]:
        """Give the fields that no operand shows and that LLVM does not let be 0."""
        shown = {slot["field"] for slot in slots}
        return {
            name: value
            for name, value in self.values.items()
            if name in NUMBERS
            and name not in shown
            and value not in (0, self.encoding.by_name[name].fill)
            and not self.line(**{name: 0}).is_good
        }

    def returned(self) -> list[dict]:
        """Of atomics: the result that is there only if it is asked for."""
        flag = next((name for name in RETURNS if name in self.encoding.by_name), "")
        if not flag or "VDST" not in self.encoding.by_name:
            return []
        asked = self.line(**{flag: 1})
        if len(asked.operands) != len(self.shown.operands) + 1:
            return []
        first = register(asked.operands[0])
        if first is None or first.first != NUMBERS["VDST"]:
            raise ValueError(f"{asked.operands[0]} must be VDST")
        slot = {"role": "d", "field": "VDST", "kind": "vgpr", "registers": first.count}
        if "ACC" in self.encoding.by_name:
            slot["accumulator"] = "ACC"
        return [slot | {"when": "TH[0]" if flag == "TH" else flag}]

    def slot(self, place: int, text: str) -> dict:
        """Describe one operand."""
        found = register(text)
        for name in self.encoding.by_name if found else ():
            if found and name in self.values and self.number_of(name) == found.first:
                return source_slot(self, name, place, found)
        if text in ("vcc_lo", "vcc"):
            return dict(FIXED)
        if text == f"0x{LITERAL:x}":
            return {"field": "", "kind": "literal", "style": literal_style(self, {}, place)}
        if text == f"lit64(0x{LITERAL:x})":
            return {"field": "", "kind": "literal", "registers": 2, "style": "number"}
        for name in ("SIMM16", "IOFFSET", "SSRC0", "SSRC1", "SRC2", "SDATA", "SDST", "OFFSET"):
            if name in self.encoding.by_name and self.changes(name, place):
                return self.number(name, place)
        raise ValueError(f"{self.shown}: {text}")

    def changes(self, name: str, place: int) -> bool:
        """Whether another value of a field changes an operand."""
        other = self.line(**{name: 7 if self.values.get(name) != 7 else 5})
        return (
            other.is_good
            and other.operands[place : place + 1] != self.shown.operands[place : place + 1]
        )

    def number_of(self, name: str) -> int:
        """Give the number of the register that a field names."""
        value = self.values[name]
        if name == "VDSTY" and self.encoding.by_name[name].width_bits < 8:
            return value << 1 | 1 - (NUMBERS["VDSTX"] & 1)
        return (value - VECTOR if value >= VECTOR else value) * STEPS.get(name, 1)

    def number(self, name: str, place: int) -> dict:
        """Describe a number by how some values are written."""
        limit = (1 << self.encoding.by_name[name].width_bits) - 1
        values = (0, 1, 64, 65, limit)
        shown = {value: self.line(**{name: value}).operands for value in values}
        at = {value: texts[place] if len(texts) > place else "" for value, texts in shown.items()}
        style = next((style for style, mark in MARKS if mark in at[0] or mark in at[1]), None)
        return {"field": name, "kind": "number", "style": style or plain_style(at, limit)}


def plain_style(at: dict[int, str], limit: int) -> str:
    """Tell how numbers without names are written."""
    if at[64] == "0x40":
        return "signed_hex" if at[limit] == "-0x1" else "hex"
    if at[65] == "0x41" or not at[64]:
        return "inline"
    if not at[0]:
        return "if_any"
    return "branch" if at[limit] == str(limit) else "hex"
