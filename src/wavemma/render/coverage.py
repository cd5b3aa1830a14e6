"""How coverage reads."""

from wavemma.explain.coverage import Coverage
from wavemma.render.document import Block, Document, Facts, Heading, Table
from wavemma.render.pages import document_of

_HEAD = ("architecture", "targets", "class", "decoded", "run")


@document_of.register
def _coverage(answer: Coverage) -> Document:
    rows: list[tuple[str, ...]] = []
    missing: list[tuple[str, str]] = []
    unknown: list[tuple[str, str]] = []
    for each in answer.architectures:
        title, targets = each.title, ", ".join(each.targets)
        for part in each.classes:
            rows.append((title, targets, part.what, str(part.decoded), str(part.run)))
            for why, names in part.reasons:
                missing.append((f"{each.title}, {part.what}", f"{', '.join(names)}: {why}"))
            title = targets = ""
        unknown += [(each.title, f"{words}: {why}") for words, why in each.unknown]
    blocks: list[Block] = [
        Heading("Instructions that are decoded and run", 1),
        Table(_HEAD, tuple(rows), right=(3, 4), keep=(0,)),
    ]
    if missing:
        blocks += [Heading("Decoded, but not run"), Facts(tuple(missing))]
    if unknown:
        blocks += [Heading("Not decoded"), Facts(tuple(unknown))]
    return tuple(blocks)
