"""What ziglang's LLVM 22 makes of whole sources, examples and the zoo of kernels, is clean."""

import re
from pathlib import Path

import pytest

import wavemma
from tests.objects.compiled import linked
from wavemma.explain.lint import Lint
from wavemma.hip.build_cache import default_folder
from wavemma.hip.request import Request
from wavemma.hip.toolchain import Toolchain
from wavemma.tables.targets import targets

HERE = Path(__file__).parents[1]
ZOO = HERE / "machine" / "zoo.hip"
EXAMPLES = sorted((HERE.parent / "examples").glob("*.hip"))
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1150", "gfx1201", "gfx1250")
# gemm.hip runs without matrix instructions too.
ANYWHERE = "gemm.hip"


def cases() -> list[object]:
    found = []
    for path in EXAMPLES:
        said = re.findall(r"--target (gfx\w+)", path.read_text(encoding="utf-8"))[:1]
        for target in TARGETS if path.name == ANYWHERE else said:
            marks = pytest.mark.slow if (path.name, target) in SAMPLE else pytest.mark.nightly
            found.append(pytest.param(path, target, id=f"{path.name}-{target}", marks=marks))
    return found


SAMPLE = (("cdna3.hip", "gfx942"), ("rdna4.hip", "gfx1201"))


def check(found: Lint, unknown: int = 0) -> None:
    wrong = [each for each in found.findings if each.severity != "hint"]
    assert not wrong, wrong[0]
    assert sum(each.instructions for each in found.linted) > 200
    assert sum(each.unknown for each in found.linted) <= unknown


@pytest.mark.parametrize(("path", "target"), cases())
def test_examples_are_clean(path: Path, target: str) -> None:
    request = Request(
        sources=(path,),
        target=target,
        include_folders=(),
        definitions=(),
        flags=(),
        compiler=None,
        cache_folder=default_folder(),
    )
    check(wavemma.lint(Toolchain(request).device_code(path).read_bytes()))


@pytest.mark.nightly
@pytest.mark.parametrize("level", ["-O1", "-O3"])
@pytest.mark.parametrize(
    ("target", "wave"), [(name, wave) for name in TARGETS for wave in targets()[name].waves]
)
def test_the_zoo_is_clean(target: str, wave: int, level: str) -> None:
    wide = wave == 64 and len(targets()[target].waves) > 1
    options = [level, f"-DWAVE={wave}", *(["-mwavefrontsize64"] if wide else [])]
    # Of CDNA2 and CDNA5 a few instructions are in no table.
    check(wavemma.lint(linked(target, *options, source=ZOO.read_text(encoding="utf-8"))), unknown=8)
