"""How everything about one instruction reads."""

from collections.abc import Iterable, Iterator

from wavemma.explain.arithmetic import ModelUse
from wavemma.explain.form import Form
from wavemma.explain.instruction import InstructionFacts
from wavemma.render.document import Block, Detail, Document, Facts, Heading, Table, Text
from wavemma.render.form import (
    bit_section,
    facts_of,
    grouped,
    layout_section,
    modifier_section,
    operand_section,
    same_and_different,
)
from wavemma.render.pages import document_of, footer_of, short_footer
from wavemma.render.rates import speed_table
from wavemma.render.short_form import (
    short_builtins,
    short_layouts,
    short_models,
    short_speeds,
    where_words,
)
from wavemma.render.words import listed

_SHORT = ("also written", "M x N x K", "wave size", "rules", "note")
_MORE = (
    "Bits of the word, operands, modifiers, places of elements, related instructions: --full, or"
    " wavemma dis --explain for one word."
)


@document_of.register
def _instruction(answer: InstructionFacts) -> Document:
    where = f" on {answer.target}" if answer.target else ""
    forms = answer.forms
    return (
        Heading(f"{answer.name}{where}", 1),
        Text(" ".join(answer.description)),
        *map(Text, answer.absences),
        Detail(
            (
                *_facts(forms),
                *grouped(forms, "Bits", bit_section),
                *grouped(forms, "Operands", operand_section),
                *grouped(forms, "Modifiers", modifier_section),
                *grouped(forms, "Layouts", layout_section),
                Heading("Speed"),
                speed_table((each for form in forms for each in form.speeds), with_targets=True),
                *_arithmetic([each for form in forms for each in form.models]),
                *grouped(forms, "Builtins", _builtins),
                *_targets(answer),
                *_related(answer),
            ),
            _short(answer),
        ),
    )


def _short(answer: InstructionFacts) -> Document:
    """Write what a kernel's writer needs on one screen."""
    forms = answer.forms
    facts = (
        _short_facts(answer),
        short_builtins(forms),
        short_speeds(each for form in forms for each in form.speeds),
        short_models(each for form in forms for each in form.models),
    )
    rows = tuple(row for block in facts for row in block.rows)
    return (Facts(rows), *grouped(forms, _short_title(forms), _short_layouts), Text(_MORE))


@footer_of.register
def _footer(answer: InstructionFacts) -> Document:
    return short_footer(answer)


def _short_facts(answer: InstructionFacts) -> Facts:
    """Keep the facts that a kernel's writer needs, where all architectures have the same."""
    tables = [dict(facts_of(form)) for form in answer.forms]
    values = {name: {table.get(name, "-") for table in tables} for name in _SHORT}
    same = [
        (name, next(iter(found)))
        for name, found in values.items()
        if len(found) == 1 and found != {"-"}
    ]
    has = where_words(each.target for each in answer.support if each.has)
    lacks = where_words(each.target for each in answer.support if not each.has)
    return Facts((*same, ("targets", has), ("not on", lacks or "-")))


def _short_title(forms: tuple[Form, ...]) -> str:
    waves = {form.layouts[0].wave for form in forms if form.layouts}
    several = any(len({each.wave for each in form.layouts}) > 1 for form in forms)
    wave = f", wave{min(waves)}" if len(waves) == 1 else ""
    return f"Which element is at lane, v, n{wave}{'; others: --wave' if several else ''}"


def _short_layouts(form: Form) -> tuple[Block, ...]:
    if not form.layouts:
        return (Text("It has no matrix, so no layout."),)
    return (short_layouts(form.layouts),)


def _facts(forms: tuple[Form, ...]) -> Iterator[Block]:
    if len(forms) == 1:
        yield Facts((("architecture", forms[0].title), *facts_of(forms[0])))
        return
    shared, different = same_and_different(forms)
    yield shared
    yield Heading("Where architectures differ")
    yield Table(
        ("fact", "architecture", "value"),
        tuple(
            (name if titles is first else "", ", ".join(titles), value)
            for name, values in different
            for groups in [_groups(values)]
            for first in [next(iter(groups.values()))]
            for value, titles in groups.items()
        ),
    )


def _groups(values: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Group architectures by what they have."""
    groups: dict[str, list[str]] = {}
    for title, value in values:
        groups.setdefault(value, []).append(title)
    return groups


def _builtins(form: Form) -> tuple[Block, ...]:
    return (Text(listed(form.builtins) if form.builtins else "None becomes this instruction."),)


def _arithmetic(uses: list[ModelUse]) -> Iterator[Block]:
    if not uses:
        return
    groups: dict[tuple[str, str, str, tuple[str, ...]], list[str]] = {}
    for use in uses:
        key = (use.model or "unknown", use.title, use.grade, use.alternatives)
        groups.setdefault(key, []).append(use.target)
    yield Heading("Arithmetic")
    yield Table(
        ("targets", "model", "grade", "rule", "may also be"),
        tuple(
            (", ".join(names), model, grade, title or "-", listed(others))
            for (model, title, grade, others), names in groups.items()
        ),
    )


def _targets(answer: InstructionFacts) -> Iterator[Block]:
    """Say which targets have it, and which do not."""
    yield Heading("Targets")
    named: dict[str, list[str]] = {}
    for each in answer.support:
        named.setdefault(each.name, []).append(each.target)
    missing = named.pop("", [])
    rows = [
        ("has it", f"{', '.join(names)}{f', as {name}' if len(named) > 1 else ''}")
        for name, names in named.items()
    ]
    if answer.others:
        same = [each.title for each in answer.others if each.same_opcode]
        rows.append(("same opcode", listed(same)))
    yield Facts((*rows, ("has it not", listed(missing))))


def _related(answer: InstructionFacts) -> Iterator[Block]:
    groups: dict[str, dict[str, None]] = {}
    for each in answer.related:
        groups.setdefault(each.relation, {})[each.name] = None
    if groups:
        yield Heading("Related")
        yield Facts(tuple((relation, ", ".join(names)) for relation, names in groups.items()))
