"""Kernels in Triton's language, and the compiler for them; only tests with Triton import this."""

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

LANES = dict.fromkeys(("gfx908", "gfx90a", "gfx942", "gfx950"), 64)
DIVISIBLE = [["tt.divisibility", 16]]


def compiled(kernel, target, types, constants, *, aligned=True, **options):
    """Compile a kernel as Triton does for its own launches.

    Args:
        kernel: One of this file.
        target: Such as "gfx1100".
        types: Of the arguments in order, in Triton's words.
        constants: Of the constexpr ones, by name.
        aligned: Whether all arguments are multiples of 16, which lets the compiler use wide loads.
        options: Such as num_warps.

    """
    names = [name for name in kernel.arg_names if name not in constants]
    signature = dict(zip(names, types, strict=True)) | dict.fromkeys(constants, "constexpr")
    signature = {name: signature[name] for name in kernel.arg_names}
    places = [kernel.arg_names.index(name) for name in names]
    attributes = {(place,): DIVISIBLE for place in places} if aligned else {}
    source = ASTSource(kernel, signature, constexprs=constants, attrs=attributes)
    options = {"num_warps": 4, "enable_fp_fusion": True} | options
    return triton.compile(
        source, target=GPUTarget("hip", target, LANES.get(target, 32)), options=options
    )


@triton.jit
def multiply(
    a,
    b,
    c,
    rows,
    columns,
    depth,
    BM: tl.constexpr,
    BN: tl.constexpr,
    BK: tl.constexpr,
    SUM: tl.constexpr,
    MASKED: tl.constexpr,
):
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=SUM)
    for first in range(0, depth, BK):
        k = first + tl.arange(0, BK)
        places_a = a + i[:, None] * depth + k[None, :]
        places_b = b + k[:, None] * columns + j[None, :]
        if MASKED:
            x = tl.load(places_a, mask=(i[:, None] < rows) & (k[None, :] < depth), other=0.0)
            y = tl.load(places_b, mask=(k[:, None] < depth) & (j[None, :] < columns), other=0.0)
        else:
            x = tl.load(places_a)
            y = tl.load(places_b)
        total = tl.dot(x, y, total, out_dtype=SUM)
    places_c = c + i[:, None] * columns + j[None, :]
    if MASKED:
        tl.store(places_c, total, mask=(i[:, None] < rows) & (j[None, :] < columns))
    else:
        tl.store(places_c, total)


@triton.jit
def multiply_parts(
    a, b, c, columns, depth, PARTS: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
    BK: tl.constexpr,
):  # fmt: skip
    """Split K over workgroups, which add their parts to C."""
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    j = tl.program_id(1) * BN + tl.arange(0, BN)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for first in range(tl.program_id(2) * BK, depth, BK * PARTS):
        k = first + tl.arange(0, BK)
        x = tl.load(a + i[:, None] * depth + k[None, :])
        y = tl.load(b + k[:, None] * columns + j[None, :])
        total = tl.dot(x, y, total)
    places = c + i[:, None] * columns + j[None, :]
    tl.atomic_add(places, total.to(c.dtype.element_ty))


@triton.jit
def attend(
    q, k, v, out, length, scale, BM: tl.constexpr, BN: tl.constexpr, WIDTH: tl.constexpr,
    CAUSAL: tl.constexpr,
):  # fmt: skip
    """Attention of one head a workgroup of y, in one pass over the keys."""
    head = tl.program_id(1) * length * WIDTH
    i = tl.program_id(0) * BM + tl.arange(0, BM)
    d = tl.arange(0, WIDTH)
    query = tl.load(q + head + i[:, None] * WIDTH + d[None, :])
    top = tl.full((BM,), float("-inf"), dtype=tl.float32)
    weight = tl.zeros((BM,), dtype=tl.float32)
    total = tl.zeros((BM, WIDTH), dtype=tl.float32)
    end = length
    if CAUSAL:
        end = (tl.program_id(0) + 1) * BM
    for first in range(0, end, BN):
        j = first + tl.arange(0, BN)
        keys = tl.load(k + head + j[None, :] * WIDTH + d[:, None])
        score = tl.dot(query, keys) * (scale * 1.4426950408889634)
        if CAUSAL:
            score = tl.where(i[:, None] >= j[None, :], score, float("-inf"))
        above = tl.maximum(top, tl.max(score, 1))
        share = tl.exp2(score - above[:, None])
        fade = tl.exp2(top - above)
        weight = weight * fade + tl.sum(share, 1)
        values = tl.load(v + head + j[:, None] * WIDTH + d[None, :])
        total = tl.dot(share.to(values.dtype), values, total * fade[:, None])
        top = above
    tl.store(out + head + i[:, None] * WIDTH + d[None, :], total / weight[:, None])


@triton.jit
def soften(x, out, columns, BLOCK: tl.constexpr):
    """Softmax of a row a workgroup."""
    j = tl.arange(0, BLOCK)
    row = tl.load(x + tl.program_id(0) * columns + j, mask=j < columns, other=float("-inf"))
    share = tl.exp(row - tl.max(row, 0))
    tl.store(out + tl.program_id(0) * columns + j, share / tl.sum(share, 0), mask=j < columns)


@triton.jit
def order(x, sorted_x, sums, greatest, counts, BLOCK: tl.constexpr, BINS: tl.constexpr):
    """Sort, running sum, place of the greatest, and histogram of one block of whole numbers."""
    j = tl.arange(0, BLOCK)
    row = tl.load(x + j)
    tl.store(sorted_x + j, tl.sort(row))
    tl.store(sums + j, tl.cumsum(row, 0))
    tl.store(greatest, tl.argmax(row, 0))
    tl.store(counts + tl.arange(0, BINS), tl.histogram(row, BINS))


@triton.jit
def compute(x, y, whole, divisor, out, quotient, BLOCK: tl.constexpr):
    """Functions that become more than one instruction."""
    j = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + j)
    b = tl.load(y + j)
    n = tl.load(whole + j)
    value = tl.sqrt(tl.abs(a)) + tl.exp(b) - tl.log(tl.abs(a) + 1) + tl.sin(a) * tl.cos(b)
    tl.store(out + j, value + a / (tl.abs(b) + 1) + tl.erf(a) + tl.floor(b * 4))
    tl.store(quotient + j, n // divisor * 1000 + n % 7 + tl.umulhi(n, divisor))


@triton.jit
def add_one_at_a_time(lock, total, amounts):
    """Workgroups take turns by a lock."""
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total, tl.load(total) + tl.load(amounts + tl.program_id(0)))
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)
