"""Bytes and text of any kind: an answer or a WavemmaError, never anything else."""

import random

import pytest

import wavemma
from tests.objects.compiled import assembled, linked
from wavemma.tables.targets import targets

LINES = """
v_mfma_f32_16x16x16_f16 v[0:3], v[8:9], v[16:17], v[0:3]
global_store_dwordx4 v[4:5], v[0:3], off
s_cbranch_scc1 loop
loop:
v_dual_mov_b32 v0, v1 :: v_dual_mov_b32 v2, v3
.set a, 1
"""


def tried(source: bytes | str, target: str = "") -> bool:
    try:
        wavemma.lint(source, target=target)
    except wavemma.WavemmaError:
        return False
    return True


def random_code(random_source: random.Random, target: str, count: int) -> bytes:
    words = ", ".join(str(random_source.getrandbits(32)) for _ in range(count))
    return assembled(target, f".type f,@function\nf:\n.long {words}\ns_endpgm\n")


def check_code(seed: int, count: int) -> None:
    source = random.Random(seed)
    for target in (row.name for row in targets().values() if row.oldest_llvm <= 22):
        assert tried(random_code(source, target, count))


def check_damage(seed: int, times: int) -> None:
    source = random.Random(seed)
    data = linked("gfx942")
    answered = 0
    for _ in range(times):
        damaged = bytearray(data)
        for _ in range(source.randint(1, 8)):
            damaged[source.randrange(len(damaged))] = source.getrandbits(8)
        cut = source.randrange(len(damaged)) if source.random() < 0.2 else len(damaged)
        answered += tried(bytes(damaged[:cut]))
    assert answered > times // 10


def check_text(seed: int, times: int) -> None:
    source = random.Random(seed)
    letters = LINES + '[]:,;/*."\\\t\0\u00e9v0123456789'
    for _ in range(times):
        text = list(LINES)
        for _ in range(source.randint(1, 12)):
            text[source.randrange(len(text))] = source.choice(letters)
        tried("".join(text), source.choice(list(targets())))


def test_random_words_and_damage_and_text_are_answered() -> None:
    check_code(1, 100)
    check_damage(1, 20)
    check_text(1, 80)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2, 8))
def test_much_more_of_it(seed: int) -> None:
    check_code(seed, 8000)
    check_damage(seed, 600)
    check_text(seed, 5000)


def test_what_is_neither_code_nor_text_is_refused() -> None:
    with pytest.raises(wavemma.WavemmaError, match="a code object or whole 32-bit words; it has 3"):
        wavemma.lint(b"\xff\xfe\x00", target="gfx942")
    with pytest.raises(wavemma.WavemmaError, match="or assembly; it is empty"):
        wavemma.lint(b"", target="gfx942")
