"""wavemma exec: arguments as words, outputs whole or not at all, exit codes."""

from pathlib import Path

import ml_dtypes
import msgspec
import numpy as np
import pytest

import wavemma
from tests.machine.test_gemm_kernel import SOURCE
from tests.objects.compiled import linked
from wavemma.cli.app import run
from wavemma.cli.kernel_arguments import kernel_argument

SIZE = 64


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "k.hsaco").write_bytes(linked("gfx1100", "-O3", source=SOURCE))
    generator = np.random.default_rng(1)
    for name in "ab":
        np.save(f"{name}.npy", generator.normal(size=(SIZE, SIZE)).astype(np.float16))
    return tmp_path


def call(*more: str, output: str = "out=c.npy:f32:64x64") -> int:
    words = ["exec", "k.hsaco"]
    for option, value in (("--grid", "2,2"), ("--block", "128")):
        words += [] if option in more else [option, value]
    for word in ("a.npy", "b.npy", output, "i32:64"):
        words += ["--arg", word]
    return run([*words, *more])


def test_bits_and_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--json") == 0
    answer = msgspec.json.decode(capsys.readouterr().out)
    matrix = [each for each in answer["executed"] if each["is_matrix"]]
    assert [(each["name"], each["count"], each["grade"]) for each in matrix] == [
        ("v_wmma_f32_16x16x16_f16", 64, "H")
    ]
    a, b = (np.load(f"{name}.npy") for name in "ab")
    want = np.asarray(
        wavemma.matmul(a, b, target="gfx1100", op="v_wmma_f32_16x16x16_f16", k_order="contiguous")
    )
    assert np.array_equal(np.load("c.npy").view(np.uint32), want.view(np.uint32))


@pytest.mark.parametrize(
    ("more", "output", "code", "text"),
    [
        (["--grid", "3,2"], "out=c.npy:f32:64x64", 126, "KernelFault: gemm: 'global_"),
        (["--kernel", "gem"], "out=c.npy:f32:64x64", 125, "'gem' is not a kernel"),
        (["--block", "2048"], "out=c.npy:f32:64x64", 125, "at most 1024 work-items"),
        (["--grid", "0"], "out=c.npy:f32:64x64", 125, "whole numbers above 0"),
        ([], "out=c.npy:f32", 125, "must be out=FILE:TYPE:SIZES"),
        ([], "out=c.npy:f33:64x64", 125, "f33"),
        (["--arg", "i32:1"], "out=c.npy:f32:64x64", 125, "takes 4 arguments, got 5"),
        ([], "i32:x", 125, "'x' in 'i32:x' must be a number that i32 holds"),
    ],
)
def test_what_goes_wrong(
    more: list[str],
    output: str,
    code: int,
    text: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert call(*more, output=output) == code
    assert text in capsys.readouterr().err
    assert not (folder / "c.npy").exists()


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("half:1.5", np.float16(1.5)),
        ("float:0.5", np.float32(0.5)),
        ("torch.bfloat16:3", ml_dtypes.bfloat16(3)),
        ("int8:-3", np.int8(-3)),
        ("double:0.1", np.float64(0.1)),
    ],
)
def test_a_scalar_by_the_name_of_another_tool(word: str, value: np.generic) -> None:
    found = kernel_argument(word).scalar
    assert isinstance(found, type(value))
    assert found == value
