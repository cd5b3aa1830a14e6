"""Real compilers and assemblers refuse seeded mistakes, and `why` explains their very words."""

import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.oracles.assemblers import LLVM_MC, TRIPLE
from tests.oracles.compiled_kernels import clang
from tests.oracles.seeded_calls import CLANG, TYPES, Seed
from tests.oracles.seeded_lines import LINES
from wavemma.explain.why import Why, explain_why
from wavemma.tables.messages import messages, said_in

SUFFIXES = {"c": "c", "c++": "cpp", "hip": "hip", "host": "hip"}


def compiler_says(seed: Seed) -> str:
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, f"k.{SUFFIXES[seed.language]}")
        source.write_text(TYPES + seed.text)
        side = "host" if seed.language == "host" else "device"
        hip = ["-x", "hip", f"--offload-{side}-only", f"--offload-arch={seed.target}", "-nogpuinc"]
        plain = [f"--target={TRIPLE}", f"-mcpu={seed.target}"]
        options = hip if seed.language in ("hip", "host") else plain
        out = str(Path(folder, "k.o"))
        done = clang(*options, *seed.options, "-nogpulib", "-O1", "-c", str(source), "-o", out)
        assert done.returncode != 0, seed
        return done.stderr


def assembler_says(seed: Seed) -> str:
    command = [LLVM_MC, f"-triple={TRIPLE}", f"-mcpu={seed.target}", *seed.options]
    done = subprocess.run(
        command, input=f"{seed.text}\n", capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stderr, seed
    return done.stderr


def check(seed: Seed, said: str, answer: Why) -> None:
    row = messages()[seed.message]
    found = said_in(" ".join(said.split()))
    assert found is not None, said
    assert found.row.name == seed.message, (found.row.name, said)
    assert answer.tool == row.tool
    assert answer.message in " ".join(said.split())
    assert answer.solved == seed.solved, answer
    told = " ".join([*answer.causes, *answer.steps])
    assert seed.says in told, told
    assert "{" not in told, told
    if seed.builtin:
        assert answer.advice is not None, answer
        assert answer.advice.builtin == seed.builtin
        assert answer.advice.target == seed.target
    if seed.message not in ("unknown_cpu", "unsupported_architecture", "invalid_target"):
        assert answer.target == seed.target


@pytest.mark.oracle
@pytest.mark.parametrize("seed", CLANG, ids=lambda seed: f"{seed.message}-{seed.target}")
def test_what_clang_says_is_explained(seed: Seed) -> None:
    said = compiler_says(seed)
    named = None if seed.language == "hip" or seed.options[:1] == ("-Xclang",) else seed.target
    check(seed, said, explain_why(said, named))


@pytest.mark.oracle
@pytest.mark.parametrize("seed", LINES, ids=lambda seed: f"{seed.message}-{seed.target}")
def test_what_the_assembler_says_is_explained(seed: Seed) -> None:
    said = assembler_says(seed)
    check(seed, said, explain_why(said, seed.target))


def test_every_message_is_seen() -> None:
    assert {seed.message for seed in (*CLANG, *LINES)} == set(messages())
    assert len(messages()) == 44
