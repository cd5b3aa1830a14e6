"""How the contents of a register read."""

from wavemma.explain.contents import RegisterContents
from wavemma.render.document import Block, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.spots import asked_facts, formula_blocks


@document_of.register
def _contents(answer: RegisterContents) -> Document:
    title = f"v{answer.register} of lane {answer.lane}: {answer.asked.operand} of {answer.asked}"
    blocks: list[Block] = [Heading(title, 1)]
    if answer.unknown:
        blocks.append(Text(f"Unknown: {answer.unknown}."))
    elif not answer.held:
        blocks.append(Text(f"Nothing of {answer.asked.operand} lies there."))
    else:
        rows = tuple((f"{each.bits.hi}:{each.bits.lo}", each.element) for each in answer.held)
        blocks.append(Table(("bits", "element"), rows))
    blocks.append(Facts(asked_facts(answer.asked)))
    if not answer.unknown:
        blocks += formula_blocks(answer.formulas)
    return tuple(blocks)
