"""The fact files of layouts and instructions, and how to ask for the layout of each entry."""

import functools
from typing import Any, NamedTuple

from tests.facts import facts_json
from wavemma.layouts import Layout, Shape, layout

ROLES = {
    "A": "a",
    "B": "b",
    "C": "c",
    "D": "d",
    "index": "index",
    "A scale": "scale_a",
    "B scale": "scale_b",
}

# The pattern of each (architecture, kind); where two patterns occur, by the bits of A and k.
_FIXED = {
    "mfma": "mfma",
    "smfmac": "mfma",
    "rdna3": "wmma_replicated",
    "rdna3.5": "wmma_replicated",
    "rdna4": "wmma_chunks_64",
    "rdna4m": "wmma_chunks_64",
}
_CDNA5_CHUNKS_64 = {(8, 64, False), (8, 128, True)}
_SCALES = {"cdna4": "scale_lanes", "cdna5": "scale_bytes"}


class Entry(NamedTuple):
    """One (layout entry, instruction) pair of the facts with the layout we build for it."""

    fact: dict[str, Any]
    row: dict[str, Any]
    layout: Layout


def instruction_rows() -> list[dict[str, Any]]:
    """List the rows that have layouts."""
    return [row for row in facts_json("instructions")["instructions"] if "M" in row]


@functools.cache
def widths() -> dict[str, int]:
    return facts_json("instructions")["types"]


def first(value: Any) -> str:
    """Take the first of several formats."""
    return value[0] if isinstance(value, list) else value


def pattern_of(row: dict[str, Any]) -> str:
    """Name the pattern of an instruction row."""
    if row["types"]["D"] == "f64" and row["family"] == "mfma":
        return "mfma_f64"
    if row["arch"] == "cdna5":
        key = (widths()[first(row["types"]["A"])], row["K"], row["sparse"])
        several = isinstance(row["types"]["A"], list)
        return "wmma_chunks_64" if key in _CDNA5_CHUNKS_64 and not several else "wmma_chunks_128"
    return _FIXED.get(row["family"]) or _FIXED[row["arch"]]


def row_layout(row: dict[str, Any], role: str, bits: int, wave: int) -> Layout:
    """Build the layout of one operand of an instruction row."""
    is_scale = role.startswith("scale")
    return layout(
        _SCALES[row["arch"]] if is_scale else pattern_of(row),
        role,
        Shape(row["M"], row["N"], row["K"], row["blocks"]),
        bits,
        wave,
        sparse=row["sparse"],
        scale_block=row["scale"]["block_k"] if is_scale else 32,
    )


def element_bits(row: dict[str, Any], fact: dict[str, Any]) -> int:
    """Bits to ask for: those of A for the index, else those of the fact's format."""
    if fact["operand"] == "index":
        return widths()[row["types"]["A"]]
    return widths()[fact["format"]] if "format" in fact else fact["element_bits"]


@functools.cache
def entries() -> tuple[Entry, ...]:
    """Build the layout of every instruction that each entry of layouts.json lists."""
    rows = {(row["arch"], row["mnemonic"]): row for row in instruction_rows()}
    found = []
    for fact in facts_json("layouts")["layouts"]:
        for name in fact["instructions"]:
            row = rows[fact["arch"], name]
            bits = element_bits(row, fact)
            made = row_layout(row, ROLES[fact["operand"]], bits, fact["wave"])
            found.append(Entry(fact, row, made))
    return tuple(found)


def distinct() -> list[Entry]:
    """One entry for each entry of layouts.json."""
    seen = {id(entry.fact): entry for entry in reversed(entries())}
    return list(reversed(seen.values()))
