"""The data files of ordinary instructions, written from rows that were derived."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

CLASS_OF = {
    "SOP1": "scalar", "SOP2": "scalar", "SOPK": "scalar", "SOPC": "scalar", "SOPP": "control",
    "SMEM": "memory", "DS": "memory", "FLAT": "memory", "GLOBAL": "memory", "SCRATCH": "memory",
    "MUBUF": "memory", "MUBUF_LDS": "memory", "SMEM_OFFSET": "memory", "SMEM_REGISTER": "memory",
    "SMEM_SHORT": "memory", "SMEM_BOTH": "memory", "VDS": "memory", "VFLAT": "memory",
    "VGLOBAL": "memory",
    "VSCRATCH": "memory", "VBUFFER": "memory", "GLOBAL_LDS": "memory",
}  # fmt: skip
TITLES = {
    "scalar": "scalar arithmetic, moves and compares",
    "control": "branches, waits, messages and hints",
    "memory": "scalar loads, LDS, flat, global, scratch and buffer memory",
    "vector": "vector arithmetic, moves and compares, dual instructions included",
}
TYPE = re.compile(r"((?:_(?:[bfiu]\d+|bf16|iu[48]))+)(?:_d16(?:_hi)?)?\Z")
# Names that tell the type in words: what they must hold, and the type.
WORDS = {
    r"_(load|store)(_lds)?_dword(_|\Z)": "b32",
    r"_(load|store)_dwordx2\Z": "b64",
    r"_(load|store)(_lds)?_dwordx3\Z": "b96",
    r"_(load|store)(_lds)?_dwordx4\Z": "b128",
    r"_load_dwordx8\Z": "b256",
    r"_load_dwordx16\Z": "b512",
    r"_load_(lds_)?ubyte": "u8",
    r"_load_(lds_)?sbyte": "i8",
    r"_load_(lds_)?ushort": "u16",
    r"_load_(lds_)?sshort": "i16",
    r"_load_short_d16": "b16",
    r"_store_byte": "b8",
    r"_store_short": "b16",
    r"_atomic_(add|sub|inc|dec|umin|umax|csub)\Z": "u32",
    r"_atomic_(add|sub|inc|dec|umin|umax)_x2\Z": "u64",
    r"_atomic_s(min|max)\Z": "i32",
    r"_atomic_s(min|max)_x2\Z": "i64",
    r"_atomic_(swap|cmpswap|and|or|xor)\Z": "b32",
    r"_atomic_(swap|cmpswap|and|or|xor)_x2\Z": "b64",
}
SOURCE = 'source = "llvm22", grade = "V"'


@dataclass
class Found:
    """A row that was found; an operand is the fields of its SlotRow but the name."""

    name: str
    opcode: int
    encoding: str
    operands: list[dict] = field(default_factory=list)
    settings: list[str] = field(default_factory=list)
    fill: dict[str, int] = field(default_factory=dict)
    suffix: str = ""
    extended: str = ""
    extensions: list[str] = field(default_factory=list)
    in_parts: list[str] = field(default_factory=list)
    flow: str = ""
    meaning: str = ""
    packed: bool = False
    writes: tuple[str, ...] = ()

    @property
    def type(self) -> str:
        """The types at the end of the mnemonic."""
        match = TYPE.search(self.name)
        if match:
            return match[1].lstrip("_")
        found = next((each for each in WORDS if re.search(each, self.name)), None)
        return WORDS[found] if found else ""


class Slots:
    """Operands that were seen, each with a name of its own."""

    def __init__(self) -> None:
        self.by_name: dict[str, dict] = {}

    def name(self, slot: dict) -> str:
        """Give the name of an operand, a new one if it is new."""
        slot = dict(slot)
        for key in ("extended", "in_parts"):
            if key in slot:
                slot[key] = self.name(slot[key])
        stem = "_".join([slot["field"].lower() or slot["kind"], *marks(slot)])
        for number in range(1, 100):
            name = stem if number == 1 else f"{stem}_{number}"
            if self.by_name.setdefault(name, slot) == slot:
                return name
        raise ValueError(stem)


def marks(slot: dict) -> list[str]:
    """What a name says beside the field: width, halves, signs and what may stand there."""
    found = []
    if slot.get("registers", 1) > 1:
        found.append(str(32 * slot["registers"]))
    found += ["16"] if "half" in slot else []
    found += ["signed"] if "negate" in slot else []
    found += ["lanes"] if slot.get("lanes") else []
    found += ["returned"] if "when" in slot else []
    if slot["kind"] == "number":
        found.append(slot["style"])
    classes = slot.get("classes", ())
    if slot["kind"] == "source" and "vgpr" in classes and "sgpr" not in classes:
        found.append("vector")
    if slot["field"].startswith("SRC") and "vgpr" not in classes:
        found.append("scalar")
    return found


def write(folder: Path, architecture: str, target: str, found: list[Found]) -> None:
    """Write operands.toml and the four files of instructions."""
    slots = Slots()
    lists: dict[tuple[str, ...], str] = {}
    lines: dict[str, list[dict[str, str]]] = {name: [] for name in TITLES}
    for row in found:
        settings = tuple(row.settings)
        if settings:
            lists.setdefault(settings, "_".join(settings))
        parts = tuple(row.in_parts)
        if parts:
            lists.setdefault(parts, "_".join(parts))
        lines[CLASS_OF.get(row.encoding, "vector")].append(
            {
                "name": quoted(row.name),
                "opcode": f"0x{row.opcode:02x}",
                "encoding": quoted(row.encoding),
                "operands": quoted([slots.name(each) for each in row.operands]),
                "modifiers": quoted(lists.get(settings, "")),
                "type": quoted(row.type),
                "suffix": quoted(row.suffix),
                "extended": quoted(row.extended),
                "extensions": quoted(row.extensions),
                "in_parts": quoted(lists.get(parts, "")),
                "fill": table(row.fill),
                "flow": quoted(row.flow),
                "meaning": quoted(row.meaning),
                "packed": "true" if row.packed else "",
                "writes": quoted(list(row.writes)),
            }
        )
    made = f"made by tools/derive_rows.py {architecture} {target} with LLVM 22.1.8"
    for name, rows in lines.items():
        head = f"# {folder.name.upper()}: {TITLES[name]}; {made}."
        text = [head, "", "instruction = [", *(aligned(rows, SOURCE)), "]", ""]
        (folder / f"{name}.toml").write_text("\n".join(text))
    operands = [
        {"name": quoted(name)} | {key: quoted(value) for key, value in slot.items()}
        for name, slot in sorted(slots.by_name.items())
    ]
    shapes = [{"name": quoted(n), "modifiers": quoted(list(s))} for s, n in sorted(lists.items())]
    title = "operands and lists of modifiers of ordinary instructions"
    head = f"# {folder.name.upper()}: {title}; {made}."
    text = [head, "", "modifiers = [", *aligned(shapes), "]", ""]
    text += ["operand = [", *aligned(operands), "]", ""]
    (folder / "operands.toml").write_text("\n".join(text))


def quoted(value: object) -> str:
    """Write a value as TOML does."""
    return json.dumps(value)


def table(values: dict[str, int]) -> str:
    """Write an inline table; "" if it is empty."""
    inner = ", ".join(f"{name} = 0x{value:x}" for name, value in values.items())
    return f"{{ {inner} }}" if inner else ""


def aligned(rows: list[dict[str, str]], tail: str = "") -> Iterable[str]:
    """Write rows one a line, leaving out what is empty; columns that all have stand aligned."""
    keys = list(dict.fromkeys(key for row in rows for key in row))
    widths = {key: max(len(row.get(key, "")) for row in rows) for key in keys}
    common = {key for key in keys if all(row.get(key, "") not in ("", '""', "[]") for row in rows)}
    for row in rows:
        parts = [
            f"{key} = {row[key]}," + " " * (widths[key] - len(row[key])) * (key in common)
            for key in keys
            if row.get(key, "") not in ("", '""', "[]") or key == "operands"
        ]
        text = " ".join([*parts, tail]) if tail else " ".join(parts).rstrip(" ").removesuffix(",")
        yield f"  {{ {text} }},"
