"""`wavemma diagnose`."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from wavemma.cli.arrays import Array, load, save
from wavemma.cli.choices import check_alone
from wavemma.cli.output import present, write, write_command
from wavemma.cli.written import check_writable
from wavemma.errors import FileMistake, OutOfRange, SyntaxMistake
from wavemma.explain.difference import diagnose as find
from wavemma.explain.instruction_name import instruction_named
from wavemma.explain.telling_inputs import STEPS, telling_inputs

NO = 1
_MOST_STEPS = 1024


def diagnose(
    target: str,
    instruction: str,
    /,
    *,
    want: str | None = None,
    got: str | None = None,
    a: str | None = None,
    b: str | None = None,
    c: str | None = None,
    scale_a: str | None = None,
    scale_b: str | None = None,
    wave: int | None = None,
    inputs: Path | None = None,
    steps: int | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Find the fault that makes an output wrong.

    Files are .npy or .npz, or .txt or .csv with a matrix as programs print it, a row in each line;
    FILE:TYPE (a.npy:bf16, got.txt:f16) names a type that the file has lost.

    For example:

    | wavemma diagnose gfx1100 v_wmma_f32_16x16x16_f16 --want want.npy --got got.txt
    | wavemma diagnose gfx1100 v_wmma_f32_16x16x16_f16 --a a.npy --b b.npy --got got.npy
    | wavemma diagnose gfx1100 v_wmma_f32_16x16x16_f16 --inputs new_folder

    Args:
        target: Such as gfx1100, or a product such as "RX 7900 XTX".
        instruction: The instruction that computes the output, such as v_wmma_f32_16x16x16_f16.
        want: What should have come, [..., M, N]; a @ b + c if not given.
        got: What came: one tile or whole matrices.
        a: A [..., M, K]: with A and B, faults of loads, formats and steps are told apart too.
        b: B [..., K, N].
        c: C [..., M, N].
        scale_a: Scales of A [..., M, K / block].
        scale_b: Scales of B [..., K / block, N].
        wave: Lanes of the wave, 32 or 64; the target's default if not given.
        inputs: Only write a, b, c and want that tell faults apart into this folder, which must not
            have such files yet.
        steps: With --inputs: how many steps along k the inputs have; 2 if not given.
        json: Print JSON.

    """
    if inputs is not None:
        others = {"--want": want, "--got": got, "--a": a, "--b": b, "--c": c, "--wave": wave}
        others |= {"--scale-a": scale_a, "--scale-b": scale_b, "--json": json or None}
        given = {name: value is not None for name, value in others.items()}
        check_alone("--inputs", given, why="only writes files")
        return _write_inputs(target, instruction, inputs, steps)
    if steps is not None:
        raise SyntaxMistake("--steps goes with --inputs only.", subject=steps)
    if got is None:
        raise SyntaxMistake(
            "diagnose needs --got, and --want or --a and --b.",
            hint="See: wavemma diagnose --help",
        )
    found = find(
        target,
        instruction,
        load(got, target),
        _load(want, target),
        a=_load(a, target),
        b=_load(b, target),
        c=_load(c, target),
        scale_a=_load(scale_a, target),
        scale_b=_load(scale_b, target),
        wave=wave,
    )
    present(found, json=json)
    return 0 if found.verdict == "equal" else NO


def _load(text: str | None, target: str) -> Array | None:
    return None if text is None else load(text, target)


def _make(folder: Path, paths: Iterable[Path]) -> None:
    """Make a folder whose parent is there, unless it has files of these names."""
    try:
        folder.mkdir(exist_ok=True)
    except FileNotFoundError:
        raise FileMistake(
            f"{folder} cannot be made: no folder {folder.parent}.", subject=folder
        ) from None
    except OSError as error:
        raise FileMistake(f"{folder} cannot be made: {error.strerror}.", subject=folder) from None
    for path in paths:
        if os.path.lexists(path):
            raise FileMistake(
                f"--inputs must name a folder without such files; {path} is there already.",
                subject=path,
            )
        check_writable(path)


def _write_inputs(target: str, instruction: str, folder: Path, steps: int | None) -> int:
    """Write the arrays, and say how to read them again."""
    if steps is not None and not 1 <= steps <= _MOST_STEPS:
        raise OutOfRange(f"--steps must be 1..{_MOST_STEPS}; {steps} was given.", subject=steps)
    made = telling_inputs(target, instruction, steps=steps or STEPS)
    paths = {name: folder / f"{name}.npy" for name in made}
    _make(folder, paths.values())
    for name, array in made.items():
        save(paths[name], array)
        write(f"wrote {paths[name]}  {array.dtype} {list(array.shape)}\n")
    formats = instruction_named(instruction, target).formats
    words = ["--want", str(paths["want"]), "--got", "got.npy"]
    for name in made:
        if name != "want":
            lost = np.dtype(made[name].dtype).kind == "V"
            form = f":{formats[name][0]}" if lost else ""
            words += [f"--{name.replace('_', '-')}", f"{paths[name]}{form}"]
    write("Run the kernel on them, save the whole of its result as got.npy, and then:\n")
    write_command(["wavemma", "diagnose", target, instruction, *words])
    return 0
