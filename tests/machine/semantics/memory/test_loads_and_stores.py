"""Loads and stores of every space and type against bytes that are copied one by one."""

import re
from functools import cache

import numpy as np
import pytest

from tests.machine.one_wave import FINE, Instructions
from tests.machine.semantics.memory.accesses import WAYS, Memory, offsets_of, tail
from tests.machine.semantics.memory.lines import FIRST, instructions, line, newer

PREFIXES = ("global", "flat", "scratch", "ds", "buffer")
TARGETS = {"gfx1100": "rdna3", "gfx1201": "rdna4", "gfx942": "cdna3"}
MASKS = (-1, 0x9BE4_37A1_0F0F_6D21, 1 << 5, 0)
PLAIN = re.compile(r"(?P<space>[a-z]+)_(?P<what>load|store)_(d16_)?(hi_)?[biu]\d+(_d16)?(_hi)?")


@cache
def lines_of(architecture: str) -> dict[str, str]:
    """Lines by mnemonic."""
    found = {each.row.name: each for each in instructions(architecture)}
    plain = {name: each for name, each in found.items() if PLAIN.fullmatch(newer(name))}
    return {
        name: line(each, tail(name.partition("_")[0]))
        for name, each in plain.items()
        if not name.startswith("s_")
    }


@cache
def machine(target: str, wave: int, on_arrays: bool) -> Instructions:
    lines = tuple(lines_of(TARGETS[target]).values())
    return Instructions(lines, target, wave, on_arrays=on_arrays)


def bytes_of(name: str) -> int:
    return int(re.search(r"[biu](\d+)", name.split("_", 1)[1].replace("d16", ""))[1]) // 8


def is_signed(name: str) -> bool:
    return re.search(r"_i\d", name) is not None


def loaded(name: str, data: bytes, old: int) -> list[int]:
    """Registers after a load, by the ISA's text."""
    if len(data) >= 4:
        return [int.from_bytes(data[n : n + 4], "little") for n in range(0, len(data), 4)]
    number = int.from_bytes(data, "little", signed=is_signed(name))
    if "d16_hi" in name:
        return [(number & 0xFFFF) << 16 | old & 0xFFFF]
    if "d16" in name:
        return [old & 0xFFFF0000 | number & 0xFFFF]
    return [number & 0xFFFFFFFF]


def cases() -> list[tuple[str, str]]:
    return [(t, name) for t, a in TARGETS.items() for name in lines_of(a)]


def test_all_are_there() -> None:
    assert len(lines_of("rdna3")) == len(lines_of("rdna4")) == 22 * 4 + 22
    assert {newer(name) for name in lines_of("cdna3")} == set(lines_of("rdna3"))


@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize(
    ("target", "wave"),
    [("gfx1100", 32), ("gfx1100", 64), ("gfx1201", 32), ("gfx1201", 64), ("gfx942", 64)],
)
@pytest.mark.parametrize("on_arrays", [False, True])
def test_bytes_go_where_they_belong(target: str, wave: int, prefix: str, on_arrays: bool) -> None:
    generator = np.random.default_rng(hash((wave, len(prefix))) & 0xFFFF)
    one = machine(target, wave, on_arrays)
    memory = Memory(one, prefix, generator)
    for name, text in lines_of(TARGETS[target]).items():
        if name.startswith(prefix + "_"):
            for way in ("together", "apart") if on_arrays else WAYS:
                for mask in MASKS[1:2] if on_arrays else MASKS:
                    check(one, memory, name, text, way, mask & (1 << wave) - 1, generator)


def check(
    one: Instructions,
    memory: Memory,
    name: str,
    text: str,
    way: str,
    mask: int,
    generator: np.random.Generator,
) -> None:
    name = newer(name)
    size = bytes_of(name)
    one.vectors[:] = generator.integers(0, 2**32, one.vectors.shape, dtype=np.uint32)
    offsets = offsets_of(way, generator, one.lanes, size, memory.prefix)
    memory.point(offsets)
    active = [lane for lane in range(one.lanes) if mask >> lane & 1]
    wanted = one.vectors.copy()
    before = [each.copy() for each in (memory.device, one.lds, one.scratch)]
    first = FIRST["d" if memory.prefix != "buffer" else "data"]
    for lane in active:
        if "load" in name:
            data = memory.read(lane, int(offsets[lane]), size)
            for n, word in enumerate(loaded(name, data, int(one.vectors[first, lane]))):
                wanted[first + n, lane] = word
        else:
            words = one.vectors[FIRST["data"] : FIRST["data"] + 4, lane].tobytes()
            start = 2 if "hi" in name else 0
            memory.write(lane, int(offsets[lane]), words[start : start + size])
    after = [each.copy() for each in (memory.device, one.lds, one.scratch)]
    for each, old in zip((memory.device, one.lds, one.scratch), before, strict=True):
        each[:] = old
    assert one.run(text, mask) == FINE, (name, way, hex(mask))
    assert np.array_equal(one.vectors, wanted), (name, way, hex(mask))
    for each, new in zip((memory.device, one.lds, one.scratch), after, strict=True):
        assert np.array_equal(each, new), (name, way, hex(mask))
