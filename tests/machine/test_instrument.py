"""Stores that a trace sees, against those that the interpreter writes to device memory."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.machine.device import Device
from wavemma.machine.instrument import STORE, StoreTrace, first_difference
from wavemma.machine.interpreted.memory import GroupMemory

SOURCE = """
typedef float f4 __attribute__((ext_vector_type(4)));
typedef double d2 __attribute__((ext_vector_type(2)));
extern "C" __attribute__((global)) void k(char *out, unsigned *sum, unsigned long *wide) {
  __attribute__((shared)) static int lds[64];
  int i = __builtin_amdgcn_workitem_id_x(), g = __builtin_amdgcn_workgroup_id_x();
  volatile int own[4] = {i, g, 2, 3};
  lds[i] = i;
  __builtin_amdgcn_s_barrier();
  if (i % 3 == 0) out[i + 64 * g] = own[i & 3];
  ((short *)(out + 1024))[i + 64 * g] = lds[63 - i];
  if (i & 8) ((f4 *)(out + 2048))[i + 64 * g] = (f4)(i + 0.5f);
  ((d2 *)(out + 8192))[i + 64 * g] = (d2){i * 1.0, g * 2.0};
  __atomic_fetch_add(sum, i, __ATOMIC_RELAXED);
  if (i == 5) __atomic_fetch_max(wide, (unsigned long)i << 40, __ATOMIC_RELAXED);
}
"""
SLOW = [("-O0",), ("-O2", "-mwavefrontsize64")]
SIZES = {"out": 16384, "sum": 4, "wide": 8}


def launch(options, trace=None, *, interpreted=False):
    device = Device("gfx1100", threads=2)
    module = device.load(linked("gfx1100", *options, source=SOURCE))
    places = [device.memory.allocate(size, name) for name, size in SIZES.items()]
    device.launch(module, "k", 3, 64, places, trace=trace, interpreted=interpreted)
    contents = [device.memory.read(p, s) for p, s in zip(places, SIZES.values(), strict=True)]
    return places, contents


@pytest.mark.parametrize(
    "options",
    [("-O2",), *(pytest.param(o, marks=pytest.mark.slow) for o in SLOW)],
)
def test_every_store_is_seen_in_order(options, monkeypatch):
    written = {}
    write = GroupMemory.write

    def watched(memory, wave, space, address, data, lane):
        write(memory, wave, space, address, data, lane)
        if memory.memory.find(address):
            written.setdefault(wave, []).append((address, lane, data))

    monkeypatch.setattr(GroupMemory, "write", watched)
    first, wanted = launch(options, interpreted=True)
    monkeypatch.undo()
    trace = StoreTrace()
    places, contents = launch(options, trace)
    assert contents == wanted
    stores = trace.kept
    moved, atomic = first[0] - places[0], set(first[1:])
    seen = {}
    for each in stores:
        data = each["words"].tobytes()[: each["size_bytes"]]
        own = seen.setdefault((int(each["group"]), int(each["wave"])), [])
        own.append((int(each["address"]) + moved, int(each["lane"]), data))
    assert sorted(map(plain(atomic), seen.values())) == sorted(map(plain(atomic), written.values()))
    assert stores["group"].tolist() == sorted(stores["group"].tolist())
    # Operands of atomics: numbers of work-items, which the compiler may add up before.
    added = stores[stores["address"] == places[1]]["words"]
    assert int(added[:, 0].sum()) == 3 * sum(range(64))
    widest = stores[stores["address"] == places[2]]["words"]
    assert widest.tolist() == [[0, 5 << 8, 0, 0]] * 3


def plain(atomic):
    """Leave out what atomics write: the trace has their operands."""
    return lambda stores: [(*each[:2], each[2] * (each[0] not in atomic)) for each in stores]


def test_chunks_are_digests_and_one_is_kept():
    whole = StoreTrace()
    launch(("-O2",), whole)
    assert len(whole.digests) == 1
    for keep in (0, 3):
        trace = StoreTrace(keep, chunk=50)
        launch(("-O2",), trace)
        assert len(trace.digests) == -(-whole.kept.size // 50)
        part = whole.kept[50 * keep : 50 * keep + 50]
        assert np.array_equal(trace.kept["words"], part["words"])
        assert np.array_equal(trace.kept["lane"], part["lane"])


def test_the_first_difference():
    one = np.zeros(5, dtype=STORE)
    other = one.copy()
    assert first_difference(one, other) is None
    assert first_difference(one, other[:3]) == 3
    other[2]["words"][3] = 1
    other[4]["lane"] = 1
    assert first_difference(one, other) == 2
    assert first_difference(one[:2], other[:2]) is None
