"""data/sources.toml: every source that a row or a fact names has a row there."""

import re
import tomllib
from importlib.resources import files

import pytest

from tests.facts import facts_json, facts_text
from wavemma.tables.sources import sources

# The words of the facts, by file, and our key.
KEYS = {
    "instructions.json": {"amd_xml_index": "amd-xml-index"},
    "products.json": {"llvm": "llvm-occupancy"},
    "hazards.json": {
        "llvm": "llvm-hazards",
        "fork": "rocm-llvm-fork",
        "pr-8309": "rocm-libraries-pr-8309",
        "pr-9998": "rocm-libraries-pr-9998",
        "pr-2265": "rocm-llvm-pr-2265",
    },
    "numerics.md": {"CALC": "calculator"},
    "layouts.json": {
        "calculator": "calculator",
        "ROCm documentation, rocjitsu, Composable Kernel; dense forms also Triton": "cdna4-layouts",
        "as CDNA3, same instruction": "cdna4-as-cdna3",
        "CDNA5 ISA manual as quoted by rocjitsu, Composable Kernel, Triton": "cdna5-layouts",
        "as the f32 form, two registers per element (LLVM register counts)": "cdna5-f64-layout",
        "as RDNA4 (LLVM and rocMLIR treat gfx1170 as the same WMMA version)": "rdna4m-as-rdna4",
    },
    "abi.json": {
        "UG": "llvm-guide",
        "HDR": "llvm-headers",
        "T22": "probes-llvm22",
        "T24": "probes-llvm24",
        "COR": "corpus",
        "LM": "llvm-main",
        "DL": "device-libs",
        "HIPH": "hip-headers",
        "HS": "hotswap",
        "TRI": "triton",
        "TG": "tinygrad",
        "CK": "composable-kernel",
        "SEC": "cdna5-secondary",
        "FIELD": "flydsl-log",
    },
}


def _tags_of_numerics():
    table = facts_text("numerics.md").split("Source tags:")[1].split("Notation.")[0]
    return re.findall(r"^\| ([A-Z][\w-]*) \|", table, flags=re.MULTILINE)


def _sources_of_layouts():
    return {layout["source"] for layout in facts_json("layouts")["layouts"]}


def _used(name):
    if name == "numerics.md":
        return _tags_of_numerics()
    if name == "layouts.json":
        return _sources_of_layouts()
    return facts_json(name.removesuffix(".json"))["sources"]


@pytest.mark.facts
@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("instructions.json", 9),
        ("products.json", 14),
        ("hazards.json", 21),
        ("numerics.md", 12),
        ("layouts.json", 6),
        ("abi.json", 18),
    ],
)
def test_every_source_of_the_facts_has_a_row(name, count):
    used = list(_used(name))
    assert len(used) == count
    for key in used:
        ours = KEYS[name].get(key, key.lower())
        if name == "hazards.json" and ours.startswith(("pr-", "issue-")):
            ours = f"llvm-{ours}"
        assert ours in sources(), (name, key)


def _documents():
    """Every data file as TOML, by its place below data/."""
    root = files("wavemma").joinpath("data")
    stack = [("", root)]
    while stack:
        place, folder = stack.pop()
        for entry in folder.iterdir():
            name = f"{place}{entry.name}"
            if entry.is_dir():
                stack.append((f"{name}/", entry))
            elif name.endswith(".toml"):
                yield name, tomllib.loads(entry.read_text(encoding="utf-8"))


def _cited(value):
    """Walk a document and give every key that a source field names."""
    if isinstance(value, list):
        for entry in value:
            yield from _cited(entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            if key in ("source", "sources") or key.endswith("_source"):
                # Sources by target have the keys as values.
                found = entry.values() if isinstance(entry, dict) else entry
                yield from [entry] if isinstance(entry, str) else _names(found)
            else:
                yield from _cited(entry)


def _names(entry):
    """Give the texts of a list of sources; the rows of sources.toml itself are none."""
    return [name for name in entry if isinstance(name, str)]


DOCUMENTS = dict(_documents())


@pytest.mark.parametrize("name", sorted(DOCUMENTS))
def test_every_source_that_a_row_names_exists(name):
    missing = set(_cited(DOCUMENTS[name])) - set(sources())
    assert not missing, f"data/{name}"


def test_keys_are_lower_case_with_dashes():
    for key in sources():
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", key)


def test_dates_are_as_far_as_known():
    for row in sources().values():
        assert re.fullmatch(r"unknown|20\d\d(-\d\d(-\d\d)?)?", row.date), row.name
