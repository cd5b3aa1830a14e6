"""How the packing of a sparse A reads."""

from wavemma.explain.sparse_packing import SparsePacking
from wavemma.render.document import Block, Code, Document, Facts, Heading, Table
from wavemma.render.pages import document_of
from wavemma.render.words import number

_WORDS_PER_LINE = 4


@document_of.register
def _packing(answer: SparsePacking) -> Document:
    size = " x ".join(map(str, answer.size))
    blocks: list[Block] = [
        Heading(f"A of {answer.asked}", 1),
        Facts(
            (
                ("A", f"{size}, {answer.asked.format}"),
                ("tiles", f"{answer.tiles[0]} along M, {answer.tiles[1]} along K"),
                ("groups of four", _groups(answer.kept)),
                ("pruned", _pruned(answer)),
            )
        ),
    ]
    if answer.files:
        blocks.append(Table(("file", "holds"), answer.files))
    shared = "tiles along K share it" if answer.shared else "one tile"
    for register, words in enumerate(answer.words):
        blocks += [
            Heading(f"Index register {register} of the first tile ({shared})", 3),
            Code("\n".join(_lines(words))),
        ]
    return tuple(blocks)


def _groups(kept: tuple[int, int, int]) -> str:
    none, one, two = kept
    return f"{sum(kept)}: {two} keep two elements that are not zero, {one} one, {none} none"


def _pruned(answer: SparsePacking) -> str:
    if not answer.pruned:
        return "nothing"
    share = answer.pruned_share
    part = "" if share is None else f", {number(100 * share, 3)} % of the sum of magnitudes"
    return f"{answer.pruned} elements{part}"


def _lines(words: tuple[str, ...]) -> list[str]:
    """Write words with the lane of the first before each line."""
    return [
        f"lane {first:2}: {' '.join(words[first : first + _WORDS_PER_LINE])}"
        for first in range(0, len(words), _WORDS_PER_LINE)
    ]
