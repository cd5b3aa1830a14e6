"""Which instructions are decoded, run, and proved by what."""

import msgspec

from wavemma.explain.answer import Answer
from wavemma.explain.citation import cited, distinct
from wavemma.machine.semantics import MEANINGS
from wavemma.tables.instructions import architecture_rows
from wavemma.tables.not_run import not_decoded, reasons
from wavemma.tables.ordinary import CLASSES, rows_of_class
from wavemma.tables.targets import architectures, targets

CLASS_WORDS = {
    "scalar": "scalar arithmetic",
    "vector": "vector arithmetic",
    "memory": "memory",
    "control": "branches, waits, messages",
}


class Covered(msgspec.Struct, frozen=True):
    """A class of instructions of an architecture.

    Attributes:
        what: The class.
        decoded: Mnemonics that the decoder and assembler know.
        run: Those of them that run on both engines.
        missing: Those that are decoded and stop a kernel.
        reasons: Why they do: the reason and the mnemonics that it is of; others just lack a
            meaning.

    """

    what: str
    decoded: int
    run: int
    missing: tuple[str, ...]
    reasons: tuple[tuple[str, tuple[str, ...]], ...] = ()


class ArchitectureCoverage(msgspec.Struct, frozen=True):
    """An architecture.

    Attributes:
        title: Such as "RDNA3".
        targets: That have it.
        classes: Matrix instructions first.
        unknown: Words of instructions that are not decoded, and why.

    """

    title: str
    targets: tuple[str, ...]
    classes: tuple[Covered, ...]
    unknown: tuple[tuple[str, str], ...] = ()


class Coverage(Answer, frozen=True, kw_only=True, tag=True):
    """The table of all architectures."""

    architectures: tuple[ArchitectureCoverage, ...]


_NO_MEANING = "no meaning is written yet"
NOTES = (
    "Decoded: every row is compared with LLVM's assembler, bit by bit. Matrix instructions run by"
    " models that are compared with an exact twin; the others by meanings that are compared with"
    " independent formulations on compiled code and on arrays.",
    "An instruction that is not run ends a kernel with its text; nothing is guessed.",
)


def explain_coverage() -> Coverage:
    """Count what is decoded and what runs, by architecture and class."""
    found = tuple(_architecture(name) for name in architectures())
    evidence = [cited("encodings of ordinary instructions", "llvm22", "V")]
    return Coverage(architectures=found, evidence=distinct(evidence), notes=NOTES)


def _architecture(name: str) -> ArchitectureCoverage:
    matrix = len(architecture_rows(name).instructions)
    classes = [Covered("matrix", matrix, matrix, ())]
    classes += _ordinary(name)
    own = tuple(row.name for row in targets().values() if row.architecture == name)
    known = [row for row in not_decoded() if name in row.architectures]
    unknown = tuple((row.words, row.why) for row in known)
    return ArchitectureCoverage(architectures()[name].title, own, tuple(classes), unknown)


def _ordinary(name: str) -> list[Covered]:
    found = []
    for each in CLASSES:
        runs: dict[str, bool] = {}
        for row in rows_of_class(name, each):
            # Where control goes by itself, nothing is computed.
            known = row.meaning in MEANINGS or row.flow not in ("", "branch")
            runs[row.name] = runs.get(row.name, False) or known
        missing = tuple(sorted(mnemonic for mnemonic, known in runs.items() if not known))
        why = _reasons(name, missing)
        found.append(Covered(CLASS_WORDS[each], len(runs), sum(runs.values()), missing, why))
    return found


def _reasons(name: str, missing: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Gather mnemonics by the reason why they are not run; those without one come last."""
    known = reasons(name)
    order = dict.fromkeys(known[each] for each in missing if each in known)
    found = [(why, tuple(each for each in missing if known.get(each) == why)) for why in order]
    rest = tuple(each for each in missing if each not in known)
    return (*found, (_NO_MEANING, rest)) if rest else tuple(found)
