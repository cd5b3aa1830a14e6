"""Which rule of the twin each row follows: numerics.md section 1, read by the test itself."""

from typing import Any

from tests.twin.integer import wave64_stages
from wavemma.isa.instruction import Instruction

Rule = tuple[str, dict[str, Any]]
NEW_16BIT_SHAPES = {(16, 16, 32), (32, 32, 16)}
DOUBLED_SPARSE = {(16, 16, 64), (32, 32, 32)}
RDNA4 = ("rdna4", "rdna4m")


def rule_of(instruction: Instruction, wave: int, formats: dict[str, str]) -> Rule:
    """Give the twin's rule and options for one row, wave size and choice of formats."""
    a = formats["a"]
    if a in ("i8", "iu8", "iu4"):
        return "integer", {"stages": stages(instruction, wave, a)}
    if instruction.architecture == "cdna5":
        return cdna5(instruction)
    if a in ("f32", "f64"):
        return f"fma_chain_{a}", {}
    if instruction.architecture in ("rdna3", "rdna3.5"):
        return "rdna3_step", {}
    if instruction.architecture in RDNA4:
        return ("rdna4_step" if a in ("f16", "bf16") else "rdna4_fp8"), {}
    return CDNA[instruction.architecture](instruction, a)


def stages(instruction: Instruction, wave: int, a: str) -> Any:
    if instruction.architecture not in RDNA4:
        return 1
    stored = instruction.shape[2] // (2 if instruction.is_sparse else 1)
    return 2 if wave == 32 else wave64_stages(a, stored)


def cdna1(instruction: Instruction, a: str) -> Rule:
    return "cdna1_exact", {"step": {"f16": 4, "bf16": 2}[a]}


def cdna2(instruction: Instruction, a: str) -> Rule:
    one_k = a == "f16" or instruction.name.endswith("_1k")
    return "cdna2_flush", {"step": 4 if one_k else 2}


def cdna3(instruction: Instruction, a: str) -> Rule:
    if a in ("f16", "bf16"):
        return "cdna3_truncated", {"step": 8}
    if a == "xf32":
        return "cdna3_truncated", {"step": 4}
    return "cdna3_even_odd", {"step": 16}


def cdna4(instruction: Instruction, a: str) -> Rule:
    if len(instruction.formats["a"]) > 1:
        return "scaled_reference", {}
    new = DOUBLED_SPARSE if instruction.is_sparse else NEW_16BIT_SHAPES
    if a in ("f16", "bf16") and instruction.shape in new:
        return "cdna4_even_odd_16bit", {}
    return cdna3(instruction, a)


def cdna5(instruction: Instruction) -> Rule:
    if instruction.is_scaled:
        return "cdna5_scaled", {"block": instruction.matrix.scale_block}
    return "cdna5_sequential", {}


CDNA = {"cdna1": cdna1, "cdna2": cdna2, "cdna3": cdna3, "cdna4": cdna4}
