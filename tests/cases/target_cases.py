"""Cases about targets, formats and numerics."""

from tests.cases.asked import W32, Case, line

TARGETS = {
    11: Case(
        (
            line(
                f"why {W32} --target gfx1201",
                f"{W32}_gfx12",
                "using halfx8 = _Float16",
                "fails when it looks for the instruction",
            ),
        ),
        ("explain/test_why.py::test_every_builtin_where_it_is_missing",),
    ),
    12: Case(
        (
            line(
                "why 'f16 16x16x16' --target gfx1250",
                "gfx1250 lacks f16 16x16x16",
                "__builtin_amdgcn_wmma_f32_16x16x32_f16",
                "k step: 16 -> 32",
            ),
        ),
        ("explain/test_why.py::test_every_mnemonic_where_it_is_missing",),
    ),
    13: Case(
        (
            line(
                f"why {W32} --target gfx1170",
                "gfx1170 lacks",
                f"{W32}_gfx12",
                "copies of A, B: 2 lanes hold the same -> one lane",
            ),
            line(f"guard {W32} --target gfx1100,gfx1170", "gfx1170 no", code=1),
        ),
        (
            "explain/test_why.py::test_every_builtin_where_it_is_missing",
            "explain/test_listing.py::test_only_the_gfx12_style_on_rdna4m",
        ),
    ),
    14: Case(
        (
            line("why wmma --target gfx1030", "gfx1030 has no matrix instructions", code=1),
            line("why wmma --target gfx1032", "gfx1032 has no matrix instructions", code=1),
        ),
        ("explain/test_target.py::test_targets_without_matrix_instructions",),
    ),
    15: Case(
        (line("show rdna3.5", "targets gfx1150, gfx1151, gfx1152, gfx1153"),),
        ("explain/test_target.py::test_every_architecture",),
    ),
    16: Case(
        (
            line("where gfx1201 v_wmma_i32_16x16x16_iu4 A 0 8", "v0[3:0], lane 16"),
            line(
                "port gfx1100 gfx1201 --op i32_16x16x16_iu4",
                "registers of A, B 2 1",
                "copies of A, B 2 lanes hold the same one lane",
            ),
        ),
        ("explain/test_port.py::test_every_instruction_to_every_target",),
    ),
    17: Case(
        (
            line(
                "port gfx1100 gfx1201 --op i32_16x16x16_iu8",
                "__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32_gfx12",
                "registers of A, B 4 2",
                "cycles 32 8",
                "D[slot + 8*(lane / 16)][lane % 16] = d[slot];",
            ),
        ),
        ("explain/test_port.py::test_every_instruction_to_every_target",),
    ),
    18: Case(
        (
            line(
                "bits fp8 0x38 0x40 0x7e 0x7f 0x80 --target gfx942,gfx950",
                "0x38 0.5 (2^-1) 1",
                "0x40 1 2",
                "0x7e 224 448",
                "0x7f 240 NaN",
                "0x80 NaN -0",
            ),
        ),
        ("cases/test_kinds.py::test_case_18_every_byte_on_every_target",),
    ),
    19: Case(
        (
            line("bits fp8 0x80 --target MI325X,gfx950", "fp8_fnuz", "0x80 NaN -0"),
            line("show gfx950", "8-bit floats OCP"),
        ),
        ("explain/test_target.py::test_every_target",),
    ),
    20: Case(
        (
            line("list --type xf32 --target gfx950", "Nothing matches.", code=1),
            line("list --type xf32 --target gfx1250", "Nothing matches.", code=1),
            line("list --type xf32 --target gfx942", "v_mfma_f32_16x16x8_xf32"),
        ),
        ("explain/test_listing.py::test_every_type",),
    ),
    21: Case(
        (
            line(
                "numerics f16 --a 4096,4096 --b 8192,-8192 --c 3",
                "f32 FMA chain 4",
                "gfx908 3 0x40400000",
                "gfx90a 3 0x40400000",
                "gfx942 2 0x40000000",
            ),
        ),
        ("explain/test_dot_product.py::test_every_row_has_the_bits_of_the_twin",),
    ),
    22: Case(
        (
            line(
                "numerics f16 --a 0x0001 --b 1 --target gfx908,gfx90a,gfx942",
                "gfx908 5.960464477539063e-08 0x33800000",
                "gfx90a 0 0x00000000",
                "gfx942 5.960464477539063e-08 0x33800000",
            ),
        ),
        ("explain/test_dot_product.py::test_every_row_has_the_bits_of_the_twin",),
    ),
    23: Case(
        (
            line("numerics f16 --a 3,8 --b 8,4 --c=-1 --target gfx1151", "0x425c0001"),
            line("numerics f16 --a 3,8 --b 8,4 --c 1 --target gfx1151", "gfx1151 57 0x42640000"),
        ),
        ("explain/test_dot_product.py::test_every_row_has_the_bits_of_the_twin",),
    ),
    24: Case(
        (
            line(
                "list --type f16 --result f16 --target gfx942",
                "Nothing matches.",
                "With another result: f32.",
                code=1,
            ),
        ),
        ("explain/test_listing.py::test_no_f16_result_of_an_mfma",),
    ),
}
