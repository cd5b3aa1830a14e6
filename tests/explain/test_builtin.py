"""Everything that `show` says of a builtin, against the facts."""

import itertools
import json

import pytest

from tests.facts import facts_json
from wavemma.errors import UnknownBuiltin
from wavemma.explain.builtin import explain_builtin
from wavemma.render.structure import as_json

# The facts write vectors as <element>x<count>; these are the names that our declarations give.
ELEMENTS = {
    "float": "float",
    "double": "double",
    "_Float16": "half",
    "__fp16": "half",
    "__bf16": "bfloat",
    "int": "i32",
    "short": "i16",
    "long": "i64",
}


def _named(text):
    element, _, count = text.partition("x")
    return f"{ELEMENTS[element]}x{count}" if count else text


def _facts():
    """Each builtin once: its fact, and the (architecture, instruction) pairs that it becomes."""
    found = {}
    for row in facts_json("instructions")["instructions"]:
        for fact in row["builtins"]:
            found.setdefault(fact["name"], (fact, []))[1].append(row)
    return found


@pytest.fixture(scope="module")
def shown():
    documents = {name: json.loads(as_json(explain_builtin(name))) for name in _facts()}
    assert len(documents) == 179
    return documents


@pytest.mark.facts
def test_prototype_and_parameters(shown):
    for name, (fact, _) in _facts().items():
        mine = shown[name]
        assert mine["answer"] == "BuiltinFacts"
        assert mine["name"] == name
        assert mine["returns"] == _named(fact["returns"])
        given = [(each["role"], each["type"], each["constant"]) for each in mine["parameters"]]
        want = [(each["role"], _named(each["type"]), each["const"]) for each in fact["args"]]
        assert given == want
        assert all(each["meaning"] for each in mine["parameters"])
        types = {each["name"]: f"{each['element']}x{each['elements']}" for each in mine["types"]}
        for text in (fact["returns"], *(each["type"] for each in fact["args"])):
            if "x" in text.lstrip("_"):
                assert types[_named(text)] == text
        assert mine["prototype"].count(",") == max(len(want) - 1, 0)
        assert f" {name}(" in mine["prototype"]
        for each in mine["types"]:
            assert each["declaration"] == (
                f"using {each['name']} = {each['element']}"
                f" [[clang::ext_vector_type({each['elements']})]];"
            )


@pytest.mark.facts
def test_availability(shown):
    for name, (fact, rows) in _facts().items():
        mine = shown[name]
        targets = {target for row in rows for target in row["targets"]}
        assert set(mine["targets"]) == targets
        # RDNA4m, which only newer compilers know, goes by the newer names from the start.
        old = [f for row in rows for f in row["builtins"] if f["name"] == name]
        old = [f for row, f in zip(rows, old, strict=True) if row["arch"] != "rdna4m"] or old
        assert mine["features"] == old[0]["features"]
        assert mine["features_newer"] == old[0].get("features_newer_llvm", [])
        assert mine["wave"] == fact.get("wave", 0)
        assert mine["intrinsic"] == fact["llvm_intrinsic"]["name"]
        pairs = {(row["arch"], row["mnemonic"]) for row in rows}
        assert {(each["architecture"], each["instruction"]) for each in mine["forms"]} == pairs
        assert len(mine["compile"]) == len(targets)
        for line, target in zip(mine["compile"], mine["targets"], strict=True):
            assert f"--offload-arch={target} " in line
            needs = fact.get("wave") == 64 and target.startswith(("gfx11", "gfx12"))
            assert ("-mwavefrontsize64" in line) == needs
        for target in targets:
            assert f"defined(__{target}__)" in mine["guard"]
        assert mine["guard"].count("defined(") == len(targets)


@pytest.mark.facts
def test_registers_and_cycles(shown):
    for name, (fact, rows) in _facts().items():
        for row, form in itertools.product(rows, shown[name]["forms"]):
            if (row["arch"], row["mnemonic"]) != (form["architecture"], form["instruction"]):
                continue
            assert form["wave"] == fact.get("wave", row["wave_sizes"][0])
            for layout in form["layouts"]:
                if layout["role"] in ("b", "c") and isinstance(row["types"]["B"], str):
                    want = row["vgprs"][str(form["wave"])][layout["role"].upper()]
                    assert layout["registers"] == want
            assert {each["ops"] for each in form["speeds"]} == {row["ops"]}
            cycles = row["timing"].get("cycles")
            if isinstance(cycles, int):
                assert {each["cycles"] for each in form["speeds"]} == {cycles}


@pytest.mark.facts
def test_row_tables_are_those_of_the_layouts(shown):
    """Twin: the bits of the fact layouts say where each row lies."""
    layouts = {}
    for fact in facts_json("layouts")["layouts"]:
        for instruction in fact["instructions"]:
            key = (fact["arch"], instruction, fact["wave"], fact["operand"].lower())
            if fact["element_bits"] > layouts.get(key, fact)["element_bits"] or key not in layouts:
                layouts[key] = fact
    checked = 0
    for document in shown.values():
        for form in document["forms"]:
            for table in form["tables"]:
                key = (form["architecture"], form["instruction"], form["wave"], table["role"])
                if key in layouts:
                    want = _rows(layouts[key], "j" if table["role"] == "b" else "i")
                    assert {
                        (each["block"], each["number"]): (
                            set(each["lanes"]),
                            set(each["registers"]),
                        )
                        for each in table["rows"]
                    } == want, key
                    checked += 1
    assert checked > 400


def _rows(fact, outer):
    lanes, slots = fact["lane_bits"], fact["slot_bits"]
    found = {}
    for lane, slot in itertools.product(range(1 << len(lanes)), range(1 << len(slots))):
        index = {"b": 0, outer: 0}
        for number, bits in ((lane, lanes), (slot, slots)):
            for place, bit in enumerate(bits):
                index[bit[0]] = index.get(bit[0], 0) | (number >> place & 1) << int(bit[1:] or 0)
        first = slot * fact["stride_bits"]
        entry = found.setdefault((index["b"], index[outer]), (set(), set()))
        entry[0].update(lane + copy for copy in fact["copies"])
        entry[1].update(range(first // 32, (first + fact["element_bits"] - 1) // 32 + 1))
    return found


def test_the_seed_document_s_tables():
    """The first seed prints these for the RDNA3 accumulator and A of 16-bit inputs."""
    form = explain_builtin("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32").forms[0]
    tables = {each.role: each for each in form.tables}
    for row in tables["d"].rows:
        assert row.registers == (row.number // 2,)
        assert row.lanes == tuple(range(16)) if row.number % 2 == 0 else tuple(range(16, 32))
    for row in (*tables["a"].rows, *tables["b"].rows):
        assert row.lanes == (row.number, row.number + 16)
        assert row.registers == tuple(range(8))
    packed = [
        (each.register, [value for ((_, value),) in each.elements]) for each in tables["a"].along
    ]
    assert packed == [(v, [2 * v, 2 * v + 1]) for v in range(8)]
    d = next(each for each in form.layouts if each.role == "d")
    for lane, v in itertools.product(range(32), range(8)):
        values = {name: eval(text, {"lane": lane, "v": v}) for name, text in d.element}
        assert values == {"i": 2 * v + lane // 16, "j": lane % 16}


def test_wave64_says_what_it_needs():
    """Case 35: the builtin for waves of 64 lanes in a default build."""
    answer = explain_builtin("__builtin_amdgcn_wmma_f32_16x16x16_f16_w64", "gfx1100")
    assert any("-mwavefrontsize64" in note for note in answer.notes)
    counts = {each.role: each.registers for each in answer.forms[0].layouts}
    assert counts == {"a": 8, "b": 8, "c": 4, "d": 4}


@pytest.mark.parametrize(
    ("name", "target", "instead"),
    [
        ("wmma_f32_16x16x16_f16_w32", "gfx1201", "wmma_f32_16x16x16_f16_w32_gfx12"),
        ("wmma_f32_16x16x16_f16_w32", "gfx1170", "wmma_f32_16x16x16_f16_w32_gfx12"),
        ("wmma_i32_16x16x16_iu8_w32", "gfx1201", "wmma_i32_16x16x16_iu8_w32_gfx12"),
        ("wmma_f32_16x16x16_f16_w32", "gfx1250", "wmma_f32_16x16x32_f16"),
    ],
)
def test_wrong_target_says_what_to_call(name, target, instead):
    """Cases 11, 13 and 17."""
    with pytest.raises(UnknownBuiltin, match=f"There: .*__builtin_amdgcn_{instead}[.,]"):
        explain_builtin(f"__builtin_amdgcn_{name}", target)


@pytest.mark.facts
def test_every_wrong_target_is_refused_with_who_has_it():
    targets = [
        t for a in facts_json("instructions")["architectures"].values() for t in a["targets"]
    ]
    refused = 0
    for name, (_, rows) in _facts().items():
        owners = {target for row in rows for target in row["targets"]}
        other = next(target for target in targets if target not in owners)
        with pytest.raises(UnknownBuiltin) as caught:
            explain_builtin(name, other)
        assert all(owner in str(caught.value) for owner in owners)
        refused += 1
    assert refused == 179


def test_nearest_names():
    with pytest.raises(UnknownBuiltin, match="Closest: __builtin_amdgcn_wmma_f32_16x16x16_f16_w32"):
        explain_builtin("__builtin_amdgcn_wmma_f32_16x16x16_f16_w33")
