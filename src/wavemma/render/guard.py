"""How the guard of a feature reads."""

from collections.abc import Iterator

from wavemma.explain.guard import Branch, Guard
from wavemma.explain.guard_conditions import Condition
from wavemma.render.document import Block, Code, Document, Facts, Heading, Table, Text
from wavemma.render.pages import document_of
from wavemma.render.words import listed

MANY = 8
"""More builtins than this are not listed in a branch."""


@document_of.register
def _guard(answer: Guard) -> Document:
    return (
        Heading(f"guard for {answer.feature}", 1),
        Facts((("has it", listed(answer.targets)), ("lacks it", listed(answer.lacking)))),
        *_asked(answer),
        Heading("Condition, target by target", 3),
        Code(folded(answer.condition), "cpp"),
        *_families(answer.families),
        *_by_builtin(answer.by_builtin),
        *_branches(answer.branches),
    )


def folded(condition: str) -> str:
    """Fold a long condition as the preprocessor allows, some macros a line."""
    lines: list[str] = []
    line = ""
    for word in condition.replace(" || ", " \n|| ").replace(" && ", " \n&& ").split("\n"):
        if line and len(line) + len(word) > 72:
            lines.append(f"{line}\\")
            line = "    "
        line += word
    return "\n".join([*lines, line.rstrip()])


def _asked(answer: Guard) -> Iterator[Block]:
    if answer.asked:
        rows = tuple(
            (each.target, "yes" if each.has else "no", listed(each.defines))
            for each in answer.asked
        )
        yield Table(("target", "has it", "defines"), rows, keep=(0,))


def _families(condition: Condition | None) -> Iterator[Block]:
    if condition is None:
        return
    yield Heading("Shorter, where families have it as a whole", 3)
    yield Code(folded(condition.text), "cpp")


def _by_builtin(conditions: tuple[Condition, ...]) -> Iterator[Block]:
    if conditions:
        yield Heading("By __has_builtin", 3)
    for each in conditions:
        yield Code(folded(each.text), "cpp")
        if each.wrong:
            yield Text(
                f"__has_builtin alone is true on {listed(each.wrong)} as well, where LLVM 22 does"
                " not compile a call."
            )


def _branches(branches: tuple[Branch, ...]) -> Iterator[Block]:
    """Write one chain of conditions with what to call in each."""
    if not any(each.builtins for each in branches):
        return
    yield Heading("What to call where", 3)
    lines: list[str] = []
    for number, each in enumerate(branches):
        condition = each.condition if number == 0 else each.condition.replace("#if", "#elif", 1)
        lines += [folded(condition), f"    // {each.title}"]
        lines += [f"    // {name}" for name in each.builtins[:MANY]]
        if len(each.builtins) > MANY:
            rest = len(each.builtins) - MANY
            lines.append(
                f"    // and {rest} more: wavemma list builtins --target {each.targets[0]}"
            )
    yield Code("\n".join([*lines, "#endif"]), "cpp")
