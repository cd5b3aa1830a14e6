"""How the faults of a file read: a finding a block, with its fix."""

from collections import Counter

from wavemma.checks.finding import SEVERITIES, Finding, Where
from wavemma.explain.lint import Lint, Linted
from wavemma.render.document import Block, Code, Document, Facts, Heading, Text
from wavemma.render.pages import document_of
from wavemma.render.words import plural

MOST = 40
"""As many findings are written out; JSON has all."""
_ROWS = 8
_RUNS = 3
_WHAT = {
    "hazard": "hazard",
    "not legal": "not legal",
    "not there": "not on this target",
    "signs": "signs",
    "registers": "shared registers",
    "banks": "register banks",
    "stepping": "not on every stepping",
}


def _nothing(answer: Lint) -> str:
    """Say how much was looked through without a finding."""
    unknown = sum(each.unknown for each in answer.linted)
    every = sum(each.instructions for each in answer.linted)
    if not unknown:
        return "Clean: nothing was found"
    return (
        f"Nothing was found in {every - unknown:,} of {every:,} instructions; the rest is not known"
    )


@document_of.register
def _lint(answer: Lint) -> Document:
    counts = Counter(each.severity for each in answer.findings)
    told = ", ".join(plural(counts[name], name) for name in SEVERITIES if counts[name])
    blocks: list[Block] = [Heading(told or _nothing(answer), 1)]
    blocks.append(Facts(_rows(answer)))
    for each in answer.findings[:MOST]:
        blocks += _finding(each)
    left = len(answer.findings) - MOST
    if left > 0:
        blocks.append(Text(f"And {plural(left, 'finding')} more: --json has them all."))
    return tuple(blocks)


def _rows(answer: Lint) -> tuple[tuple[str, str], ...]:
    """Tell what was looked through: of many functions those first that multiply most."""
    order = sorted(answer.linted, key=lambda each: -each.matrix_instructions)
    rows = [_row(each) for each in order[:_ROWS]]
    left = order[_ROWS:]
    if left:
        count = sum(each.instructions for each in left)
        matrix = sum(each.matrix_instructions for each in left)
        rows.append((f"{len(left)} more", f"{count} instructions, {matrix} of them matrix ones"))
    return tuple(rows)


def _row(each: Linted) -> tuple[str, str]:
    counts = f"{each.target}, wave{each.wave}: {plural(each.instructions, 'instruction')}"
    matrix = f"{each.matrix_instructions} of them matrix instructions"
    unnamed = "assembly" if each.unit == "line" else "bare code"
    name = f"{each.kind} {each.name}" if each.name else unnamed
    return name, f"{counts}, {matrix}"


def _finding(each: Finding) -> list[Block]:
    title = f"{each.severity}: {_WHAT[each.what]} {each.rule}".rstrip()
    blocks: list[Block] = [Heading(f"{title}, {_place(each.at)}", 3)]
    if each.producer:
        blocks.append(Code("\n".join(_pair(each, each.producer)), "asm"))
    else:
        blocks.append(Code(each.at.text, "asm"))
    rows = [("why", each.message)]
    if each.producer:
        rows.append(("needs", _count(each)))
    rows += [("also", text) for text in each.also[:_RUNS]]
    if len(each.also) > _RUNS:
        rows.append(("also", f"{len(each.also) - _RUNS} more"))
    if each.conflicts:
        rows.append(("disputed", f"{', '.join(each.conflicts)}: see below"))
    if each.note:
        rows.append(("note", each.note))
    rows.append(("rests on", f"{', '.join(each.sources)} [{each.grade}]"))
    return [*blocks, Facts(tuple(rows))]


def _pair(each: Finding, producer: Where) -> list[str]:
    """Write producer, what is missing, and consumer."""
    lines = [producer.text, f"    // {_place(producer)}{_round(each)}"]
    fix = Counter(each.fix)
    for line, times in fix.items():
        many = f"    // {times} times" if times > _RUNS else ""
        shown = [line] if many else [line] * times
        lines += [f"+ {text}{many}" for text in shown]
    return [*lines, each.at.text]


def _round(each: Finding) -> str:
    return ", in the round of the loop before" if each.round_the_loop else ""


def _count(each: Finding) -> str:
    counted = each.counted
    if each.needs == 1:
        counted = counted.replace("states", "state", 1).replace("slots", "slot", 1)
    place = "" if " " in counted.replace("wait ", "").replace("VALU ", "") else " in between"
    return f"{each.needs} {counted}{place}, has {each.has} ({each.dependence}); + marks the fix"


def _place(at: Where) -> str:
    if at.unit == "line":
        return f"line {at.place}" + (f" in {at.function}" if at.function else "")
    name = f"{at.function}+0x{at.offset:x}" if at.function else f"0x{at.place:x}"
    return f"{name}"
