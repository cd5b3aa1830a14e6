"""wavemma gemm: a matrix product as the hardware does it."""

import os
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from wavemma.cli.arrays import load, save
from wavemma.cli.factors import PLAIN, Factors, anywhere
from wavemma.cli.numbers import names
from wavemma.cli.output import present
from wavemma.cli.written import check_writable
from wavemma.errors import FileMistake
from wavemma.explain.instruction_name import instruction_named
from wavemma.explain.multiplication import multiplication
from wavemma.gemm.difference import has_instruction
from wavemma.gemm.matmul import multiply


def gemm(
    a: str,
    b: str,
    c: str | None = None,
    *,
    output: Annotated[Path, Parameter(("--output", "-o"))],
    target: str,
    op: str | None = None,
    wave: Literal[32, 64] | None = None,
    k_order: Literal["calculator", "contiguous"] = "calculator",
    model: str | None = None,
    factors: Factors = PLAIN,
    device: str | None = None,
    check: Annotated[bool, Parameter(negative="--no-check")] = True,
    compare: str = "",
    threads: int | None = None,
    cache: Path | None = None,
    json: bool = False,
) -> int:
    """Multiply two matrices as the hardware does.

    For example:

    | wavemma gemm a.npy b.npy -o c.npy --target gfx1100 --compare gfx942
    | wavemma gemm a.npy:fp8 b.npy:fp8 -o c.npy --target gfx950 --scale-a sa.npy --scale-b sb.npy

    Args:
        a: A [..., M, K]: a .npy or .npz file, or FILE:TYPE such as a.npy:bf16 where the file
            has lost the type. With --index or --index-words its kept elements [..., M, K/2].
        b: B [..., K, N].
        c: C [..., M, N] of the accumulator's type; zeros if left out.
        output: The .npy file to write.
        target: Target, such as gfx1100.
        op: Instruction; the fastest for the types if left out.
        wave: Lanes of a wave; the target's default if left out.
        k_order: How k is numbered inside an instruction.
        model: An arithmetic model other than the instruction's own.
        factors: Sparse and scaled forms of A and B.
        device: Product to model the time on, such as "RX 7900 XTX".
        check: Compute the exact product too and tell the error.
        compare: Other targets, with commas: tell where their products differ. They run --op
            where they have it, else their fastest instruction for the types.
        threads: Threads that work; one a processor if left out.
        cache: Folder for compiled kernels.
        json: Print the report as JSON.

    """
    check_writable(output)
    if cache is not None and os.path.exists(cache) and not cache.is_dir():
        raise FileMistake(f"--cache must be a folder; {cache} is none.", subject=cache)
    op = None if op is None else instruction_named(op, target).name
    left, right = load(a, target), load(b, target)
    start = None if c is None else load(c, target)
    forms = factors.arguments(target)
    made = multiply(
        left,
        right,
        start,
        target=target,
        **forms,
        op=op,
        wave=wave,
        k_order=k_order,
        model=model,
        threads=threads,
        cache_folder=cache,
    )
    compared = [
        multiply(
            left,
            right,
            start,
            target=name,
            **anywhere(forms, made, left.shape),
            op=op if op and has_instruction(name, op) else None,
            k_order=k_order,
            threads=threads,
            cache_folder=cache,
        )
        for name in names(compare)
    ]
    answer = multiplication(made, start, device=device, check=check, compared=compared)
    save(output, made.d)
    present(answer, json=json)
    return 0
