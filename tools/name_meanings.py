"""Enter what ordinary instructions compute into their rows, from patterns of their names.

    python tools/name_meanings.py

Reads tools/meanings/*.txt and rewrites data/isa/<architecture>/{scalar,vector,memory,control}.toml.
A line of a pattern file is a regular expression that the whole mnemonic must match, the name of a
meaning of `wavemma.machine.semantics`, and perhaps "packed", "writes=exec", or "on=" and the
architectures, or "in=" and the encodings, with commas between, that it is for. The first pattern
that matches is taken.
Mnemonics are read here alone: the package reads rows.
"""

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "wavemma" / "data" / "isa"
PATTERNS = ROOT / "tools" / "meanings"
_ROW = re.compile(r'^  \{ name = "(?P<name>[^"]+)",.* encoding = "(?P<encoding>[^"]+)"')
_OLD = re.compile(r'(meaning = "[^"]*"|packed = true|writes = \[[^\]]*\]), ')


class Pattern(NamedTuple):
    """A line of a pattern file: the expression, the encodings, and what it puts into a row."""

    expression: re.Pattern[str]
    encodings: tuple[str, ...]
    entry: str

    def fits(self, name: str, encoding: str) -> bool:
        """Whether it is for a row."""
        is_there = not self.encodings or encoding in self.encodings
        return is_there and self.expression.fullmatch(name) is not None


def patterns(architecture: str) -> list[Pattern]:
    """Read all pattern files, as far as they are for an architecture."""
    found = []
    for path in sorted(PATTERNS.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.partition("#")[0].split()
            if words:
                expression, name, *marks = words
                places = _marked(marks, "on=")
                if places and architecture not in places:
                    continue
                marks = [mark for mark in marks if not mark.startswith(("on=", "in="))]
                encodings = _marked(words, "in=")
                found.append(Pattern(re.compile(expression), encodings, _entry(name, marks)))
    return found


def _marked(marks: list[str], key: str) -> tuple[str, ...]:
    return tuple(
        each for mark in marks if mark.startswith(key) for each in mark.removeprefix(key).split(",")
    )


def _entry(name: str, marks: list[str]) -> str:
    entry = f'meaning = "{name}", '
    for mark in marks:
        key, _, value = mark.partition("=")
        entry += f'writes = ["{value}"], ' if key == "writes" else "packed = true, "
    return entry


def with_meanings(text: str, known: list[Pattern]) -> tuple[str, int, int]:
    """Give the text of a file with meanings, how many rows it has, and how many have one."""
    lines, rows, named = [], 0, 0
    for line in text.splitlines():
        row = _ROW.match(line)
        if row and "source = " in line:
            rows += 1
            entry = next((p.entry for p in known if p.fits(row["name"], row["encoding"])), "")
            named += bool(entry)
            line = _OLD.sub("", line).replace("source = ", entry + "source = ", 1)
        lines.append(line)
    return "\n".join(lines) + "\n", rows, named


def main() -> None:
    """Rewrite all files and tell how many rows have a meaning."""
    for place in sorted(DATA.glob("*/vector.toml")):
        known = patterns(place.parent.name)
        total = done = 0
        for each in ("scalar", "vector", "memory", "control"):
            path = place.parent / f"{each}.toml"
            text, rows, named = with_meanings(path.read_text(encoding="utf-8"), known)
            path.write_text(text, encoding="utf-8")
            total, done = total + rows, done + named
        print(f"{place.parent.name}: {done} of {total} rows have a meaning")


if __name__ == "__main__":
    main()
