"""How disassembled bytes read."""

from wavemma.explain.disassembly import Disassembly
from wavemma.render.document import Block, Document, Heading, Text
from wavemma.render.encoding import occurrence_blocks
from wavemma.render.pages import document_of
from wavemma.render.words import plural


@document_of.register
def _disassembly(answer: Disassembly) -> Document:
    title = f"Matrix instructions of {answer.target}, wave{answer.wave}"
    blocks: list[Block] = [Heading(title, 1)]
    for each in answer.instructions:
        blocks += occurrence_blocks(each)
    count = sum(each.is_matrix for each in answer.instructions)
    blocks.append(
        Text(
            f"{plural(count, 'matrix instruction')} in {plural(answer.size_bytes, 'byte')};"
            f" {plural(answer.other_bytes, 'byte')} of other code."
        )
    )
    return tuple(blocks)
