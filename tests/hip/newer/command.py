"""The command line with that compiler: python -m tests.hip.newer.command NEWER RELATIVE ..."""

import sys
from pathlib import Path

import msgspec

from wavemma.cli.app import run
from wavemma.hip import compiler, toolchain

newer, relative, *words = sys.argv[1:]


def with_newer(folder: Path) -> compiler.Compiler:
    found = compiler.zig(folder)
    command = (sys.executable, str(Path(__file__).with_name("clang.py")), newer, relative)
    return msgspec.structs.replace(
        found, clang=(*command, *found.clang), name=f"{found.name}, LLVM 24"
    )


toolchain.zig = with_newer
sys.exit(run(words))
