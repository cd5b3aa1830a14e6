"""How the code of a file reads: functions, with an instruction a line."""

from collections.abc import Iterator
from itertools import groupby

from wavemma.explain.encoding import Occurrence
from wavemma.explain.file_disassembly import FileDisassembly, Kind, Stretch
from wavemma.render.document import Block, Code, Document, Heading, Text
from wavemma.render.encoding import count_sentence, occurrence_blocks
from wavemma.render.pages import document_of
from wavemma.render.words import plural

FEW = 3
"""As many equal instructions in a row are written out: code is filled up with equal ones."""
WIDEST = 60
"""Text that is longer pushes its bytes to the right."""
_TITLES: dict[Kind, str] = {"kernel": "Kernel", "function": "Function", "code": "Code"}


@document_of.register
def _file(answer: FileDisassembly) -> Document:
    count = len(answer.stretches)
    kernels = sum(each.kind == "kernel" for each in answer.stretches)
    blocks: list[Block] = [
        Heading(
            f"{plural(kernels, 'kernel')} in {plural(count, 'stretch', 'stretches')} of code", 1
        )
    ]
    for each in answer.stretches:
        blocks += _stretch(each)
    return tuple(blocks)


def _stretch(each: Stretch) -> list[Block]:
    name = " ".join([_TITLES[each.kind], each.name]).strip()
    waves = f"wave{each.wave} by {each.wave_source}"
    blocks: list[Block] = [Heading(f"{name}: {each.target}, {waves}")]
    if any(instruction.fields for instruction in each.instructions):
        for instruction in each.instructions:
            blocks += occurrence_blocks(instruction)
    elif each.instructions:
        blocks.append(Code("\n".join(_lines(each)), "asm"))
    counts = count_sentence(each.instructions, each.size_bytes, each.other_bytes)
    return [*blocks, Text(counts)]


def _lines(stretch: Stretch) -> Iterator[str]:
    width = min(WIDEST, max(len(each.text) for each in stretch.instructions))
    for _, group in groupby(stretch.instructions, key=lambda each: (each.text, each.said)):
        run = tuple(group)
        for each in run if len(run) <= FEW else run[:1]:
            place = f"+0x{each.offset - stretch.address:x}"
            yield f"{each.text:<{width}}  // {place}: {' '.join(each.words)}"
            yield from (f"    // {sentence}" for sentence in _told(each))
        if len(run) > FEW:
            yield f"    // and {len(run) - 1} more of these"


def _told(each: Occurrence) -> Iterator[str]:
    yield from each.said
    yield from (f"not legal: {fault}" for fault in each.faults)
    if each.reason:
        yield f"no instruction that we know: {each.reason}"
