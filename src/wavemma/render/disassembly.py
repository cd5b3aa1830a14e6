"""How disassembled words read."""

from wavemma.explain.disassembly import Disassembly
from wavemma.render.document import Block, Document, Heading, Text
from wavemma.render.encoding import count_sentence, occurrence_blocks
from wavemma.render.pages import document_of


@document_of.register
def _disassembly(answer: Disassembly) -> Document:
    title = f"Instructions of {answer.target}, wave{answer.wave}"
    blocks: list[Block] = [Heading(title, 1)]
    for each in answer.instructions:
        blocks += occurrence_blocks(each)
    counts = count_sentence(answer.instructions, answer.size_bytes, answer.other_bytes)
    return (*blocks, Text(counts))
