"""A matrix product with LDS, barriers and WMMA, compiled at every level, against `matmul`."""

from typing import NamedTuple

import numpy as np
import pytest

import wavemma
from tests.objects.compiled import linked
from wavemma.machine.device import Device
from wavemma.machine.tally import executed

SOURCE = """
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
typedef _Float16 half16 __attribute__((ext_vector_type(16)));
typedef float float8 __attribute__((ext_vector_type(8)));
__attribute__((device)) static inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
extern "C" __global__ void gemm(const _Float16* a, const _Float16* b, float* c, int n) {
  __shared__ _Float16 tile_a[32][16];
  __shared__ _Float16 tile_b[32][16];
  int t = __builtin_amdgcn_workitem_id_x();
  int column = __builtin_amdgcn_workgroup_id_x() * 32;
  int row = __builtin_amdgcn_workgroup_id_y() * 32;
  int lane = t & 31, wave = t >> 5, i0 = (wave >> 1) * 16, j0 = (wave & 1) * 16;
  float8 sum = {};
  for (int k = 0; k < n; k += 16) {
    for (int i = t; i < 512; i += 128) {
      tile_a[i >> 4][i & 15] = a[(row + (i >> 4)) * n + k + (i & 15)];
      tile_b[i >> 4][i & 15] = b[(k + (i & 15)) * n + column + (i >> 4)];
    }
    barrier();
    half16 x, y;
    for (int i = 0; i < 16; i++) {
      x[i] = tile_a[i0 + (lane & 15)][i];
      y[i] = tile_b[j0 + (lane & 15)][i];
    }
    sum = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y, sum);
    barrier();
  }
  for (int v = 0; v < 8; v++)
    c[(row + i0 + 2 * v + (lane >> 4)) * n + column + j0 + (lane & 15)] = sum[v];
}
"""


SOURCE_64 = """
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float float16 __attribute__((ext_vector_type(16)));
__attribute__((device)) static inline void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
extern "C" __global__ void gemm(const _Float16* a, const _Float16* b, float* c, int n) {
  __shared__ _Float16 tile_a[64][8];
  __shared__ _Float16 tile_b[64][8];
  int t = __builtin_amdgcn_workitem_id_x();
  int column = __builtin_amdgcn_workgroup_id_x() * 64;
  int row = __builtin_amdgcn_workgroup_id_y() * 64;
  int lane = t & 63, wave = t >> 6, i0 = (wave >> 1) * 32, j0 = (wave & 1) * 32;
  float16 sum = {};
  for (int k = 0; k < n; k += 8) {
    for (int i = t; i < 512; i += 256) {
      tile_a[i >> 3][i & 7] = a[(row + (i >> 3)) * n + k + (i & 7)];
      tile_b[i >> 3][i & 7] = b[(k + (i & 7)) * n + column + (i >> 3)];
    }
    barrier();
    half4 x, y;
    for (int i = 0; i < 4; i++) {
      x[i] = tile_a[i0 + (lane & 31)][4 * (lane >> 5) + i];
      y[i] = tile_b[j0 + (lane & 31)][4 * (lane >> 5) + i];
    }
    sum = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, sum, 0, 0, 0);
    barrier();
  }
  for (int v = 0; v < 16; v++) {
    int i = row + i0 + (v & 3) + 8 * (v >> 2) + 4 * (lane >> 5);
    c[i * n + column + j0 + (lane & 31)] = sum[v];
  }
}
"""


class Kernel(NamedTuple):
    """A kernel of a target: its source, the matrix instruction, edge of a group's tile, lanes."""

    source: str
    operation: str
    edge: int
    block: int


KERNELS = {
    "gfx1100": Kernel(SOURCE, "v_wmma_f32_16x16x16_f16", 32, 128),
    "gfx942": Kernel(SOURCE_64, "v_mfma_f32_32x32x8_f16", 64, 256),
}


def product(target: str, level: str, size: int, *, interpreted: bool) -> None:
    kernel = KERNELS[target]
    device = Device(target)
    module = device.load(linked(target, level, source=kernel.source))
    places = [device.memory.allocate(2 * size * size, name) for name in "ab"]
    places.append(device.memory.allocate(4 * size * size, "c"))
    a, b = (device.memory.array(place, np.float16, (size, size)) for place in places[:2])
    c = device.memory.array(places[2], np.float32, (size, size))
    generator = np.random.default_rng(7)
    a[:], b[:] = (generator.normal(size=(size, size)) for _ in range(2))
    grid = (size // kernel.edge, size // kernel.edge)
    arguments = [*places, np.int32(size)]
    device.launch(module, "gemm", grid, kernel.block, arguments, interpreted=interpreted)
    want = np.asarray(
        wavemma.matmul(a, b, target=target, op=kernel.operation, k_order="contiguous")
    )
    assert np.array_equal(c.view(np.uint32), want.view(np.uint32))


LEVELS = [pytest.param(level, marks=pytest.mark.slow) for level in ("-O0", "-O1")]


@pytest.mark.parametrize("target", KERNELS)
@pytest.mark.parametrize("level", [*LEVELS, "-O2", "-O3"])
def test_bits_are_those_of_matmul(target: str, level: str) -> None:
    product(target, level, 3 * KERNELS[target].edge, interpreted=False)


@pytest.mark.parametrize("target", KERNELS)
def test_the_interpreter_gives_the_same(target: str) -> None:
    product(target, "-O3", KERNELS[target].edge, interpreted=True)


def test_every_instruction_is_counted_once() -> None:
    device = Device("gfx1100", threads=4)
    module = device.load(linked("gfx1100", "-O3", source=SOURCE))
    size = 256
    places = [device.memory.allocate(4 * size * size, name) for name in "abc"]
    for _ in range(5):
        report = device.launch(
            module, "gemm", (size // 32, size // 32), 128, [*places, np.int32(size)]
        )
        counts = executed(report.code, report.block_counts, "gfx1100")
        assert [each.count for each in counts if each.is_matrix] == [(size // 16) ** 3]
