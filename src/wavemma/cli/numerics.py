"""`wavemma numerics`."""

from typing import Annotated, Literal

from cyclopts import Parameter

from wavemma.cli.choices import check_alone
from wavemma.cli.numbers import names
from wavemma.cli.output import present
from wavemma.errors import SyntaxMistake
from wavemma.explain.dot_product import dot_products
from wavemma.explain.number_input import read_list
from wavemma.explain.separation import separation


def numerics(
    format: str,
    /,
    *,
    a: str = "",
    b: str = "",
    c: str = "0",
    target: str = "",
    op: str | None = None,
    wave: Literal[32, 64] | None = None,
    chain: int = 1,
    clamp: Annotated[bool, Parameter(negative=())] = False,
    separate: tuple[str, str] | None = None,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Compute one sum of products on all targets, bit for bit.

    For example:

    | wavemma numerics f16 --a 4096,4096 --b 8192,-8192 --c 3
    | wavemma numerics fp8,bf8 --a 1 --b 0x3c --target gfx942,gfx950
    | wavemma numerics f16 --separate gfx942 gfx1201

    Args:
        format: Format of A and B: f16, bf16, fp8, i8, u8 ...; fp8,bf8 where they differ; or an
            instruction.
        a: Numbers of A in ascending k, with commas: 4096,0.5,1/3,inf, or bits: 0x3c00. Write
            --a=-1,2 where the first is negative.
        b: As many numbers of B.
        c: Where the sum begins.
        target: Only these targets, with commas.
        op: Only this instruction; else those with the widest accumulator.
        wave: Lanes of a wave; each target's default if left out.
        chain: How often the instruction is run along k, each time on the same A and B.
        clamp: Integer sums saturate.
        separate: Two targets: find the simplest inputs whose results differ between them: fewest
            products, then numbers near one.
        json: Print JSON.

    """
    targets = names(target)
    if separate is not None:
        others = {"--a": a, "--b": b, "--target": target, "--c": c != "0", "--chain": chain != 1}
        given = {name: bool(value) for name, value in others.items()}
        check_alone("--separate", given, why="finds the inputs itself")
        found = separation(format, *separate, op=op, wave=wave, clamp=clamp)
        present(found, json=json)
        return 0 if found.found else 1
    if not (a and b):
        raise SyntaxMistake(
            "numerics needs --a and --b, or --separate and two targets.",
            hint="See: wavemma numerics --help",
        )
    answer = dot_products(
        format,
        read_list(a),
        read_list(b),
        c,
        target_names=targets,
        op=op,
        wave=wave,
        times=chain,
        clamp=clamp,
    )
    present(answer, json=json)
    return 0
