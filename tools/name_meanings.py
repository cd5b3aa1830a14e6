"""Enter what ordinary instructions compute into their rows, from patterns of their names.

    python tools/name_meanings.py

Reads tools/meanings/*.txt and rewrites data/isa/<architecture>/{scalar,vector,memory,control}.toml.
A line of a pattern file is a regular expression that the whole mnemonic must match, the name of a
meaning of `wavemma.machine.semantics`, and perhaps "packed", "writes=exec", or "on=" and the
architectures, with commas between, that it is for. The first pattern that matches is taken.
Mnemonics are read here alone: the package reads rows.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "src" / "wavemma" / "data" / "isa"
PATTERNS = ROOT / "tools" / "meanings"
_ROW = re.compile(r'^  \{ name = "(?P<name>[^"]+)"')
_OLD = re.compile(r'(meaning = "[^"]*"|packed = true|writes = \[[^\]]*\]), ')


def patterns(architecture: str) -> list[tuple[re.Pattern[str], str]]:
    """Read all pattern files: expression, and what it puts into a row of an architecture."""
    found = []
    for path in sorted(PATTERNS.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.partition("#")[0].split()
            if words:
                expression, name, *marks = words
                places = [mark.removeprefix("on=") for mark in marks if mark.startswith("on=")]
                if places and architecture not in places[0].split(","):
                    continue
                marks = [mark for mark in marks if not mark.startswith("on=")]
                found.append((re.compile(expression), _entry(name, marks)))
    return found


def _entry(name: str, marks: list[str]) -> str:
    entry = f'meaning = "{name}", '
    for mark in marks:
        key, _, value = mark.partition("=")
        entry += f'writes = ["{value}"], ' if key == "writes" else "packed = true, "
    return entry


def with_meanings(text: str, known: list[tuple[re.Pattern[str], str]]) -> tuple[str, int, int]:
    """Give the text of a file with meanings, how many rows it has, and how many have one."""
    lines, rows, named = [], 0, 0
    for line in text.splitlines():
        row = _ROW.match(line)
        if row and "source = " in line:
            rows += 1
            entry = next((e for p, e in known if p.fullmatch(row["name"])), "")
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
