"""Why does it not compile, and what should be called?"""

from collections.abc import Iterator
from difflib import get_close_matches

from wavemma.clang_builtins.names import available
from wavemma.errors import UnknownName
from wavemma.explain.answer import Answer, Evidence
from wavemma.explain.availability import (
    Advice,
    Finding,
    find_builtin,
    find_instruction,
    find_nothing,
)
from wavemma.explain.builtin_guards import PREFIX
from wavemma.explain.citation import cited, distinct, target_errata
from wavemma.explain.every_target import calls_elsewhere
from wavemma.explain.guard_conditions import newer_notes
from wavemma.explain.line_fault import find_fault, instructions_called
from wavemma.explain.message_text import Named, named_in
from wavemma.explain.prototype import prototype
from wavemma.explain.subject import Subject, subject_of
from wavemma.tables.builtins import BuiltinRow, builtins
from wavemma.tables.features import features
from wavemma.tables.messages import MessageRow, messages
from wavemma.tables.processors import processors
from wavemma.tables.targets import target, targets

_CHOSEN = (
    "{name} fits {count} instructions; what to use, {taken}, is shown for one of them. Name a"
    " format and a shape for another, such as f16 16x16x16."
)
_MORE = "Give the lines of code or assembly around the message as well, and --target."
_ASK_AGAIN = "Ask again with --target: the answer depends on it."
_OF_TARGETS = ("target", "option")
NAMES_SOURCE = "llvm22"
CONSTANTS_NOTE = "Arguments marked const must be known when the compiler runs."


class Why(Answer, frozen=True, kw_only=True, tag=True):
    """Why something does not compile, and what to do.

    Attributes:
        given: What was asked about, without line breaks.
        message: The words of the message that was recognised; empty if only a name was given.
        tool: What says so; empty as before.
        subject: The builtin, instruction or feature that it is about; empty if none was named.
        target: The target; empty if none is known.
        causes: Why, one sentence each.
        steps: What to do, one sentence each.
        prototype: How the builtin is declared; empty where there is advice.
        advice: What to use on the target; None where nothing can be said.
        nearest: Names like the one that nothing has.
        solved: Whether there is a way on that target.

    """

    given: str
    message: str
    tool: str
    subject: str
    target: str
    causes: tuple[str, ...]
    steps: tuple[str, ...]
    prototype: str
    advice: Advice | None
    nearest: tuple[str, ...]
    solved: bool


def explain_why(text: str, target_name: str | None = None, wave: int | None = None) -> Why:
    """Say why code does not compile and what to call instead.

    Args:
        text: A message of a compiler or assembler, with the lines around it or without, a
            builtin, a mnemonic, a line of assembly, or words such as "f16 16x16x16".
        target_name: What is compiled for; found in the text if None.
        wave: Lanes of the wave that is compiled for; the target's default if None.

    Raises:
        UnknownTarget: Offers the nearest names.
        UnknownName: The text names nothing that is known.
        OutOfRange: The target has no waves of that size.

    """
    named = named_in(text)
    place = _place(target_name, named)
    subject = subject_of(text, named)
    if named.said is None and not subject.name:
        raise _unknown(text)
    row = named.said.row if named.said else None
    words = named.said.words if named.said else {}
    found = _found(subject, named, place, wave)
    return Why(
        given=" ".join(text.split()),
        message=_filled(row.text, words) if row else "",
        tool=row.tool if row else "",
        subject=subject.name,
        target=place,
        causes=(*([_filled(row.cause, words)] if row else []), *found.causes),
        steps=(*(_filled(each, words) for each in (row.fix if row else ())), *found.steps),
        prototype=found.prototype,
        advice=found.advice,
        nearest=subject.nearest,
        solved=found.solved,
        evidence=distinct(_evidence(row, subject, place, found)),
        conflicts=target_errata((place,)) if place in targets() else (),
        notes=(*_notes(found.advice), *_chosen(subject, found.advice)),
    )


def _notes(advice: Advice | None) -> Iterator[str]:
    if advice and advice.builtin:
        yield CONSTANTS_NOTE
        yield from newer_notes(row.name for row in targets().values() if row.macro in advice.guard)


def _chosen(subject: Subject, advice: Advice | None) -> Iterator[str]:
    """Say that words fit several instructions, and which one was taken.

    A mnemonic fits one, though architectures may call that by other names.
    """
    if instructions_called(subject.name):
        return
    count = len({each.name for each in subject.instructions})
    if count > 1 and advice:
        yield _CHOSEN.format(name=subject.name, count=count, taken=advice.instruction)


def _place(target_name: str | None, named: Named) -> str:
    """Choose the target: the one asked for, else the only one that the text names.

    What a message calls no target may come with another one as an example.
    """
    if target_name is not None:
        name = target_name.lower()
        return name if name in processors() else target(name).name
    refused = _refused_target(named)
    if refused:
        return refused if refused in (*targets(), *processors()) else ""
    return named.targets[0] if len(named.targets) == 1 else ""


def _refused_target(named: Named) -> str:
    """Give the target that a compiler says it does not know; empty if it says nothing such."""
    return named.said.words.get("target", "").split(":")[0] if named.said else ""


def _found(subject: Subject, named: Named, place: str, wave: int | None) -> Finding:
    """Find out what is the matter with the subject on the target."""
    if place in processors():
        return find_nothing(place)
    if subject.unknown:
        return _of_misspelt(subject, place, wave)
    if not place:
        refused = _refused_target(named)
        return _of_no_target(refused) if refused else _without_target(subject)
    if subject.rows:
        rows = _refused(subject.rows, named, place)
        return find_builtin(rows, place, _built_wave(named, rows[0], place, wave))
    if subject.instructions:
        found = find_instruction(subject.name, subject.instructions, place, wave)
        return _with_line(found, named, subject, place, wave)
    about = named.said.row.about if named.said else "line"
    return _of_target(place) if about in _OF_TARGETS else Finding(causes=(), steps=(_MORE,))


def _refused(rows: tuple[BuiltinRow, ...], named: Named, place: str) -> tuple[BuiltinRow, ...]:
    """Of the builtins that an intrinsic may come from, choose those that the target lacks.

    The back end has no instruction for it, so it is one of these, if there are any.
    """
    if named.builtins:
        return rows
    return tuple(row for row in rows if place not in available(row)) or rows


def _of_misspelt(subject: Subject, place: str, wave: int | None) -> Finding:
    """Say what a name may have been meant to be, and what that is on the target."""
    steps = (f"Nearest: {', '.join(subject.nearest)}.",) if subject.nearest else ()
    advice = None
    if place and subject.nearest:
        near = subject.nearest[0]
        rows = (builtins()[near],) if near in builtins() else ()
        found = (
            find_builtin(rows, place, wave)
            if rows
            else find_instruction(near, instructions_called(near), place, wave)
        )
        advice = found.advice
    return Finding(causes=(subject.unknown,), steps=steps, advice=advice, solved=False)


def _with_line(
    found: Finding, named: Named, subject: Subject, place: str, wave: int | None
) -> Finding:
    """Add what is wrong with the line, if there is one and the target has the instruction."""
    here = any(place in each.targets for each in subject.instructions)
    if not named.line or not here:
        return found
    fault = find_fault(named.line, subject.instructions, place, wave)
    return Finding(
        causes=fault.causes,
        steps=fault.steps,
        advice=found.advice,
        solved=found.solved,
        evidence=found.evidence,
    )


def _built_wave(named: Named, row: BuiltinRow, place: str, wave: int | None) -> int | None:
    """Find out for which waves code is built: a refused builtin tells that it is the other."""
    needed = row.wave
    refused = named.said is not None and named.said.row.name == "needs_feature"
    others = [lanes for lanes in target(place).waves if lanes != needed]
    if wave is None and refused and needed and others and place in available(row):
        return others[0]
    return wave


def _without_target(subject: Subject) -> Finding:
    """Say what can be said without a target: who has it."""
    owners = [name for row in subject.rows for name in available(row)]
    owners += [name for each in subject.instructions for name in each.targets]
    causes = [f"{subject.name} is for {', '.join(dict.fromkeys(owners))}."] if owners else []
    step = _ASK_AGAIN if subject.name else _MORE
    if not subject.rows:
        return Finding(causes=tuple(causes), steps=(step,))
    calls, declared = calls_elsewhere(subject.rows), prototype(subject.rows[0])
    steps = (*calls.steps, step)
    return Finding(causes=tuple(causes), steps=steps, evidence=calls.evidence, prototype=declared)


def _of_no_target(name: str) -> Finding:
    """Say that nothing known here has the name of a target either."""
    near = get_close_matches(name, [*targets(), *processors()], 3)
    return Finding(
        causes=(f"Nothing here knows {name} either.",),
        steps=(
            *((f"Nearest: {', '.join(near)}.",) if near else ()),
            "All with matrix instructions: wavemma list targets",
        ),
        solved=False,
    )


def _of_target(place: str) -> Finding:
    """Say what a target that is asked about needs of a compiler."""
    row = target(place)
    oldest = min(each.oldest_llvm for each in targets().values())
    waves = " or ".join(map(str, row.waves))
    steps = (
        (f"Take a compiler newer than LLVM {oldest}; LLVM {row.oldest_llvm} knows {place}.",)
        if row.oldest_llvm > oldest
        else (f"LLVM {oldest} knows it: write {place} as it stands here, and look at the version.",)
    )
    return Finding(causes=(f"Waves of {place} have {waves} lanes.",), steps=steps)


def _filled(text: str, words: dict[str, str]) -> str:
    for name, word in words.items():
        text = text.replace(f"{{{name}}}", word)
    return text


def _unknown(text: str) -> UnknownName:
    known = [row.text for row in messages().values()]
    return UnknownName(
        "A message, a builtin, a mnemonic or words such as f16 16x16x16 must be given;"
        f" nothing known is in {_shortened(text)!r}.",
        subject=text.removeprefix(PREFIX),
        allowed=known,
        hint="Give the whole line of the message, and the line of code below it.",
    )


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."


def _evidence(
    row: MessageRow | None, subject: Subject, place: str, found: Finding
) -> Iterator[Evidence]:
    if row:
        yield cited("message", row.source, row.grade)
    for each in subject.rows:
        yield cited("builtin", each.source, each.grade)
        for feature in (features()[name] for name in each.features if name in features()):
            yield cited(f"feature {feature.name}", feature.source, feature.grade)
    for instruction in subject.instructions:
        yield cited("instruction", instruction.row.source, instruction.row.grade)
    if place:
        where = processors()[place] if place in processors() else target(place)
        yield cited("target", where.source, where.grade)
    if subject.unknown:
        yield cited("names", NAMES_SOURCE, "V")
    yield from found.evidence
