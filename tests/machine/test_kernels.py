"""Kernels called as functions, on arrays of the host and of the device."""

import gc
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

import wavemma
from tests.objects.compiled import linked
from wavemma.errors import FileMistake, KernelFault, LaunchMistake, MemoryMistake, UnknownName
from wavemma.machine.device import Device
from wavemma.machine.kernels import Kernels, load
from wavemma.machine.shared_device import shared_device, shared_memory

SOURCE = """
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
struct Pair { int a, b; };
__device__ int counts[4] = {1, 2, 3, 4};
static __device__ int at() {
  return __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workgroup_id_x();
}
extern "C" __global__ void axpy(const float* x, float* y, float a, int n) {
  int i = at();
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void halves(const unsigned short* in, unsigned short* out) {
  out[at()] = in[at()] ^ 0x8000;
}
extern "C" __global__ void pairs(int* out, Pair p) {
  out[at()] = p.a * 1000 + p.b + counts[1];
  counts[1] = 7;
}
extern "C" __global__ void lds(int* out) {
  extern __shared__ int room[];
  room[at()] = at() * 3;
  __builtin_amdgcn_s_barrier();
  out[at()] = room[63 - at()];
}
"""
TYPES = "float*, float*, float, int"


@pytest.fixture(scope="module")
def kernels() -> Kernels:
    return load(linked("gfx1100", "-O3", source=SOURCE))


def test_arrays_are_copied_there_and_back(kernels: Kernels) -> None:
    x, y = np.arange(100, dtype=np.float32), np.linspace(0, 1, 100, dtype=np.float32)
    want = np.float32(2) * x + y
    used = shared_memory().used_bytes
    report = kernels["axpy"][2, 64](x, y, 2.0, 100, signature=TYPES)
    assert report.geometry.groups == 2
    assert np.array_equal(y.view(np.uint32), want.view(np.uint32))
    assert np.array_equal(x, np.arange(100))
    assert shared_memory().used_bytes == used


def test_strided_and_transposed_arrays_keep_their_order(kernels: Kernels) -> None:
    base = np.zeros((20, 10), np.float32)
    y = base.T[:, ::2]
    x = np.asfortranarray(np.arange(100, dtype=np.float32).reshape(10, 10))
    kernels["axpy"][2, 64](x, y, np.float32(3), np.int32(100))
    assert np.array_equal(y, 3 * np.arange(100).reshape(10, 10))
    assert not base[1::2].any()


def test_one_array_for_two_arguments_is_one_place(kernels: Kernels) -> None:
    x = np.arange(64, dtype=np.float32)
    kernels["axpy"][1, 64](x, x, np.float32(2), np.int32(64))
    assert np.array_equal(x, 3 * np.arange(64))


def test_overlapping_arrays_are_refused(kernels: Kernels) -> None:
    x = np.zeros(65, np.float32)
    with pytest.raises(LaunchMistake, match="arguments 0 and 1 overlap"):
        kernels["axpy"][1, 64](x[1:], x[:-1], np.float32(2), np.int32(64))


def test_a_fault_leaves_arrays_as_they_were(kernels: Kernels) -> None:
    x, y = np.ones(2000, np.float32), np.ones(100, np.float32)
    with pytest.raises(KernelFault, match=r"(?s)'argument 1 of axpy'.*behind its end"):
        kernels["axpy"][32, 64](x, y, np.float32(2), np.int32(2000))
    assert np.array_equal(y, np.ones(100))


def test_what_may_not_be_written_is_read_only_for_kernels(kernels: Kernels) -> None:
    y = np.ones(64, np.float32)
    y.flags.writeable = False
    with pytest.raises(KernelFault, match="which it may only read"):
        kernels["axpy"][1, 64](np.ones(64, np.float32), y, np.float32(2), np.int32(64))


def test_device_arrays_are_not_copied(kernels: Kernels) -> None:
    x = wavemma.device_array(np.arange(64), np.float32)
    y = wavemma.device_array(np.ones(64, np.float32))
    view = y.numpy()
    for _ in range(3):
        kernels["axpy"][1, 64](x, y, np.float32(1), np.int32(64))
    assert np.array_equal(view, 3 * np.arange(64) + 1)
    assert np.array_equal(np.asarray(y), view)
    view[:] = 5
    assert np.asarray(y, dtype=np.int64).sum() == 320


def test_a_view_keeps_its_memory() -> None:
    used = shared_memory().used_bytes
    view = wavemma.device_array([[1, 2], [3, 4]], np.int16).numpy()
    gc.collect()
    assert view.tolist() == [[1, 2], [3, 4]]
    assert shared_memory().used_bytes > used
    del view
    gc.collect()
    assert shared_memory().used_bytes == used


def test_a_freed_array_is_told(kernels: Kernels) -> None:
    with wavemma.device_array(np.ones(64, np.float32)) as y:
        assert "shape=(64,), dtype=float32, at 0x" in repr(y)
    with pytest.raises(MemoryMistake, match="before it is freed"):
        y.numpy()
    with pytest.raises(KernelFault, match="which were freed"):
        kernels["axpy"][1, 64](np.ones(64, np.float32), y, np.float32(2), np.int32(64))
    y.free()


def test_types_of_ml_dtypes_and_names_of_the_source(kernels: Kernels) -> None:
    x = np.arange(64).astype(ml_dtypes.bfloat16)
    y = np.zeros_like(x)
    assert "_Z6halvesPKtPt" in kernels
    kernels["halves"][1, 64](x, y)
    assert np.array_equal(y.view(np.uint16), (-x).view(np.uint16))


def test_structures_and_variables(kernels: Kernels) -> None:
    out = np.zeros(32, np.int32)
    counts = kernels.variable("counts", np.int32)
    counts[:] = [1, 2, 3, 4]
    kernels["pairs"][1, 32](out, np.array([5, 6], np.int32))
    assert (out == 5008).all()
    assert counts.tolist() == [1, 7, 3, 4]
    with pytest.raises(LaunchMistake, match="'count' is none of the code object's"):
        kernels.variable("count")
    with pytest.raises(LaunchMistake, match="has 16 bytes"):
        kernels.variable("counts", np.dtype("V3"))


def test_lds_of_the_launch(kernels: Kernels) -> None:
    out = np.zeros(64, np.int32)
    kernels["lds"][1, 64, 256](out)
    assert np.array_equal(out, (63 - np.arange(64)) * 3)
    with pytest.raises(KernelFault, match="LDS"):
        kernels["lds"][1, 64, 128](out)


def test_mistakes_are_told(kernels: Kernels, tmp_path: Path) -> None:
    with pytest.raises(LaunchMistake, match="must give grid and block"):
        kernels["axpy"][4]  # type: ignore[index]
    with pytest.raises(UnknownName, match="'axpx' is not a kernel"):
        kernels["axpx"]
    with pytest.raises(LaunchMistake, match="takes 4 arguments, got 1"):
        kernels["axpy"][1, 64](np.zeros(3))
    with pytest.raises(FileMistake, match="must be a file that can be read"):
        load(tmp_path / "none.hsaco")
    with pytest.raises(LaunchMistake, match="is for gfx1100, the device is a gfx1201"):
        load(linked("gfx1100", "-O3", source=SOURCE), device=Device("gfx1201"))
    assert repr(kernels) == "Kernels(axpy, _Z6halvesPKtPt, pairs, lds; gfx1100)"


def test_arrays_of_wider_numbers_than_the_kernel_reads_are_refused(kernels: Kernels) -> None:
    x, y = np.ones(64, np.float32), np.ones(64, np.float32)
    with pytest.raises(LaunchMistake, match=r"0 of axpy .* float32 .* got float64"):
        kernels["axpy"][1, 64](x.astype(np.float64), y, 2.0, 64, signature=TYPES)
    # What debug information says counts as a signature does.
    noted = load(linked("gfx1100", "-O3", "-g", source=SOURCE))
    with pytest.raises(LaunchMistake, match=r"1 of axpy .* float32 .* got float64"):
        noted["axpy"][1, 64](x, y.astype(np.float64), 2.0, 64)
    with pytest.raises(LaunchMistake, match=r"0 of lds .* int32 .* got int64"):
        noted["lds"][1, 64, 256](np.zeros(64, np.int64))
    # Bits of another kind, and packed numbers, are no mistake.
    bits = np.ones(64, np.float32).view(np.uint32)
    noted["axpy"][1, 64](bits, y, 2.0, 64)
    noted["axpy"][1, 64](x.view(np.uint64), y, 2.0, 64)
    small = np.zeros(128, np.int16)
    noted["lds"][1, 64, 256](small)
    assert small[0] == 63 * 3
    assert y[0] == 5


def test_a_code_object_goes_with_its_last_reference() -> None:
    data = linked("gfx1100", "-O3", source=SOURCE)
    assert shared_device("gfx1100").memory is shared_device("gfx942").memory
    used = shared_memory().used_bytes
    kernel = load(data)["pairs"]
    gc.collect()
    out = np.zeros(32, np.int32)
    kernel[1, 32](out, np.array([1, 2], np.int32))
    assert (out == 1004).all()
    del kernel
    gc.collect()
    assert shared_memory().used_bytes == used
    kernels = load(data)
    kernels.unload()
    kernels.unload()
    with pytest.raises(LaunchMistake, match="it was unloaded"):
        kernels["pairs"][1, 32](out, np.array([1, 2], np.int32))
