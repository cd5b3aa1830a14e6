"""How everything about one builtin reads."""

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator

from wavemma.explain.builtin import BuiltinFacts, BuiltinForm, RoleTable
from wavemma.explain.formulas import AlongRow
from wavemma.explain.speeds import Speed
from wavemma.render.document import Block, Code, Detail, Document, Facts, Heading, Table, Text
from wavemma.render.form import layout_table, role_name
from wavemma.render.pages import document_of, footer_of, short_footer
from wavemma.render.rates import speed_table
from wavemma.render.short_form import short_layouts, short_speeds, where_words
from wavemma.render.words import listed, ranges

NARROW = 78
"""Columns that code may take, as no terminal folds it."""
_MORE = (
    "Parts of the name, parameters, row by row tables, the preprocessor condition, what comes"
    " nearest elsewhere and how it differs (also: wavemma port), related builtins: --full."
)
_LINES = {"a": "row", "b": "column", "d": "row"}
_LETTER = re.compile(r"\b[AB]\b")


@document_of.register
def _builtin(answer: BuiltinFacts) -> Document:
    where = f" on {answer.target}" if answer.target else ""
    return (
        Heading(f"{answer.name}{where}", 1),
        Detail(
            (Code(unfolded(answer.prototype), "cpp"),), (Code(_filled(answer.prototype), "cpp"),)
        ),
        Detail((Facts(tuple(_facts(answer))), _name(answer)), (_short_facts(answer),)),
        Detail((Heading("Parameters"), _parameters(answer)), tuple(_constants(answer))),
        Heading("Register types"),
        *_types(answer),
        *_forms(answer.forms),
        Detail(
            (
                Heading("Speed"),
                speed_table(_speeds(answer), with_targets=True),
                Heading("Compile"),
                _compile(answer),
                Text("Only where this condition holds:"),
                Code(_folded(answer.guard), "cpp"),
                *_elsewhere(answer),
                *_related(answer),
            ),
            (Code(answer.compile[0], "bash"), *_short_elsewhere(answer), Text(_MORE)),
        ),
    )


@footer_of.register
def _footer(answer: BuiltinFacts) -> Document:
    return short_footer(answer)


def _speeds(answer: BuiltinFacts) -> Iterator[Speed]:
    for form in answer.forms:
        yield from form.speeds


def _short_facts(answer: BuiltinFacts) -> Facts:
    """Write what it becomes, where, and how fast."""
    names: dict[str, list[str]] = {}
    for form in answer.forms:
        names.setdefault(form.instruction, []).extend(form.targets)
    rows = [("becomes", f"{name} on {where_words(found)}") for name, found in names.items()]
    lanes = answer.forms[0].wave
    rows += [("wave size", str(lanes)), ("needs", ", ".join(answer.features))]
    return Facts((*rows, *short_speeds(_speeds(answer)).rows))


def _constants(answer: BuiltinFacts) -> Iterator[Block]:
    """Say what the constant arguments are for: the types do not tell."""
    rows = {each.role: each.meaning for each in answer.parameters if each.constant}
    shown: dict[str, str] = {}
    for role, meaning in rows.items():
        # What is said of A and of B alike is said once.
        both = [_LETTER.sub("A or B", each) for each in (role, meaning)]
        twins = [one for one, text in rows.items() if _LETTER.sub("A or B", one) == both[0]]
        same = {_LETTER.sub("A or B", rows[one]) for one in twins}
        if len(twins) == 2 and len(same) == 1:
            shown[_LETTER.sub("A, B", role)] = both[1]
        else:
            shown[role] = meaning
    if shown:
        yield Facts(tuple(shown.items()))


def _short_elsewhere(answer: BuiltinFacts) -> Iterator[Block]:
    """Name what stands in for it on other targets, each once.

    The maps of factors with several formats leave no room for it on one screen.
    """
    maps = {each.formats for each in answer.forms[0].layouts if each.role == "a"}
    groups: dict[str, list[str]] = {}
    for each in answer.elsewhere if len(maps) == 1 else ():
        alike = "" if each.differs else " (only layouts differ)"
        key = f"{each.builtin or each.instruction}{alike}"
        groups.setdefault(key, []).extend(each.targets)
    if groups:
        yield Heading("Elsewhere")
        yield Facts(tuple((where_words(names), name) for name, names in groups.items()))


def _facts(answer: BuiltinFacts) -> Iterator[tuple[str, str]]:
    for form in answer.forms:
        yield "instruction", f"{form.instruction} ({form.title}: {', '.join(form.targets)})"
    lanes = answer.forms[0].wave
    yield "wave size", f"{lanes}" if answer.wave else f"{lanes}, the only one of its targets"
    yield "needs", ", ".join(answer.features)
    if answer.features_newer:
        yield "newer LLVM", ", ".join(answer.features_newer)
    yield "intrinsic", answer.intrinsic
    if answer.since:
        yield "since", answer.since
    for text in answer.newer:
        yield "newer LLVM", text


def _parameters(answer: BuiltinFacts) -> Table:
    return Table(
        ("parameter", "type", "constant", "what it is for"),
        tuple(
            (each.role, each.type, "yes" if each.constant else "", each.meaning)
            for each in answer.parameters
        ),
    )


def _name(answer: BuiltinFacts) -> Table:
    rows = tuple((each.text, each.meaning) for each in answer.name_parts)
    return Table(("part", "what it stands for"), rows, title="The name", keep=(0,))


def _types(answer: BuiltinFacts) -> Iterator[Block]:
    if answer.types:
        yield Code("\n".join(each.declaration for each in answer.types), "cpp")
    else:
        yield Text("All are plain C types.")


def _forms(forms: tuple[BuiltinForm, ...]) -> Iterator[Block]:
    """Write layouts once for all architectures that share them; in short without their twins."""
    widest = {form.title: form for form in sorted(forms, key=lambda each: len(each.layouts))}
    yield Detail(
        tuple(_grouped(forms, lambda form: (layout_table(form.layouts), *_tables(form)))),
        tuple(_grouped(widest.values(), lambda form: (short_layouts(form.layouts),))),
    )


def _grouped(
    forms: Iterable[BuiltinForm], section: Callable[[BuiltinForm], Document]
) -> Iterator[Block]:
    groups: dict[Document, list[str]] = {}
    for form in forms:
        groups.setdefault(section(form), []).append(form.title)
    for blocks, titles in groups.items():
        where = f" ({', '.join(dict.fromkeys(titles))})" if len(groups) > 1 else ""
        yield Heading(f"Layouts{where}")
        yield from blocks


def _tables(form: BuiltinForm) -> Iterator[Block]:
    for table in form.tables:
        yield _rows(table)
        if table.along:
            yield _along(table)


def _rows(table: RoleTable) -> Table:
    line = _LINES[table.role]
    blocks = max(each.block for each in table.rows) > 0
    head = (*(("block",) if blocks else ()), line, "lanes", "registers")
    rows = tuple(
        (
            *((str(each.block),) if blocks else ()),
            str(each.number),
            ranges(each.lanes),
            ranges(each.registers),
        )
        for each in table.rows
    )
    title = f"{role_name(table.role)}: {line}s, lanes and registers"
    return Table(head, rows, title=title, right=(0, 1) if blocks else (0,))


def _along(table: RoleTable) -> Table:
    line = _LINES[table.role]
    title = f"{role_name(table.role)}: registers and k, for {line} 0"
    rows = tuple((ranges(each.lanes), str(each.register), _elements(each)) for each in table.along)
    return Table(("lanes", "register", _letters(table.along)), rows, title=title, right=(1,))


def _letters(along: Iterable[AlongRow]) -> str:
    return ", ".join(dict.fromkeys(name for each in along for e in each.elements for name, _ in e))


def _elements(row: AlongRow) -> str:
    single = all(len(each) == 1 for each in row.elements)
    return ", ".join(
        str(each[0][1]) if single else " ".join(f"{name}{value}" for name, value in each)
        for each in row.elements
    )


def unfolded(prototype: str) -> str:
    """Give each parameter of a long prototype a line of its own."""
    if len(prototype) < NARROW:
        return prototype
    head, _, rest = prototype.partition("(")
    return f"{head}(\n    " + rest.replace(", ", ",\n    ")


def _filled(prototype: str) -> str:
    """Give a long prototype as many parameters a line as fit."""
    if len(prototype) < NARROW:
        return prototype
    head, _, rest = prototype.partition("(")
    lines = textwrap.wrap(rest.replace(" ", "~").replace(",~", ", "), NARROW - 6)
    return "\n    ".join([f"{head}(", *lines]).replace("~", " ")


def _folded(guard: str) -> str:
    """Fold a long condition as the preprocessor allows."""
    return guard.replace(" && ", " \\\n    && ").replace(" || ", " \\\n    || ")


def _compile(answer: BuiltinFacts) -> Block:
    every = Code("\n".join(answer.compile), "bash")
    if len(answer.compile) == 1:
        return every
    others = f"Or another of its targets: {', '.join(answer.targets[1:])}."
    return Detail((every,), (Code(answer.compile[0], "bash"), Text(others)))


def _elsewhere(answer: BuiltinFacts) -> Iterator[Block]:
    if not answer.elsewhere:
        return
    yield Heading("Elsewhere")
    yield Table(
        ("where", "what comes nearest", "how it differs"),
        tuple(
            (
                f"{each.title}: {', '.join(each.targets)}",
                each.builtin or f"{each.instruction}, without a builtin",
                "; ".join(each.differs) or "only in layouts",
            )
            for each in answer.elsewhere
        ),
        keep=(1,),
    )


def _related(answer: BuiltinFacts) -> Iterator[Block]:
    groups: dict[str, list[str]] = {}
    for each in answer.related:
        groups.setdefault(each.relation, []).append(each.name)
    if groups:
        yield Heading("Related")
        yield Facts(tuple((relation, listed(names)) for relation, names in groups.items()))
