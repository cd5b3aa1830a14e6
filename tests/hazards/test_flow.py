"""Paths: branches, loops, joins, and what counts between."""

import pytest

import wavemma

MFMA = "v_mfma_f32_32x32x8_f16 v[0:15], v[32:33], v[34:35], v[0:15]"
READ = "v_add_f32_e32 v40, v0, v41"
WMMA = "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[24:31]"
NEXT = "v_wmma_f32_16x16x16_f16 v[40:47], v[0:7], v[16:23], v[40:47]"


def found(text: str, target: str = "gfx942") -> list[tuple[str, int, int, int]]:
    """Rule, line, needed, there."""
    return [
        (each.rule, each.at.place, each.needs, each.has)
        for each in wavemma.lint(text, target=target).findings
        if each.what == "hazard"
    ]


@pytest.mark.parametrize(
    ("between", "has"),
    [
        ("", 0),
        ("s_nop 4", 5),
        ("s_nop 15", 16),
        ("s_mov_b32 s0, s1\nv_mov_b32_e32 v50, v51\ns_nop 2", 5),
        ("s_waitcnt vmcnt(0)\ns_nop 0", 2),
        ("global_load_dword v60, v[62:63], off\ns_nop 7", 9),
        ("v_mfma_f32_4x4x4_16b_f16 v[52:55], v[56:57], v[58:59], v[52:55]", 1),
    ],
)
def test_every_instruction_is_a_wait_state_on_cdna(between: str, has: int) -> None:
    """Spec: each instruction between counts one, s_nop N counts N + 1; 18 needed for 16 passes."""
    text = f"{MFMA}\n{between}\n{READ}"
    line = len(text.splitlines())
    # gfx942: 32x32x8 f16 has 8 passes: 11 wait states before a VALU.
    wanted = [("942-valu", line, 11, has)] if has < 11 else []
    assert [each for each in found(text) if each[1] == line] == wanted


@pytest.mark.parametrize(
    ("between", "is_enough"),
    [
        ("", False),
        ("s_nop 15", False),
        ("s_mov_b32 s0, s1", False),
        ("global_load_b32 v60, v[62:63], off", False),
        ("v_nop", True),
        ("v_mov_b32_e32 v50, v51", True),
        ("v_exp_f32_e32 v50, v51", True),
        ("v_dual_mov_b32 v50, v51 :: v_dual_mov_b32 v53, v54", True),
        ("v_wmma_f32_16x16x16_f16 v[50:57], v[8:15], v[16:23], v[50:57]", True),
    ],
)
def test_vector_instructions_alone_count_on_rdna(between: str, is_enough: bool) -> None:
    text = f"{WMMA}\n{between}\n{NEXT}"
    line = len(text.splitlines())
    wanted = [] if is_enough else [("rdna-wmma-ab", line, 1, 0)]
    assert found(text, "gfx1100") == wanted
    assert found(text, "gfx1151") == wanted


def test_a_loop_leads_back() -> None:
    """The producer stands behind its consumer: the next round reads too early."""
    text = f"""
loop:
  {READ}
  s_nop 3
  {MFMA}
  s_add_i32 s0, s0, 1
  s_cmp_lt_i32 s0, 8
  s_cbranch_scc1 loop
  s_nop 15
  s_endpgm"""
    (only,) = wavemma.lint(text, target="gfx942").findings
    assert (only.rule, only.at.place, only.needs, only.has) == ("942-valu", 3, 11, 3)
    assert only.producer is not None
    assert (only.producer.place, only.round_the_loop, only.fix) == (5, True, ("s_nop 7",))
    assert found(text.replace("scc1 loop", "scc1 end\nend:")) == []


def test_the_shorter_of_two_paths_counts() -> None:
    text = f"""
  {MFMA}
  s_cbranch_scc0 other
  s_nop 15
  s_branch join
other:
  s_nop 4
join:
  {READ}
  s_endpgm"""
    assert found(text) == [("942-valu", 9, 11, 6)]
    assert found(text.replace("s_nop 4", "s_nop 9")) == []


def test_a_path_without_the_producer_does_no_harm() -> None:
    text = f"""
  s_cbranch_scc0 join
  {MFMA}
  s_nop 15
join:
  {READ}
  s_endpgm"""
    assert found(text) == []


def test_ends_and_jumps_lead_nowhere_else() -> None:
    assert found(f"{MFMA}\ns_endpgm\n{READ}\ns_endpgm") == []
    assert found(f"{MFMA}\ns_setpc_b64 s[0:1]\n{READ}\ns_endpgm") == []
    assert found(f"{MFMA}\ns_branch far\n{READ}\nfar:\ns_endpgm") == []


def test_the_largest_need_over_all_producers_counts() -> None:
    """Two producers feed one reader: an old long one needs more than a new short one."""
    short = "v_mfma_f32_4x4x4_16b_f16 v[52:55], v[56:57], v[58:59], v[52:55]"
    text = f"{MFMA}\ns_nop 0\n{short}\nv_pk_add_f32 v[60:61], v[0:1], v[52:53]"
    (only,) = wavemma.lint(text, target="gfx942").findings
    # 11 - 2 = 9 missing behind the first, 5 - 0 behind the second.
    assert (only.needs, only.has, only.fix) == (11, 2, ("s_nop 8",))
    assert only.also == ("942-valu behind line 3: 5 needed, 0 there",)


def test_what_is_overwritten_is_no_longer_the_producers() -> None:
    """A matrix instruction that overwrites D in order takes over: its own number counts."""
    again = "v_mfma_f32_32x32x8_f16 v[0:15], v[36:37], v[38:39], 0"
    text = f"{MFMA}\ns_nop 7\n{again}\ns_nop 6\n{READ}"
    assert found(text) == [("942-valu", 5, 11, 7)]


def test_a_shared_register_is_enough_and_neighbours_are_not_shared() -> None:
    for first, last, meets in ((14, 15, True), (15, 16, True), (16, 17, False)):
        text = f"{MFMA}\nv_mfma_f32_4x4x4_16b_f16 v[52:55], v[{first}:{last}], v[58:59], v[52:55]"
        if first % 2 == 0:
            assert bool(found(text)) is meets
    for number, meets in ((0, True), (15, True), (16, False)):
        assert bool(found(f"{MFMA}\nv_mov_b32_e32 v50, v{number}")) is meets


def test_forwarding_between_unequal_passes_is_suspect() -> None:
    """CDNA3 manual: C is free only with equal passes; compilers look at start and size alone."""
    text = (
        "v_mfma_f32_16x16x16_f16 v[0:3], v[32:33], v[34:35], v[0:3]\n"
        "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[36:37], v[38:39], v[0:3]"
    )
    (only,) = wavemma.lint(text, target="gfx942").findings
    assert (only.severity, only.rule, only.needs) == ("suspect", "942-c-overlap", 5)
    assert only.conflicts[0] == "c-forward"
    answer = wavemma.lint(text, target="gfx942")
    assert any("c-forward" in each.what for each in answer.conflicts)


def test_the_manual_asks_more_than_compilers_on_gfx950() -> None:
    text = "v_mfma_f64_16x16x4_f64 v[0:7], v[32:33], v[34:35], v[0:7]\n{}\nv_mov_b32_e32 v0, v40"
    severities = [
        [
            (each.severity, each.needs)
            for each in wavemma.lint(text.format(fill), target="gfx950").findings
        ]
        for fill in ("s_nop 9", "s_nop 10", "s_nop 15\ns_nop 1", "s_nop 15\ns_nop 2")
    ]
    # 10 is too little for anybody: the manual's 19 lacks more, so both are told.
    assert severities[0] == [("error", 11), ("suspect", 19)]
    assert severities[1:] == [[("suspect", 19)], [("suspect", 19)], []]
