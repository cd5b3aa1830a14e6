"""Operands that name registers or constants: what they may name, and which bits change them."""

from typing import Protocol

from probe import LITERAL, Line, Register, register
from row_facts import (
    BARRIERS,
    IN_DPP,
    MASK_FIELDS,
    MASKS,
    ONE_WAVE,
    PROBES,
    RULES,
    SCALAR_RANGES,
    SHORT_LITERALS,
    SIGNS,
    STEPS,
    VECTOR,
    VECTORS_ONLY,
    WITHOUT_LITERALS,
    WORD_BYTES,
)

from wavemma.isa.encoding import Encoding

HIGH_HALF_OF_ONE = 0x3FF00000
"""The high 32 bits of 1.0 in 64."""


class Asked(Protocol):
    """One opcode in one form, as row_form has it."""

    architecture: str
    unit: str
    rules: str
    long_literals: bool
    encoding: Encoding
    values: dict[str, int]
    shown: Line

    def line(self, wave: int = 32, **changed: int) -> Line:
        """Give the line in which some fields have other values."""

    def ask(self, values: dict[str, int], literal: int = LITERAL) -> Line:
        """Give the line of all values, with a literal behind it."""

    def with_bit(self, name: str, place: int) -> Line:
        """Give the line in which one bit of a field is 1."""

    def register_at(self, place: int, shown: Line) -> Register | None:
        """Take the register apart that stands at a place of a line."""

    def number_of(self, name: str) -> int:
        """Give the number of the register that a field names."""


def source_slot(form: Asked, name: str, place: int, found: Register) -> dict:
    """Describe an operand that a field names."""
    is_vector = found.file in "va" and form.encoding.by_name[name].width_bits < 9
    kind = "agpr" if found.file == "a" else "vgpr"
    slot: dict = {"field": name, "kind": kind if is_vector else "source"}
    if name == "VDSTY" and form.encoding.by_name[name].width_bits < 8:
        slot["low_bit_not"] = "VDSTX_0"
    if found.count > 1:
        slot["registers"] = found.count
    if name in STEPS:
        slot["step"] = STEPS[name]
    if not is_vector:
        slot["classes"] = ["agpr"] if found.file == "a" else classes(form, name, found.count)
        slot |= constants(form, slot["classes"], name, place)
    if "DPP_SRC0" in form.encoding.by_name and not is_vector:
        taken = ["vgpr"] if name == "SRC1" and form.architecture in VECTORS_ONLY else IN_DPP[name]
        slot["classes"] = [each for each in slot["classes"] if each in taken]
        slot.pop("inv_2pi_text", None)
    slot |= half(form, name, place, found) | signs(form, place)
    if slot.get("absolute", "").startswith("NEG_HI"):
        # LLVM writes 16 bits of the literal, but 32 are read where op_sel_hi is 0.
        slot["style"] = "word"
    slot |= status(form, name, place, found) | accumulator(form, place) | mask(form, name, slot)
    return slot | RULES.get((form.rules, name), {})


def classes(form: Asked, name: str, count: int) -> list[str]:
    """List what may stand in a field of so many registers: one code of each class is tried."""
    if name in SCALAR_RANGES:
        return ["sgpr", "special_sgpr"]
    if name == "SSRC0" and form.shown.name.startswith(BARRIERS):
        return ["special_sgpr", "inline_constant"]
    width = form.encoding.by_name[name].width_bits
    probes = {"vgpr": VECTOR + form.number_of(name)} | PROBES
    if form.architecture in SHORT_LITERALS and form.encoding.size_bytes > WORD_BYTES:
        del probes["literal"]
    if form.encoding.name in WITHOUT_LITERALS:
        del probes["literal"]
    taken = [
        which
        for which, code in probes.items()
        if not code >> width and form.line(**{name: code}).is_good
    ]
    # LLVM decodes long literals anywhere, and assembles them where words are short.
    is_long = form.long_literals and count == 2 and form.encoding.size_bytes == WORD_BYTES
    may_be_long = is_long and "literal" in taken
    return taken if may_be_long else [each for each in taken if each != "literal_64"]


def constants(form: Asked, taken: list[str], name: str, place: int) -> dict:
    """Tell how constants are written."""
    found: dict = {}
    if "inline_constant" in taken:
        if form.line(**{name: 240}).operands[place] == "0x3800":
            found["as_halves"] = True
        text = form.line(**{name: 248}).operands[place]
        if text not in ("0.15915494", "0x3118"):
            found["inv_2pi_text"] = text
    if "literal" in taken:
        found["style"] = literal_style(form, {name: 255}, place)
    return found


def literal_style(form: Asked, changed: dict[str, int], place: int) -> str:
    """Say how a literal is written that an inline constant could stand for."""
    five, low, most, one = (
        form.ask(form.values | changed, literal).operands[place]
        for literal in (5, 0xFFFF0005, 0xFFFFFFFF, 0x3C00)
    )
    if five == "0x5":
        high_half = form.ask(form.values | changed, HIGH_HALF_OF_ONE).operands[place]
        return "high" if high_half == "1.0" else "plain"
    if five == "5":
        return "value"
    if low != "0xffff0005":
        return "half" if low.startswith("lit") else "integer_half"
    if one.startswith("lit"):
        return "packed"
    return "word" if most.startswith("lit") else "pair"


def half(form: Asked, name: str, place: int, found: Register) -> dict:
    """Find the bit that says which half of a register is meant."""
    if not found.half:
        return {}
    for bit in range(4) if "OPSEL" in form.encoding.by_name else ():
        shown = form.register_at(place, form.with_bit("OPSEL", bit))
        if shown and shown.half == ".h":
            return {"half": f"OPSEL[{bit}]"}
    shown = form.register_at(place, form.with_bit(name, 7))
    if shown is None or shown.half != ".h":
        raise ValueError(f"{name} at {place} has no bit for its half")
    return {"half": "code"}


def signs(form: Asked, place: int) -> dict:
    """Find the bits that change the sign, take the absolute value, and let the sign go on."""
    found = {}
    fields = form.encoding.by_name
    for name in ("SRC0_SEXT", "SRC1_SEXT"):
        shown = form.line(**{name: 1}).operands if name in fields else ()
        if shown[place : place + 1] and shown[place].startswith("sext("):
            found["sign_extended"] = name
    for attribute, sign, names in SIGNS:
        for name in names:
            for bit in range(fields[name].width_bits) if name in fields else ():
                shown = form.register_at(place, form.with_bit(name, bit))
                if shown and getattr(shown, sign):
                    found[attribute] = f"{name}[{bit}]" if fields[name].width_bits > 1 else name
    return found


def accumulator(form: Asked, place: int) -> dict:
    """Find the bit that turns a vector register into an accumulator."""
    if "ACC" not in form.encoding.by_name:
        return {}
    shown = form.register_at(place, form.line(ACC=1))
    return {"accumulator": "ACC"} if shown and shown.file == "a" else {}


def mask(form: Asked, name: str, slot: dict) -> dict:
    """Tell a mask of lanes where it is never written otherwise than as a pair, or a word."""
    if name in MASK_FIELDS and slot["kind"] == "source":
        return {"lanes": True, "classes": ["sgpr", "special_sgpr"]}
    if form.architecture not in ONE_WAVE or form.unit == "scalar" or slot["kind"] != "source":
        return {}
    if name == "SRC2" and form.shown.name.startswith(MASKS):
        return {"lanes": True, "classes": ["sgpr", "special_sgpr"], "registers": 1}
    if slot.get("registers") == 2 and not {"vgpr", "agpr"} & set(slot["classes"]):
        return {"lanes": True, "registers": 1}
    return {}


def status(form: Asked, name: str, place: int, found: Register) -> dict:
    """Find the bit that adds a register for the status of a buffer load."""
    if name != "VDATA" or "TFE" not in form.encoding.by_name:
        return {}
    shown = form.line(TFE=1)
    wider = register(shown.operands[place]) if shown.is_good else None
    return {"extra": "TFE"} if wider and wider.count > found.count else {}
