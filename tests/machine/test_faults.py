"""What kernels do wrong, and everything that the error tells of it, on both engines."""

import numpy as np
import pytest

from tests.objects.compiled import linked
from wavemma.errors import KernelFault, MemoryMistake, Unsupported, WatchdogExpired
from wavemma.machine.compiled.state import Fault
from wavemma.machine.device import Device
from wavemma.machine.fault import Stop

SOURCE = """
#define __global__ __attribute__((global))
extern "C" __global__ void k(int *out, long where, int n) {
  __attribute__((shared)) static volatile int lds[16];
  int i = __builtin_amdgcn_workitem_id_x(), g = __builtin_amdgcn_workgroup_id_x();
  if (g != 2 || i != 37) return;
  asm volatile("s_mov_b32 s40, 0x1234\\n v_mov_b32 v40, %0" :: "v"(i * 3) : "s40", "v40");
  if (n == 0) *(int *)where = n;                                          // plain
  if (n == 1) __atomic_fetch_add((int *)where, 1, __ATOMIC_RELAXED);      // atomic
  if (n == 2) lds[where] = n;                                             // shared
  if (n == 3) __builtin_trap();                                           // trap
  if (n == 4) out[0] = *(volatile int *)where;                            // read
  if (n == 5) out[0] = lds[where];                                        // shared read
}
"""
LANE, GROUP, WAVE = 37 - 32, (2, 0, 0), 1


def line_of(mark):
    return next(n for n, text in enumerate(SOURCE.splitlines(), 1) if f"// {mark}" in text)


class Place:
    """A device with a kernel, and buffers of several kinds."""

    def __init__(self, *options, target="gfx1100"):
        self.device = Device(target, threads=1)
        memory = self.device.memory
        self.module = self.device.load(linked(target, *options, source=SOURCE))
        self.out = memory.allocate(100, "out")
        self.constant = memory.allocate(64, "table", writable=False)
        self.freed = memory.allocate(64, "old")
        memory.free(self.freed)

    def fault(self, where, n, error=KernelFault, **options):
        arguments = [self.out, np.int64(where), np.int32(n)]
        with pytest.raises(error) as caught:
            self.device.launch(self.module, "k", 3, 64, arguments, **options)
        assert isinstance(caught.value.record, Stop)
        return str(caught.value), caught.value.record


@pytest.fixture(scope="module", params=["-O0", "-O2"])
def place(request):
    return Place(request.param, "-g")


CASES = [
    ("plain", 0, lambda p: p.out + 98, Fault.OUT_OF_RANGE, 4, "98 bytes into 'out'"),
    ("plain", 0, lambda p: p.out + 108, Fault.OUT_OF_RANGE, 4, "'out' 0x{out:x} of 100 bytes: it"
     " is 8 bytes behind its end"),
    ("plain", 0, lambda p: 0, Fault.OUT_OF_RANGE, 4, "A pointer of the kernel is null."),
    ("plain", 0, lambda p: p.constant + 4, Fault.READ_ONLY, 4, "4 bytes into 'table'"),
    ("plain", 0, lambda p: p.freed + 8, Fault.FREED, 4, "8 bytes into 'old' 0x{freed:x} of 64"
     " bytes, which was freed"),
    ("atomic", 1, lambda p: p.out + 2, Fault.MISALIGNED, 4, "2 bytes into 'out'"),
    ("shared", 2, lambda p: 16, Fault.OUTSIDE_LDS, 4, "writes 4 bytes at LDS address 0x40; the"
     " workgroup has 64"),
    ("shared read", 5, lambda p: 17, Fault.OUTSIDE_LDS, 4, "reads 4 bytes at LDS address 0x44"),
    ("read", 4, lambda p: p.freed, Fault.FREED, 4, "reads 4 bytes at 0x{freed:x}, which were"),
    ("atomic", 1, lambda p: p.freed, Fault.FREED, 4, "writes 4 bytes at 0x{freed:x}, which were"),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[3].name} {case[5][:9]}")
@pytest.mark.parametrize("interpreted", [False, True])
def test_everything_is_told(place, case, interpreted):
    mark, n, where, fault, size, words = case
    address = where(place)
    text, stop = place.fault(address, n, interpreted=interpreted)
    assert (stop.kernel, stop.fault, stop.size_bytes) == ("k", fault, size)
    assert (stop.group, stop.wave, stop.lane) == (GROUP, WAVE, LANE)
    assert stop.address == (4 * address if mark.startswith("shared") else address)
    assert stop.writes == ("read" not in mark)
    assert stop.line.line == line_of(mark)
    assert words.format(out=place.out, freed=place.freed) in text
    assert f"'{stop.instruction}' at 0x{stop.code_address:x} in k, " in text
    assert f"k.hip:{line_of(mark)}, " in text
    assert "(workgroup (2, 0, 0), wave 1, lane 5)" in text


@pytest.mark.parametrize("interpreted", [False, True])
def test_registers_at_the_fault(place, interpreted):
    _, stop = place.fault(place.constant, 0, interpreted=interpreted)
    held = stop.registers
    assert held.scalars["s40"] == 0x1234
    assert held.vectors[40][LANE] == 37 * 3
    assert held.scalars["exec_lo"] == 1 << LANE
    assert held.accumulators.size == 0
    assert {"vcc_lo", "vcc_hi", "m0", "scc", "mode", "ttmp9"} <= held.scalars.keys()
    assert "null" not in held.scalars


def test_both_engines_tell_the_same():
    one = Place("-O1")
    stops = [one.fault(one.out + 99, 0, interpreted=each)[1] for each in (False, True)]
    compiled, interpreted = stops
    assert compiled.registers.scalars == interpreted.registers.scalars
    assert np.array_equal(compiled.registers.vectors, interpreted.registers.vectors)
    assert compiled.line is None
    assert compiled.code_address == interpreted.code_address


def test_accumulators_are_told_apart():
    place = Place("-O1", "-g", target="gfx942")
    _, stop = place.fault(place.constant, 0)
    assert stop.registers.scalars["s40"] == 0x1234
    # A wave of 64 lanes holds both halves of the workgroup.
    assert stop.registers.vectors[40][37] == 37 * 3
    assert (stop.wave, stop.lane) == (0, 37)
    assert "flat_scratch_lo" in stop.registers.scalars


def test_traps_have_no_address(place):
    text, stop = place.fault(0, 3)
    assert (stop.fault, stop.lane, stop.address, stop.nearest) == (Fault.TRAP, None, None, "")
    assert f"k.hip:{line_of('trap')}, traps" in text


UNKNOWN = """
extern "C" __attribute__((global)) void k(int *out, long where, int n) {
  asm volatile(".long 0xffffffff");  // unknown
}
"""


@pytest.mark.parametrize("interpreted", [False, True])
def test_unsupported_instructions_name_their_line(interpreted):
    device = Device("gfx1100", threads=1)
    module = device.load(linked("gfx1100", "-O1", "-g", source=UNKNOWN))
    with pytest.raises(Unsupported, match=r"k: 'the word 0xffffffff' at .*k\.hip:3, cannot be run"):
        device.launch(module, "k", 1, 32, [0, 0, 0], interpreted=interpreted)


JUMP = """
typedef void (*Function)(int *);
extern "C" __attribute__((global)) void k(Function *table, int *out) {
  table[__builtin_amdgcn_workgroup_id_x()](out);  // called
  *out = 1;
}
"""


@pytest.mark.parametrize("level", ["-O0", "-O2"])
@pytest.mark.parametrize("interpreted", [False, True])
def test_calls_of_what_is_no_function(level, interpreted):
    device = Device("gfx1100", threads=1)
    module = device.load(linked("gfx1100", level, "-g", source=JUMP))
    out, table = device.memory.allocate(4), device.memory.allocate(64)
    line = next(n for n, text in enumerate(JUMP.splitlines(), 1) if "// called" in text)
    for target in (0, out, module.base + 1):
        device.memory.array(table, np.uint64, (1,))[0] = target
        with pytest.raises(KernelFault) as caught:
            device.launch(module, "k", 1, 32, [table, out], interpreted=interpreted)
        stop = caught.value.record
        assert (stop.fault, stop.address, stop.lane) == (Fault.BAD_JUMP, target, None)
        assert stop.instruction.startswith("s_swappc_b64")
        assert stop.line.line == line
        assert f"jumps to 0x{target:x}, where no block of its code begins" in str(caught.value)


BRANCH = """
extern "C" __attribute__((global)) void k(int *out) {
  asm volatile("s_branch 0x7000");  // away
  *out = 1;
}
"""


@pytest.mark.parametrize("interpreted", [False, True])
def test_branches_out_of_the_code(interpreted):
    device = Device("gfx1100", threads=1)
    module = device.load(linked("gfx1100", "-O1", "-g", source=BRANCH))
    with pytest.raises(
        KernelFault,
        match=r"k: 's_branch .*' at 0x.* in k, .*k\.hip:3, leads to where there is no code of its"
        r" kernel \(workgroup \(0, 0, 0\), wave 0\)\.$",
    ):
        device.launch(module, "k", 1, 32, [0], interpreted=interpreted)


def test_cooperative_launches_are_bounded():
    place = Place("-O1")
    arguments = [place.out, np.int64(0), np.int32(0)]
    with pytest.raises(MemoryMistake, match=r"all be kept at one time.*100,000,000 of k need"):
        place.device.launch(place.module, "k", 100_000_000, 1, arguments, whole_grid=True)
    place.device.launch(place.module, "k", 2, 64, arguments, whole_grid=True)


def test_the_watchdog_counts_the_time_of_the_compiler(tmp_path):
    device = Device("gfx1100", threads=1, cache_folder=tmp_path)
    module = device.load(linked("gfx1100", "-O1", source=SOURCE))
    arguments = [0, np.int64(0), np.int32(7)]
    with pytest.raises(WatchdogExpired, match=r"k was still being compiled after 0\.001 s\."):
        device.launch(module, "k", 3, 64, arguments, seconds=0.001)
