"""How the run of a kernel reads."""

from wavemma.explain.kernel_run import KernelRun
from wavemma.explain.saved_run import Repeat
from wavemma.objects import SourceLine
from wavemma.render.document import Block, Document, Facts, Heading, Table
from wavemma.render.pages import document_of

MANY = 12
"""More ordinary instructions than this are summed up."""
WIDE, LAST = 50, 2
"""Longer paths are cut to their last parts."""


@document_of.register
def _kernel_run(answer: KernelRun) -> Document:
    matrix = [each for each in answer.executed if each.is_matrix]
    others = [each for each in answer.executed if not each.is_matrix]
    shape = " x ".join(map(str, answer.grid)), " x ".join(map(str, answer.block))
    blocks: list[Block] = [
        Heading(f"{answer.kernel} on {answer.target}", 1),
        Facts(
            (
                ("grid", f"{shape[0]} workgroups of {shape[1]} work-items, wave{answer.wave}"),
                ("executed", f"{answer.wave_instructions:,} instructions of waves"),
                ("host time", f"{answer.seconds:.3g} s"),
                ("written", ", ".join(answer.outputs) or "nothing"),
                *_repeated(answer.repeat),
            )
        ),
    ]
    if matrix:
        rows = tuple(
            (each.name, f"{each.count:,}", each.model, each.grade, each.fidelity) for each in matrix
        )
        head = ("instruction", "waves", "model", "grade", "fidelity")
        blocks.append(Table(head, rows, "Matrix instructions", right=(1,), keep=(0,)))
    listed = [(each.name, f"{each.count:,}", str(each.grade)) for each in others[:MANY]]
    if len(others) > MANY:
        rest = sum(each.count for each in others[MANY:])
        listed.append((f"{len(others) - MANY} more", f"{rest:,}", ""))
    title = "Other instructions, the most frequent first"
    blocks.append(
        Table(("instruction", "waves", "grade"), tuple(listed), title, right=(1,), keep=(0,))
    )
    blocks += _lines(answer)
    return tuple(blocks)


def _repeated(repeat: Repeat | None) -> tuple[tuple[str, str], ...]:
    return (("repeated", repeat_sentence(repeat)),) if repeat else ()


def repeat_sentence(repeat: Repeat) -> str:
    """Say whether a saved run came out as it did when it was saved."""
    by = f" as wavemma {repeat.version} saved"
    if repeat.is_same and repeat.saved_error:
        return f"ended by {repeat.saved_error},{by}"
    if repeat.is_same:
        return f"the same bits{by}"
    if repeat.differing:
        arguments = ", ".join(map(str, repeat.differing))
        return f"other bits in argument {arguments} than wavemma {repeat.version} saved"
    ended = repeat.saved_error or "no error"
    return f"ended otherwise: wavemma {repeat.version} saved {ended}"


def _lines(answer: KernelRun) -> list[Block]:
    """Show the source lines that ran most."""
    if not answer.lines:
        return []
    rows = tuple((_short(each.line), f"{each.count:,}") for each in answer.lines[:MANY])
    title = "Source lines by instructions of waves, the most frequent first"
    return [Table(("line", "count"), rows, title, right=(1,), keep=(0,))]


def _short(line: SourceLine) -> str:
    """Write a line without the first folders of a long path."""
    text = str(line)
    return text if len(text) <= WIDE else "/".join(("...", *text.split("/")[-LAST:]))
