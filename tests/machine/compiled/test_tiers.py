"""Code gives the same bits, counts and faults step by step, as regions, and changing over."""

import re
from pathlib import Path

import numpy as np
import pytest

from tests.machine.test_zoo import SOURCE
from tests.objects.compiled import linked
from wavemma.engines.jit import Jit
from wavemma.errors import KernelFault, Unsupported
from wavemma.machine.compiled import heat
from wavemma.machine.compiled.code import CompiledCode, Tier
from wavemma.machine.device import Device
from wavemma.machine.job import Report

TIERS: tuple[Tier, ...] = ("steps", "regions", "both")
LOOP = """
extern "C" __attribute__((global)) void loop(unsigned* x, int n) {
  unsigned i = __builtin_amdgcn_workitem_id_x() + 64 * __builtin_amdgcn_workgroup_id_x();
  unsigned a = x[i];
  float f = i;
  for (int k = 0; k < n; k++) {
    a = a * 1664525u + i;
    if (a & 64) f = f * 0.999f + (float)(a >> 20);
    if ((a & 0x700) == 0) __builtin_amdgcn_s_sleep(1);
  }
  x[i] = a ^ __builtin_bit_cast(unsigned, f);
}
extern "C" __attribute__((global)) void outside(unsigned* x, int n) {
  unsigned i = __builtin_amdgcn_workitem_id_x();
  for (int k = 0; k < n; k++) x[i] += k;
  x[i + (i == 5 ? 1 << 20 : 0)] = n;
}
"""


class Looper:
    """Launches one kernel of a device again and again."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.module = device.load(linked(device.target.name, "-O2", source=LOOP))
        self.place = device.memory.allocate(4 * 64 * 8, "x")
        self.x = device.memory.array(self.place, np.uint32, (64 * 8,))

    def run(self, turns: int) -> tuple[np.ndarray, Report]:
        self.x[:] = np.arange(64 * 8) * 2654435761
        arguments = [self.place, np.int32(turns)]
        report = self.device.launch(self.module, "loop", 8, 64, arguments)
        return self.x.copy(), report

    @property
    def code(self) -> CompiledCode:
        ((_, code),) = self.device._code.values()
        return code

    def wait(self) -> None:
        assert self.code.heat
        self.code.heat.wait()


def expected(turns: int) -> np.ndarray:
    i = np.arange(64 * 8, dtype=np.uint32)
    a, f = i * np.uint32(2654435761), i.astype(np.float32)
    for _ in range(turns):
        a = a * np.uint32(1664525) + i
        # The product is rounded only with the sum: it is exact in f64, and so nearly is the sum.
        more = f.astype(np.float64) * np.float64(np.float32(0.999)) + (a >> 20)
        f = np.where(a & 64, more.astype(np.float32), f)
    return a ^ f.view(np.uint32)


@pytest.mark.parametrize("target", ["gfx1100", "gfx942"])
def test_all_tiers_give_what_numpy_gives(target: str) -> None:
    counts = []
    for tier in TIERS:
        got, report = Looper(Device(target, tier=tier)).run(40)
        assert np.array_equal(got, expected(40)), tier
        counts.append(report.block_counts)
    assert np.array_equal(counts[0], counts[1])
    assert np.array_equal(counts[0], counts[2])


def test_a_launch_changes_over_while_it_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heat, "HOT", 1)
    monkeypatch.setattr("wavemma.machine.launch._LOOK_SECONDS", 0.0)
    both, steps = Looper(Device("gfx1100", threads=2)), Looper(Device("gfx1100", tier="steps"))
    for turns in (1, 1000, 1000):
        assert np.array_equal(both.run(turns)[0], steps.run(turns)[0])
    both.wait()
    assert not both.code.steps.all()
    assert np.array_equal(both.run(40)[0], expected(40))


def test_what_is_hot_is_compiled_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heat, "HOT", 5000)
    both = Looper(Device("gfx1100"))
    both.run(1)
    entry = both.code.code.numbers[0]
    assert both.code.heat
    assert not both.code.heat._asked
    assert both.code.steps[entry]
    both.run(1000)
    both.wait()
    assert both.code.heat._asked


@pytest.mark.filterwarnings("error")
def test_what_cannot_be_compiled_as_a_whole_goes_on_in_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(code: CompiledCode, region: range) -> None:
        raise Unsupported(f"region {region}")

    monkeypatch.setattr(heat, "HOT", 1)
    monkeypatch.setattr(CompiledCode, "_compile_region", refuse)
    both = Looper(Device("gfx1100"))
    both.run(1000)
    both.wait()
    assert both.code.heat
    assert both.code.heat._asked
    assert np.array_equal(both.run(40)[0], expected(40))


def test_faults_are_the_same() -> None:
    messages = set()
    for tier in TIERS:
        device = Device("gfx1100", tier=tier)
        module = device.load(linked("gfx1100", "-O2", source=LOOP))
        place = device.memory.allocate(4 * 64, "x")
        with pytest.raises(KernelFault) as caught:
            device.launch(module, "outside", 1, 64, [place, np.int32(3)])
        messages.add(re.sub("0x[0-9a-f]{9,}", "an address", str(caught.value)))
    assert len(messages) == 1


def fresh(folder: Path) -> Looper:
    """As in a process of its own: nothing is in memory yet."""
    device = Device("gfx1100")
    device.jit = Jit(cache_folder=folder)
    return Looper(device)


def test_steps_on_disk_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fresh(tmp_path).run(3)
    monkeypatch.setattr(Jit, "compile", None)
    assert np.array_equal(fresh(tmp_path).run(40)[0], expected(40))


@pytest.mark.parametrize("damage", ["largest", "all"])
def test_damaged_steps_are_made_again(tmp_path: Path, damage: str) -> None:
    fresh(tmp_path).run(3)
    files = sorted(tmp_path.glob("*.o"))
    assert files
    for file in files:
        if damage == "all" or file.stat().st_size == max(each.stat().st_size for each in files):
            file.write_bytes(file.read_bytes()[:-1])
    assert np.array_equal(fresh(tmp_path).run(40)[0], expected(40))


def test_the_zoo_runs_from_one_set_of_steps() -> None:
    device = Device("gfx1201", tier="steps")
    module = device.load(linked("gfx1201", "-O1", source=SOURCE))
    x = np.arange(2000, dtype=np.float32).reshape(2, 1000)
    places = [device.memory.allocate(each.nbytes, "x") for each in (x, x[:, 0].copy())]
    device.memory.array(places[0], np.float32, x.shape)[:] = x
    device.launch(module, "reduce", 2, 256, [*places, np.int32(1000)])
    assert np.array_equal(device.memory.array(places[1], np.float32, (2,)), x.sum(axis=1))
