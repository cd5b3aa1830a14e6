"""What the parts of a builtin's name stand for."""

import re
from typing import Any

import pytest

from tests.facts import facts_json
from wavemma.explain.builtin import explain_builtin
from wavemma.tables.builtins import builtins


@pytest.mark.facts
def test_the_parts_are_the_whole_name_and_say_what_the_facts_say() -> None:
    count = 0
    for row in facts_json("instructions")["instructions"]:
        for builtin in row["builtins"]:
            parts = explain_builtin(builtin["name"], row["targets"][0]).name_parts
            assert "".join(p.text for p in parts) == re.sub(
                "(?<!^)_(?!_|builtin|amdgcn)", "", builtin["name"]
            ).replace("__builtin_amdgcn", "__builtin_amdgcn_")
            said = {part.text: part.meaning for part in parts}
            m, n, k = row["M"], row["N"], row["K"]
            shape = said[f"{m}x{n}x{k}"]
            assert shape.startswith(f"A has {m} rows, B has {n} columns, k runs over {k}")
            if builtin.get("wave"):
                assert said[f"w{builtin['wave']}"] == f"for waves of {builtin['wave']} lanes"
            assert all(said.values())
            count += 1
    assert count > len(builtins())


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        (
            "__builtin_amdgcn_wmma_bf16f32_16x16x32_bf16",
            {
                "bf16f32": "D: bf16 (16-bit float, E8M7); C: f32 (32-bit float, E8M23)",
                "bf16": "A and B: bf16 (16-bit float, E8M7)",
            },
        ),
        (
            "__builtin_amdgcn_mfma_f32_4x4x4bf16_1k",
            {
                "4x4x4": "A has 4 rows, B has 4 columns, k runs over 4, in each of 16 blocks",
                "1k": "the later form for bf16, with twice the k of the one without it",
            },
        ),
        (
            "__builtin_amdgcn_smfmac_f32_16x16x64_fp8_bf8",
            {
                "smfmac": "a matrix product by one wave: D = A*B + C, two of four elements of A",
                "fp8": "A: fp8_fnuz (8-bit float, E4M3) or fp8_ocp (8-bit float, E4M3)",
                "bf8": "B: bf8_fnuz (8-bit float, E5M2) or bf8_ocp (8-bit float, E5M2)",
            },
        ),
        (
            "__builtin_amdgcn_wmma_scale16_f32_16x16x128_f8f6f4",
            {
                "scale16": "A and B have scales, each for 16 elements along k",
                "f8f6f4": "A and B: what an argument says, one of fp8_ocp, bf8_ocp, fp6, bf6, fp4",
            },
        ),
    ],
)
def test_parts(name: str, wanted: dict[str, str]) -> None:
    said = {part.text: part.meaning for part in explain_builtin(name).name_parts}
    assert wanted.items() <= said.items()


def _rows_by_builtin() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for row in facts_json("instructions")["instructions"]:
        for builtin in row["builtins"]:
            found.setdefault(builtin["name"], []).append(row)
    return found


@pytest.mark.facts
def test_the_1k_forms_have_twice_the_k_and_come_later() -> None:
    """Each has one without the suffix that takes as many registers of results."""
    rows = _rows_by_builtin()
    later = [name for name in rows if name.endswith("_1k")]
    assert len(later) == 5
    for name in later:
        (m, n, k, blocks), architectures = _size(rows[name]), {row["arch"] for row in rows[name]}
        before = name.removesuffix("bf16_1k").removesuffix(str(k)) + f"{k // 2}bf16"
        assert _size(rows[before]) == (m, n, k // 2, blocks)
        assert "cdna1" in {row["arch"] for row in rows[before]}
        assert "cdna1" not in architectures


def _size(rows: list[dict[str, Any]]) -> tuple[int, int, int, int]:
    (size,) = {(row["M"], row["N"], row["K"], row["blocks"]) for row in rows}
    return size


@pytest.mark.facts
def test_the_gfx12_forms_have_no_copies_and_the_others_do() -> None:
    copies = {
        (layout["arch"], name): len(layout["copies"])
        for layout in facts_json("layouts")["layouts"]
        if layout["operand"] == "A"
        for name in layout["instructions"]
    }
    rows = _rows_by_builtin()
    twins = [name for name in rows if f"{name}_gfx12" in rows]
    assert len(twins) == 12
    for name in twins:
        assert all(copies[row["arch"], row["mnemonic"]] > 1 for row in rows[name])
        twin = rows[f"{name}_gfx12"]
        assert all(copies[row["arch"], row["mnemonic"]] == 1 for row in twin)
