"""Kernels and launches without an end: the time that they may take ends them, on both engines."""

import _thread
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import WatchdogExpired
from wavemma.machine.device import Device

KERNEL = 'extern "C" __attribute__((global)) void k(int *out) {{ {body} }}'
ENDLESS = {
    "a branch": "1: s_branch 1b",
    "a barrier": "1: s_barrier\\n s_branch 1b",
    "a far jump": "s_branch 1f\\n 1: s_getpc_b64 s[4:5]\\n s_add_u32 s4, s4, -4\\n"
    " s_setpc_b64 s[4:5]",
    "calls": "s_branch 1f\\n 1: s_getpc_b64 s[4:5]\\n s_add_u32 s4, s4, -4\\n"
    " s_swappc_b64 s[6:7], s[4:5]",
    "conditions": "1: s_cmp_eq_u32 0, 0\\n s_cbranch_scc1 1b",
}
SCRIPT = """
import sys
from wavemma.errors import WatchdogExpired
from wavemma.machine.device import Device

interpreted, *cases = sys.argv[1:]
for case in cases:
    path, *numbers = case.split(",")
    grid, block, threads = map(int, numbers)
    device = Device("gfx1100", threads=threads)
    out = device.memory.allocate(4)
    module = device.load(open(path, "rb").read())
    options = {"seconds": 0.1, "interpreted": bool(int(interpreted))}
    try:
        device.launch(module, "k", grid, block, [out], **options)
        print("ended")
    except WatchdogExpired:
        print("expired")
"""


def outcomes(folder, interpreted, *cases):
    """Launch bodies with numbers in a process of its own, as one that hangs can only be killed."""
    words = []
    for number, (body, *numbers) in enumerate(cases):
        path = folder / f"{number}.hsaco"
        path.write_bytes(linked("gfx1100", "-O1", source=KERNEL.format(body=body)))
        words.append(",".join(map(str, (path, *numbers))))
    command = (sys.executable, "-c", SCRIPT, str(int(interpreted)), *words)
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.stdout.split()


@pytest.mark.parametrize("interpreted", [False, True])
def test_waves_without_an_end(tmp_path, interpreted):
    cases = [
        (f'asm volatile("{lines}");', 1, 32 * waves, 1)
        for lines in ENDLESS.values()
        for waves in (1, 2)
    ]
    assert outcomes(tmp_path, interpreted, *cases) == ["expired"] * len(cases)


def test_more_workgroups_than_time(tmp_path):
    cases = [("", (1 << 32) - 1, 1, threads) for threads in (1, 2)]
    assert outcomes(tmp_path, False, *cases) == ["expired"] * 2


def test_interpreted_waves_take_turns_in_loops_that_do_not_sleep():
    # The first wave waits for what the second one stores.
    body = """
      int item = __builtin_amdgcn_workitem_id_x();
      if (item >= 32) __atomic_store_n(out, 7, __ATOMIC_RELEASE);
      else while (__atomic_load_n(out, __ATOMIC_ACQUIRE) == 0);
    """
    device = Device("gfx1100", threads=1)
    module = device.load(linked("gfx1100", "-O1", source=KERNEL.format(body=body)))
    out = device.memory.allocate(4)
    device.launch(module, "k", 1, 64, [out], seconds=30, interpreted=True)
    assert device.memory.array(out, np.int32, (1,)).tolist() == [7]


# Workgroups that end before they must give way, but after some time.
LONG = """
extern "C" __attribute__((global)) void k(unsigned *out) {
  unsigned a = __builtin_amdgcn_workitem_id_x();
  for (int i = 0; i < 2000; i++) {
#pragma unroll
    for (int j = 1; j < 16; j++) a = (a ^ a << 7) * (a >> j);
  }
  if (a == 77) out[0] = a;
}
"""


def long_launch(threads, **options):
    device = Device("gfx1100", threads=threads, tier="steps")
    module = device.load(linked("gfx1100", "-O3", source=LONG))
    out = device.memory.allocate(4)
    device.launch(module, "k", 1, 256, [out])
    begun = time.monotonic()
    try:
        device.launch(module, "k", 5000, 256, [out], **options)
    except (KeyboardInterrupt, WatchdogExpired) as error:
        return type(error), time.monotonic() - begun
    return None, 0


@pytest.mark.parametrize("threads", [1, 2])
def test_many_long_workgroups_let_the_host_look(threads):
    kind, seconds = long_launch(threads, seconds=0.2)
    assert kind is WatchdogExpired
    assert seconds < 2
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    kind, seconds = long_launch(threads)
    timer.join()
    assert kind is KeyboardInterrupt
    assert seconds < 2
