"""Functions that compiled code calls, of two efforts, which call each other."""

import ctypes
from collections.abc import Sequence
from pathlib import Path

import llvmlite.ir as ir
import pytest

from wavemma.engines.jit import Jit
from wavemma.engines.machine import Machine
from wavemma.machine.compiled import runtime as module
from wavemma.machine.compiled.runtime import EMITTERS, Runtime, emitter

WORD = ir.IntType(32)
KIND = ir.FunctionType(WORD, [WORD])


def entered(monkeypatch: pytest.MonkeyPatch, name: str, calls: Sequence[str], soon: bool) -> None:
    """Enter a function that adds 1 to its number, and then lets others do what they do."""

    def write(function: ir.Function, _: Machine, runtime: Runtime) -> None:
        build = ir.IRBuilder(function.append_basic_block())
        found = build.add(function.args[0], WORD(1))
        for each in calls:
            with build.if_then(build.icmp_unsigned("<", found, WORD(100))):
                called = runtime.declare(function.module, (each,), [WORD], WORD)
                build.ret(build.call(called, [found]))
        build.ret(found)

    monkeypatch.setitem(EMITTERS, name, write)
    monkeypatch.setattr(module, "_SOON", set(module._SOON))
    emitter(name, soon=soon)(write)


def linked(folder: Path, names: Sequence[str]) -> list[int]:
    """Link functions, and give what each makes of 0."""
    runtime = Runtime(Jit(cache_folder=folder), 32, soon=True)
    declared = ir.Module(name="callers")
    for name in names:
        runtime.declare(declared, (name,), [WORD], WORD)
    runtime.link()
    kind = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32)
    return [kind(runtime.address((name,)))(0) for name in names]


@pytest.mark.parametrize("soon", [False, True])
@pytest.mark.parametrize("names", [("outer", "inner"), ("inner", "outer"), ("outer",)])
def test_what_is_called_is_there_first(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, names: Sequence[str], soon: bool
) -> None:
    entered(monkeypatch, "outer", ["inner"], soon)
    entered(monkeypatch, "inner", [], not soon)
    want = [{"outer": 2, "inner": 1}[name] for name in names]
    assert linked(tmp_path, names) == want
    # Another process finds them on disk.
    assert linked(tmp_path, names) == want


@pytest.mark.parametrize("names", [("even", "odd"), ("odd", "even")])
def test_two_that_call_each_other_are_one_object(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, names: Sequence[str]
) -> None:
    entered(monkeypatch, "even", ["odd"], True)
    entered(monkeypatch, "odd", ["even"], False)
    assert linked(tmp_path, names) == [100, 100]
    assert linked(tmp_path, names[:1]) == [100]
