"""Cases about layouts."""

from tests.cases.asked import F16, HALF, Case, line

LAYOUTS = {
    1: Case(
        (
            line(f"where gfx1100 {F16} D 2 3", "v1, lane 3"),
            line(f"where gfx1100 {F16} D 2 3 --wave 64", "v0, lane 35"),
        ),
        ("explain/test_element.py::test_every_layout_of_the_facts_at_its_corners",),
    ),
    2: Case(
        (line(f"where gfx1201 {F16} D 2 3", "v2, lane 3"),),
        ("explain/test_element.py::test_every_layout_of_the_facts_at_its_corners",),
    ),
    3: Case(
        (line(f"where gfx1100 {F16} A 2 5", "v2[31:16], lanes 2 and 18: both copies must"),),
        ("explain/test_element.py::test_every_layout_of_the_facts_at_its_corners",),
    ),
    4: Case(
        (
            line(f"where gfx1100 {HALF} D 2 3 --opsel 0", "v1[15:0], lane 3"),
            line(f"where gfx1100 {HALF} D 2 3 --opsel 1", "v1[31:16], lane 3"),
            line(
                f"layout gfx1100 {HALF} D",
                "8 in each lane, 8 elements in them",
                "Only 16 of each 32 bits belong to the matrix; the others are no results.",
            ),
        ),
        ("explain/test_element.py::test_case_4_on_every_row_with_halves",),
    ),
    5: Case(
        (
            line(
                f"check-layout gfx1100 {F16} D 'row = v + 8*(lane//16); col = lane%16'",
                "Wrong for 224 of 256 places.",
                "lane 0 v1: yours gives (row, col) = (1, 0), right is (2, 0)",
                f"D of {F16} on gfx1170, gfx1171, gfx1172, gfx1200, gfx1201",
                code=1,
            ),
        ),
        (
            "explain/test_layout_search.py::test_every_map_of_16x16_results_claimed_for_every_other",
            "explain/test_access_input.py::test_statements_do_what_python_does_with_them",
        ),
    ),
    6: Case(
        (
            line(
                "where gfx942 v_mfma_f32_32x32x8_f16 D 8 0",
                "v4, lane 0",
                "i = (v % 4) + 4*(lane // 32) + 8*(v // 4)",
            ),
        ),
        ("explain/test_element.py::test_every_layout_of_the_facts_at_its_corners",),
    ),
    7: Case(
        (
            line(
                f"check-layout gfx1100 {F16} D 'row = 2*v + tid/16; col = tid%16'",
                "Right in the first wave only",
                "lane is a thread's number modulo the wave size",
                code=1,
            ),
        ),
        (
            "cases/test_kinds.py::test_case_7_a_threads_number_as_lane",
            "cases/test_kinds.py::test_case_7_the_lane_is_explained_with_every_formula",
        ),
    ),
    8: Case(
        (
            line(
                f"diagnose gfx1100 {F16} --want want.npy --got store.npy",
                f"the store loop follows the map of D of {F16}",
                "gfx1201, wave32",
                "row = (lane // 16) + 2*v",
                "explains 100.0% of the elements",
                code=1,
            ),
        ),
        ("explain/test_difference.py::test_every_seeded_fault_is_found_by_its_name",),
    ),
    9: Case(
        (
            line(
                f"diagnose gfx1100 {F16} --a ones32.npy --b ones32t.npy --got sixteen.npy",
                "half of K",
                code=1,
            ),
        ),
        ("explain/test_difference.py::test_every_seeded_fault_is_found_by_its_name",),
    ),
    10: Case(
        (
            line(
                f"check-layout gfx1201 {F16} A 'i = lane%16; k = 8*(lane//16) + slot'",
                "Right, if B has the same order of k",
                "kernels whose lanes load neighbouring k use this order",
                "round in another order",
                "sparse forms",
                "transposed",
            ),
            line(f"layout gfx1201 {F16} A", "0-3, 8-11, 4-7, 12-15", "rounded sums may differ"),
        ),
        (
            "cases/test_kinds.py::test_case_10_neighbouring_k_is_equivalent_on_every_target",
            "explain/test_layout_search.py::test_the_reversed_order_of_k_is_equivalent_everywhere",
        ),
    ),
}
