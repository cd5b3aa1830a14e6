"""How the run of a kernel reads."""

from wavemma.explain.kernel_run import KernelRun
from wavemma.render.document import Block, Document, Facts, Heading, Table
from wavemma.render.pages import document_of

MANY = 12
"""More ordinary instructions than this are summed up."""


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
    return tuple(blocks)
