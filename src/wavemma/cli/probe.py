"""`wavemma probe`."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from msgspec.structs import replace

from wavemma.cli.choices import check_alone
from wavemma.cli.output import present, write
from wavemma.cli.read import read_text
from wavemma.cli.written import check_writable, write_file
from wavemma.errors import SyntaxMistake
from wavemma.explain.probe import Probe, ProbeList, list_points
from wavemma.explain.probe import probe as make
from wavemma.explain.probe_reading import read_probe
from wavemma.render.probe_program import as_program

NO = 1
_SETTLED = ("one", "measured")


def probe(
    target: str = "",
    op: str = "",
    /,
    *,
    wave: int | None = None,
    output: Annotated[Path | None, Parameter(("--output", "-o"))] = None,
    read: str | None = None,
    list: Annotated[bool, Parameter(negative=())] = False,
    full: Annotated[bool, Parameter(negative=())] = False,
    json: Annotated[bool, Parameter(negative=())] = False,
) -> int:
    """Settle an open question on real silicon.

    Without --output the program is printed. Compile and run it on the target, and give what it
    prints to --read: the exit code is 0 if the output settles the question, 1 if not.

    For example:

    | wavemma probe --list
    | wavemma probe gfx950 v_mfma_f32_16x16x32_f16 -o probe.hip
    | wavemma probe --read printed.txt

    Args:
        target: Such as gfx950.
        op: A mnemonic, or the name of an open point.
        wave: Lanes of the wave, 32 or 64; that of the point, or the target's default, if not given.
        output: Write the program to this file, and tell what it asks and how to run it.
        read: Say which candidate the silicon follows, by the output of a program in this file.
        list: List the open points, of the target if one is given.
        full: With --list: also what is not known about each point of all targets.
        json: Print JSON.

    """
    if read is not None:
        others = {"TARGET": target, "--wave": wave, "--output": output, "--list": list}
        given = {name: bool(value) for name, value in others.items()}
        check_alone("--read", given, why="reads what a program printed")
        found = read_probe(read_text(read))
        present(found, json=json)
        return 0 if found.verdict in _SETTLED else NO
    if list:
        others = {"OP": op, "--wave": wave, "--output": output}
        given = {name: bool(value) for name, value in others.items()}
        check_alone("--list", given, why="lists the open points")
        present(list_points(target), json=json, full=full)
        return 0
    if not (target and op):
        raise SyntaxMistake(
            "probe needs a target and an instruction or an open point, or --list, or --read FILE.",
            hint="Open points: wavemma probe --list",
        )
    if output is not None:
        check_writable(output)
    _tell(make(target, op, wave), output, json=json, full=full)
    return 0


def _tell(answer: Probe | ProbeList, output: Path | None, *, json: bool, full: bool) -> None:
    """Write the program, to a file or as the answer; where nothing is open, say so."""
    if isinstance(answer, ProbeList):
        present(answer, json=json, full=full)
        return
    if output is not None:
        write_file(output, as_program(answer).encode())
        answer = replace(answer, file=str(output))
    if output is None and not json:
        write(as_program(answer))
    else:
        present(answer, json=json)
