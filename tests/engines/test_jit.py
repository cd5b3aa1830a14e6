"""Compiled code is kept, told apart, and never run when damaged."""

from ctypes import c_void_p
from pathlib import Path

import llvmlite.ir as ir
import numpy as np
import pytest

from wavemma.engines.jit import Jit
from wavemma.engines.machine import Machine, host_machine
from wavemma.errors import UnknownName, Unsupported


class Counter:
    """Writes a function that stores a number, and counts how often it was asked to."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.emitted = 0

    def __call__(self, module: ir.Module, machine: Machine) -> None:
        self.emitted += 1
        kind = ir.FunctionType(ir.VoidType(), [ir.PointerType()])
        function = ir.Function(module, kind, "store")
        build = ir.IRBuilder(function.append_basic_block())
        build.store(ir.IntType(32)(self.number), function.args[0])
        build.ret_void()


def stored(jit: Jit, key: str, emit: Counter) -> int:
    out = np.zeros(1, dtype=np.int32)
    jit.function("store", key, emit, [c_void_p])(out.ctypes.data)
    return int(out[0])


def test_memory_cache() -> None:
    jit, emit = Jit(), Counter(5)
    assert [stored(jit, "five", emit) for _ in range(3)] == [5, 5, 5]
    assert emit.emitted == 1


def test_disk_cache(tmp_path: Path) -> None:
    first, second = Counter(5), Counter(6)
    assert stored(Jit(cache_folder=tmp_path), "number", first) == 5
    assert stored(Jit(cache_folder=tmp_path), "number", second) == 5
    assert stored(Jit(cache_folder=tmp_path), "another", second) == 6
    assert (first.emitted, second.emitted) == (1, 1)
    assert len(list(tmp_path.glob("*.o"))) == 2


@pytest.mark.parametrize("damage", [b"", b"short", None])
def test_damaged_objects_are_made_again(tmp_path: Path, damage: bytes | None) -> None:
    assert stored(Jit(cache_folder=tmp_path), "number", Counter(5)) == 5
    (place,) = tmp_path.glob("*.o")
    code = bytearray(place.read_bytes())
    code[len(code) // 2] ^= 1
    place.write_bytes(bytes(code) if damage is None else damage)
    emit = Counter(7)
    assert stored(Jit(cache_folder=tmp_path), "number", emit) == 7
    assert emit.emitted == 1


def test_a_folder_that_cannot_be_written_is_no_fault(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"")
    assert stored(Jit(cache_folder=blocked / "below"), "number", Counter(5)) == 5


def test_wrong_code_is_refused_before_the_back_end_sees_it() -> None:
    def emit(module: ir.Module, machine: Machine) -> None:
        kind = ir.FunctionType(ir.VoidType(), [ir.PointerType()])
        ir.IRBuilder(ir.Function(module, kind, "store").append_basic_block()).unreachable()
        ir.Function(module, ir.FunctionType(ir.IntType(32), []), "bad").append_basic_block()

    with pytest.raises(Unsupported, match="cannot be compiled"):
        Jit().function("store", "bad", emit, [c_void_p])


def test_levels() -> None:
    assert host_machine("baseline").has_fma is False
    assert host_machine("avx512").vector_bits == 512
    with pytest.raises(UnknownName, match="avx1024"):
        host_machine("avx1024")
