"""data/abi against abi.json: what a wave starts with, structures, registers, buffers, CDNA5."""

import re

import pytest

from tests.facts import facts_json
from tests.tables.abi_as_facts import (
    CDNA,
    GROUPS,
    bits_of,
    in_groups,
    members_of,
    numbers_of,
    source_codes_of_facts,
    span_of,
    spans_of,
    words_of,
)
from wavemma.tables.abi import abi, bit_fields, limit, numbers
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.targets import architectures, targets


@pytest.fixture(scope="module")
def facts():
    return facts_json("abi")


@pytest.mark.facts
def test_sgpr_order(facts):
    part = facts["initial"]
    ours = [row for row in abi().sgprs if row.kind == "user"]
    assert [row.position for row in abi().sgprs] == [*range(len(ours)), *range(5)]
    assert [row.name for row in ours] == [text.split(" (")[0] for text in part["user_sgpr_order"]]
    given = {row.name: row.sgprs for row in abi().bits if row.word == "properties"}
    for row, text in zip(ours, part["user_sgpr_order"], strict=True):
        if row.enable:
            assert f"({given[row.enable]})" in text
    assert [row.name for row in abi().sgprs if row.kind == "system"] == [
        text.split(" (")[0] for text in part["system_sgpr_order"]
    ]
    assert part["max_user_sgprs"] == {"gfx125x": 32, "others": 16}
    for name in architectures():
        wave = architectures()[name].waves[0]
        assert limit("user_sgprs_max", name, wave) == (32 if name in GROUPS["gfx125x"] else 16)
    (padding,) = abi().paddings
    assert list(padding.targets) == part["padding"]["targets"]
    assert part["padding"]["mode"] == f"wave{padding.wave} only"
    assert f"= {padding.fill_to};" in part["padding"]["rule"]


@pytest.mark.facts
def test_trap_temporaries(facts):
    part = facts["initial"]
    wanted = set()
    for names, fields in part["ttmp"].items():
        for text in fields if names != "grade" else ():
            register, *spans = re.findall(r"TTMP\d+|\d+:\d+|(?<=\[)\d+(?=\])", text)
            for span in spans:
                wanted |= {(register, *span_of(span), name) for name in in_groups(names)}
    wanted |= {("TTMP9", 0, 31, name) for name in GROUPS["gfx12"]}
    wanted |= {("TTMP7", lo, lo + 15, name) for lo in (0, 16) for name in GROUPS["gfx12"]}
    ours = {
        (row.word, row.lo, row.hi, name)
        for row in abi().bits
        if row.word.startswith("TTMP")
        for name in row.architectures
    }
    assert ours == wanted
    assert "TTMP9 = x, TTMP7[15:0] = y, TTMP7[31:16] = z" in part["workgroup_id"].values()


@pytest.mark.facts
def test_workitem_and_workgroup_words(facts):
    part = facts["initial"]
    spans = re.findall(r"([xyz]) \[(\d+:\d+)\]", part["workitem_id"]["others"])
    ours = {name[-1].lower(): (lo, hi) for name, lo, hi, _ in bits_of("workitem_id")}
    assert ours == {axis: span_of(span) for axis, span in spans}
    packed = set(architectures()) - {"cdna1"}
    assert all(where == packed for *_, where in bits_of("workitem_id"))
    assert {(lo, hi) for _, lo, hi, _ in bits_of("workgroup_info")} == {(31, 31), (6, 16), (0, 5)}
    assert set(part["workgroup_info"]) == {"bit31", "[16:6]", "[5:0]", "grade"}


def _source_codes_of_ours():
    """A pair of codes is one name in the facts, but for the base of CDNA5."""
    for architecture in architectures():
        for name, value in numbers("source_code", architecture).items():
            pair = not name.startswith("FLAT_SCRATCH_BASE")
            yield architecture, value, re.sub("_(LO|HI)$", "", name) if pair else name


@pytest.mark.facts
def test_source_codes(facts):
    wanted = set(source_codes_of_facts(facts["scratch"]["source_operand_codes"]))
    ours = set(_source_codes_of_ours())
    # The facts leave out the masks; the assembler's text has them.
    assembler = {code.text: code.code for code in architecture_rows("cdna5").source_codes}
    masks = {(assembler["vcc_lo"], "VCC"), (assembler["exec_lo"], "EXEC")}
    assert ours == wanted | {(key, *mask) for key in architectures() for mask in masks}


@pytest.mark.facts
def test_apertures(facts):
    part = facts["scratch"]
    for name, key in (("rdna3", "apertures_gfx9_to_gfx120x"), ("cdna5", "apertures_gfx125x")):
        apertures = numbers("aperture", name)
        assert apertures["SHARED_BASE"] == int(part[key]["shared"], 16)
        assert apertures["PRIVATE_BASE"] == int(part[key]["private"].split()[0], 16)
    assert (
        f"{numbers('aperture', 'cdna1')['NULL_LOCAL']:#x}"
        in (part["apertures_gfx9_to_gfx120x"]["null"])
    )
    assert numbers("aperture", "cdna1")["SIZE"] == part["apertures_gfx9_to_gfx120x"]["size"]
    assert numbers("aperture", "cdna5")["PRIVATE_SIZE"] == 2**57
    assert "size 2^57" in part["apertures_gfx125x"]["private"]
    registers = part["registers"]
    roles = {row.name: row.meaning for row in abi().words if row.set == "register_role"}
    assert registers["sp"].startswith(roles["stack_pointer"])
    assert roles["frame_pointer"] == registers["fp"]
    assert roles["return_address"] == registers["return"]


@pytest.mark.facts
def test_structures(facts):
    checked = 0
    for name, fact in facts["structs"].items():
        if name == "field_tuple":
            continue
        row = next(row for row in abi().structs if row.name == name)
        assert row.size == fact.get("size")
        fields = fact.get("fields", fact.get("header"))
        wanted = [(field.replace(" ", "_"), offset, size) for field, offset, size, _ in fields]
        assert members_of(name) == wanted
        checked += len(wanted)
    packet = facts["structs"]["hostcall_buffer"]["packet_header"]
    assert members_of("hostcall_packet_header") == [tuple(field[:3]) for field in packet]
    assert checked == 58
    services = facts["structs"]["hostcall_buffer"]["services"]
    assert sorted(map(str, numbers_of("hostcall_service").values())) == sorted(services)
    header = facts["structs"]["dispatch_packet"]["fields"][0][3]
    for name, lo, hi, _ in bits_of("dispatch_header"):
        assert f"{name.lower()} " + (f"[{hi}:{lo}]" if hi > lo else f"{lo}") in header


@pytest.mark.facts
def test_hardware_registers(facts):
    part = facts["hwreg"]
    ids = part["ids"]
    old, new, rdna4 = ids["gfx908, gfx90a"], ids["gfx942, gfx950 add"], ids["gfx120x"]
    wanted = {
        **dict.fromkeys(GROUPS["gfx11"], ids["gfx11"]),
        "cdna1": old,
        "cdna2": old,
        "cdna3": {**old, **new},
        "cdna4": {**old, **new},
        "rdna4": rdna4,
        "cdna5": {**rdna4, **ids["gfx125x add"]},
    }
    assert {name: numbers("hwreg_id", name) for name in architectures()} == wanted
    encoding = ", ".join(f"{name.lower()} [{hi}:{lo}]" for name, lo, hi, _ in bits_of("hwreg"))
    assert part["encoding"].replace("size-1", "size") == encoding


@pytest.mark.facts
def test_fields_of_hardware_registers(facts):
    part = facts["hwreg"]["fields"]
    mode = {span_of(span) for span in part["MODE"]} - {(0, 3), (4, 7)}
    mode |= {(0, 1), (2, 3), (4, 5), (6, 7)}  # the facts tell each of these pairs in one line
    assert {(lo, hi) for _, lo, hi, _ in bits_of("MODE")} == mode
    for text, fields in part.items():
        if text == "MODE":
            continue
        word, _, where = text.rstrip(")").partition(" (")
        held = in_groups(where or "gfx11, gfx12")
        assert all(places == held for *_, places in bits_of(word)), text
        ours = {(name.lower().replace("_", " "), lo, hi) for name, lo, hi, _ in bits_of(word)}
        if word == "IB_STS2":
            assert {span[1:] for span in ours} == {span_of(span) for span in fields}
        else:
            assert ours == {(name, *span_of(span)) for span, name in fields.items()}


@pytest.mark.facts
def test_messages_traps_barriers_and_no_operations(facts):
    part = facts["special"]
    newer = {*GROUPS["gfx11"], *GROUPS["gfx12"]}
    where = {"gfx11+": newer, "gfx125x": {"cdna5"}, None: set(architectures())}
    wanted = set()
    for code, text in part["sendmsg"].items():
        if code in ("grade", "seen"):
            continue
        name, group = re.fullmatch(r"(\w+)(?: \((.*)\))?", text).groups()
        places = set(CDNA) if code.startswith("gfx9 ") else where[group]
        wanted |= {(place, name, int(code.split()[-1])) for place in places}
    ours = {(p, n, v) for p in architectures() for n, v in numbers("message", p).items()}
    assert ours == wanted
    assert set(map(str, numbers_of("trap").values())) == {
        key for key in part["trap"] if key.isdigit()
    }
    barriers = set(numbers_of("barrier").values())
    assert barriers == {-4, -3, -2, -1, 0, 1, 16}
    assert set(part["barriers"]["ids"]) == {"-4", "-3", "-2", "-1", "0", "1..16"}
    waits = numbers_of("barrier_wait").items()
    ours = {f"{value:#x}": numbers_of("barrier")[name] for name, value in waits}
    assert ours == part["barriers"]["wait_imm"]
    names = [text.split(" (")[0] for text in part["no_ops"]["list"]]
    assert words_of("no_op") == names


@pytest.mark.facts
def test_buffer_resources(facts):
    part = facts["buffer"]
    where = {"gfx9": CDNA, "gfx11_gfx120x": (*GROUPS["gfx11"], "rdna4"), "gfx125x": ("cdna5",)}
    for key, names in where.items():
        wanted = {
            (field.upper(), *span_of(text.split()[0]))
            for field, text in part[key].items()
            if field != "grade"
        }
        for name in names:
            ours = {(row.name, row.lo, row.hi) for row in bit_fields("resource", name).values()}
            assert ours == wanted
            assert max(hi for _, _, hi in ours) == 127


@pytest.mark.facts
def test_limits(facts):
    part = facts["limits"]
    for row in targets().values():
        name, wave = row.architecture, row.default_wave
        group = "gfx950" if name == "cdna4" else "gfx125x" if name == "cdna5" else "default"
        assert limit("lds_max", name, wave) == part["lds_max"][group]
        assert limit("lds_max", name, wave) == row.lds_kib_per_workgroup * 1024
        granules = part["lds_granule"]
        granule = granules.get(group, granules["gfx9, gfx11, gfx120x"])
        assert limit("lds_granule", name, wave) == granule
        waves = {
            place: most
            for text, most in part["waves_per_simd"].items()
            for place in in_groups(text)
        }
        assert row.max_waves == waves[name]
    assert limit("workgroup_max", "rdna3", 32) == part["workgroup_max"]
    assert limit("named_barriers_max", "cdna5", 32) == part["named_barriers_max"]
    assert limit("cluster_workgroups_max", "cdna5", 32) == part["cluster_workgroups_max"]
    assert part["kernarg_max_seen"] == limit("kernarg_max_seen", "rdna4", 32)


@pytest.mark.facts
def test_high_bits_of_registers(facts):
    part = facts["gfx1250"]["s_set_vgpr_msb"]
    spans = {(lo, hi) for _, lo, hi, _ in bits_of("s_set_vgpr_msb")}
    assert spans == {span_of(span) for span in part["imm"]}
    low = {
        name.lower(): (lo, hi)
        for name, lo, hi, _ in bits_of("s_set_vgpr_msb")
        if name != "PREVIOUS"
    }
    assert low == {name: span_of(span) for span, name in part["imm"].items() if len(name) < 5}
    named = [word for text in part["operand_map"] for word in text.split()]
    ours = [row.encoding for row in abi().high_bits]
    assert ours == [*named[: named.index("WMMA")], "WMMA_LD_SCALE"]
    wanted = {
        "DS": {"addr": "src0", "data0": "src1", "data1": "src2", "vdst": "dst"},
        "VBUFFER": {"vaddr": "src0", "vdata": "dst"},
        "GLOBAL": {"vaddr": "src0", "vdata": "src1", "vdst": "dst"},
    }
    for row in abi().high_bits:
        for operand, place in wanted.get(row.encoding, {}).items():
            assert getattr(row, place) == operand
            text = next(
                t for names, t in part["operand_map"].items() if row.encoding in names.split()
            )
            assert f"{operand} {place}" in text
    order = [name for name, lo, *_ in sorted(bits_of("setreg_immediate"), key=lambda f: f[1])]
    assert ", ".join(n.removeprefix("VGPR_MSB_").lower() for n in order) in part["setreg"]


@pytest.mark.facts
def test_tensor_descriptors(facts):
    part = facts["gfx1250"]["tdm"]
    for group in ("g0", "g1", "g2", "g3"):
        assert spans_of(f"tensor_{group}", "cdna5") == {span_of(span) for span in part[group]}
    numbered = {
        row.name: (row.word, row.lo, row.hi)
        for row in abi().bits
        if row.word.startswith("tensor_") and row.name[-1].isdigit()
    }
    for group in ("g0", "g1", "g2", "g3"):
        for span, text in part[group].items():
            found = re.match(r"(tensor dim|tile|dim) (\d)( stride)?", text)
            if found:
                kind = "STRIDE" if found[3] else found[1].upper().replace(" ", "_")
                assert numbered[f"{kind}_{found[2]}"] == (f"tensor_{group}", *span_of(span))
    assert words_of("wait_counter") == facts["gfx1250"]["counters"]
