"""How everything about a target or an architecture reads."""

import itertools
from collections.abc import Iterator

from wavemma.explain.target import TargetEntry, TargetFacts
from wavemma.render.document import Block, Detail, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of, footer_of, short_footer
from wavemma.render.words import listed, number

_MORE = "Notes, and what real boards printed: --full."
_FP8 = {"none": "none", "fnuz": "FNUZ (no infinity, one NaN, no minus zero)", "ocp": "OCP"}
_FILES = {"vgpr": "VGPRs", "agpr": "AGPRs", "either": "VGPRs or AGPRs"}


@document_of.register
def _target(answer: TargetFacts) -> Document:
    single = len(answer.targets) == 1
    blocks: list[Block] = [
        Heading(answer.name if answer.name != answer.architecture else answer.title, 1),
        Facts(tuple(_architecture(answer))),
    ]
    if answer.architecture_note:
        blocks.append(Text(_sentence(answer.architecture_note)))
    every: list[Block] = []
    for entry in answer.targets:
        if not single:
            every.append(Heading(entry.name))
        every.append(Facts(tuple(_facts(entry))))
        if entry.note:
            every.append(Text(_sentence(entry.note)))
        every += _tables(entry)
    short = _short(answer.targets[0]) if single else _summary(answer)
    return (*blocks, Detail(tuple(every), short))


@footer_of.register
def _footer(answer: TargetFacts) -> Document:
    return short_footer(answer)


def _short(entry: TargetEntry) -> Document:
    """Leave notes and what a real board printed to the whole page."""
    return (Facts(tuple(_facts(entry))), *itertools.islice(_tables(entry), 1), Text(_MORE))


def _summary(answer: TargetFacts) -> Document:
    """Name the targets of an architecture, and say what the first can do."""
    first = answer.targets[0]
    rows = tuple(
        (each.name, listed(each.products) if each.products else each.no_product or "none known")
        for each in answer.targets
    )
    return (
        Table(("target", "products"), rows, keep=(0,)),
        *itertools.islice(_tables(first), 1),
        Text(f"Rates are those of {first.name}; all targets: --full, one: wavemma show TARGET."),
    )


def _architecture(answer: TargetFacts) -> Iterator[tuple[str, str]]:
    yield "architecture", f"{answer.title} ({answer.architecture})"
    yield (
        "wave size",
        " or ".join(map(str, answer.waves))
        + (", the first by default" if len(answer.waves) > 1 else ""),
    )
    start = f"at a multiple of {answer.alignment}" if answer.alignment > 1 else "anywhere"
    yield "register ranges", f"start {start}"
    yield "C and D are in", _FILES[answer.accumulators]
    yield "8-bit floats", _FP8[answer.fp8]
    if len(answer.targets) > 1:
        yield "targets", listed(entry.name for entry in answer.targets)


def _facts(entry: TargetEntry) -> Iterator[tuple[str, str]]:
    kinds = [f"{count} {kind.replace('_', ' ')}" for kind, count in entry.instructions.items()]
    yield "instructions", f"{sum(entry.instructions.values())}: {', '.join(kinds)}"
    yield "builtins", number(entry.builtins)
    yield "formats of A, B", listed(entry.formats["a"])
    yield "formats of D", listed(entry.formats["d"])
    yield "HIP name", " or ".join((entry.gcn_arch_name, *entry.gcn_arch_name_alternatives))
    if entry.configurable:
        yield "switchable", listed(entry.configurable)
    yield "macros", f"{entry.macro}, {entry.family_macro}"
    yield "compiler", f"LLVM {entry.oldest_llvm} or newer"
    yield "unit", _unit(entry)
    yield (
        "VGPRs",
        f"{entry.vgprs} a lane in a SIMD, in steps of {entry.vgpr_granule};"
        + (f" a wave has at most {entry.max_vgprs}; {entry.vgpr_file_kib} KiB a {entry.block}"),
    )
    yield "waves", f"at most {entry.max_waves} a SIMD"
    yield (
        "LDS",
        (
            f"{entry.lds_kib} KiB a {entry.block},"
            f" at most {entry.lds_kib_per_workgroup} KiB a workgroup"
        ),
    )
    if entry.steppings:
        yield "steppings", f"{listed(entry.steppings)} with cycles of their own"
    yield "products", listed(entry.products) if entry.products else entry.no_product or "none known"


def _unit(entry: TargetEntry) -> str:
    words = f"{entry.unit} of {entry.simds_per_unit} SIMDs"
    if entry.units_per_block > 1:
        words += f"; {entry.units_per_block} make a {entry.block}, which is a HIP multiprocessor"
    return words


def _tables(entry: TargetEntry) -> Iterator[Block]:
    if entry.rates:
        yield Table(
            ("type", "sparse", f"ops/{entry.unit}/cycle", "instruction"),
            tuple(
                (
                    each.type,
                    "2:4" if each.sparse else "",
                    number(each.ops_per_cu_per_cycle),
                    each.instruction,
                )
                for each in entry.rates
            ),
            title="Best rates",
            right=(2,),
        )
    else:
        yield Text("Its rates are unknown.")
    for board in entry.boards:
        yield Facts(
            (
                ("a real board printed", f"compute capability {board.compute_capability}"),
                ("warp size", number(board.warp_size)),
                ("threads per block", number(board.max_threads_per_block)),
                ("registers per block", number(board.registers_per_block)),
                ("shared memory", f"{board.shared_memory_per_block} bytes a block"),
            )
        )


def _sentence(note: str) -> str:
    return f"{note[0].upper()}{note[1:]}."
