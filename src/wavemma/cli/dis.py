"""`wavemma dis`."""

import re
from typing import Annotated

from cyclopts import Parameter

from wavemma.cli.output import present
from wavemma.cli.read import names_file, read_bytes
from wavemma.errors import SyntaxMistake
from wavemma.explain.disassembly import Disassembly, disassembly
from wavemma.explain.file_disassembly import FileDisassembly, file_disassembly
from wavemma.explain.object_files import is_text

NO = 1
_WORD = re.compile(r"0[xX][0-9a-fA-F]+|[0-9a-fA-F]{2,32}")

Flag = Annotated[bool, Parameter(negative=())]


def dis(
    target: str,
    /,
    *words: str,
    explain: Flag = False,
    wave: int | None = None,
    json: Flag = False,
) -> int:
    """Disassemble words, files and code objects.

    Words with 0x in front are numbers, as disassemblers print them; without, they are bytes as
    they lie in memory, unless only the other order gives a matrix instruction.

    For example:

    | wavemma dis gfx942 0a00cdd3 02091a0c --explain
    | wavemma dis k.hsaco

    Args:
        target: Such as gfx942; left out before a code object, which names its own.
        words: Hexadecimal words, or one file: a code object (.hsaco, .o), a bundle of them, a
            host program that holds one, bare code, or text with words: a listing, a hex dump.
        explain: Show each field, its bits and what it means.
        wave: Lanes of the wave, 32 or 64, where no kernel descriptor says; the target's default
            if not given.
        json: Print JSON.

    """
    found = _found(target, words, wave, fields=explain)
    present(found, json=json)
    return 0 if any(not each.reason for each in found.instructions) else NO


def _found(
    target: str, words: tuple[str, ...], wave: int | None, *, fields: bool
) -> Disassembly | FileDisassembly:
    """Choose between words and a file, with and without a target."""
    if not words and names_file(target):
        return file_disassembly("", read_bytes(target), wave=wave, fields=fields)
    if len(words) == 1 and names_file(words[0]):
        data = read_bytes(words[0])
        if data and is_text(data):
            return disassembly(target, data.decode("utf-8-sig"), wave=wave, fields=fields)
        return file_disassembly(target, data, wave=wave, fields=fields)
    if _WORD.fullmatch(target):
        raise SyntaxMistake(
            f"dis needs TARGET before the words; {target!r} is a word.",
            subject=target,
            hint=f"Use: wavemma dis TARGET {' '.join((target, *words))[:40]}",
        )
    return disassembly(target, " ".join(words), wave=wave, fields=fields)
