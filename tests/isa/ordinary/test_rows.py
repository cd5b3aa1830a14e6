"""The derived rows: how many, what they cover, and that the tool would write them again."""

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.facts import facts_text
from wavemma.isa.ordinary import ordinary_table
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.not_run import not_decoded

ROOT = Path(__file__).resolve().parents[3]
COUNTS = {
    "rdna3": {
    "SOP1": 65, "SOP2": 52, "SOPK": 27, "SOPC": 18, "SOPP": 39, "SMEM": 14, "VOP1": 86,
    "VOP2": 47, "VOPC": 190, "VOP3": 428, "VOP3SD": 10, "VOP3P": 28, "VOPD_X": 14, "VOPD_Y": 17,
    "DS": 117, "FLAT": 52, "SCRATCH": 22, "GLOBAL": 55, "MUBUF": 73,
    },
}  # fmt: skip
COUNTS["rdna4"] = {
    "SOP1": 87, "SOP2": 74, "SOPK": 9, "SOPC": 46, "SOPP": 43, "SMEM": 28, "VOP1": 90,
    "VOP2": 50, "VOPC": 162, "VOP3": 433, "VOP3SD": 10, "VOP3P": 34, "VOPD_X": 14, "VOPD_Y": 17,
    "VDS": 123, "VFLAT": 55, "VSCRATCH": 24, "VGLOBAL": 65, "VBUFFER": 73,
}  # fmt: skip
COUNTS["cdna3"] = {
    "SOP1": 54, "SOP2": 53, "SOPK": 21, "SOPC": 20, "SOPP": 31, "SMEM_OFFSET": 78,
    "SMEM_REGISTER": 78, "SMEM_SHORT": 84, "SMEM_BOTH": 78, "VOP1": 84, "VOP2": 61, "VOPC": 198,
    "VOP3": 433, "VOP3SD": 10, "VOP3P": 33, "VOP3P-MAI": 2, "DS": 122, "FLAT": 54, "SCRATCH": 27,
    "GLOBAL": 59, "MUBUF": 73, "MUBUF_LDS": 6,
}  # fmt: skip
COUNTS["cdna2"] = COUNTS["cdna3"] | {
    "VOP1": 79, "VOP2": 62, "VOP3": 426, "DS": 118, "FLAT": 51, "GLOBAL": 53, "GLOBAL_LDS": 5,
    "MUBUF": 75,
}  # fmt: skip
del COUNTS["cdna2"]["SCRATCH"]
COUNTS["cdna1"] = COUNTS["cdna2"] | {
    "VOP1": 78, "VOP3": 425, "VOP3P": 29, "DS": 147, "FLAT": 48, "GLOBAL": 50, "MUBUF": 70,
}  # fmt: skip
COUNTS["cdna4"] = COUNTS["cdna3"] | {
    "VOP1": 88, "VOP2": 62, "VOP3": 497, "VOP3P": 36, "DS": 126, "GLOBAL": 61, "MUBUF": 74,
    "MUBUF_LDS": 8,
}  # fmt: skip
COUNTS["cdna5"] = {
    "SOP1": 90, "SOP2": 74, "SOPK": 9, "SOPC": 46, "SOPP": 43, "SMEM": 28, "VOP1": 110,
    "VOP2": 56, "VOPC": 162, "VOP3": 532, "VOP3SD": 10, "VOP3P": 51, "VOPD_X": 14, "VOPD_Y": 21,
    "VOPD3_X": 23, "VOPD3_Y": 21, "VDS": 128, "VFLAT": 62, "VSCRATCH": 24, "VGLOBAL": 88,
    "VBUFFER": 58,
}  # fmt: skip
COUNTS["rdna3.5"] = COUNTS["rdna3"] | {"SOP1": 80, "SOP2": 67, "SOPC": 46}


LEFT_OUT = {"cdna5": {"tensor_load_to_lds", "tensor_store_from_lds"}}
"""Of the corpus: what is not decoded, and coverage says so."""


@pytest.mark.parametrize("architecture", COUNTS)
def test_counts(architecture) -> None:
    rows = ordinary_table(architecture).rows.instructions
    assert Counter(row.encoding for row in rows) == COUNTS[architecture]
    assert {row.grade for row in rows} == {"V"}
    assert {row.source for row in rows} == {"llvm22"}


@pytest.mark.facts
@pytest.mark.parametrize(
    ("architecture", "target"),
    [
        ("rdna3", "gfx1100"),
        ("rdna4", "gfx1201"),
        ("cdna3", "gfx942"),
        ("cdna4", "gfx950"),
        ("cdna5", "gfx1250"),
    ],
)
def test_every_mnemonic_of_the_corpus_is_there(architecture, target) -> None:
    matrix = {row.name for row in architecture_rows(architecture).instructions}
    known = {row.name for row in ordinary_table(architecture).rows.instructions} | matrix
    section = facts_text("isa-coverage.md").partition(f"### {target}")[2].partition("\n### ")[0]
    wanted = set(re.findall(r"`([a-z]\w+)` \d+/\d+", section))
    assert len(wanted) > 380
    missing = {re.sub(r"_e(32|64)$", "", name) for name in wanted} - known
    assert missing == LEFT_OUT.get(architecture, set())
    told = " ".join(row.words for row in not_decoded() if architecture in row.architectures)
    assert all(name in told for name in missing)


@pytest.mark.parametrize("architecture", COUNTS)
def test_names_are_matrix_or_ordinary(architecture) -> None:
    matrix = {row.name for row in architecture_rows(architecture).instructions}
    assert not matrix & {row.name for row in ordinary_table(architecture).rows.instructions}


@pytest.mark.parametrize("architecture", COUNTS)
def test_every_operand_row_is_used(architecture) -> None:
    rows = ordinary_table(architecture).rows
    used = {name for row in rows.instructions for name in row.operands}
    used |= {rows.slots[name].extended for name in used} - {""}
    used |= {rows.slots[name].in_parts for name in used} - {""}
    assert used == set(rows.slots)
    shapes = {name for row in rows.instructions for name in (row.modifiers, row.in_parts)}
    assert shapes - {""} == set(rows.shapes)


@pytest.mark.oracle
@pytest.mark.slow
@pytest.mark.parametrize(
    ("architecture", "target"),
    [
        ("rdna3", "gfx1100"),
        ("rdna3.5", "gfx1150"),
        ("rdna4", "gfx1200"),
        ("cdna3", "gfx942"),
        pytest.param("cdna2", "gfx90a", marks=pytest.mark.nightly),
        pytest.param("cdna4", "gfx950", marks=pytest.mark.nightly),
        ("cdna5", "gfx1250"),
    ],
)
def test_the_tool_writes_the_same_files(architecture, target, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "src", copy / "src")
    shutil.copytree(ROOT / "tools", copy / "tools")
    command = [sys.executable, str(copy / "tools" / "derive_rows.py"), architecture, target]
    environment = {"PYTHONPATH": str(copy / "src")}
    subprocess.run(command, check=True, env=environment, capture_output=True, timeout=300)
    ours = ROOT / "src" / "wavemma" / "data" / "isa" / architecture
    for name in ("scalar", "vector", "memory", "control", "operands"):
        made = copy / "src" / "wavemma" / "data" / "isa" / architecture / f"{name}.toml"
        assert made.read_text() == (ours / f"{name}.toml").read_text()
