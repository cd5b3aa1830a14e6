"""Lines of assembly for the classes of the rules, made of the fact files alone."""

import functools
from typing import Any, NamedTuple

from tests.facts import facts_json

ROLES = {
    "D": ("d",),
    "C and D": ("c", "d"),
    "A": ("a",),
    "B": ("b",),
    "C": ("c",),
    "sparse index": ("index",),
    "A scale": ("scale",),
    "B scale": ("scale",),
}
# First registers of operands that meet nothing: D, A, B, C, index, scales.
Place = tuple[str, int]
"""The file of a register, "" for the one that the operand must be in, and its number."""
APART: dict[str, Place] = {
    "d": ("", 0), "a": ("", 64), "b": ("", 96), "c": ("", 128), "index": ("", 170),
    "scale": ("", 174),
}  # fmt: skip
OTHER: dict[str, Place] = APART | {"d": ("", 180), "a": ("", 212), "b": ("", 228)}
GROUPS = {"fp4": ("fp4",), "fp6/bf6": ("fp6", "bf6"), "fp8/bf8": ("fp8", "bf8")}
CODES = {"fp8": 0, "bf8": 1, "fp6": 2, "bf6": 3, "fp4": 4}


class Matrix(NamedTuple):
    """A matrix instruction of the facts, with the formats of A and B where they are chosen."""

    row: dict[str, Any]
    a: str = ""
    b: str = ""

    @property
    def name(self) -> str:
        return self.row["mnemonic"]

    @property
    def passes(self) -> int:
        timing = self.row["timing"]
        if "cycles_by_format" in timing:
            wide = {self.a, self.b} & {"fp8", "bf8"}
            key = "A or B in {fp8,bf8}" if wide else "both A and B in {fp6,bf6,fp4}"
            return timing["cycles_by_format"][key] // 4
        return timing.get("passes") or timing["cycles"] // 4

    def count(self, word: str, wave: int) -> int:
        """Registers of an operand."""
        names = {"a": "A", "b": "B", "c": "C", "d": "D", "index": "index", "scale": "scale"}
        chosen = {"a": self.a, "b": self.b}.get(word)
        if chosen:
            return self.row["vgprs_by_format"][names[word]][chosen]
        return self.row["vgprs"][str(wave)].get(names[word], 1)

    def words(self) -> set[str]:
        return {word for each in self.row["operands"].values() for word in ROLES[each["role"]]}

    def line(self, wave: int, at: dict[str, Place]) -> str:
        """Write it with the first registers that are given."""
        texts = []
        for name, operand in self.row["operands"].items():
            words = ROLES[operand["role"]]
            count = max(self.count(word, wave) for word in words)
            if operand["role"].endswith("scale"):
                count = 2 if "scale16" in self.name else 1
            file, first = at[words[-1] if name == "vdst" else words[0]]
            file = file or ("a" if operand["kinds"] == ["agpr"] else "v")
            texts.append(registers(file, first, count))
        return " ".join([self.name, ", ".join(texts), *self._formats()])

    def _formats(self) -> list[str]:
        if not self.a:
            return []
        if "cbsz" in self.row["modifiers"]:
            return [f"cbsz:{CODES[self.a]}", f"blgp:{CODES[self.b]}"]
        pairs = (("a", self.a), ("b", self.b))
        return [f"matrix_{role}_fmt:MATRIX_FMT_{form.upper()}" for role, form in pairs]


def registers(file: str, first: int, count: int) -> str:
    return f"{file}[{first}:{first + count - 1}]" if count > 1 else f"{file}{first}"


@functools.cache
def matrices(target: str) -> list[Matrix]:
    """All matrix instructions of a target, those of chosen formats in several variants."""
    found = []
    for row in facts_json("instructions")["instructions"]:
        if target not in row["targets"] or "vgprs" not in row:
            continue
        if "vgprs_by_format" not in row:
            found.append(Matrix(row))
            continue
        for a, b in (
            ("fp8", "fp8"),
            ("fp6", "fp4"),
            ("fp4", "fp4"),
            ("fp4", "bf8"),
            ("bf6", "fp6"),
        ):
            found.append(Matrix(row, a, b))
    return found


def class_of(each: Matrix) -> str:
    """The class by the words of hazards.json."""
    row = each.row
    if row["family"] in ("wmma", "swmmac"):
        return row["family"].upper()
    if row["types"]["A"] == "f64":
        return "DGEMM4" if row["M"] == 4 else "DGEMM16"
    plain = row["types"]["A"] == "f32" and row["family"] == "mfma"
    return "SGEMM" if plain and row["arch"] in ("cdna3", "cdna4") else "XDL"


def category_of(each: Matrix, target: str) -> int | str:
    """The number of its category, or "none"."""
    for row in facts_json("hazards")["gfx1250_categories"]:
        for text in row[target]:
            name, _, formats = text.partition(" ")
            pair = [part.partition("=")[2] for part in formats.split()]
            if name == each.name and all(
                form in GROUPS[group] for form, group in zip((each.a, each.b), pair, strict=False)
            ):
                return row["category"]
    raise AssertionError(each)
