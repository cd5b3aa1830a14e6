"""Device memory against a plain dictionary of bytes, and what it refuses."""

import threading
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wavemma.errors import MemoryMistake
from wavemma.machine.memory.device_memory import DeviceMemory

PAGE = 4096
RANGE_BYTES = 64 * PAGE


@pytest.fixture
def memory() -> Iterator[DeviceMemory]:
    with DeviceMemory(reserved_bytes=RANGE_BYTES) as made:
        yield made


class Known(NamedTuple):
    """What a kernel may do at an address, read as compiled code reads it."""

    is_there: bool
    flags: int


def known(memory: DeviceMemory, address: int) -> Known:
    """Look an address up by page and record."""
    record = memory.records[memory.table[(address - memory.start) // PAGE]]
    return Known(bool(record["start"] <= address < record["end"]), int(record["flags"]))


SIZES = st.integers(1, 6 * PAGE)
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("allocate"), SIZES, st.booleans()),
        st.tuples(st.just("free"), st.integers(0, 99), st.booleans()),
        st.tuples(st.just("write"), st.integers(0, 99), st.binary(min_size=1, max_size=40)),
    ),
    max_size=60,
)


class Twin:
    """Device memory beside a dictionary that says what must be in it."""

    def __init__(self) -> None:
        self.memory = DeviceMemory(reserved_bytes=RANGE_BYTES)
        self.held: dict[int, bytearray] = {}
        self.writable: dict[int, bool] = {}

    def allocate(self, size: int, writable: bool) -> None:
        try:
            address = self.memory.allocate(size, writable=writable)
        except MemoryMistake:
            # A range of 64 pages, one of them kept empty: fragments can hold less than half.
            longest = -(-size // PAGE) + 1
            taken = sum(-(-len(data) // PAGE) + 1 for data in self.held.values())
            assert taken + (len(self.held) + 1) * (longest - 1) + longest > RANGE_BYTES // PAGE - 1
            return
        for other, data in self.held.items():
            assert address + size + PAGE <= other or other + len(data) + PAGE <= address
        self.held[address] = bytearray(size)
        self.writable[address] = writable

    def free(self, number: int, dirty: bool) -> None:
        if not self.held:
            return
        address = sorted(self.held)[number % len(self.held)]
        kept = self.memory.array(address, np.uint8, (len(self.held[address]),))
        self.memory.free(address)
        del self.held[address]
        assert known(self.memory, address).flags == 4
        if dirty:
            kept[:] = 255

    def write(self, number: int, data: bytes) -> None:
        if not self.held:
            return
        address = sorted(self.held)[number % len(self.held)]
        own = self.held[address]
        offset = number * 31 % len(own)
        data = data[: len(own) - offset]
        own[offset : offset + len(data)] = data
        self.memory.write(address + offset, data)

    def check(self) -> None:
        for address, data in self.held.items():
            assert self.memory.read(address, len(data)) == data
            flags = 1 | 2 * self.writable[address]
            for inside in (address, address + len(data) // 2, address + len(data) - 1):
                assert known(self.memory, inside) == Known(True, flags)
                found = self.memory.find(inside)
                assert found is not None
                assert (found.address, found.size_bytes) == (address, len(data))
            for outside in (address - 1, address + len(data)):
                assert not known(self.memory, outside).is_there
                assert self.memory.find(outside) is None
        assert self.memory.used_bytes == sum(map(len, self.held.values()))


@settings(max_examples=60)
@given(STEPS)
def test_it_does_what_a_dictionary_of_bytes_does(
    steps: list[tuple[str, int, bool | bytes]],
) -> None:
    twin = Twin()
    for what, *arguments in steps:
        getattr(twin, what)(*arguments)
    twin.check()


def test_addresses_and_records_come_again_for_ever(memory: DeviceMemory) -> None:
    stays = memory.allocate(10)
    seen = set()
    for turn in range(500):
        address = memory.allocate(3 * PAGE)
        assert memory.read(address, 3 * PAGE) == bytes(3 * PAGE), turn
        memory.write(address, b"\xff" * 3 * PAGE)
        seen.add(address)
        memory.free(address)
    assert len(seen) == 15, "61 free pages are 15 runs of 3 with an empty one behind"
    assert memory.read(stays, 10) == bytes(10)
    everything = memory.allocate(60 * PAGE)
    assert memory.read(everything, 60 * PAGE) == bytes(60 * PAGE), "the runs must join again"


def test_a_freed_address_is_told_as_long_as_there_are_fresh_ones(memory: DeviceMemory) -> None:
    first = memory.allocate(8, "old")
    memory.free(first)
    assert memory.allocate(8) != first
    assert (
        memory.describe(first + 3)
        == f"it is 3 bytes into 'old' 0x{first:x} of 8 bytes, which was freed"
    )


def test_where_addresses_lie(memory: DeviceMemory) -> None:
    assert memory.describe(7) == "there are no allocations"
    first, second = memory.allocate(100, "a"), memory.allocate(100)
    assert memory.describe(first + 99) == f"it is 99 bytes into 'a' 0x{first:x} of 100 bytes"
    near = "the nearest allocation is"
    assert memory.describe(first - 2) == (
        f"{near} 'a' 0x{first:x} of 100 bytes: it is 2 bytes before it"
    )
    assert memory.describe(second + 100) == (
        f"{near} 0x{second:x} of 100 bytes: it is 0 bytes behind its end"
    )


def test_arrays_are_the_memory(memory: DeviceMemory) -> None:
    address = memory.allocate(64)
    view = memory.array(address + 8, np.float32, (2, 3))
    view[1, 2] = 1.5
    assert memory.read(address + 8 + 20, 4) == np.float32(1.5).tobytes()
    memory.write(address + 8, np.float32(-2).tobytes())
    assert view[0, 0] == -2
    assert view.ctypes.data == address + 8
    memory.close()
    assert view[1, 2] == 1.5


def test_kernels_may_write_only_what_they_may(memory: DeviceMemory) -> None:
    address = memory.allocate(5, writable=False)
    assert known(memory, address + 4) == Known(True, 1)
    memory.write(address, b"hosts")
    memory.protect(address, writable=True)
    assert known(memory, address + 4) == Known(True, 3)
    assert memory.read(address, 5) == b"hosts"


def test_what_a_program_asked_for_is_the_nearest(memory: DeviceMemory) -> None:
    ours = memory.allocate(PAGE, "ours", is_ours=True)
    assert "nearest allocation is 'ours'" in memory.describe(ours + PAGE + 9)
    address = memory.allocate(PAGE, "asked")
    behind = memory.allocate(PAGE, "ours too", is_ours=True)
    words = memory.describe(behind - 9)
    assert "the nearest allocation is 'asked'" in words
    assert words.endswith(f"it is {behind - 9 - address - PAGE:,} bytes behind its end")
    assert "9 bytes into 'ours too'" in memory.describe(behind + 9)


def test_parts_of_an_allocation_that_kernels_may_write(memory: DeviceMemory) -> None:
    size = 5 * PAGE + 7
    address = memory.allocate(size, writable=False)
    memory.protect_rest(address, [(PAGE + 5, 10), (3 * PAGE - 1, 2)])
    # Pages 1, 2 and 3 hold some of these bytes; 0, 4 and the rest of 5 do not.
    for page, flags in enumerate([1, 3, 3, 3, 1, 1]):
        assert known(memory, address + page * PAGE) == Known(True, flags)
    assert known(memory, address + size - 1) == Known(True, 1)
    assert known(memory, address + size) == Known(False, 1)
    assert memory.read(address, size) == bytes(size)
    memory.free(address)
    assert {known(memory, address + page * PAGE).flags for page in range(6)} == {4}
    for _ in range(40):
        memory.free(memory.allocate(10 * PAGE))
    again = memory.allocate(60 * PAGE)
    assert {known(memory, again + page * PAGE) for page in range(60)} == {Known(True, 3)}


def test_what_it_refuses(memory: DeviceMemory) -> None:
    address = memory.allocate(100)
    with pytest.raises(MemoryMistake, match="at least 1 byte; 0 were asked for"):
        memory.allocate(0)
    with pytest.raises(MemoryMistake, match=r"bytes, 100 are in use by 1 allocations; 1,048,576"):
        memory.allocate(1 << 20)
    with pytest.raises(MemoryMistake, match=r"start of an allocation.*it is 1 bytes into"):
        memory.free(address + 1)
    for size in (101, 1 << 70):
        with pytest.raises(MemoryMistake, match="must lie inside one allocation"):
            memory.read(address, size)
    with pytest.raises(MemoryMistake, match="must lie inside one allocation"):
        memory.write(address + 99, b"12")
    with pytest.raises(MemoryMistake, match="no negative length"):
        memory.array(address, np.int8, (-1,))
    with pytest.raises(MemoryMistake, match="fixed size"):
        memory.array(address, object, (1,))
    memory.free(address)
    with pytest.raises(MemoryMistake, match="has been freed already"):
        memory.free(address)
    with pytest.raises(MemoryMistake, match="which was freed"):
        memory.read(address, 1)
    with pytest.raises(MemoryMistake, match="which was freed"):
        memory.protect(address, writable=True)
    with pytest.raises(MemoryMistake, match="must lie inside"):
        memory.read(0, 1)


def test_a_limit_is_kept_and_given_back() -> None:
    memory = DeviceMemory(1000, reserved_bytes=RANGE_BYTES)
    first = memory.allocate(600)
    with pytest.raises(MemoryMistake, match="has 1,000 bytes, 600 are in use"):
        memory.allocate(401)
    memory.allocate(400)
    memory.free(first)
    memory.allocate(600)
    assert memory.used_bytes == 1000


def test_closed_memory_refuses_everything(memory: DeviceMemory) -> None:
    address = memory.allocate(4)
    memory.close()
    for use in (
        lambda: memory.read(address, 1),
        lambda: memory.write(address, b"1"),
        lambda: memory.allocate(1),
        lambda: memory.free(address),
        lambda: memory.protect(address, writable=False),
    ):
        with pytest.raises(MemoryMistake, match="has been closed"):
            use()


def test_threads_do_not_get_in_each_others_way() -> None:
    memory = DeviceMemory(reserved_bytes=1 << 24)
    faults: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for turn in range(300):
                address = memory.allocate(8 + turn % 5000)
                memory.write(address, bytes([number]) * 8)
                memory.describe(address + PAGE * 3)
                assert memory.read(address, 8) == bytes([number]) * 8
                memory.free(address)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert not faults
    assert memory.used_bytes == 0
