"""Rows of data/abi, said as abi.json says them."""

import re

from wavemma.tables.abi import abi, bit_fields
from wavemma.tables.targets import architectures

CDNA = ("cdna1", "cdna2", "cdna3", "cdna4")
GROUPS = {
    "all": tuple(architectures()),
    "gfx9": CDNA,
    "gfx908": ("cdna1",),
    "gfx90a": ("cdna2",),
    "gfx942": ("cdna3",),
    "gfx950": ("cdna4",),
    "gfx11": ("rdna3", "rdna3.5", "rdna4m"),
    "gfx1100..gfx1154": ("rdna3", "rdna3.5"),
    "gfx12": ("rdna4", "cdna5"),
    "gfx120x": ("rdna4",),
    "gfx125x": ("cdna5",),
}


def in_groups(text):
    return {name for part in text.split(", ") for name in GROUPS[part]}


def span_of(text):
    ends = [int(end) for end in str(text).split(":")]
    return min(ends), max(ends)


def bits_of(word):
    """Give (name, lo, hi, architectures) of every field of a word."""
    everywhere = set(architectures())
    return [
        (row.name, row.lo, row.hi, set(row.architectures) or everywhere)
        for row in abi().bits
        if row.word == word
    ]


def spans_of(word, architecture):
    return {(row.lo, row.hi) for row in bit_fields(word, architecture).values()}


def numbers_of(set_name):
    return {row.name: row.value for row in abi().numbers if row.set == set_name}


def words_of(set_name):
    return [row.name for row in abi().words if row.set == set_name]


def members_of(struct):
    return [(row.name, row.offset, row.size) for row in abi().members if row.struct == struct]


def source_codes_of_facts(part):
    """Architecture, code and name of everything that the facts list as a source."""
    for codes, text in part.items():
        for name, where in re.findall(r"(\w+)(?: \(([^)]*)\))?", text) if codes != "grade" else ():
            for architecture in in_groups(where or "all"):
                yield from ((architecture, int(code), name.upper()) for code in codes.split(","))
