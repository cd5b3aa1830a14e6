"""Is this binary, or this assembly, safe?"""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import msgspec

from wavemma.checks.assembly_text import of_text, target_of_text, wave_of_text
from wavemma.checks.finding import SEVERITIES, Finding
from wavemma.checks.lint import findings, function_findings, in_order
from wavemma.checks.program import Kind, Program, Unit
from wavemma.errors import FileMistake, UnknownName
from wavemma.explain.answer import Answer, Conflict, Evidence
from wavemma.explain.citation import citation, cited, distinct
from wavemma.explain.lint_notes import taken_notes, unknown_notes, wave_notes
from wavemma.explain.object_files import (
    bare_code,
    function_codes,
    is_text,
    read_objects,
)
from wavemma.hazards import Reader
from wavemma.isa.decoded import Decoded
from wavemma.isa.target import target, wave_of
from wavemma.objects import is_bundle, is_elf
from wavemma.tables.hazards import hazards
from wavemma.tables.targets import Wave

USAGE = "wavemma lint FILE --target TARGET"
MOST_TEXT = 1 << 24
"""Some 300,000 lines."""
BANKED_NOTE = (
    "A mode holds the high bits of register numbers; it is taken to be 0 where a block begins, as"
    " compilers leave it."
)
_RULES = "llvm-hazards"
# Of code nearly all words are known; of other bytes, some happen to be.
_KNOWN = 0.75


class Linted(msgspec.Struct, frozen=True):
    """A function, or a text, that was looked through.

    Attributes:
        name: Of the function; "" of a text.
        kind: "kernel" if it has a descriptor.
        target: Such as "gfx1100".
        wave: Lanes of the wave.
        unit: What places count: addresses of machine code, or lines of assembly.
        instructions: How many there are.
        matrix_instructions: How many of them are matrix instructions.
        unknown: How many words, or lines, are in no table.

    """

    name: str
    kind: Kind
    target: str
    wave: Wave
    unit: Unit
    instructions: int
    matrix_instructions: int
    unknown: int


class Lint(Answer, frozen=True, kw_only=True, tag=True):
    """What is wrong with a file.

    Attributes:
        linted: What was looked through.
        findings: What was found: errors first, then suspects, then hints.

    """

    linted: tuple[Linted, ...]
    findings: tuple[Finding, ...]

    @property
    def is_clean(self) -> bool:
        """Whether there is neither an error nor a suspect; hints are no faults."""
        return all(each.severity == SEVERITIES[-1] for each in self.findings)


class _Result(NamedTuple):
    """Programs with what was found in each, and notes."""

    pairs: list[tuple[Program, tuple[Finding, ...]]]
    notes: tuple[str, ...]


def lint(
    source: Path | bytes | str,
    *,
    target: str = "",
    kernel: str = "",
    wave: int | None = None,
) -> Lint:
    """Look for hazards, reserved bits and absent instructions, and for hints about speed.

    Args:
        source: A file, the bytes of one (a code object, a bundle, a host file that holds one,
            bare code, or assembly), or assembly as text.
        target: Such as "gfx942"; needed where the file does not name it.
        kernel: Only this function; all if empty.
        wave: Lanes of the wave where the file does not say; the target's default if None.

    Raises:
        FileMistake: The file cannot be read, is damaged, for another target, or no code.
        UnknownTarget: Offers the nearest names.
        UnknownName: There is no such kernel; offers those that are there.

    Examples:
        >>> found = lint('''
        ...     v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]
        ...     v_wmma_f32_16x16x16_f16 v[24:31], v[0:7], v[16:23], v[24:31]
        ... ''', target="gfx1100")
        >>> found.findings[0].rule, found.findings[0].fix
        ('rdna-wmma-ab', ('v_nop',))

    """
    if isinstance(source, Path):
        source = _data(source)
    if isinstance(source, bytes) and (is_elf(source) or is_bundle(source)):
        result = _of_objects(source, target, kernel, wave)
    elif isinstance(source, bytes) and not is_text(source):
        result = _of_bare_code(source, target, kernel, wave)
    else:
        result = _of_text(source, target, kernel, wave)
    return _answer(result)


def _data(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileMistake(f"{path} cannot be read: {error.strerror}.", subject=str(path)) from None


def _of_objects(data: bytes, target_name: str, kernel: str, wave: int | None) -> _Result:
    asked = target(target_name) if target_name else None
    files = read_objects(data, asked, USAGE)
    codes = [code for file in files for code in function_codes(file, wave)]
    chosen = [code for code in codes if kernel in ("", code.function.name)]
    if not chosen:
        _refuse_kernel(kernel, [code.function.name for code in codes])
    readers: dict[tuple[str, Wave], Reader] = {}
    pairs = []
    for code in chosen:
        key = (code.target.name, code.wave)
        readers.setdefault(key, Reader(*key))
        pairs.append(function_findings(code.function, readers[key]))
    return _Result(pairs, (*files[0].skipped, *wave_notes(chosen)))


def _of_bare_code(data: bytes, target_name: str, kernel: str, wave: int | None) -> _Result:
    """Look through code without a header, as `wavemma asm -o` writes it."""
    asked = target(target_name) if target_name else None
    code = bare_code(asked, data, wave, USAGE)
    if kernel:
        raise FileMistake("Code without an ELF header has no names of kernels.", subject=kernel)
    found = function_findings(code.function, Reader(code.target.name, code.wave))
    items = found[0].items
    known = sum(item.reading.known for item in items)
    if known < _KNOWN * len(items):
        raise FileMistake(
            f"The file must be code of {code.target.name}; we know {known} of its {len(items)}"
            " instructions, too few for code.",
            subject=code.target.name,
        )
    return _Result([found], tuple(wave_notes([code])))


def _of_text(source: bytes | str, target_name: str, kernel: str, wave: int | None) -> _Result:
    text = source if isinstance(source, str) else source.decode("utf-8-sig")
    if len(text) > MOST_TEXT:
        raise FileMistake(
            f"Assembly must have {MOST_TEXT:,} characters at most; it has {len(text):,}.",
            subject=len(text),
        )
    if source == b"":
        raise FileMistake("The file must hold a code object or assembly; it is empty.")
    name = target_name or target_of_text(text)
    if not name:
        is_file = isinstance(source, bytes)
        what = "The file is no code object; as text it" if is_file else "The text"
        raise FileMistake(
            f"{what} must say its target (.amdgcn_target), or it must be given; it does not.",
            hint=f"Use: {USAGE}",
        )
    row = target(name)
    reader = Reader(row.name, wave_of(row, wave or wave_of_text(text)))
    program = of_text(text, reader)
    if not program.items and not program.problems:
        raise FileMistake("The file must hold instructions; it holds none.")
    if not program.problems and not any(item.reading.known for item in program.items):
        raise FileMistake(
            f"The file must hold instructions of {row.name}; none of its"
            f" {len(program.items)} lines with a word at their start is one.",
            subject=row.name,
            hint="It takes assembly as compilers write it (clang -S), or code objects.",
        )
    found = findings(program)
    if kernel:
        names = list(dict.fromkeys(item.function for item in program.items if item.function))
        if kernel not in names:
            _refuse_kernel(kernel, names)
        found = tuple(each for each in found if each.at.function == kernel)
        items = tuple(item for item in program.items if item.function == kernel)
        program = msgspec.structs.replace(program, items=items, name=kernel, kind="function")
    return _Result([(program, found)], program.notes)


def _refuse_kernel(kernel: str, names: Sequence[str]) -> None:
    raise UnknownName(
        f"There is no kernel or function {kernel!r} in the file.", subject=kernel, allowed=names
    )


def _answer(result: _Result) -> Lint:
    found = in_order([each for _, findings in result.pairs for each in findings])
    names = dict.fromkeys(program.target for program, _ in result.pairs)
    return Lint(
        linted=tuple(_linted(program) for program, _ in result.pairs),
        findings=found,
        evidence=_evidence(found),
        conflicts=_conflicts(found),
        notes=(
            *result.notes,
            *taken_notes(names),
            *unknown_notes([program for program, _ in result.pairs]),
            *([BANKED_NOTE] if any(program.banked for program, _ in result.pairs) else []),
        ),
    )


def _linted(program: Program) -> Linted:
    matrix = sum(isinstance(item.decoded, Decoded) for item in program.items)
    return Linted(
        name=program.name,
        kind=program.kind,
        target=program.target,
        wave=program.wave,
        unit=program.unit,
        instructions=len(program.items),
        matrix_instructions=matrix,
        unknown=sum(not item.reading.known for item in program.items),
    )


def _evidence(found: Sequence[Finding]) -> tuple[Evidence, ...]:
    pairs = [
        cited(each.rule or each.what, source, each.grade)
        for each in found
        for source in each.sources
    ]
    rules = cited(f"{len(hazards().rules)} rules of hazards", _RULES, "V")
    return distinct([*pairs, rules])


def _conflicts(found: Sequence[Finding]) -> tuple[Conflict, ...]:
    names = dict.fromkeys(name for each in found for name in each.conflicts)
    rows = [hazards().conflicts[name] for name in names]
    return tuple(
        Conflict(
            what=f"{row.about} ({row.name})",
            taken=row.advice,
            other=row.claims,
            source="; ".join(citation(key) for key in row.sources),
        )
        for row in rows
    )
