"""Draws an instruction's modifiers and says where its operands lie: by the fact files, or by rows.

By the fact files nothing of the code under test is used but the meaning that it gives to the
values of modifier words, which is compared with theirs. By rows no fact file is needed.
"""

import functools
import random
from collections.abc import Iterable, Mapping
from typing import Any

from tests.execute.places import AXES, Places, places
from tests.execute.register_problem import Problem
from tests.execute.test_matrix import drawn_effects
from tests.facts import facts_json
from wavemma.execute import operands_of
from wavemma.isa.decoded import Decoded
from wavemma.isa.instruction import Instruction

OPERANDS = {
    "A": "a",
    "B": "b",
    "C": "c",
    "D": "d",
    "index": "index",
    "A scale": "scale_a",
    "B scale": "scale_b",
}
EFFECTS = {
    "broadcast: groups of 2^cbsz blocks of A all use the block that abid names": "broadcast_size",
    "block within the broadcast group": "broadcast_block",
    "lane swizzle of B": "swizzle_b",
    "which 8-bit part of the index register is used, when cbsz is 0": "index_part",
    "which 16-bit part of the index register is used, when cbsz is 0": "index_part",
    "which 32-bit part of the index register is used, when cbsz is 0": "index_part",
    "which part of the index register is used": "index_part",
    "saturate on overflow": "saturate",
    "absolute value of C": "absolute_c",
    "C is read from and D written to the high 16 bits of each register (the other half is"
    " preserved)": "high_half",
}
EFFECTS |= {f"negate {x}": f"negate_{x.lower()}" for x in "ABC"}
for _letter in "AB":
    EFFECTS |= {
        f"negate the {part} elements of {_letter} ({half} half of each register)":
            f"negate_{_letter.lower()}_{part}"
        for part, half in (("even", "low"), ("odd", "high"))
    }  # fmt: skip
    EFFECTS[f"{_letter} is signed"] = f"signed_{_letter.lower()}"
    EFFECTS[f"format of {_letter}"] = f"format_{_letter.lower()}"
    EFFECTS[f"which half of the lanes holds the {_letter} scales"] = f"scale_row_{_letter.lower()}"
    for _bit in range(2):
        name = f"bit {_bit} of the byte number of the {_letter} scale"
        EFFECTS[name] = f"scale_byte_{_letter.lower()}:{_bit}"
BY_WORD = {
    "matrix_a_fmt": "format_a",
    "matrix_b_fmt": "format_b",
    "matrix_a_scale_fmt": "scale_format_a",
    "matrix_b_scale_fmt": "scale_format_b",
}
SET_0 = "non-zero cbsz selects set 0"
# Which part of the index is used is not known where every bit is used already.
UNKNOWN = "undocumented"


@functools.cache
def facts_of(architecture: str, name: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The fact files' record of an instruction, and all its layouts."""
    (fact,) = (
        row
        for row in facts_json("instructions")["instructions"]
        if (row["arch"], row["mnemonic"]) == (architecture, name)
    )
    layouts = [
        layout
        for layout in facts_json("layouts")["layouts"]
        if layout["arch"] == architecture and name in layout["instructions"]
    ]
    return fact, layouts


def by_facts(instruction: Instruction, wave: Any, source: random.Random) -> Problem:
    """Draw modifiers that the fact files call legal, with the places that they give."""
    fact, layouts = facts_of(instruction.architecture, instruction.name)
    words, effects = drawn_words(fact, wave, source)
    understood = Decoded(instruction, wave, {}, words).effects
    assert {name: understood.get(name, 0) for name in effects} == effects
    formats = _fact_formats(fact, effects)
    assert formats == dict(operands_of(instruction, wave, effects).formats)
    where = {
        role: _fact_places(layout, role, sparse=fact["sparse"])
        for layout in layouts
        if layout["wave"] == wave
        for role in [OPERANDS[layout["operand"]]]
        if layout.get("format") in (None, formats.get(role, "").split("_")[0])
    }
    where.setdefault("c", where["d"])
    return _problem(instruction, wave, effects, formats, where, source)


def by_rows(instruction: Instruction, wave: Any, source: random.Random) -> Problem:
    """Draw modifiers within what the rows allow, with the layouts that are not moved."""
    effects = drawn_effects(instruction, wave, source)
    operands = operands_of(instruction, wave, effects)
    where = {}
    for role, fragment in operands.fragments.items():
        layout = fragment.layout
        where[role] = places(
            _axes(role, sparse=instruction.is_sparse),
            layout.lane_bits,
            layout.slot_bits,
            width=layout.element_bits,
            stride=layout.stride_bits,
            copies=layout.copies,
        )
    return _problem(instruction, wave, effects, operands.formats, where, source)


def _problem(
    instruction: Instruction,
    wave: Any,
    effects: Mapping[str, int],
    formats: Mapping[str, str],
    where: Mapping[str, Places],
    source: random.Random,
) -> Problem:
    sizes = {r: f.registers for r, f in operands_of(instruction, wave, effects).fragments.items()}
    keep = bool(source.getrandbits(1))
    return Problem(instruction, wave, effects, formats, where, sizes, keep)


def _axes(role: str, *, sparse: bool) -> str:
    return AXES["sparse_a" if sparse and role == "a" else role]


def _fact_places(layout: dict[str, Any], role: str, *, sparse: bool) -> Places:
    return places(
        _axes(role, sparse=sparse),
        _bits(layout["lane_bits"]),
        _bits(layout["slot_bits"]),
        width=layout["element_bits"],
        stride=layout["stride_bits"],
        copies=layout["copies"],
    )


def _bits(names: list[str]) -> Iterable[tuple[str, int]]:
    return [(name[0], int(name[1:] or 0)) for name in names]


def drawn_words(
    fact: dict[str, Any], wave: int, source: random.Random
) -> tuple[dict[str, int], dict[str, int]]:
    """Draw values by modifier word, and say what they do."""
    words: dict[str, int] = {}
    effects: dict[str, int] = {}
    every = fact.get("modifiers", {}) | fact.get("modifiers_by_wave", {}).get(str(wave), {})
    for word, modifier in every.items():
        words[word] = _value(word, modifier, words, source)
        for effect, value in _effects(word, modifier, words[word]):
            name, _, bit = effect.partition(":")
            effects[name] = effects.get(name, 0) | value << int(bit or 0)
    return words, effects


def _value(
    word: str, modifier: dict[str, Any], words: dict[str, int], source: random.Random
) -> int:
    if modifier["type"] == "flag":
        return source.getrandbits(1)
    if modifier["type"] == "mask":
        default = modifier.get("default", [0] * len(modifier["allowed"]))
        bits = [
            source.getrandbits(1) if may else usual
            for may, usual in zip(modifier["allowed"], default, strict=True)
        ]
        return sum(bit << n for n, bit in enumerate(bits))
    if modifier["legal"] == "0..2^cbsz-1":
        return source.randrange(1 << words["cbsz"])
    if modifier.get("note") == SET_0:
        return source.choice([0, 0, 0, 1, 2, 3])
    return 0 if modifier.get("meaning") == UNKNOWN else source.choice(modifier["legal"])


def _effects(word: str, modifier: dict[str, Any], value: int) -> Iterable[tuple[str, int]]:
    if modifier["type"] == "mask":
        meanings = enumerate(modifier["meaning"])
        return [(EFFECTS[told], value >> n & 1) for n, told in meanings if told]
    if modifier.get("note") == SET_0:
        return [("index_set_off", value)]
    if word in BY_WORD:
        return [(BY_WORD[word], value)]
    told = modifier.get("meaning")
    known = told and told != UNKNOWN and not told.startswith("hint")
    return [(EFFECTS[told], value)] if known else []


def _fact_formats(fact: dict[str, Any], effects: Mapping[str, int]) -> dict[str, str]:
    """The format of each role, with the kind of 8-bit float that the architecture has."""
    found = {}
    for role, name in fact["types"].items():
        role = role.lower()
        chosen = name if isinstance(name, str) else name[effects[f"format_{role}"]]
        kind = f"_{fact.get('fp8_variant', 'ocp')}" if chosen in ("fp8", "bf8") else ""
        found[role] = chosen + kind
    scales = ("e8m0", "e5m3", "e4m3")
    if fact.get("scaled"):
        found |= {f"scale_{x}": scales[effects.get(f"scale_format_{x}", 0)] for x in "ab"}
    return found
