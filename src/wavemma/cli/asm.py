"""`wavemma asm`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.choices import check_one
from wavemma.cli.output import present, write
from wavemma.cli.read import names_file, read_text
from wavemma.cli.written import check_writable, is_answer, write_file
from wavemma.explain.assembly import assembly

Flag = Annotated[bool, Parameter(negative=())]


def asm(
    target: str,
    /,
    *lines: str,
    wave: int | None = None,
    output: Annotated[Path | None, Parameter(alias="-o")] = None,
    hex: Flag = False,
    json: Flag = False,
) -> int:
    """Assemble matrix instructions.

    For example:

    | wavemma asm gfx1100 "v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]"

    Args:
        target: Such as gfx1100, or a product such as "RX 7900 XTX".
        lines: Lines of assembly, each in quotes, or one file of them (also /dev/stdin).
        wave: Lanes of the wave, 32 or 64; the target's default if not given.
        output: Write the bytes to this file.
        hex: Print only the bytes, in the order of memory, one instruction a line.
        json: Print JSON.

    """
    check_one(hex=hex, json=json)
    if output is not None:
        check_writable(output)
    text = read_text(lines[0]) if len(lines) == 1 and names_file(lines[0]) else "\n".join(lines)
    found = assembly(target, text, wave=wave)
    if output is not None:
        write_file(output, found.data)
    if hex:
        write("".join(f"{each.bytes.replace(' ', '')}\n" for each in found.instructions))
    elif json or output is None:
        present(found, json=json)
    elif not is_answer(output):
        write(f"wrote {len(found.data)} bytes to {output}\n")
    return 0
