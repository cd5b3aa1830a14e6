"""Real numbers as factors of scaled instructions: exact where they can be, for every format."""

import itertools

import numpy as np
import pytest

from wavemma.errors import ArrayMistake, EncodingMistake, UnknownFormat
from wavemma.execute import execute
from wavemma.formats import number_format
from wavemma.fragments import fragments_of, pack, unpack
from wavemma.fragments.quantised import quantise_operand, scale_formats
from wavemma.isa import catalog
from wavemma.tables.targets import architectures

SCALED = [
    instruction
    for architecture in architectures()
    for instruction in catalog.of_architecture(architecture)
    if instruction.is_matrix and instruction.is_scaled
]


def chosen(instruction, role, name):
    """The effect that chooses a format."""
    return instruction.formats[role].index(name)


def cases():
    for instruction in SCALED:
        for a, b in itertools.product(instruction.formats["a"], instruction.formats["b"]):
            pairs = itertools.product(scale_formats(instruction, a), scale_formats(instruction, b))
            for scale_a, scale_b in pairs:
                if instruction.matrix.scale_free and a == b == "fp4" and scale_a != scale_b:
                    continue
                yield pytest.param(
                    instruction,
                    a,
                    b,
                    scale_a,
                    scale_b,
                    id=f"{instruction.name}-{a}-{b}-{scale_a}-{scale_b}",
                )


def test_there_are_all_scaled_rows():
    assert len(SCALED) == 6
    assert len(list(cases())) == 154


def numbers(seed, shape, block, axis):
    """Halves from -1 to 1, times a power of two for each block; each block reaches 1."""
    draw = np.random.default_rng(seed)
    found = draw.integers(-2, 3, shape) / 2.0
    along = np.moveaxis(found, axis, -1)
    along[..., ::block] = 1.0
    power = 2.0 ** draw.integers(-3, 4, (*along.shape[:-1], along.shape[-1] // block))
    return np.moveaxis(along * np.repeat(power, block, axis=-1), -1, axis)


@pytest.mark.parametrize(("instruction", "a", "b", "scale_a", "scale_b"), list(cases()))
def test_the_instruction_multiplies_what_was_quantised(instruction, a, b, scale_a, scale_b):
    m, n, k = instruction.shape
    block = instruction.matrix.scale_block
    left, right = numbers(1, (m, k), block, -1), numbers(2, (k, n), block, -2)
    rule = "power"
    made_a = quantise_operand(left, instruction, "a", format=a, scale_format=scale_a, rule=rule)
    made_b = quantise_operand(right, instruction, "b", format=b, scale_format=scale_b, rule=rule)
    assert made_a.scales.shape == (m, k // block)
    assert made_b.scales.shape == (k // block, n)
    assert made_a.error.largest == made_b.error.largest == 0
    formats = {"a": a, "b": b, "scale_a": scale_a, "scale_b": scale_b}
    fragments = fragments_of(instruction, None, formats)
    effects = {
        "format_a": chosen(instruction, "a", a),
        "format_b": chosen(instruction, "b", b),
        "scale_format_a": chosen(instruction, "scale_a", scale_a),
        "scale_format_b": chosen(instruction, "scale_b", scale_b),
    }
    matrices = {
        "a": made_a.codes,
        "b": made_b.codes,
        "scale_a": made_a.scales,
        "scale_b": made_b.scales,
        "c": np.zeros((m, n), np.uint32),
    }
    registers = {role: pack(matrix, fragments[role]) for role, matrix in matrices.items()}
    d = unpack(execute(instruction, registers, effects=effects), fragments["d"])
    assert (d.view(np.float32) == left @ right).all()


def test_k_is_filled_up_to_whole_blocks():
    instruction = SCALED[0]
    made = quantise_operand(np.ones((3, 40)), instruction, "a", format="fp4")
    assert made.codes.shape == (3, 64)
    assert made.scales.shape == (3, 2)
    assert (made.format, made.scale_format, made.block) == ("fp4", "e8m0", 32)
    assert not made.codes[:, 40:].any()
    assert quantise_operand(np.ones((2, 40, 3)), instruction, "b").scales.shape == (2, 2, 3)


def test_what_does_not_fit_is_refused():
    f8f6f4 = catalog.instruction("v_wmma_scale_f32_16x16x128_f8f6f4", "gfx1250")
    plain = catalog.instruction("v_wmma_f32_16x16x32_f16", "gfx1250")
    with pytest.raises(EncodingMistake, match="has no block scales"):
        quantise_operand(np.ones((1, 1)), plain, "a")
    with pytest.raises(UnknownFormat, match=r"a of .* must be fp8_ocp or .*; 'f16' was given"):
        quantise_operand(np.ones((1, 1)), f8f6f4, "a", format="f16")
    with pytest.raises(UnknownFormat, match=r"scale_a of .* must be e8m0; 'e4m3' was given"):
        quantise_operand(np.ones((1, 1)), f8f6f4, "a", format="fp8_ocp", scale_format="e4m3")
    assert quantise_operand(np.ones((1, 1)), f8f6f4, "a", format="fp4", scale_format="e4m3")
    with pytest.raises(ArrayMistake, match="must be a matrix"):
        quantise_operand(np.ones(3), f8f6f4, "a")
    with pytest.raises(ArrayMistake, match="must be finite"):
        quantise_operand([[np.nan]], f8f6f4, "a")
    assert number_format("e4m3").bits == 8
