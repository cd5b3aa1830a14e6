"""How assembled lines read."""

from wavemma.explain.assembly import Assembly
from wavemma.render.document import Block, Document, Heading
from wavemma.render.encoding import occurrence_blocks
from wavemma.render.pages import document_of


@document_of.register
def _assembly(answer: Assembly) -> Document:
    blocks: list[Block] = [Heading(f"Assembled for {answer.target}, wave{answer.wave}", 1)]
    for each in answer.instructions:
        blocks += occurrence_blocks(each)
    return tuple(blocks)
