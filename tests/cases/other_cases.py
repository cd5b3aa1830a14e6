"""Cases about rates, scales, hazards, encoding, signs, wave64 and sparsity."""

from tests.cases.asked import F16, SCALED, Case, line

OTHERS = {
    25: Case(
        (line("peak gfx942", "fp16 2048", "fp8 4096", "int8 4096"),),
        ("throughput/test_roofline.py::test_rates_of_every_target_are_those_of_the_facts",),
    ),
    26: Case(
        (
            line("peak 'RX 7900 XTX' --type f16 --clock 2500", "122.88"),
            line("peak MI300X --type bf16", "1307.44"),
        ),
        ("throughput/test_roofline.py::test_peaks_of_every_product_are_those_of_the_facts",),
    ),
    27: Case(
        (
            line(f"rate gfx1151 {F16}", "32"),
            line("lint banks.s --target gfx1151", "34 cycles, not 32"),
        ),
        ("checks/test_word_findings.py::test_operands_in_one_bank_cost_two_cycles",),
    ),
    28: Case(
        (
            line("scale word 0x7f --format e8m0", "0x7f7f7f7f"),
            line("scale value 0 0x7f --format e8m0", "(2^-127)", "0x7f 1"),
        ),
        ("explain/test_scaling.py::test_every_byte_in_every_scale_format",),
    ),
    29: Case(
        (
            line(f"scale where gfx950 {SCALED} A 3 40", "row 3 of A, k 32..63", "lane 19"),
            line(
                "gemm one8.npy:fp8 one8t.npy:fp8 -o d.npy --target gfx950 --scale-a sa.npy"
                " --scale-b sb.npy",
                SCALED,
            ),
        ),
        ("explain/test_scale_place.py::test_every_scale_of_every_instruction",),
    ),
    30: Case(
        (
            line("lint hazard.s --target gfx1100", "hazard rdna-wmma-ab", "+ v_nop", code=1),
            line("lint repaired.s --target gfx1100", "1 hint"),
        ),
        ("cli/test_lint.py::test_case_30_as_a_kind",),
    ),
    31: Case(
        (
            line(
                "dis gfx942 0a00cdd3 02091a0c",
                "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]",
            ),
        ),
        ("explain/test_encoding.py::test_every_row_comes_back_from_its_bytes",),
    ),
    32: Case(
        (
            line(
                "dis gfx1100 00c044cc 0819027c --explain",
                "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7]",
                "A is signed, B is signed",
                "clamp: a sum that leaves the range of D becomes its nearest limit",
            ),
        ),
        ("cases/test_kinds.py::test_case_32_signs_and_clamp_in_words",),
    ),
    33: Case(
        (
            line("numerics u8 --a 0xff --b 1 --target gfx1100,gfx1201", "gfx1201 255 0x000000ff"),
            line("numerics i8 --a 0xff --b 1 --target gfx1100,gfx1201", "gfx1201 -1 0xffffffff"),
        ),
        ("numerics/test_examples_integer.py::test_signedness",),
    ),
    34: Case(
        (
            line(
                "numerics i8 --a 1 --b 1 --c 2147483647 --target gfx1100,gfx1201",
                "gfx1100 -2147483648",
                "gfx1201 -2147483648",
            ),
            line(
                "numerics i8 --a 1 --b 1 --c 2147483647 --target gfx1100,gfx1201 --clamp",
                "gfx1100 2147483647 0x7fffffff",
                "gfx1201 2147483647 0x7fffffff",
            ),
        ),
        ("numerics/test_examples_integer.py::test_clamp_by_halves",),
    ),
    35: Case(
        (
            line(
                "why __builtin_amdgcn_wmma_f32_16x16x16_f16_w64 --target gfx1100",
                "Compile with -mwavefrontsize64.",
                "v[0:3], v[4:11], v[12:19], v[0:3]",
            ),
        ),
        ("explain/test_why.py::test_builtins_for_the_wave_that_is_no_default",),
    ),
    36: Case(
        (
            line(
                "sparse info gfx950 v_smfmac_f32_16x16x64_f16 --abid 2",
                "abid must be 0..1; it is 2",
                code=2,
            ),
            line("sparse info gfx942 v_smfmac_f32_16x16x32_f16", "8 bits", "abid 0-3"),
        ),
        ("explain/test_sparsity.py::test_only_the_parts_that_there_are_can_be_chosen",),
    ),
    37: Case(
        (
            line(
                "sparse pack one_of_four.npy --target gfx942 --op v_smfmac_f32_16x16x32_f16"
                " -o words.npy index.npy",
                "0 keep two elements that are not zero, 128 one",
            ),
        ),
        ("fragments/test_compressed.py::test_a_packed_matrix_multiplies_as_the_dense_one",),
    ),
}
