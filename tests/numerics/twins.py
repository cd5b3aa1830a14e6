"""Which rule of the exact twin each model must equal, with the formats that it is used for."""

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    model: str
    rule: str
    a: str
    d: str
    k: int
    b: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    setting: dict[str, Any] = field(default_factory=dict)
    scales: tuple[str, str] = ("", "")

    @property
    def label(self) -> str:
        return f"{self.model}-{self.a}-{self.b or self.a}-{self.d}" + (
            "-" + "-".join(map(str, (*self.setting.values(), *self.scales))) if self.setting else ""
        )


HALVES = {"stages": 2}
QUARTERS = {"stages": [[0, 1, 2, 3], [8, 9, 10, 11], [4, 5, 6, 7], [12, 13, 14, 15]]}
FOURS = {"stages": [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11], [12, 13, 14, 15]]}
CLAMP = {"clamp": True}
UNSIGNED = {"signed_a": False, "signed_b": True}

CASES = [
    Case("fma_chain", "fma_chain_f32", "f32", "f32", 4),
    Case("fma_chain", "fma_chain_f64", "f64", "f64", 4),
    Case("exact_4", "cdna1_exact", "f16", "f32", 8, options={"step": 4}),
    Case("exact_2", "cdna1_exact", "bf16", "f32", 4, options={"step": 2}),
    Case("flush_4", "cdna2_flush", "f16", "f32", 8, options={"step": 4}),
    Case("flush_4", "cdna2_flush", "bf16", "f32", 8, options={"step": 4}),
    Case("flush_2", "cdna2_flush", "bf16", "f32", 4, options={"step": 2}),
    Case("truncated_8", "cdna3_truncated", "f16", "f32", 16, options={"step": 8}),
    Case("truncated_8", "cdna3_truncated", "f16", "f32", 4, options={"step": 4}),
    Case("truncated_8", "cdna3_truncated", "bf16", "f32", 16, options={"step": 8}),
    Case("truncated_4", "cdna3_truncated", "xf32", "f32", 8, options={"step": 4}),
    Case("truncated_16", "cdna3_truncated", "f16", "f32", 32, options={"step": 16}),
    Case("even_odd_16", "cdna3_even_odd", "fp8_fnuz", "f32", 32),
    Case("even_odd_16", "cdna3_even_odd", "bf8_fnuz", "f32", 32, b="fp8_fnuz"),
    Case("even_odd_16", "cdna3_even_odd", "bf8_fnuz", "f32", 32),
    Case("even_odd_16", "cdna3_even_odd", "bf8_ocp", "f32", 32, b="fp8_ocp"),
    Case("even_odd_16", "cdna3_even_odd", "bf8_ocp", "f32", 32),
    Case("even_odd_16_keep", "cdna4_even_odd_16bit", "f16", "f32", 32),
    Case("even_odd_16_keep", "cdna4_even_odd_16bit", "bf16", "f32", 32),
    Case("complement_2", "rdna3_step", "f16", "f32", 16),
    Case("complement_2", "rdna3_step", "f16", "f16", 16),
    Case("complement_2", "rdna3_step", "f16", "f16", 16, options={"fp16_ovfl": True},
         setting={"keep_finite": True}),
    Case("complement_2_flush", "rdna3_step", "bf16", "f32", 16),
    Case("complement_2_flush", "rdna3_step", "bf16", "bf16", 16),
    Case("paired_4", "rdna4_step", "f16", "f32", 16),
    Case("paired_4", "rdna4_step", "f16", "f16", 16),
    Case("paired_4", "rdna4_step", "f16", "f16", 16, options={"fp16_ovfl": True},
         setting={"keep_finite": True}),
    Case("paired_4", "rdna4_step", "bf16", "f32", 16),
    Case("paired_4", "rdna4_step", "bf16", "bf16", 16),
    # One step of the dot instructions.
    Case("paired_2", "rdna4_step", "f16", "f32", 2),
    Case("paired_2", "rdna4_step", "f16", "f16", 2),
    Case("paired_2", "rdna4_step", "bf16", "bf16", 2),
    Case("paired_2", "rdna4_step", "bf16", "f32", 2),
    Case("grouped_4", "rdna4_fp8", "fp8_ocp", "f32", 4, b="bf8_ocp"),
    Case("grouped_4", "rdna4_fp8", "bf8_ocp", "f32", 4),
    Case("grouped_8_whole", "rdna4_fp8_whole", "fp8_ocp", "f32", 16),
    Case("grouped_8_whole", "rdna4_fp8_whole", "bf8_ocp", "f32", 16),
    Case("grouped_8", "rdna4_fp8", "fp8_ocp", "f32", 16),
    Case("grouped_8", "rdna4_fp8", "bf8_ocp", "f32", 16),
    Case("grouped_8", "rdna4_fp8", "fp8_ocp", "f32", 16, b="bf8_ocp"),
    Case("fma_chain_first_nan", "cdna5_sequential", "f32", "f32", 4),
    Case("fma_chain_first_nan", "cdna5_sequential", "f64", "f64", 4),
    Case("fma_chain_first_nan", "cdna5_sequential", "f16", "f32", 32),
    Case("fma_chain_first_nan", "cdna5_sequential", "f16", "f16", 32),
    Case("fma_chain_first_nan", "cdna5_sequential", "f16", "f16", 32,
         options={"fp16_ovfl": True}, setting={"keep_finite": True}),
    Case("fma_chain_first_nan", "cdna5_sequential", "bf16", "bf16", 32),
    Case("fma_chain_first_nan", "cdna5_sequential", "bf16", "bf16", 32,
         options={"fp16_ovfl": True}, setting={"keep_finite": True}),
    Case("fma_chain_first_nan", "cdna5_sequential", "bf8_ocp", "f16", 64),
    # Sparse rows have models of their own evidence; the rule is that of the dense one.
    Case("truncated_8_sparse", "cdna3_truncated", "f16", "f32", 16, options={"step": 8}),
    Case("even_odd_16_sparse", "cdna3_even_odd", "fp8_fnuz", "f32", 32),
    Case("paired_4_sparse", "rdna4_step", "bf16", "f32", 16),
    Case("integer_sparse", "integer", "i8", "i32", 32),
    Case("integer", "integer", "i8", "i32", 16),
    Case("integer", "integer", "iu8", "i32", 16, options=UNSIGNED | CLAMP,
         setting=UNSIGNED | CLAMP),
    Case("integer", "integer", "iu4", "i32", 32, options=CLAMP, setting=CLAMP),
    Case("integer_halves", "integer", "iu8", "i32", 16, options=HALVES | CLAMP | UNSIGNED,
         setting=CLAMP | UNSIGNED),
    Case("integer_halves", "integer", "iu4", "i32", 32, options=HALVES | CLAMP, setting=CLAMP),
    Case("integer_halves", "integer", "iu4", "i32", 32, options=HALVES, setting={}),
    Case("integer_quarters", "integer", "iu8", "i32", 16, options=QUARTERS | CLAMP,
         setting=CLAMP),
    Case("integer_quarters_in_order", "integer", "iu8", "i32", 16, options=FOURS | CLAMP,
         setting=CLAMP),
    Case("block_fma_32", "scaled_reference", "fp8_ocp", "f32", 128),
    Case("block_fma_32", "scaled_reference", "fp6", "f32", 64, b="bf6"),
    Case("scaled_even_odd_32", "scaled_even_odd", "bf8_ocp", "f32", 128, options={"step": 32}),
    Case("scaled_even_odd_64", "scaled_even_odd", "fp4", "f32", 128, options={"step": 64}),
    Case("block_scaled_fma", "cdna5_scaled", "fp8_ocp", "f32", 128),
]  # fmt: skip

BLOCK_32, BLOCK_16 = {"scale_block": 32}, {"scale_block": 16}
MX = ("e8m0", "e8m0")

SCALED = [
    Case("block_fma_32", "scaled_reference", "fp8_ocp", "f32", 128, setting=BLOCK_32, scales=MX),
    Case("block_fma_32", "scaled_reference", "bf8_ocp", "f32", 64, b="fp4", setting=BLOCK_32,
         scales=MX),
    Case("block_fma_32", "scaled_reference", "fp6", "f32", 64, b="bf6", setting=BLOCK_32,
         scales=MX),
    Case("scaled_even_odd_32", "scaled_even_odd", "fp8_ocp", "f32", 128, b="bf6",
         options={"step": 32}, setting=BLOCK_32, scales=MX),
    Case("scaled_even_odd_32", "scaled_even_odd", "bf8_ocp", "f32", 128,
         options={"step": 32}, setting=BLOCK_32, scales=MX),
    Case("scaled_even_odd_64", "scaled_even_odd", "fp4", "f32", 128, b="bf6",
         options={"step": 64}, setting=BLOCK_32, scales=MX),
    Case("block_scaled_fma", "cdna5_scaled", "fp8_ocp", "f32", 128, setting=BLOCK_32, scales=MX,
         options={"scale_a_format": "e8m0", "scale_b_format": "e8m0"}),
    Case("block_scaled_fma", "cdna5_scaled", "fp4", "f32", 128, setting=BLOCK_16,
         scales=("e5m3", "e4m3"),
         options={"scale_a_format": "e5m3", "scale_b_format": "e4m3"}),
    Case("block_scaled_fma", "cdna5_scaled", "fp4", "f32", 128, setting=BLOCK_32,
         scales=("e4m3", "e8m0"),
         options={"scale_a_format": "e4m3", "scale_b_format": "e8m0"}),
]  # fmt: skip
