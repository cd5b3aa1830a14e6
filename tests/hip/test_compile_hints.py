"""What helps where a compiler refuses device code."""

from pathlib import Path

import pytest

from wavemma.errors import CompileMistake
from wavemma.hip.build_cache import default_folder
from wavemma.hip.compile_hints import hint_of
from wavemma.hip.request import Request
from wavemma.hip.toolchain import Toolchain


def test_a_compiler_that_does_not_know_the_target(tmp_path: Path) -> None:
    source = tmp_path / "k.hip"
    source.write_text("int x;\n")
    request = Request(sources=(source,), target="gfx1170", cache_folder=default_folder())
    with pytest.raises(CompileMistake, match="unsupported HIP gpu architecture") as caught:
        Toolchain(request).device_code(source)
    assert caught.value.hint == (
        "This compiler does not know gfx1170: LLVM 24 does. Name a clang++ of it: --compiler PATH"
    )


def test_symbols_that_are_nowhere() -> None:
    assert "-fgpu-rdc" in hint_of("ld.lld: error: undefined hidden symbol: f", "gfx1100")
    assert not hint_of("error: expected ;", "gfx1100")
