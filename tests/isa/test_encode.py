import random

from hypothesis import given
from hypothesis import strategies as st

from tests.isa.drawn_lines import draw_line
from wavemma.isa import catalog
from wavemma.isa.assemble import parse
from wavemma.isa.decode import decode
from wavemma.isa.encode import encode
from wavemma.tables.targets import targets

MODES = [(name, wave) for name, row in targets().items() for wave in row.waves]


@given(st.sampled_from(MODES), st.randoms(use_true_random=False))
def test_decode_undoes_encode(mode: tuple[str, int], rng: random.Random) -> None:
    target, wave = mode
    each = rng.choice(catalog.instructions(target))
    decoded = parse(draw_line(each, wave, rng), target, wave)
    assert decode(encode(decoded), target, wave) == decoded
    assert decoded.is_legal


def test_words_are_little_endian() -> None:
    """spec/cases.md 31 and 32, words as they lie in memory."""
    line = "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]"
    assert encode(parse(line, "gfx942")) == bytes.fromhex("0a00cdd302091a0c")
    line = "v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7] neg_lo:[1,1,0] clamp"
    assert encode(parse(line, "gfx1100")) == bytes.fromhex("00c044cc0819027c")
