"""Builtins called on fragments: every one on every target, and the mistakes people make."""

from typing import Any

import numpy as np
import pytest

from tests.clang_builtins.drawn_calls import constants, operand, pairs
from tests.facts import facts_json
from wavemma.clang_builtins.call import builtin
from wavemma.errors import ArrayMistake, OutOfRange, UnknownBuiltin
from wavemma.execute import execute
from wavemma.isa import catalog
from wavemma.tables.builtins import builtins
from wavemma.tables.targets import architectures, target, targets_of

PAIRS = pairs()
FIRST = {targets_of(architecture)[0] for architecture in architectures()}


def test_counts() -> None:
    assert len({name for name, _ in PAIRS}) == 179
    assert len(PAIRS) == 594


@pytest.mark.facts
def test_targets_that_have_each_builtin() -> None:
    records = facts_json("instructions")["instructions"]
    facts = {(b["name"], t) for r in records for b in r["builtins"] for t in r["targets"]}
    assert set(PAIRS) == facts


def words(fragment: Any, lanes: int) -> Any:
    """Registers [register, lane] of a fragment, byte by byte: what the compiler's ABI says."""
    rows = [fragment[lane].tobytes().ljust(4, b"\0") for lane in range(lanes)]
    table = [
        [int.from_bytes(row[i : i + 4], "little") for i in range(0, len(row), 4)] for row in rows
    ]
    return np.array(table, dtype=np.uint32).T


# Targets of one architecture share rows, which a test below proves; the first of each is run.
PROBES = [pytest.param(n, t, id=f"{t}-{n[17:]}") for n, t in PAIRS if t in FIRST]


def test_targets_of_one_architecture_share_what_they_run() -> None:
    for name, owner in PAIRS:
        first = next(
            (t for t in targets_of(target(owner).architecture) if (name, t) in PAIRS), owner
        )
        ours, theirs = builtin(name, owner), builtin(name, first)
        assert ours.instructions == theirs.instructions
        assert all(a is b for a, b in zip(ours.instructions, theirs.instructions, strict=True))
        assert (ours.wave, ours.signature) == (theirs.wave, theirs.signature)


@pytest.mark.parametrize(("name", "target"), PROBES)
def test_call_runs_the_instruction_on_the_same_registers(name: str, target: str) -> None:
    call = builtin(name, target)
    generator = np.random.default_rng(len(name) * 131 + sum(map(ord, name + target)))
    instruction = call.instructions[-1]
    chosen = constants(call.signature, instruction, call.wave, seed=name)
    given, registers = [], {}
    for argument in call.signature.arguments:
        if argument.operand:
            kind = argument.ctype
            if argument.operand == "index":
                # Newer prototypes hold the whole index; the older one leaves a part undefined.
                count = instruction.registers("index", call.wave)
                kind = kind._replace(elements=count if count > 1 else 0)
            value = operand(kind, call.wave, generator)
            registers[argument.operand] = words(value, call.wave)
            given.append(value)
        else:
            given.append(chosen[argument.role])
    result = call(*given)
    assert result.dtype == call.signature.returns.dtype
    effects = effects_of(chosen, instruction, call.wave)
    formats = catalog.instruction(instruction.name, target).formats
    for role in ("a", "b"):
        code = effects.get(f"format_{role}", 0)
        count = instruction.registers(role, call.wave, formats[role][code])
        registers[role] = registers[role][:count]
    want = execute(instruction, registers, wave=call.wave, effects=effects)
    got = words(result, call.wave)
    written = want.shape[0]
    assert np.array_equal(got[:written], want[: got.shape[0]])
    # One instruction writes only the first half of its tied registers.
    assert np.array_equal(got[written:], registers["c"][written : got.shape[0]])


def effects_of(chosen: dict[str, int], instruction: Any, wave: Any) -> dict[str, int]:
    """What constants mean, in the test's own words."""
    plain = {
        "A signed": "signed_a",
        "B signed": "signed_b",
        "clamp": "saturate",
        "clamp (optional)": "saturate",
        "op_sel[2]": "high_half",
        "A format": "format_a",
        "B format": "format_b",
        "A scale byte select": "scale_byte_a",
        "B scale byte select": "scale_byte_b",
        "A scale row": "scale_row_a",
        "B scale row": "scale_row_b",
        "A scale format": "scale_format_a",
        "B scale format": "scale_format_b",
        "A negate": "negate_a",
        "B negate": "negate_b",
    }
    effects = {plain[role]: value for role, value in chosen.items() if role in plain}
    if "C modifier" in chosen:
        effects |= {"negate_c": chosen["C modifier"] & 1, "absolute_c": chosen["C modifier"] >> 1}
    for modifier in instruction.modifiers(wave):
        if modifier.word in chosen:
            effects[modifier.row.effect[0]] = chosen[modifier.word]
    return effects


def test_first_tile_of_the_seed() -> None:
    call = builtin("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", "gfx1100")
    generator = np.random.default_rng(5)
    a = generator.integers(-8, 8, (16, 16)).astype(np.float16)
    b = generator.integers(-8, 8, (16, 16)).astype(np.float16)
    c = np.zeros((32, 8), np.float32)
    d = call(np.concatenate([a, a]), np.concatenate([b.T, b.T]), c)
    lane, register = np.indices((32, 8))
    want = (a.astype(float) @ b.astype(float))[2 * register + lane // 16, lane % 16]
    # The hardware's ones' complement costs up to a unit of the grid; small integers stay close.
    assert np.abs(d - want).max() < 1e-3
    assert np.array_equal(np.rint(d), want)


def test_wrong_target_says_who_has_it_and_what_to_call() -> None:
    with pytest.raises(UnknownBuiltin, match=r"does not exist on gfx1201; it is for gfx1100") as e:
        builtin("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", "gfx1201")
    assert "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12" in str(e.value)


@pytest.mark.parametrize("word", ["GFX1100", "RX 7900 XTX"])
def test_target_in_other_words(word: str) -> None:
    assert builtin("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", target=word).wave == 32


def test_misspelt_name_offers_the_nearest() -> None:
    with pytest.raises(UnknownBuiltin, match="Closest: __builtin_amdgcn_mfma_f32_32x32x8f16"):
        builtin("__builtin_amdgcn_mfma_f32_32x32x8_f16", "gfx942")


def test_wrong_shape_and_type_name_what_is_wanted() -> None:
    call = builtin("__builtin_amdgcn_wmma_f32_16x16x16_f16_w32", "gfx1100")
    a, c = np.zeros((32, 16), np.float16), np.zeros((32, 8), np.float32)
    with pytest.raises(ArrayMistake, match=r"_Float16x16: float16 \[\.\.\., 32, 16\]"):
        call(a, a.astype(np.float32), c)
    with pytest.raises(ArrayMistake, match="given 2 arguments"):
        call(a, a)


def test_constant_out_of_range_is_refused() -> None:
    call = builtin("__builtin_amdgcn_mfma_f32_32x32x8f16", "gfx942")
    a, c = np.zeros((64, 4), np.float16), np.zeros((64, 16), np.float32)
    with pytest.raises(
        OutOfRange, match="cbsz of v_mfma_f32_32x32x8_f16 must be one of 0; it is 1"
    ):
        call(a, a, c, 1, 0, 0)


def test_every_role_is_used_by_some_builtin() -> None:
    roles = {role for row in builtins().values() for _, role in row.args}
    assert len(roles) == 27


@pytest.mark.parametrize("kind", [int, bool, np.bool_, np.int8, np.uint32, np.int64])
def test_constants_count_by_their_values_whatever_integers_they_are(kind: type) -> None:
    call = builtin("__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32", "gfx1100")
    ones, zeros = np.full((32, 4), -1, np.int32), np.zeros((32, 8), np.int32)
    for signed, want in ((0, 16 * 255 * 255), (1, 16), (0, 16 * 255 * 255)):
        flag = kind(signed)
        assert (call(flag, ones, flag, ones, zeros, kind(0)) == want).all()


def test_what_is_no_integer_is_no_constant_even_after_a_call() -> None:
    call = builtin("__builtin_amdgcn_wmma_i32_16x16x16_iu8_w32", "gfx1100")
    ones, zeros = np.full((32, 4), -1, np.int32), np.zeros((32, 8), np.int32)
    call(np.int64(0), ones, np.int64(0), ones, zeros, np.int64(0))
    for wrong in (1.0, np.array(1), None, "1"):
        with pytest.raises(ArrayMistake, match="A signed must be a constant integer"):
            call(wrong, ones, 0, ones, zeros, 0)


def test_a_word_may_be_written_with_or_without_a_sign() -> None:
    call = builtin("__builtin_amdgcn_swmmac_i32_16x16x64_iu4_w32", "gfx1201")
    generator = np.random.default_rng(2)
    a, b = (generator.integers(0, 1 << 32, (32, n), np.uint32).view(np.int32) for n in (2, 4))
    c = np.zeros((32, 8), np.int32)
    made = [call(1, a, 0, b, c, word, 0) for word in (0xEEEEEEEE, 0xEEEEEEEE - (1 << 32))]
    every = call(1, a, 0, b, c, np.full(32, 0xEEEEEEEE, np.uint32).view(np.int32), 0)
    assert all(np.array_equal(each, every) for each in made)
    for wrong in (1 << 32, -(1 << 31) - 1):
        with pytest.raises(OutOfRange, match="A number of type int has 32 bits"):
            call(1, a, 0, b, c, wrong, 0)
