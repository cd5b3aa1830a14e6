"""What a plan says: the order of k, the blocks of a grid, the time on a product."""

import msgspec
import numpy as np
import pytest

from tests.gemm.test_matmul import DENSE
from wavemma.errors import OutOfRange
from wavemma.gemm.blocking import blocked
from wavemma.gemm.instruction_policy import policy_of
from wavemma.gemm.matmul import multiply
from wavemma.gemm.plan import Plan, permutation, timing
from wavemma.gemm.policies import TilePolicy
from wavemma.isa.instruction import Instruction
from wavemma.layouts.algebra import contiguous_k
from wavemma.tables.products import product, products
from wavemma.tables.targets import Wave

F16 = np.ones((1, 1), np.float16)


def as_loaded(instruction: Instruction, wave: Wave, format: str) -> list[int]:
    """The calculator's k of row 0 of A in the order of lanes, then of their registers."""
    layout = instruction.layout("a", wave, format)
    block = {"b": 0} if instruction.blocks > 1 else {}

    def place(k: int) -> tuple[int, int, int]:
        found = layout.place(i=0, k=k, **block)[0]
        return found.lane, found.register, found.bit_lo

    return sorted(range(instruction.shape[2]), key=place)


def test_the_contiguous_order_of_every_row() -> None:
    """A kernel's k = n lies where the n-th loaded element does, and the plan is its inverse."""
    turned = 0
    for instruction in DENSE:
        for wave in instruction.waves:
            for a, b in zip(instruction.formats["a"], instruction.formats["b"], strict=True):
                layouts = instruction.layout("a", wave, a), instruction.layout("b", wave, b)
                if contiguous_k(*layouts) is None:
                    continue
                loaded = as_loaded(instruction, wave, a)
                found = permutation(instruction, (a, b), wave, "contiguous")
                found = found or tuple(range(len(loaded)))
                assert [loaded[n] for n in found] == list(range(len(loaded))), instruction.name
                turned += [found[n] for n in found] != list(range(len(loaded)))
    assert turned >= 20, "orders that are not their own inverse"


def made(m: int, n: int, k: int, batch: int = 1, target: str = "gfx1100") -> Plan:
    a = np.broadcast_to(F16, (batch, m, k))
    return multiply(a, np.broadcast_to(F16, (k, n)), target=target).plan


def test_blocks_of_a_batch() -> None:
    """Three products of 100 rows: each has two blocks of 64 rows, and none is shared."""
    compute = policy_of("v_wmma_f32_16x16x16_f16", "gfx1100")
    tile = TilePolicy(64, 32, 32, 2)
    found = blocked(made(100, 64, 48, batch=3), tile, compute)
    assert found.blocking is not None
    assert found.blocking.blocks == 3 * 2 * 2 == 12
    assert found.blocking.waves_per_block == 4 * 2
    assert found.blocking.threads_per_block == 4 * 2 * 32
    assert found.blocking.lds_bytes == 2 * (64 * 32 + 32 * 32) * 2
    assert found.tiles == found.waves == 12 * 8
    # k runs to the end of the second staged tile: 64, four instructions.
    assert (found.steps, found.instructions) == (4, 12 * 8 * 4)
    assert found.cycles == 4 * 32
    one = blocked(made(100, 64, 48), tile, compute)
    assert one.blocking is not None
    assert one.blocking.blocks == 4


def test_the_largest_block_that_a_target_holds() -> None:
    compute = policy_of("v_wmma_f32_16x16x16_f16", "gfx1100")
    # 64 KiB of LDS: (128 + 128) * 64 * 2 bytes, twice; 1,024 threads: 32 waves.
    full = TilePolicy(128, 128, 64, 2)
    with pytest.raises(OutOfRange, match="at most 1,024 threads; 64 waves"):
        blocked(made(128, 128, 64), full, compute)
    wide = blocked(made(128, 64, 64), TilePolicy(128, 64, 64, 2), compute)
    assert wide.blocking is not None
    assert wide.blocking.threads_per_block == 1024
    exact = TilePolicy(64, 64, 128, 2)
    found = blocked(made(64, 64, 128), exact, compute)
    assert found.blocking is not None
    assert found.blocking.lds_bytes == 64 * 1024
    over = TilePolicy(64, 64, 144, 2)
    with pytest.raises(OutOfRange, match="at most 65,536 bytes of LDS; these tiles need 73,728"):
        blocked(made(64, 64, 144), over, compute)


def test_time_is_that_of_the_busiest_simd() -> None:
    """96 units of two SIMDs: 193 waves need a second round."""
    card = product("Radeon RX 7900 XTX")
    assert (card.units, card.boost_mhz) == (96, 2498)
    full, one_more = made(16 * 192, 16, 32), made(16 * 193, 16, 32)
    assert (full.waves, one_more.waves, full.cycles) == (192, 193, 2 * 32)
    first, second = timing(full, card), timing(one_more, card)
    assert first is not None
    assert second is not None
    assert first.seconds == pytest.approx(64 / 2498e6, rel=1e-12)
    assert second.seconds == pytest.approx(128 / 2498e6, rel=1e-12)
    assert first.tera == pytest.approx(2 * 3072 * 16 * 32 / (64 / 2498e6) / 1e12, rel=1e-12)
    assert first.share == pytest.approx(1, rel=1e-12)
    assert second.share == pytest.approx(193 / 384, rel=1e-12)
    edge = timing(made(16 * 192 - 8, 16, 32), card)
    assert edge is not None
    assert edge.share == pytest.approx((16 * 192 - 8) / (16 * 192), rel=1e-12)
    assert (first.product, first.units, first.clock_mhz) == (card.name, 96, 2498.0)


def test_no_time_where_a_fact_is_missing() -> None:
    card = product("Radeon RX 7900 XTX")
    plan = made(16, 16, 16)
    assert timing(msgspec.structs.replace(plan, cycles=None), card) is None
    unknown = [row for row in products().values() if row.boost_mhz == "unknown"]
    for row in unknown:
        assert timing(msgspec.structs.replace(plan, target=row.target), row) is None
    nothing = timing(made(0, 16, 16), card)
    assert nothing is not None
    assert (nothing.seconds, nothing.tera, nothing.share) == (0, 0, 0)
