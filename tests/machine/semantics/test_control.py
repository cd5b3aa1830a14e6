"""Branches, barriers, traps, hardware registers and what no register holds."""

from collections.abc import Callable

import pytest

from tests.machine.one_group import CODE_AT, MODE, Ended, Lanes, on_arrays, run
from wavemma.machine.compiled.state import Fault, Status

RUNS: list[Callable[..., Ended]] = [run, on_arrays]
HIGH = 0x80000000


def choice(branch: str) -> list[str]:
    """Lines that leave 1 in s1 if the branch is taken, and 2 if not."""
    lines = ["s_bitcmp1_b32 s40, 0", "s_mov_b32 s1, 1", f"{branch} taken", "s_mov_b32 s1, 2"]
    return [*lines, "taken:", "s_mov_b64 exec, -1"]


@pytest.mark.parametrize("wave", [32, 64])
@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_branches(wave: Lanes, target: str) -> None:
    low = 0xFFFFFFFF
    for mask in (0, 1, 1 << 31, 1 << 32, 1 << 63, (1 << 64) - 1):
        seen = mask if wave == 64 else mask & low
        truths = {
            "s_cbranch_vccz": not seen,
            "s_cbranch_vccnz": bool(seen),
            "s_cbranch_execz": not seen,
            "s_cbranch_execnz": bool(seen),
            "s_cbranch_scc0": not mask & 1,
            "s_cbranch_scc1": bool(mask & 1),
            "s_branch": True,
        }
        halves = mask & low, mask >> 32
        scalars = dict(zip((106, 107, 126, 127), halves * 2, strict=True)) | {40: mask & 1}
        for branch, taken in truths.items():
            got = run(choice(branch), target_name=target, wave=wave, scalars=scalars)
            assert got.status is Status.NO_MORE
            assert got.scalars[0][1] == (1 if taken else 2), (branch, hex(mask))


def test_no_debugger_has_set_its_conditions() -> None:
    for name in ("user", "sys", "sys_or_user", "sys_and_user"):
        for target in ("gfx1100", "gfx1150"):
            got = run(choice(f"s_cbranch_cdbg{name}"), target_name=target, scalars={40: 1})
            assert (got.status, got.scalars[0][1]) == (Status.NO_MORE, 2)


def test_calls_come_back() -> None:
    lines = ["s_mov_b32 s1, 1", "s_call_b64 s[4:5], called", "s_add_u32 s1, s1, 4", "s_branch over"]
    lines += ["called:", "s_mul_i32 s1, s1, 10", "s_setpc_b64 s[4:5]", "over:", "s_nop 0"]
    got = run(lines)
    assert got.scalars[0][1] == 14
    assert int(got.scalars[0][4]) | int(got.scalars[0][5]) << 32 == CODE_AT + 8


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
def test_sources_that_no_register_holds(engine: Callable[..., Ended], target: str) -> None:
    lines = [
        "s_mov_b64 s[2:3], src_shared_base",
        "s_mov_b64 s[4:5], src_private_base",
        "s_mov_b64 s[6:7], src_shared_limit",
        "s_mov_b64 s[8:9], src_private_limit",
        "s_cmp_eq_u32 s50, s50",
        "s_mov_b64 s[10:11], src_scc",
        "s_add_u32 s12, src_scc, 4",
        "s_mov_b64 null, s[40:41]",
        "s_mov_b32 null, s40",
        "s_mov_b64 s[14:15], null",
        "s_or_b32 s16, null, s40",
        "s_mov_b32 m0, s41",
        "s_mov_b32 s17, m0",
        "s_getpc_b64 s[18:19]",
    ]
    scalars = {at: 9 for at in range(2, 20)} | {40: 0x1234, 41: 0x5678, 125: 77}
    got = engine(lines, target_name=target, scalars=scalars).scalars[0]
    # Apertures of the ABI: 2^48 and 2^49, 4 GiB each.
    assert list(got[2:10]) == [0, 1 << 16, 0, 1 << 17, *(0xFFFFFFFF, 1 << 16, 0xFFFFFFFF, 1 << 17)]
    assert list(got[10:13]) == [1, 0, 5]
    assert list(got[14:18]) == [0, 0, 0x1234, 0x5678]
    assert int(got[18]) | int(got[19]) << 32 == CODE_AT + 4 * len(lines)


@pytest.mark.parametrize("engine", RUNS)
def test_a_null_pair_leaves_the_register_behind_it(engine: Callable[..., Ended]) -> None:
    got = engine(["s_mov_b64 null, s[40:41]"], scalars={40: 1, 41: 2, 124: 5, 125: 77}).scalars[0]
    assert list(got[124:126]) == [5, 77]


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize(("target", "name"), [("gfx1100", ""), ("gfx1201", "WAVE_")])
def test_hardware_registers(engine: Callable[..., Ended], target: str, name: str) -> None:
    mode = f"HW_REG_{name}MODE"
    lines = [
        f"s_getreg_b32 s1, hwreg({mode})",
        f"s_getreg_b32 s2, hwreg({mode}, 4, 5)",
        f"s_getreg_b32 s3, hwreg(HW_REG_{name}HW_ID1)",
        f"s_setreg_imm32_b32 hwreg({mode}, 25, 1), 3",
        f"s_setreg_b32 hwreg({mode}, 12, 4), s40",
        f"s_setreg_imm32_b32 hwreg({mode}, 0, 8), 0x7f0",
        f"s_setreg_imm32_b32 hwreg(HW_REG_{name}HW_ID1, 0, 3), 7",
        "s_round_mode 0",
        "s_denorm_mode 15",
        f"s_getreg_b32 s4, hwreg({mode})",
    ]
    got = engine(lines, target_name=target, scalars={40: 0xFFB, 1: 5, 2: 5, 3: 5})
    want = MODE & ~0xF000 | 0xB000 | 1 << 25
    assert list(got.scalars[0][1:5]) == [MODE, MODE >> 4 & 31, 0, want]
    assert got.records[0]["mode"] == want


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize(
    ("line", "target"),
    [
        ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 8, 1), 0", "gfx1100"),
        ("s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 0", "gfx1100"),
        ("s_setreg_b32 hwreg(HW_REG_MODE, 7, 3), s1", "gfx1100"),
        ("s_barrier_wait 1", "gfx1201"),
        ("s_barrier_signal m0", "gfx1201"),
        ("s_get_barrier_state s3, m0", "gfx1201"),
        ("s_get_barrier_state s3, 0", "gfx1201"),
    ],
)
def test_what_cannot_be_done_here_ends_the_wave(
    engine: Callable[..., Ended], line: str, target: str
) -> None:
    got = engine(["s_mov_b32 s2, 1", line, "s_mov_b32 s2, 2"], target_name=target)
    assert (got.status, got.fault) == (Status.FAULT, Fault.UNSUPPORTED)
    assert got.scalars[0][2] == 1


@pytest.mark.parametrize("engine", RUNS)
def test_generations_differ_in_the_bits_of_nan(engine: Callable[..., Ended]) -> None:
    line = "s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 8, 1), 0"
    assert engine([line], target_name="gfx1201").records[0]["mode"] == MODE & ~0x100


@pytest.mark.parametrize("engine", RUNS)
@pytest.mark.parametrize(("line", "is_fatal"), [
    ("s_trap 2", True), ("s_trap 1", True), ("s_trap 3", False),
    ("s_sethalt 5", True), ("s_sethalt 0", False), ("s_sendmsghalt 1", True),
])  # fmt: skip
def test_traps(engine: Callable[..., Ended], line: str, is_fatal: bool) -> None:
    got = engine(["s_mov_b32 s2, 1", line, "s_mov_b32 s2, 2"], scalars={2: 0})
    assert got.fault is (Fault.TRAP if is_fatal else Fault.NONE)
    assert got.scalars[0][2] == (1 if is_fatal else 2)


@pytest.mark.parametrize("engine", RUNS)
def test_clocks_never_go_back(engine: Callable[..., Ended]) -> None:
    lines = [f"s_sendmsg_rtn_b64 s[{at}:{at + 1}], sendmsg(MSG_RTN_GET_REALTIME)" for at in (2, 4)]
    lines += ["s_sendmsg_rtn_b32 s6, sendmsg(MSG_RTN_GET_DOORBELL)"]
    lines += ["s_getreg_b32 s7, hwreg(HW_REG_SHADER_CYCLES_LO)"]
    lines += ["s_getreg_b32 s8, hwreg(HW_REG_SHADER_CYCLES_HI)"]
    lines += ["s_sendmsg_rtn_b64 s[10:11], sendmsg(MSG_RTN_GET_REALTIME)"]
    got = engine(lines, target_name="gfx1201", scalars={6: 3}).scalars[0]
    times = [int(got[at]) | int(got[at + 1]) << 32 for at in (2, 4, 7, 10)]
    assert 0 < times[0] <= times[1] <= times[2] <= times[3]
    assert got[6] == 0


def test_sleepers_let_others_run() -> None:
    lines = ["s_sleep 1", "s_mov_b32 s1, 7", "s_sleep 2", "s_mov_b32 s2, 8"]
    first = run(lines, scalars={1: 0, 2: 0})
    assert (first.status, first.scalars[0][1]) == (Status.GAVE_WAY, 0)
    whole = run(lines, rounds=3)
    assert (whole.status, *whole.scalars[0][1:3]) == (Status.NO_MORE, 7, 8)


TIME = "s_sendmsg_rtn_b64 s[{0}:{1}], sendmsg(MSG_RTN_GET_REALTIME)"


def times(got: Ended, at: int) -> list[int]:
    return [int(words[at]) | int(words[at + 1]) << 32 for words in got.scalars]


@pytest.mark.parametrize("target", ["gfx1100", "gfx1201"])
@pytest.mark.parametrize("waves", [1, 2, 5])
def test_no_wave_leaves_a_barrier_before_all_came(target: str, waves: int) -> None:
    split = ["s_barrier_signal -1", "s_mov_b32 s9, 1", "s_barrier_wait -1"]
    barrier = ["s_barrier"] if target == "gfx1100" else split
    lines = []
    for at in (10, 20, 30):
        lines += [TIME.format(at, at + 1), *barrier, TIME.format(at + 2, at + 3)]
    got = run(lines, target_name=target, waves=waves)
    assert got.status is Status.NO_MORE
    for at in (10, 20, 30):
        assert max(times(got, at)) <= min(times(got, at + 2))


def test_one_wave_is_the_first_at_each_barrier() -> None:
    lines = []
    for at in (2, 3, 4):
        lines += ["s_barrier_signal_isfirst -1", f"s_mov_b32 s{at}, src_scc", "s_barrier_wait -1"]
    got = run(lines, target_name="gfx1201", waves=4)
    assert got.status is Status.NO_MORE
    assert got.scalars[:, 2:5].sum(axis=0).tolist() == [1, 1, 1]
    alone = run(lines, target_name="gfx1201")
    assert alone.scalars[0][2:5].tolist() == [1, 1, 1]


def test_the_state_of_the_barrier() -> None:
    """Bit 0: it is one; from bit 4 on: its waves; from bit 16 on: those that have arrived."""
    lines = ["s_get_barrier_state s2, -1", "s_barrier_signal -1", "s_get_barrier_state s3, -1"]
    lines += ["s_barrier_wait -1", "s_cmp_eq_u32 s0, 1", "s_cbranch_scc1 out"]
    lines += ["s_get_barrier_state s4, -1", "out:"]
    got = run(lines, target_name="gfx1201", waves=3, scalars={4: 0})
    assert got.status is Status.NO_MORE
    # Waves run until they wait, one after the other; the third is the last that arrives.
    assert got.scalars[:, 2].tolist() == [3 << 4 | 1 | n << 16 for n in range(3)]
    assert got.scalars[:, 3].tolist() == [3 << 4 | 1 | n << 16 for n in (1, 2, 0)]
    assert sorted(got.scalars[:, 4].tolist())[0] == 0
    alone = on_arrays(lines[:1], target_name="gfx1201").scalars[0]
    assert alone[2] == 1 << 4 | 1


def test_a_wave_that_ended_is_not_awaited() -> None:
    lines = ["s_cmp_eq_u32 s0, 1", "s_cbranch_scc1 out", "s_barrier_signal -1"]
    lines += ["s_barrier_wait -1", "s_mov_b32 s5, 3", "out:"]
    got = run(lines, target_name="gfx1201", waves=3, scalars={5: 0})
    assert got.status is Status.NO_MORE
    assert got.scalars[:, 5].tolist() == [3, 0, 3]


@pytest.mark.parametrize("engine", RUNS)
def test_registers_and_clocks_of_gfx9(engine: Callable[..., Ended]) -> None:
    """The code that is null on others names the high half of EXEC, and clocks are loads."""
    lines = [
        "s_memtime s[10:11]",
        "s_mov_b32 exec_hi, s4",
        "s_mov_b32 s5, exec_hi",
        "s_mov_b64 s[6:7], exec",
        "s_mov_b64 s[12:13], src_shared_base",
        "s_memrealtime s[14:15]",
    ]
    got = engine(lines, target_name="gfx942", wave=64, scalars={4: 0x1234}).scalars[0]
    assert list(got[5:8]) == [0x1234, 0xFFFFFFFF, 0x1234]
    assert list(got[12:14]) == [0, 1 << 16]
    first, last = (int(got[at]) | int(got[at + 1]) << 32 for at in (10, 14))
    assert 0 < first <= last
