"""Builtins that a target lacks, found in what the preprocessor leaves."""

from wavemma.hip.wrong_builtins import wrong_builtins

EXPANDED = """# 1 "/src/k.hip" 1
# 40 "/src/k.hip"
void f() {
  c = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(a, b, c);
}
# 7 "/src/other.h" 2
int x = __builtin_amdgcn_workitem_id_x();
"""


def test_the_call_is_placed_and_the_nearest_named() -> None:
    (told,) = wrong_builtins(EXPANDED, "gfx1201")
    assert told.startswith("/src/k.hip:41: __builtin_amdgcn_wmma_f32_16x16x16_f16_w32 does not")
    assert "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12" in told


def test_what_the_target_has_is_right() -> None:
    assert wrong_builtins(EXPANDED, "gfx1100") == ()
