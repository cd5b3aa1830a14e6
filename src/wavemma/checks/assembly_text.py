"""Assembly text, as compilers and disassemblers write it, as a program."""

import re
from functools import cache

import msgspec

from wavemma.checks.banks import in_banks
from wavemma.checks.program import Item, Problem, Program
from wavemma.checks.symbols import SET, value_of, with_numbers
from wavemma.checks.written_line import unknown_line, written_line
from wavemma.errors import WavemmaError
from wavemma.hazards import Reader, Reading, Run
from wavemma.isa.assemble import parse_any
from wavemma.isa.catalog import by_name, instruction, instructions
from wavemma.isa.legality import faults
from wavemma.isa.syntax import without_comment
from wavemma.objects.blocks import FALLS_THROUGH, TO_TARGET
from wavemma.tables.ordinary import Flow

WORD_BYTES = 4
_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.S)
_LABEL = re.compile(r"\s*(?:[0-9A-Fa-f]+\s+<([^>]+)>|([A-Za-z_.$][\w.$@]*)):(?=\s|\Z)")
_TARGET = re.compile(r"\.amdgcn_target\s+\"[\w-]*--(\w+)")
_WAVE32 = re.compile(r"\.amdhsa_wavefront_size32\s+([01])")
_HEADER = re.compile(r".*\sfile format\s|Disassembly of section\s")
_ADDRESS = re.compile(r"//\s*([0-9A-Fa-f]{8,16}):")
_MACRO = re.compile(r"\s*\.(macro|rept|irp)\b")
_MACRO_END = re.compile(r"\s*\.(endm|endr)\b")
_METADATA = re.compile(r"\.amdgpu_metadata\b.*?\.end_amdgpu_metadata\b", re.S)
_LOCAL = (".", "L")


def target_of_text(text: str) -> str:
    """Name the target that a text says it is for; "" if it does not."""
    found = _TARGET.search(text)
    return found[1] if found else ""


def wave_of_text(text: str) -> int | None:
    """Give the wave size that a text says its kernels have; None if it does not."""
    found = _WAVE32.search(text)
    return None if found is None else 32 if found[1] == "1" else 64


def of_text(text: str, reader: Reader) -> Program:
    """Read assembly text: instructions, labels and branches; most directives are passed over."""
    builder = _Builder(reader)
    plain = text
    for passed_over in (_BLOCK_COMMENT, _METADATA):
        plain = passed_over.sub(lambda match: "\n" * match[0].count("\n"), plain)
    for number, line in enumerate(plain.splitlines(), start=1):
        builder.add(number, line)
    return in_banks(builder.program(), reader)


class _Leading(msgspec.Struct):
    """Where a line leads."""

    flow: Flow = ""
    label: str = ""


class _Builder:
    """What was read of a text so far."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self.items: list[Item] = []
        self.leading: list[_Leading] = []
        self.problems: list[Problem] = []
        self.labels: dict[str, int] = {}
        self.addresses: dict[int, int] = {}
        self.places: dict[int, int] = {}
        self.symbols: dict[str, int] = {}
        self.function = ""
        self.unknown: dict[str, int] = {}
        # Code repeats itself, so the same line is read once.
        self.known: dict[str, Reading] = {}
        self.macros = 0
        self.depth = 0

    def add(self, number: int, line: str) -> None:
        """Read one line more."""
        if self._is_in_macro(line) or _HEADER.match(line):
            return
        address = _ADDRESS.search(line)
        if address:
            self.addresses[int(address[1], 16)] = len(self.items)
            self.places[len(self.items)] = int(address[1], 16)
        text = without_comment(line)
        while match := _LABEL.match(text):
            self._label(match[1] or match[2])
            text = text[match.end() :].strip()
        if setting := SET.match(text):
            value = value_of(setting[3], self.symbols)
            if value is not None:
                self.symbols[setting[1] or setting[2]] = value
        elif text and not text.startswith("."):
            self._instruction(number, with_numbers(" ".join(text.split()), self.symbols))

    def _is_in_macro(self, line: str) -> bool:
        if _MACRO.match(line):
            self.depth += 1
            self.macros += 1
        inside = self.depth > 0
        if _MACRO_END.match(line):
            self.depth = max(0, self.depth - 1)
        return inside

    def _label(self, name: str) -> None:
        self.labels[name] = len(self.items)
        if not name.startswith(_LOCAL):
            self.function = name

    def _instruction(self, number: int, text: str) -> None:
        name, _, rest = text.partition(" ")
        name = name.lower()
        if name in by_name(self.reader.architecture):
            self._matrix(number, text)
            return
        written = written_line(name, rest.strip().lower(), self.reader)
        if written is not None:
            label = rest.strip().split(" ")[0] if written.flow in TO_TARGET else ""
            reading = self.known.setdefault(text, written.reading)
            self._append(number, text, reading, _Leading(written.flow, label))
            return
        if _stem(name) in _matrix_stems():
            try:
                instruction(name, self.reader.target)
            except WavemmaError as error:
                self.problems.append(
                    Problem(number, self.function, text, " ".join(str(error).split()), True)
                )
        self.unknown.setdefault(name, number)
        self._append(number, text, unknown_line(name, rest.strip().lower()), _Leading())

    def _matrix(self, number: int, text: str) -> None:
        try:
            decoded = parse_any(text, self.reader.target, self.reader.wave)
            decoded = msgspec.structs.replace(decoded, faults=faults(decoded))
        except WavemmaError as error:
            self.problems.append(Problem(number, self.function, text, error.message, False))
            self._append(number, text, Reading(text, {}, known=False), _Leading())
            return
        reading = self.known.setdefault(text, self.reader.reading(decoded, b""))
        item = Item(number, self.function, 0, text, reading, decoded)
        self.items.append(item)
        self.leading.append(_Leading())

    def _append(self, number: int, text: str, reading: Reading, leading: _Leading) -> None:
        self.items.append(Item(number, self.function, 0, text, reading, None))
        self.leading.append(leading)

    def program(self) -> Program:
        """Give the whole program."""
        return Program(
            name="",
            kind="code",
            target=self.reader.target,
            wave=self.reader.wave,
            unit="line",
            items=tuple(self.items),
            runs=self._runs(),
            problems=tuple(self.problems),
            notes=tuple(self._notes()),
        )

    def _runs(self) -> tuple[Run, ...]:
        if not self.items:
            return ()
        goals = [self._goal(number) for number in range(len(self.items))]
        starts = {0, *self.labels.values(), *(goal for goal in goals if goal is not None)}
        starts |= {number + 1 for number, each in enumerate(self.leading) if each.flow}
        firsts = sorted(start for start in starts if start < len(self.items))
        numbers = {first: number for number, first in enumerate(firsts)}
        runs = []
        for first, end in zip(firsts, [*firsts[1:], len(self.items)], strict=True):
            flow, goal = self.leading[end - 1].flow, goals[end - 1]
            after = [end] if flow in FALLS_THROUGH else []
            after += [goal] if goal is not None and flow in TO_TARGET else []
            readings = tuple(each.reading for each in self.items[first:end])
            runs.append(Run(first, readings, tuple(numbers[n] for n in after if n in numbers)))
        return tuple(runs)

    def _goal(self, number: int) -> int | None:
        """Give the number of the item that an item's branch leads to."""
        leading = self.leading[number]
        if not leading.label or leading.label in self.labels:
            return self.labels.get(leading.label)
        words = value_of(leading.label, self.symbols)
        behind = self.places.get(number + 1)
        if words is None or behind is None:
            return None
        signed = (words & 0xFFFF) - (words & 0x8000) * 2
        return self.addresses.get(behind + WORD_BYTES * signed)

    def _notes(self) -> list[str]:
        notes = []
        if self.unknown:
            names = ", ".join(list(self.unknown)[:_MOST_NAMES])
            line = next(iter(self.unknown.values()))
            notes.append(
                f"Not in the tables, so that registers of theirs are not followed: {names}"
                f"{' and others' if len(self.unknown) > _MOST_NAMES else ''} (first in line"
                f" {line})."
            )
        if self.macros:
            notes.append("Macros and repetitions are not expanded: what is inside is not read.")
        lost = [n for n, each in enumerate(self.leading) if each.label and self._goal(n) is None]
        if lost:
            notes.append(
                f"Not followed: {self.items[lost[0]].text!r} in line {self.items[lost[0]].place}"
                f"{f' and {len(lost) - 1} branches more' if len(lost) > 1 else ''}."
            )
        return notes


_MOST_NAMES = 5


def _stem(name: str) -> str:
    """Give what the names of one kind of instruction begin with."""
    return "_".join(name.split("_", 2)[:2])


@cache
def _matrix_stems() -> frozenset[str]:
    """Collect what the names of matrix instructions begin with, on any target."""
    return frozenset(_stem(name) for each in instructions() for name in (each.name, *each.aliases))
