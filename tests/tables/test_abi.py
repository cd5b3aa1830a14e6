"""data/abi against abi.json: files, metadata, containers, descriptors; and its own rules."""

import re

import pytest

from tests.facts import facts_json
from tests.tables.abi_as_facts import (
    bits_of,
    in_groups,
    members_of,
    numbers_of,
    span_of,
    words_of,
)
from wavemma.errors import DataMistake, UnknownName
from wavemma.tables import abi as module
from wavemma.tables.abi import abi, bit_fields, limit, numbers
from wavemma.tables.abi_rows import BitsRow
from wavemma.tables.targets import architectures, targets

# Parts of the facts that are no rows of ours.
NOT_CARRIED = {
    "schema": "about the fact file",
    "date": "about the fact file",
    "about": "about the fact file",
    "grades": "our own scale, product.md section 3",
    "targets": "data/targets.toml",
    "groups": "rows list architectures instead",
    "sources": "data/sources.toml, test_sources.py",
    "verification": "how the facts were checked, by programs that are not ours",
}
CARRIED = {
    "elf", "metadata", "containers", "kernel_descriptor", "initial", "scratch", "structs",
    "hwreg", "special", "buffer", "limits", "gfx1250", "printf", "unknown", "conflicts",
}  # fmt: skip


@pytest.fixture(scope="module")
def facts():
    return facts_json("abi")


@pytest.mark.facts
def test_every_part_of_the_facts_is_carried_or_excused(facts):
    assert set(facts) == CARRIED | set(NOT_CARRIED)


@pytest.mark.facts
def test_elf_numbers(facts):
    elf = facts["elf"]
    assert numbers_of("machine") == elf["mach"]["named"]
    assert numbers_of("machine_generic") == elf["mach"]["generic"]
    assert numbers_of("machine_older") == elf["mach"]["older"]
    assert set(targets()) <= set(numbers_of("machine"))
    versions = {str(value): name for name, value in numbers_of("abi_version").items()}
    assert versions == {key: elf["abi_version"][key] for key in "01234"}
    assert numbers_of("e_machine") == {"AMDGPU": elf["ident"]["e_machine"]}
    assert numbers_of("os_abi") == {
        "HSA": elf["ident"]["os_abi_hsa"],
        **elf["ident"]["other_os_abi"],
    }
    types = [f"{name} ({value})" for name, value in numbers_of("e_type").items()]
    assert types == elf["ident"]["e_type"]
    assert numbers_of("note_type")["METADATA"] == elf["note"]["type"]
    assert f"type_{numbers_of('note_type')['CORE_DUMP']}" in elf["note"]
    assert numbers_of("section_index")["SHN_AMDGPU_LDS"] == elf["symbols"]["SHN_AMDGPU_LDS"]


@pytest.mark.facts
def test_elf_flags(facts):
    flags = facts["elf"]["e_flags"]
    mask = {
        (row.word, row.name): (1 << (row.hi + 1)) - (1 << row.lo)
        for row in abi().bits
        if row.word.startswith("e_flags")
    }
    assert mask == {
        ("e_flags_v4", "MACH"): flags["mach_mask"],
        ("e_flags_v4", "XNACK"): flags["v4_xnack"]["mask"],
        ("e_flags_v4", "SRAMECC"): flags["v4_sramecc"]["mask"],
        ("e_flags_v6", "GENERIC_VERSION"): flags["v6_generic_version"]["mask"],
        ("e_flags_v3", "XNACK"): flags["v3"]["xnack"],
        ("e_flags_v3", "SRAMECC"): flags["v3"]["sramecc"],
        ("e_flags_v2", "XNACK"): flags["v2"]["xnack"],
        ("e_flags_v2", "TRAP_HANDLER"): flags["v2"]["trap_handler"],
    }
    fields = bit_fields("e_flags_v4", "cdna3")
    for name, key in (("XNACK", "v4_xnack"), ("SRAMECC", "v4_sramecc")):
        ours = {word: value << fields[name].lo for word, value in numbers_of("feature").items()}
        assert ours == {word: flags[key][word] for word in ours}
        assert len(ours) == len(flags[key]) - 1


@pytest.mark.facts
def test_features_are_those_of_the_targets(facts):
    features = facts["elf"]["features"]
    having = [name for name, row in targets().items() if row.configurable]
    assert having == features["xnack_and_sramecc"]
    remark = next(row for row in abi().remarks if row.name == "xnack-gfx1250")
    flags = re.findall(r"0x\w+", features["gfx1250_gfx1251"])
    assert re.findall(r"0x\w+", remark.fact) == flags


@pytest.mark.facts
def test_relocations(facts):
    ours = [
        {"n": r.value, "name": r.name, "formula": r.formula, "width": r.width, "grade": r.grade}
        for r in abi().relocations
    ]
    wanted = [
        {**one, "formula": one["formula"].split(",")[0]} for one in facts["elf"]["relocations"]
    ]
    assert ours == wanted
    assert len(ours) == 14


@pytest.mark.facts
def test_metadata_keys_and_counts(facts):
    metadata = facts["metadata"]
    assert words_of("top_key") == [key.split()[0] for key in metadata["top_keys"]]
    for set_name, part in (("kernel_key", "kernel_keys_seen"), ("argument_key", "arg_keys_seen")):
        wanted = {key: n for keys, n in metadata[part].items() for key in keys.split()}
        assert {r.name: r.seen for r in abi().words if r.set == set_name} == wanted
    kinds = [
        kind.replace("hidden_* of the table", "hidden_*")
        for kind in metadata["value_kinds_possible"]
    ]
    assert words_of("value_kind") == kinds
    minors = {key: value[1] for key, value in metadata["version_key"].items() if key != "grade"}
    assert numbers_of("metadata_minor_version") == minors
    assert {value[0] for key, value in metadata["version_key"].items() if key != "grade"} == {1}
    assert len(words_of("target_spelling")) == len(metadata["target_spellings"])
    kernarg = metadata["kernarg"]
    assert limit("kernarg_align", "cdna3", 64) == kernarg["align"]
    assert limit("kernarg_allocation_align", "cdna3", 64) == kernarg["allocate_align"]
    assert limit("kernarg_max_seen", "cdna3", 64) == kernarg["max_seen"]


@pytest.mark.facts
def test_hidden_arguments(facts):
    part = facts["metadata"]["implicit_v5_v6"]
    ours = [
        (row.name, row.offset, row.size, bool(row.meaning), row.grade)
        for row in abi().hidden
        if row.version == "v5"
    ]
    assert ours == [
        (one["kind"], one["offset"], one["size"], bool(one["meaning"]), one["grade"])
        for one in part["args"]
    ]
    assert limit("hidden_arguments", "rdna3", 32) == part["size"]
    older = [row.offset for row in abi().hidden if row.version == "v4"]
    assert {row.size for row in abi().hidden if row.version == "v4"} == {8}
    sentence = facts["metadata"]["implicit_v4"]
    assert set(older) == {0, 8, 16, 24, 32, 40, 48}
    assert all(str(offset) in sentence for offset in older)


@pytest.mark.facts
def test_containers(facts):
    part = facts["containers"]
    assert words_of("magic") == [part["bundle"]["magic"], part["compressed"]["magic"]]
    assert members_of("bundle")[0] == ("magic", 0, len(part["bundle"]["magic"]))
    assert words_of("bundle_id") == part["bundle"]["examples"]
    assert all(kind in part["bundle"]["id"] for kind in words_of("bundle_kind"))
    assert limit("bundle_device_align", "rdna3", 32) == part["bundle"]["device_alignment"]
    widths = {"u16": 2, "u32": 4, "u64": 8}
    for version in ("1", "2", "3"):
        texts = [*part["compressed"]["common"], *part["compressed"][f"v{version}"][:-1]]
        wanted, offset = [], 4
        for text in texts:
            width, name = text.split(":")[0].split(" ", 1)
            wanted.append((name.replace(" ", "_"), offset, widths[width]))
            offset += widths[width]
        magic = ("magic", 0, len(part["compressed"]["magic"]))
        assert members_of(f"compressed_v{version}") == [magic, *wanted]
    assert part["compressed"]["common"][1] == "u16 method: 0 zlib, 1 zstd"
    assert numbers_of("compression_method") == {"zlib": 0, "zstd": 1}
    wrapper = next(row for row in abi().structs if row.name == "fatbin_wrapper")
    assert wrapper.size == part["fatbin_wrapper"]["size"]
    assert words_of("section")[0] == part["fatbin_wrapper"]["section"]
    assert f"{numbers_of('fatbin_magic')['HIPF']:#x}" in part["fatbin_wrapper"]["fields"][0]
    calls = [call.split("(")[0] for call in part["registration"]["calls"]]
    assert words_of("registration_call") == calls
    assert words_of("variable") == [name for name in part["variables"] if name != "grade"]


@pytest.mark.facts
def test_kernel_descriptor_layout(facts):
    part = facts["kernel_descriptor"]
    row = next(row for row in abi().structs if row.name == "kernel_descriptor")
    assert (row.size, row.align) == (part["size"], part["align"])
    wanted = []
    for one in part["layout"]:
        name = one["name"].split(",")[0]
        name = f"reserved_{one['offset']}" if name == "reserved 0" else name
        wanted.append((name, one["offset"], one["size"]))
    assert members_of("kernel_descriptor") == wanted


@pytest.mark.facts
@pytest.mark.parametrize("word", ["rsrc1", "rsrc2", "rsrc3"])
def test_kernel_descriptor_words(facts, word):
    wanted, exceptions = [], 0
    for one in facts["kernel_descriptor"][word]:
        lo, hi = span_of(one["bits"])
        where = in_groups(one["archs"].split(" (")[0])
        if one["name"].startswith("exception enables"):
            exceptions = hi - lo + 1
            assert one["name"].count(",") + 1 == exceptions
            continue
        name = re.match(r"[A-Z0-9_]*", one["name"])[0] or "RESERVED"
        wanted.append((name, lo, hi, where))
    ours = [field for field in bits_of(word) if not field[0].startswith("ENABLE_EXCEPTION_")]
    single = [field for field in bits_of(word) if field[0].startswith("ENABLE_EXCEPTION_")]
    known = [field for field in wanted if field[0].startswith("ENABLE_EXCEPTION_")]
    assert ours == [field for field in wanted if field not in known]
    assert single[: len(known)] == known
    assert [field[1] for field in single[len(known) :]] == [24 + n for n in range(exceptions)]


@pytest.mark.facts
def test_kernel_code_properties_and_codes(facts):
    part = facts["kernel_descriptor"]
    ours = [(r.name, r.lo, r.hi, r.sgprs) for r in abi().bits if r.word == "properties"]
    assert ours == [(p["name"], p["bit"], p["bit"], p["sgprs"]) for p in part["properties"]]
    preload = {name.lower(): (lo, hi) for name, lo, hi, _ in bits_of("preload")}
    assert preload == {key: span_of(text.split()[0]) for key, text in part["preload"].items()}
    for set_name, key in (("round_mode", "round"), ("denorm_mode", "denorm")):
        assert sorted(map(str, numbers_of(set_name).values())) == sorted(part["codes"][key])


@pytest.mark.facts
def test_register_granules(facts):
    for text, granule in facts["kernel_descriptor"]["vgpr_granule"].items():
        if text.startswith("gfx1310"):
            continue  # no target of ours
        names, _, wave = text.partition(" wave")
        for name in in_groups(names.replace(" and ", ", ")):
            for lanes in [int(wave)] if wave else architectures()[name].waves:
                assert limit("vgpr_granule", name, lanes) == granule


@pytest.mark.facts
def test_register_maxima(facts):
    part = facts["kernel_descriptor"]["vgpr_max"]
    for text in part.keys() - {"gfx1310"}:
        for name in in_groups(text):
            ours = limit("vgpr_max", name, architectures()[name].waves[0])
            assert ours == (part[text] if isinstance(part[text], int) else 256)
    assert part["gfx908"] == "256 + 256 AGPR"
    assert limit("agpr_max", "cdna1", 64) == 256
    for row in targets().values():
        assert limit("vgpr_max", row.architecture, row.default_wave) == row.max_vgprs


@pytest.mark.facts
def test_printf_functions(facts):
    part = facts["printf"]
    assert words_of("printf_hostcall") == part["hostcall_functions"]
    assert words_of("printf_assert") == part["assert_functions"]
    assert words_of("device_heap") == part["malloc_functions"]
    assert words_of("printf_buffered") == [part["buffered_function"]]


@pytest.mark.facts
def test_open_questions_and_conflicts(facts):
    assert len(abi().questions) == len(facts["unknown"]) == 11
    assert len(abi().conflicts) == len(facts["conflicts"]) == 6
    for row, fact in zip(abi().conflicts, facts["conflicts"], strict=True):
        words = " ".join((row.about, *row.claims))
        figures = re.findall(r"\d+", f"{fact['a']} {fact['b']}")
        assert set(figures) <= set(re.findall(r"\d+", words)), row.name


def test_a_set_or_word_that_is_not_there_is_told():
    with pytest.raises(UnknownName, match="'rsrc4' is not a word of rdna3"):
        bit_fields("rsrc4", "rdna3")
    with pytest.raises(UnknownName, match="'messages' is not a set of numbers of cdna1"):
        numbers("messages", "cdna1")
    with pytest.raises(UnknownName, match=r"'lds' is not a limit\.\n  Closest: lds_max"):
        limit("lds", "rdna3", 32)


def test_fields_of_one_word_must_not_share_a_bit():
    def row(name, lo, hi):
        return BitsRow(word="w", name=name, lo=lo, hi=hi, source="rocr", grade="V")

    with pytest.raises(DataMistake, match="w of rdna3: bit 4 must belong to one field, A and B"):
        module._check_apart([row("A", 0, 4), row("B", 4, 5)], "rdna3")
