"""A pair of lines for every rule of hazards.json, every way in which it can hold."""

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.facts import facts_json
from tests.hazards.fact_lines import (
    APART,
    OTHER,
    ROLES,
    Matrix,
    Place,
    category_of,
    class_of,
    matrices,
    registers,
)

WORDS = {"A": "a", "B": "b", "C": "c", "D": "d", "index": "index", "scale": "scale"}
MATRICES = ("XDL", "SGEMM", "DGEMM16", "DGEMM4", "WMMA", "SWMMAC")
RESULTS = ("d", "vdst", "exec")
WRITES = ("d", "write")
EXPORT = "exp"
WITH_CATEGORIES = ("gfx1250", "gfx1251")


class Pair(NamedTuple):
    """Producer and consumer of a rule, what it asks for, and what must come between."""

    rule: str
    target: str
    wave: int
    producer: str
    consumer: str
    need: int | None
    filler: str
    between: tuple[str, ...] = ()
    counted: int = 0
    """What the lines between count already."""

    def lines(self, has: int) -> list[str]:
        """Write the pair with so much between."""
        full = has - self.counted
        if self.filler == "s_nop":
            fill = [f"s_nop {min(16, full - at) - 1}" for at in range(0, full, 16)]
        else:
            fill = [self.filler] * full
        return [self.producer, *self.between, *fill, self.consumer]


class Side(NamedTuple):
    """A line, the registers of the operand that the rule is about, and the instruction."""

    line: str
    place: Place
    count: int
    matrix: Matrix | None = None


def rules() -> list[dict[str, Any]]:
    return facts_json("hazards")["rules"]


def pairs_of(rule: dict[str, Any], target: str, wave: int) -> Iterator[Pair]:
    """Yield every pair of one rule on one target."""
    filler = "s_nop" if "wait states" in rule["unit"] else "v_nop"
    words = _words(rule["producer_operand"]), _words(rule["consumer_operand"])
    for first, second in itertools.product(rule["producer"], rule["consumer"]):
        for produces, consumes in itertools.product(*words):
            if _dependence(produces, consumes) not in rule["hazard"].split():
                continue
            for side in _producers(first, produces, rule, target, wave):
                consumer = _consumer(second, consumes, rule, target, wave, side)
                if consumer is not None:
                    between, counted = _between(rule, target, wave)
                    need = _need(rule, side, target)
                    yield Pair(
                        rule["id"],
                        target,
                        wave,
                        side.line,
                        consumer,
                        need,
                        filler,
                        between,
                        counted,
                    )


def _words(text: str) -> list[str]:
    special = {
        "vdst (AGPR)": ["vdst"],
        "vdst (VGPR or AGPR)": ["vdst"],
        "vdst and sources": ["vdst", "source"],
        "C exact": ["c"],
        "C overlap": ["c"],
        "C of the same opcode": ["c"],
        "read; write of a source": ["read", "write"],
        "EXEC": ["exec"],
    }
    return special.get(text) or [WORDS.get(word, word) for word in text.split()]


def _dependence(produces: str, consumes: str) -> str:
    if produces == "issue":
        return "structural"
    if produces in RESULTS:
        return "WAW" if consumes in WRITES else "RAW"
    return "WAR" if consumes in WRITES else "none"


def _between(rule: dict[str, Any], target: str, wave: int) -> tuple[tuple[str, ...], int]:
    if "only if an f64 MFMA" in rule["unit"]:
        doubles = next(each for each in matrices(target) if class_of(each) == "DGEMM4")
        return (doubles.line(wave, OTHER),), 1
    if "after a v_accvgpr" in rule["unit"]:
        return ("v_accvgpr_read_b32 v245, a200",), 0
    return (), 0


def _need(rule: dict[str, Any], side: Side, target: str) -> int | None:
    wait = rule["wait"]
    if "any" in wait:
        return wait["any"]
    assert side.matrix
    if "by_passes" in wait:
        return wait["by_passes"][str(side.matrix.passes)]
    number = category_of(side.matrix, target)
    row = next(r for r in facts_json("hazards")["gfx1250_categories"] if r["category"] == number)
    return row["next_wmma_ab" if rule["id"] == "125x-wmma-ab" else "next_valu"]


def _producers(
    name: str, word: str, rule: dict[str, Any], target: str, wave: int
) -> Iterator[Side]:
    if name not in MATRICES:
        yield _ordinary_producer(name, word)
        return
    seen = set()
    for each in matrices(target):
        if class_of(each) != name or (word not in each.words() and word != "issue"):
            continue
        kind = each.passes if name in MATRICES[:4] else _category(each, target)
        if (kind, each.count("d", wave)) in seen:
            continue
        seen.add((kind, each.count("d", wave)))
        at = APART | (
            {"c": APART["d"]} if "vdst" in each.row["operands"] and _is_tied(each) else {}
        )
        place = at.get(word, ("", 0))
        operand = next((o for o in each.row["operands"].values() if word in _of(o)), None)
        agpr = operand is not None and operand["kinds"] == ["agpr"]
        count = 1 if word == "scale" else each.count(word, wave) if word != "issue" else 1
        yield Side(each.line(wave, at), ("a" if agpr else "v", place[1]), count, each)


def _category(each: Matrix, target: str) -> int | str:
    return category_of(each, target) if target in WITH_CATEGORIES else "all alike"


def _is_tied(each: Matrix) -> bool:
    return each.row["operands"]["vdst"]["role"] == "C and D"


def _of(operand: dict[str, Any]) -> tuple[str, ...]:
    return ROLES[operand["role"]]


def _ordinary_producer(name: str, word: str) -> Side:
    if word == "exec":
        return Side("v_cmpx_eq_u32_e64 vcc, v240, v241", ("v", 0), 1)
    lines = {
        "VALU": ("v_mov_b32_e32 v0, v240", "v"),
        "DOT": ("v_dot2_f32_f16 v0, v240, v241, v242", "v"),
        "ACC": ("v_accvgpr_write_b32 a0, v240", "a"),
        "ACC_WRITE": ("v_accvgpr_write_b32 a0, v240", "a"),
        "ACC_READ": ("v_accvgpr_read_b32 v0, a240", "v"),
        "TRANS": ("v_exp_f32_e32 v0, v240", "v"),
    }
    line, file = lines[name]
    if word == "source":
        return Side(line, ("v", 240), 1)
    return Side(line, (file, 0), 1)


def _consumer(
    name: str, word: str, rule: dict[str, Any], target: str, wave: int, side: Side
) -> str | None:
    if name in MATRICES:
        return _matrix_consumer(name, word, rule, target, wave, side)
    return _ordinary_consumer(name, word, rule, target, side)


def _matrix_consumer(
    name: str, word: str, rule: dict[str, Any], target: str, wave: int, side: Side
) -> str | None:
    exact = rule["consumer_operand"] == "C exact"
    partial = rule["consumer_operand"] == "C overlap"
    for each in matrices(target):
        if class_of(each) != name or (word not in each.words() and word != "exec"):
            continue
        if word == "exec":
            return each.line(wave, OTHER)
        operand = next(o for o in each.row["operands"].values() if word in _of(o))
        if side.place[0] not in [kind[0] for kind in operand["kinds"]]:
            continue
        count = each.count(word, wave)
        step = 2 if target not in ("gfx908",) and target.startswith(("gfx9", "gfx125")) else 1
        if exact and (count != side.count or (side.matrix and each.passes != side.matrix.passes)):
            continue
        shift = step if partial and count == side.count else 0
        if shift >= side.count:
            continue
        place = (side.place[0], side.place[1] + shift)
        at = OTHER | {word: place}
        if _is_tied(each) and word in ("c", "d"):
            at |= {"c": place, "d": place}
        return each.line(wave, at)
    return None


def _ordinary_consumer(
    name: str, word: str, rule: dict[str, Any], target: str, side: Side
) -> str | None:
    file, number = side.place
    x = registers(file, number, 1)
    width = "dword" if target.startswith("gfx9") else "b32"
    if name == "EXPORT":
        return f"{EXPORT} {x}"
    if file == "a" and name == "VALU":
        name = "ACC"
    other = "v_dot4_i32_i8" if rule["id"] != "dot-c-same" else "v_dot2_f32_f16"
    lines = {
        ("VALU", "read"): f"v_mov_b32_e32 v250, {x}",
        ("VALU", "write"): f"v_mov_b32_e32 {x}, v250",
        ("TRANS", "read"): f"v_exp_f32_e32 v250, {x}",
        ("TRANS", "write"): f"v_exp_f32_e32 {x}, v250",
        ("VOPD", "read"): f"v_dual_mov_b32 v250, {x} :: v_dual_mov_b32 v253, v252",
        ("VOPD", "write"): f"v_dual_mov_b32 v250, v251 :: v_dual_mov_b32 {x}, v252",
        ("MEM", "read"): f"global_store_{width} v[252:253], {x}, off",
        ("LOAD", "write"): f"global_load_{width} {x}, v[252:253], off",
        ("LOAD", "read"): None,
        ("MEM", "write"): None,
        ("ACC", "read"): f"v_accvgpr_read_b32 v250, {x}",
        ("ACC", "write"): f"v_accvgpr_write_b32 {x}, v250",
        ("ACC_READ", "source"): f"v_accvgpr_read_b32 v250, {x}",
        ("ACC_WRITE", "source"): f"v_accvgpr_write_b32 a250, {x}",
        ("ACC_WRITE", "exec"): "v_accvgpr_write_b32 a250, v251",
        ("FMA64", "issue"): "v_fma_f64 v[240:241], v[242:243], v[244:245], v[246:247]",
        ("DOT", "a"): f"{other} v250, {x}, v251, v252",
        ("DOT", "b"): f"{other} v250, v251, {x}, v252",
        ("DOT", "c"): f"{other} v250, v251, v252, {x}",
    }
    return lines[name, word]
