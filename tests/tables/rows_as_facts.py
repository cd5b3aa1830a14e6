"""Write the package's rows in the shape of the fact file, by the test's own reading of the rows."""

import re
from typing import Any

from wavemma.tables.builtins import BuiltinRow, builtins
from wavemma.tables.instructions import (
    ArchitectureRows,
    FieldRow,
    InstructionRow,
    ModifierRow,
    ScaleLoadRow,
)
from wavemma.tables.targets import architectures, targets_of

ORACLES = {
    "llvm22": "llvm22",
    "llvm24": "llvm24",
    "amd_xml_index_opcode": "amd_xml_index",
    "calculator_opcode": "calculator",
    "amd_xml_index_name": "amd_xml_index_name",
}
OPERANDS = {"VDST": "vdst", "SRC0": "src0", "SRC1": "src1", "SRC2": "src2"}
# The fact file's words for a source that rows cite by key.
SOURCES = {"cdna4-as-cdna3": "assumed as on CDNA3 (document-only)"}
ROLES = {
    "a": "A",
    "b": "B",
    "c": "C",
    "d": "D",
    "cd": "C and D",
    "index": "sparse index",
    "scale_a": "A scale",
    "scale_b": "B scale",
}
C_TO_IR = {
    "float": "float",
    "double": "double",
    "_Float16": "half",
    "__fp16": "half",
    "__bf16": "bfloat",
    "int": "i32",
    "short": "i16",
    "long": "i64",
    "bool": "i1",
}


def bare(name: str) -> str:
    """The ISA's word for a format: fp8_fnuz and fp8_ocp are both fp8 to it."""
    return name.removesuffix("_fnuz").removesuffix("_ocp")


def fields_of(table: ArchitectureRows, encoding: str) -> dict[str, FieldRow]:
    """Every field of an encoding; the second half of a pair lies 64 bits up."""
    row = next(row for row in table.encodings if row.name == encoding)
    if not row.halves:
        return {f.name: f for f in table.fields if f.encoding == encoding}
    first, second = (fields_of(table, half) for half in row.halves)
    moved = {
        name: FieldRow(encoding, f.name, f.lo + 64, f.hi + 64, f.use, f.value)
        for name, f in second.items()
    }
    assert not set(first) & set(moved)
    return first | moved


def bits_of(fields: dict[str, FieldRow], reference: str) -> list[int]:
    """The bit numbers that a reference such as NEG[2] or OPSEL_HI means, low first."""
    name, index = re.fullmatch(r"(\w+)(?:\[(\d)\])?", reference).groups()  # type: ignore[union-attr]
    field = fields[name]
    if index is None:
        return list(range(field.lo, field.hi + 1))
    assert field.lo + int(index) <= field.hi
    return [field.lo + int(index)]


def modifier_fact(row: ModifierRow, fields: dict[str, FieldRow]) -> dict[str, Any]:
    fact: dict[str, Any] = {"type": row.kind}
    if row.kind == "mask":
        fact["bits"] = [bits_of(fields, ref)[0] if ref else None for ref in row.fields]
        fact["allowed"] = list(row.allowed)
        fact["meaning"] = [text or None for text in row.meaning]
    else:
        fact["bits"] = [bit for ref in row.fields for bit in bits_of(fields, ref)]
        if row.meaning:
            fact["meaning"] = row.meaning[0]
    lists = {"legal": row.legal, "default": row.default, "assembler_accepts": row.accepts}
    lists["assembler_names"] = row.assembler_names
    fact |= {key: list(value) for key, value in lists.items() if value}
    if row.below_broadcast:
        fact["legal"] = "0..2^cbsz-1"
    if row.values:
        fact["values"] = {str(code): value for code, value in enumerate(row.values)}
    if row.note:
        fact["note"] = row.note
    if row.legal_source:
        fact["legal_source"] = SOURCES[row.legal_source]
    return fact


def operands_fact(
    table: ArchitectureRows, row: InstructionRow | ScaleLoadRow
) -> dict[str, dict[str, Any]]:
    fact: dict[str, dict[str, Any]] = {}
    for operand in table.operands:
        if operand.operands != row.operands:
            continue
        scaled = operand.field.startswith("SCALE_")
        name = OPERANDS[operand.field.removeprefix("SCALE_")]
        if scaled and isinstance(row, InstructionRow):
            name = f"scale_{name}"
        entry: dict[str, Any] = {"role": ROLES[operand.role], "kinds": list(operand.kinds)}
        if operand.inv_2pi is not None:
            entry["inline"] = inline_fact(table, operand.inv_2pi)
        if operand.registers:
            entry["registers"] = operand.registers
        fact[name] = entry
    return fact


def inline_fact(table: ArchitectureRows, inv_2pi: bool) -> dict[str, Any]:
    integers = [
        s.first + i * s.step
        for s in table.source_codes
        if s.kind == "inline_integer"
        for i in range(s.count)
    ]
    floats = [s.text for s in table.source_codes if s.kind == "inline_float"]
    assert floats[-1].startswith("0.159")
    return {
        "integers": [min(integers), max(integers)],
        "floats": floats[:-1],
        "inv_2pi": inv_2pi,
    }


def template(table: ArchitectureRows, row: InstructionRow | ScaleLoadRow) -> int:
    """The word with register fields zero and modifiers at their default."""
    fields = fields_of(table, row.encoding)
    encoding = next(e for e in table.encodings if e.name == row.encoding)
    form = next(form for form in table.forms if form.name == row.form)
    values = {name: field.value for name, field in fields.items() if field.value is not None}
    values[encoding.opcode] = row.opcode
    if isinstance(row, InstructionRow) and row.scale_opcode is not None:
        values["SCALE_OP"] = row.scale_opcode
    values |= form.set
    word = 0
    for name, value in values.items():
        assert value < 1 << (fields[name].hi - fields[name].lo + 1)
        word |= value << fields[name].lo
    return word


def builtin_fact(row: BuiltinRow, arch: str, scaled: bool) -> dict[str, Any]:
    late = {t for t in targets_of(arch)} <= {f"gfx117{n}" for n in range(3)}
    args = [
        {"type": ctype.removeprefix("const "), "const": ctype.startswith("const "), "role": role}
        | ({"variadic": True} if role.endswith("(optional)") else {})
        for ctype, role in row.args
    ]
    prototype = ["..." if role.endswith("(optional)") else ctype for ctype, role in row.args]
    fact: dict[str, Any] = {
        "name": row.name,
        "returns": row.returns,
        "args": args,
        "prototype": f"{row.returns} {row.name}({', '.join(prototype)})",
        "features": list(row.features_newer if late else row.features),
        "llvm_intrinsic": {
            "name": row.intrinsic,
            "returns": ir_type(row.returns),
            "args": [ir_type(ctype) for ctype, _ in row.args] + list(row.intrinsic_extra),
        },
    }
    if row.features_newer and not late:
        fact["features_newer_llvm"] = list(row.features_newer)
    if late:
        fact["note"] = "checked through the intrinsic with LLVM 24; LLVM 22 has no gfx1170"
        fact["features_source"] = "LLVM main"
    texts = ("condition", "since", "newer_llvm", "newer_llvm_types", "newer_llvm_intrinsic")
    fact |= {key: getattr(row, key) for key in texts if getattr(row, key)}
    if scaled:  # The condition tells when the compiler picks the unscaled instruction instead.
        fact.pop("condition", None)
    if row.wave:
        fact["wave"] = row.wave
    return fact


def ir_type(ctype: str) -> str:
    bare_type = ctype.removeprefix("const ")
    name, _, lanes = bare_type.partition("x")
    scalar = C_TO_IR[name]
    text = f"<{lanes} x {scalar}>" if lanes else scalar
    return text + (" immarg" if ctype.startswith("const ") else "")


def instruction_fact(table: ArchitectureRows, row: InstructionRow | ScaleLoadRow) -> dict[str, Any]:
    """Everything of a record that is not a register count (layouts) or a time (throughput)."""
    arch = table.name
    fields = fields_of(table, row.encoding)
    form = next(form for form in table.forms if form.name == row.form)
    modifiers = {m.name: m for m in table.modifiers}
    encoding = next(e for e in table.encodings if e.name == row.encoding)
    facts: dict[str, Any] = {
        "arch": arch,
        "mnemonic": row.name,
        "wave_sizes": sorted(architectures()[arch].waves),
        "encoding": row.encoding,
        "size_bytes": encoding.size_bytes,
        "template": f"0x{template(table, row):0{encoding.size_bytes * 2}x}",
        "operands": operands_fact(table, row),
        "modifiers": {
            modifiers[name].word: modifier_fact(modifiers[name], fields) for name in form.modifiers
        },
        "verified": verified_fact(table, row),
        "builtins": [
            builtin_fact(b, arch, bool(getattr(row, "scale_block", 0)))
            for b in builtins().values()
            if f"{arch}:{row.name}" in b.instructions
        ],
    }
    if form.wave32 or form.wave64:
        facts["modifiers_by_wave"] = {
            wave: {modifiers[n].word: modifier_fact(modifiers[n], fields) for n in names}
            for wave, names in (("32", form.wave32), ("64", form.wave64))
        }
    return facts | (
        matrix_fact(arch, row) if isinstance(row, InstructionRow) else load_fact(arch, row)
    )


def load_fact(arch: str, row: ScaleLoadRow) -> dict[str, Any]:
    return {
        "opcode": row.opcode,
        "sparse": False,
        "aliases": [],
        "targets": list(targets_of(arch)),
        "kind": "scale load (no matrix result)",
    }


def matrix_fact(arch: str, row: InstructionRow) -> dict[str, Any]:
    m, n, k = row.shape
    types = {
        role: bare(value) if isinstance(value, str) else [bare(v) for v in value]
        for role, value in zip("ABCD", (row.a, row.b, row.c, row.d), strict=True)
    }
    fact: dict[str, Any] = {
        "family": row.kind,
        "sparse": row.kind in ("smfmac", "swmmac"),
        "aliases": list(row.aliases),
        "targets": list(row.targets or targets_of(arch)),
        "M": m,
        "N": n,
        "K": k,
        "blocks": row.blocks,
        "types": types,
        "ops": 2 * m * n * k * row.blocks,
    }
    variants = {
        name.rpartition("_")[2]
        for value in (row.a, row.b)
        for name in ([value] if isinstance(value, str) else value)
        if bare(name) in ("fp8", "bf8")
    }
    if variants:
        (fact["fp8_variant"],) = variants
    if row.scale_opcode is None:
        fact["opcode"] = row.opcode
    else:
        fact["opcode"] = row.scale_opcode
        fact |= {"opcode_second_half": row.opcode, "opcode_scale_half": row.scale_opcode}
        fact |= {"scaled": True, "unscaled_mnemonic": row.unscaled}
    if row.result_registers:
        fact["result_registers_written"] = row.result_registers
    return fact


def verified_fact(table: ArchitectureRows, row: InstructionRow | ScaleLoadRow) -> dict[str, bool]:
    fact = {key: True for key, name in ORACLES.items() if name in row.verified}
    conflicts = row.conflict if isinstance(row, InstructionRow) else ()
    return fact | dict.fromkeys(
        ("calculator_opcode" for c in conflicts if c.source == "calculator"), False
    )
