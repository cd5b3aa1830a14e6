"""The generator, the hash and the register forms of the digest rows (section 13, GOC)."""

from collections.abc import Iterator, Sequence

from tests.twin import dot
from tests.twin.sparse import select
from tests.twin.values import encode, unpack

SEED, WORD = 0xA3987412, 0xFFFFFFFF
ADDENDS = (0, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFF80, 0x80000080)
GROUPS = (4, 8, 12, 9, 13, 14)
LANES = 32
Registers = list[list[int]]


def fnv(words: Sequence[int]) -> str:
    """FNV-1a-64 of 32-bit words, little-endian bytes, as 16 hex digits."""
    digest = 14695981039346656037
    for word in words:
        for byte in word.to_bytes(4, "little"):
            digest = ((digest ^ byte) * 1099511628211) & ((1 << 64) - 1)
    return f"{digest:016x}"


def xorshift(state: int) -> Iterator[int]:
    """xorshift32 from a start state that is not itself given out."""
    while True:
        state ^= state << 13 & WORD
        state ^= state >> 17
        state ^= state << 5 & WORD
        yield state


def registers(sample: int) -> Registers:
    """Registers 0 to 14 of a sample, 32 lanes each."""
    source = xorshift(SEED + sample)
    filled = [[next(source) for _ in range(LANES)] for _ in range(6)]
    filled += [[ADDENDS[next(source) % 6] for _ in range(LANES)] for _ in range(8)]
    nibbles = [[GROUPS[next(source) % 6] for _ in range(8)] for _ in range(LANES)]
    filled.append([sum(n << (4 * g) for g, n in enumerate(lane)) for lane in nibbles])
    return filled


def _elements(filled: Registers, first: int, count: int, lane: int, width: int) -> list[int]:
    return unpack([filled[first + v][lane] for v in range(count)], width)


def _operand(filled: Registers, first: int, count: int, line: int, width: int) -> list[int]:
    """Elements of one row of A or column of B: lane half 0, then lane half 1."""
    lanes = (line, line + 16)
    return [e for lane in lanes for e in _elements(filled, first, count, lane, width)]


def dense(sample: int, name: str, k: int, mode: int) -> str:
    """Digest of D of a dense gfx1201 integer WMMA (wave32)."""
    filled = registers(sample)
    width = 8 if name == "iu8" else 4
    count = k * width // 64
    result = []
    for register in range(8):
        for lane in range(LANES):
            i, j = register + 8 * (lane // 16), lane % 16
            a = _operand(filled, 0, count, i, width)
            b = _operand(filled, 2, count, j, width)
            result.append(_integer(a, b, filled[6 + register][lane], name, mode))
    return fnv(result)


def _integer(a: list[int], b: list[int], c: int, name: str, mode: int) -> int:
    return dot(
        "integer",
        a,
        b,
        c,
        a_format=name,
        c_format="i32",
        signed_a=bool(mode & 1),
        signed_b=bool(mode & 2),
        clamp=bool(mode & 4),
        stages=2,
    )


def sparse_iu8(sample: int, variant: int) -> str:
    """Digest of D of gfx1201 SWMMAC i32 16x16x32 iu8 (wave32)."""
    filled = registers(sample)
    key = variant >> 3
    result = []
    for register in range(8):
        for lane in range(LANES):
            i, j = register + 8 * (lane // 16), lane % 16
            stored = _operand(filled, 0, 2, i, 8)
            words = [filled[14][i + 16 * half] >> (16 * key) for half in (0, 1)]
            index = [word >> (4 * g) & 0xF for word in words for g in range(4)]
            pairs = select(stored, index, _operand(filled, 2, 4, j, 8))
            a, b = [x for x, _ in pairs], [y for _, y in pairs]
            result.append(_integer(a, b, filled[6 + register][lane], "iu8", variant))
    return fnv(result)


def small_integer_matrix(name: str) -> str:
    """Digest of row 132, whose operands are small integers, in f16 or bf16."""
    lines = [[_small(7 * (k - i) % 17 - 8, name) for k in range(16)] for i in range(16)]
    columns = [[_small(6 * (k - j) % 17 - 8, name) for k in range(16)] for j in range(16)]
    result = [
        dot(
            "rdna3_step",
            lines[i],
            columns[j],
            _small((79 * i + 13 * j) % 129 - 64, "f32"),
            a_format=name,
        )
        for i in range(16)
        for j in range(16)
    ]
    return fnv(result)


def _small(number: int, name: str) -> int:
    return encode(name, number, 0)
