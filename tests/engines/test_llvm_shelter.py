"""What makes LLVM abort is an error, and the process goes on."""

import os
import signal
import subprocess
import sys
import threading
from ctypes import CFUNCTYPE, c_int32

import llvmlite.ir as ir
import pytest

from wavemma.engines.jit import Jit
from wavemma.engines.llvm_lock import inside_llvm
from wavemma.engines.llvm_shelter import begun
from wavemma.errors import Unsupported

I32 = ir.IntType(32)


def module(name: str, *, is_bad: bool) -> ir.Module:
    """A function that gives 7; the bad one holds assembly, for which LLVM has no parser here."""
    made = ir.Module()
    build = ir.IRBuilder(ir.Function(made, ir.FunctionType(I32, []), name).append_basic_block())
    if is_bad:
        build.asm(ir.FunctionType(I32, []), "nonsense $0", "=r", [], side_effect=True)
    build.ret(I32(7))
    return made


def make(jit: Jit, name: str, *, is_bad: bool) -> str:
    """Compile and call a function; gives what came of it."""
    try:
        with inside_llvm():
            jit.linker.make(module(name, is_bad=is_bad), lambda each: jit.compile(each, "least"))
    except Unsupported as error:
        return str(error)
    return str(CFUNCTYPE(c_int32)(jit.linker.addresses[name])())


def run(what: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "tests.engines.test_llvm_shelter", what]
    return subprocess.run(words, capture_output=True, check=False, text=True, timeout=60)


def test_the_process_goes_on_after_an_abort() -> None:
    done = run("compile")
    assert "LLVM ERROR" in done.stderr
    said = done.stdout.splitlines()
    assert (done.returncode, said[0], said[2:]) == (0, "7", ["7", "7", "True", "7"])
    assert "LLVM cannot compile" in said[1]


@pytest.mark.parametrize("what", ["abort", "abort in a thread"])
def test_any_other_abort_ends_the_process(what: str) -> None:
    assert run(what).returncode == -signal.SIGABRT


def test_errors_and_results_come_through() -> None:
    assert begun(lambda: 5)() == 5
    with pytest.raises(ZeroDivisionError):
        begun(lambda: 1 // 0)()


def _main(what: str) -> None:
    jit = Jit()
    print(make(jit, "good", is_bad=False), flush=True)
    if what == "abort":
        os.abort()
    if what == "abort in a thread":
        thread = threading.Thread(target=os.abort)
        thread.start()
        thread.join()
    for name in ("bad", "better"):
        print(make(jit, name, is_bad=name == "bad").splitlines()[0], flush=True)
    # A child has no such thread, and may compile, too.
    child = os.fork()
    if child == 0:
        print(make(jit, "best", is_bad=False), flush=True)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0)
    print(make(jit, "last", is_bad=False))


if __name__ == "__main__":
    _main(sys.argv[1])
