"""Every row on every wave size, on random bits, against the exact twin element by element."""

import itertools
import random
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from tests.execute.rule_map import rule_of
from tests.twin import dot, same
from wavemma.errors import ArrayMistake, OutOfRange, WavemmaError
from wavemma.execute import execute, operands_of
from wavemma.execute.compiled import compiled_instruction
from wavemma.formats import number_format
from wavemma.fragments import Registers, kept_k, pack, unpack
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.targets import architectures, targets_of

ELEMENTS = 12


def rows() -> list[tuple[Instruction, int]]:
    found = []
    for architecture in architectures():
        for instruction in catalog.of_architecture(architecture):
            if instruction.is_matrix:
                found += [(instruction, wave) for wave in instruction.waves]
    return found


ROWS = rows()


def test_counts() -> None:
    assert len(ROWS) == 317
    assert len({(i.architecture, i.name) for i, _ in ROWS}) == 261


def drawn(
    generator: np.random.Generator, shape: tuple[int, ...], name: str, calm: bool
) -> Registers:
    """Registers of random bits; calm ones hold numbers whose exponents lie close together."""
    words = generator.integers(0, 1 << 32, shape, dtype=np.uint32)
    form = number_format(name) if name != "index" else None
    if not calm or form is None or not form.is_float or form.bits < 16:
        return words
    values = np.ldexp(
        generator.uniform(-2, 2, (*shape, 64 // form.bits)), generator.integers(-4, 4)
    )
    if form.bits == 64:
        halves = values[..., ::2, :, 0].view(np.uint64)
        return (
            np.stack([halves & 0xFFFFFFFF, halves >> 32], axis=-2).reshape(shape).astype(np.uint32)
        )
    if form.bits == 32:
        return values[..., 0].astype(np.float32).view(np.uint32)
    bits = values.astype(np.float32).view(np.uint32) >> 16
    if name == "f16":
        bits = values.astype(np.float16).view(np.uint16).astype(np.uint32)
    return (bits[..., 0] | bits[..., 1] << 16).astype(np.uint32)


def legal_index(generator: np.random.Generator, shape: tuple[int, ...]) -> Registers:
    groups = generator.choice([0x4, 0x8, 0xC, 0x9, 0xD, 0xE], (*shape, 8)).astype(np.uint32)
    return np.bitwise_or.reduce(groups << (4 * np.arange(8, dtype=np.uint32)), axis=-1)


def drawn_effects(instruction: Instruction, wave: int, source: random.Random) -> dict[str, int]:
    """Modifier values within what the row takes; moves of data stay legal together."""
    effects: dict[str, int] = {}
    for modifier in instruction.modifiers(wave):
        row = modifier.row
        if row.kind == "mask":
            for effect in (e for e, may in zip(row.effect, row.allowed, strict=True) if e and may):
                effects[effect] = effects.get(effect, 0) << 1 | source.getrandbits(1)
        elif row.effect[0] == "broadcast_block":
            effects["broadcast_block"] = source.randrange(1 << effects["broadcast_size"])
        else:
            effects[row.effect[0]] = source.choice(row.legal or (0, 1))
    if instruction.architecture == "cdna5":
        effects.pop("index_part", None)  # No source gives key 1 a meaning.
    return effects


def elements(shape: tuple[int, ...], source: random.Random) -> list[tuple[int, ...]]:
    every = list(itertools.product(*map(range, shape)))
    return source.sample(every, min(ELEMENTS, len(every)))


@pytest.mark.parametrize("calm", [False, True], ids=["any bits", "close exponents"])
@pytest.mark.parametrize(
    ("instruction", "wave"), ROWS, ids=[f"{i.architecture}-{i.name}-{w}" for i, w in ROWS]
)
def test_row_equals_the_twin(instruction: Instruction, wave: int, calm: bool) -> None:
    check_row(instruction, wave, calm, seed=f"{instruction.architecture}{instruction.name}{wave}")


@pytest.mark.slow
@pytest.mark.parametrize("number", range(10))
def test_rows_equal_the_twin_again(number: int) -> None:
    for instruction, wave in ROWS:
        seed = f"{number}{instruction.architecture}{instruction.name}{wave}"
        check_row(instruction, wave, bool(number % 2), seed=seed)


def check_row(instruction: Instruction, wave: Any, calm: bool, seed: str) -> None:
    source = random.Random(seed)
    generator = np.random.default_rng(source.getrandbits(64))
    effects = drawn_effects(instruction, wave, source)
    operands = operands_of(instruction, wave, effects)
    registers = {
        role: drawn(generator, (f.registers, f.lanes), f.format, calm)
        for role, f in operands.fragments.items()
    }
    if "index" in registers:
        registers["index"] = legal_index(generator, registers["index"].shape)
    overflow = bool(source.getrandbits(1))
    result = execute(instruction, registers, wave=wave, effects=effects, keep_finite=overflow)
    copies = len(operands.fragments["a"].layout.copies)
    by_copy = [
        {
            role: unpack(registers[role], operands.moved[role], copy if role in "ab" else 0)
            for role in registers
        }
        for copy in range(copies)
    ]
    got = unpack(result, operands.moved["d"])
    rule, options = rule_of(instruction, wave, operands.formats)
    options |= chosen_options(instruction, operands.formats, effects, overflow)
    for place in elements(operands.moved["d"].matrix_shape, source):
        # Where several lanes hold A and B, those of the row's own 16 lanes are multiplied.
        read = by_copy[place[-2] % copies]
        a, b, c, scales = element_operands(instruction, read, place, effects, operands.formats)
        formats = {f"{role}_format": operands.formats[role] for role in "abcd"}
        want = dot(rule, a, b, c, **formats, **options, **scales)
        kinds = {f"{role}_format": operands.formats[role] for role in "abd"}
        told = (place, effects, f"{int(got[place]):x} {want:x}")
        assert same(rule, int(got[place]), want, **kinds), told
    check_rest(operands, registers, result)


def chosen_options(
    instruction: Instruction, formats: dict[str, str], effects: dict[str, int], overflow: bool
) -> dict[str, Any]:
    if formats["a"] in ("iu8", "iu4"):
        signs = {f"signed_{role}": bool(effects[f"signed_{role}"]) for role in "ab"}
        return signs | {"clamp": bool(effects.get("saturate", 0))}
    if formats["d"] in ("f16", "bf16"):
        return {"fp16_ovfl": overflow}
    return {}


def element_operands(
    instruction: Instruction,
    read: dict[str, Any],
    place: tuple[int, ...],
    effects: dict[str, int],
    formats: dict[str, str],
) -> tuple[list[int], list[int], int, dict[str, Any]]:
    """The a's, b's and c of one element, signs changed by the test's own reading of modifiers."""
    *block, i, j = place
    a = read["a"][*block, i].astype(object)
    column = read["b"][*block, :, j].astype(object)
    b = column[kept_k(read["index"])[i]] if instruction.is_sparse else column
    c = int(read["c"][place])
    for role, codes in (("a", a), ("b", b)):
        sign = 1 << (number_format(formats[role]).bits - 1)
        for k in range(len(codes)):
            half = "odd" if k % 2 else "even"
            if effects.get(f"negate_{role}_{half}", 0) ^ effects.get(f"negate_{role}", 0):
                codes[k] ^= sign
    sign = 1 << (number_format(formats["c"]).bits - 1)
    if effects.get("absolute_c"):
        c &= ~sign
    if effects.get("negate_c"):
        c ^= sign
    scales: dict[str, Any] = {}
    if instruction.is_scaled:
        scales = {
            "scale_a": [int(s) for s in read["scale_a"][i]],
            "scale_b": [int(s) for s in read["scale_b"][:, j]],
        }
        if instruction.architecture == "cdna5":
            scales |= {f"scale_{r}_format": formats[f"scale_{r}"] for r in "ab"}
    return [int(x) for x in a], [int(x) for x in b], c, scales


def check_rest(operands: Any, registers: dict[str, Any], result: Registers) -> None:
    """Bits that belong to no element of D must be what stood there."""
    fragment = operands.moved["d"]
    ones = np.full_like(registers["d"], 0xFFFFFFFF)
    zero = np.zeros(fragment.matrix_shape, dtype=fragment.dtype)
    untouched = pack(zero, fragment, ones)
    assert np.array_equal(result & untouched, registers["d"] & untouched)


def test_a_missing_operand_is_named() -> None:
    instruction = catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1100")
    with pytest.raises(ArrayMistake, match="needs registers for a, b, c; a is missing"):
        execute(instruction, {})


def test_wrong_shape_is_told() -> None:
    instruction = catalog.instruction("v_wmma_f32_16x16x16_f16", targets_of("rdna3")[0])
    wrong = {role: np.zeros((8, 64), np.uint32) for role in ("a", "b", "c")}
    with pytest.raises(ArrayMistake, match=r"uint32 \[\.\.\., 8, 32\].*given uint32 \[8, 64\]"):
        execute(instruction, wrong)


def test_a_move_out_of_range_is_refused() -> None:
    instruction = catalog.instruction("v_mfma_f32_4x4x4_16b_f16", "gfx942")
    with pytest.raises(OutOfRange):
        operands_of(instruction, 64, {"broadcast_size": 2, "broadcast_block": 4})


def test_waves_are_batch_axes() -> None:
    instruction = catalog.instruction("v_wmma_f32_16x16x16_f16", "gfx1201")
    generator = np.random.default_rng(3)
    shapes = {role: f for role, f in operands_of(instruction).fragments.items() if role != "d"}
    many = {
        r: drawn(generator, (5, f.registers, f.lanes), f.format, True) for r, f in shapes.items()
    }
    together = execute(instruction, many)
    for wave in range(5):
        alone = execute(instruction, {role: array[wave] for role, array in many.items()})
        assert np.array_equal(together[wave], alone)


PACKED = ("v_wmma_f16_16x16x16_f16", "gfx1100")


def both_engines(registers: Mapping[str, Any], **effects: int) -> list[Any]:
    """The result of each engine, or the mistake that it tells."""
    instruction = catalog.instruction(*PACKED)

    def compiled() -> Any:
        return compiled_instruction(instruction, 32, effects)(registers)

    def told(run: Callable[[], Any]) -> Any:
        try:
            return run()
        except WavemmaError as mistake:
            return mistake

    return [
        told(each) for each in (lambda: execute(instruction, registers, effects=effects), compiled)
    ]


def words(*batch: int) -> Any:
    return np.ones((*batch, 8, 32), np.uint32)


def test_batches_that_do_not_fit_are_refused_and_empty_ones_are_not() -> None:
    for found in both_engines({"a": words(3), "b": words(2), "c": words()}):
        assert isinstance(found, ArrayMistake)
        assert "batch axes of registers must broadcast; given [3], [2], []" in str(found)
    for found in both_engines({"a": words(3), "b": words(), "c": words(), "d": words(2)}):
        assert isinstance(found, ArrayMistake)
    for given in ({"a": words(0)}, {"d": words(0)}, {"b": words(2, 1), "c": words(0)}):
        for found in both_engines({"a": words(), "b": words(), "c": words()} | given):
            assert found.shape[-3:] == (0, 8, 32)


def test_what_stood_in_the_result_may_be_of_more_waves_than_the_operands() -> None:
    before = np.arange(2 * 8 * 32, dtype=np.uint32).reshape(2, 8, 32) << 16
    one, two = both_engines({"a": words(), "b": words(), "c": words(), "d": before})
    assert np.array_equal(one, two)
    assert np.array_equal(one >> 16, before >> 16)


def test_other_arrays_than_registers_are_refused() -> None:
    fitting = {role: words() for role in "abc"}
    for wrong in (
        {"d": np.ones((4, 32), np.uint32)},
        {"d": words().astype(np.int64)},
        {"a": words().tolist()},
    ):
        for found in both_engines(fitting | wrong):
            assert isinstance(found, ArrayMistake)
            assert "must be uint32" in str(found)


def test_effects_that_there_are_not_are_refused() -> None:
    fitting = {role: words() for role in "abc"}
    for found in both_engines(fitting, negat_c=1):
        assert isinstance(found, OutOfRange)
        assert "'negat_c' is no effect of a modifier" in str(found)
        assert "negate_c" in str(found)
    for value in (2, -1):
        for found in both_engines(fitting, negate_c=value):
            assert isinstance(found, OutOfRange)
            assert f"negate_c must be 0 or 1; it is {value}" in str(found)
