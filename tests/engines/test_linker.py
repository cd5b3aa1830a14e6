"""Functions that call each other come from disk whole, or not at all."""

import multiprocessing
from ctypes import CFUNCTYPE, c_int32
from pathlib import Path

import llvmlite.ir as ir
import pytest

from wavemma.engines.jit import Jit
from wavemma.engines.object_folder import ObjectFolder

I32 = ir.IntType(32)
NUMBER, TWICE = "test_number", "test_twice"


def with_number(jit: Jit, number: int) -> None:
    """Make a function that gives a number, for others to call."""
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(I32, []), NUMBER)
    ir.IRBuilder(function.append_basic_block()).ret(I32(number))
    jit.linker.make(module, jit.compile)


def with_twice(jit: Jit) -> None:
    """Make a function that gives twice what the other one gives."""
    module = ir.Module()
    called = ir.Function(module, ir.FunctionType(I32, []), NUMBER)
    build = ir.IRBuilder(ir.Function(module, ir.FunctionType(I32, []), TWICE).append_basic_block())
    build.ret(build.mul(build.call(called, []), I32(2)))
    jit.linker.make(module, jit.compile)


def twice(jit: Jit) -> int | None:
    if not jit.linker.has(TWICE):
        return None
    return int(CFUNCTYPE(c_int32)(jit.linker.addresses[TWICE])())


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    jit = Jit(cache_folder=tmp_path)
    with_number(jit, 21)
    with_twice(jit)
    assert twice(jit) == 42
    return tmp_path


def test_what_is_called_is_loaded_too(filled: Path) -> None:
    assert twice(Jit(cache_folder=filled)) == 42


def test_what_is_loaded_already_is_called(filled: Path) -> None:
    jit = Jit(cache_folder=filled)
    with_number(jit, 5)
    assert twice(jit) == 10


def test_without_a_folder_functions_live_in_memory() -> None:
    jit = Jit()
    with_number(jit, 4)
    with_twice(jit)
    assert twice(jit) == 8
    assert twice(Jit()) is None


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("data", [None, b"", b"x" * 40])
def test_nothing_is_loaded_where_something_is_missing(
    filled: Path, number: int, data: bytes | None
) -> None:
    place = sorted(filled.glob("*.o"))[number]
    if data is None:
        place.unlink()
    else:
        place.write_bytes(data)
    assert twice(Jit(cache_folder=filled)) is None


def test_what_is_missing_is_made_again(filled: Path) -> None:
    for place in filled.glob("*.o"):
        place.write_bytes(b"damaged")
    jit = Jit(cache_folder=filled)
    assert twice(jit) is None
    with_number(jit, 21)
    with_twice(jit)
    assert twice(jit) == twice(Jit(cache_folder=filled)) == 42


def test_what_is_refused_is_known_later(tmp_path: Path) -> None:
    assert not Jit(cache_folder=tmp_path).linker.is_refused("test_impossible")
    Jit(cache_folder=tmp_path).linker.refuse(["test_impossible"])
    assert Jit(cache_folder=tmp_path).linker.is_refused("test_impossible")
    assert not Jit(cache_folder=tmp_path).linker.has("test_impossible")


def test_an_object_with_one_wrong_byte_is_none(filled: Path) -> None:
    for place in filled.glob("*.o"):
        whole = bytearray(place.read_bytes())
        for at in range(0, len(whole), 37):
            changed = bytearray(whole)
            changed[at] ^= 1
            place.write_bytes(changed)
            assert ObjectFolder(filled).read(place.name) is None


def test_an_index_keeps_what_others_added(tmp_path: Path) -> None:
    one, other = ObjectFolder(tmp_path), ObjectFolder(tmp_path)
    one.write_index("index", {"a": "1"})
    other.write_index("index", {"b": "2"})
    assert one.read_index("index") == {"a": "1", "b": "2"}


@pytest.mark.parametrize("damage", ["short", "changed", "other", "longer"])
def test_a_damaged_index_is_begun_anew(tmp_path: Path, damage: str) -> None:
    folder, place = ObjectFolder(tmp_path), tmp_path / "index"
    folder.write_index("index", {"a": "1"})
    folder.write_index("index", {"b": "2"})
    whole = place.read_bytes()
    changed = bytes([whole[40] ^ 1])
    damaged = {
        "short": whole[:-1],
        "changed": whole[:40] + changed + whole[41:],
        "other": b"damaged",
        "longer": whole + b"more",
    }
    place.write_bytes(damaged[damage])
    assert folder.read_index("index") == {}
    folder.write_index("index", {"c": "3"})
    assert folder.read_index("index") == {"c": "3"}


def _add(place: Path, who: int) -> None:
    for number in range(50):
        ObjectFolder(place).write_index("index", {f"{who} {number}": "x" * 100})


def test_what_processes_add_at_one_time_is_all_there(tmp_path: Path) -> None:
    workers = [multiprocessing.Process(target=_add, args=(tmp_path, who)) for who in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert len(ObjectFolder(tmp_path).read_index("index")) == 200


def test_without_a_folder_nothing_is_kept() -> None:
    folder = ObjectFolder(None)
    folder.write_index("index", {"a": "1"})
    assert folder.read_index("index") == {}
    assert folder.read("index") is None
