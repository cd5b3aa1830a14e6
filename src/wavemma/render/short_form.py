"""How the parts of an instruction read in few lines."""

from collections.abc import Iterable

from wavemma.explain.arithmetic import ModelUse
from wavemma.explain.form import Form
from wavemma.explain.formulas import LayoutFacts
from wavemma.explain.speeds import Speed
from wavemma.layouts import SCALE_ROLES
from wavemma.render.document import Facts
from wavemma.render.form import role_name
from wavemma.render.words import listed, number, plural
from wavemma.tables.targets import architectures, targets_of

_FEW = 2
_MIRRORED = dict.fromkeys("ij", "i (of B: j)")


def where_words(names: Iterable[str]) -> str:
    """Name targets, all those of an architecture by its title."""
    left = list(dict.fromkeys(names))
    words = []
    for architecture, row in architectures().items():
        own = targets_of(architecture)
        if len(own) > 1 and set(own) <= set(left):
            words.append(row.title)
            left = [name for name in left if name not in own]
        else:
            words += [name for name in left if name in own]
    return ", ".join(words)


def short_layouts(layouts: Iterable[LayoutFacts]) -> Facts:
    """Write which element is where for the first wave size, one operand a line."""
    every = list(layouts)
    first = every[0].wave if every else 0
    # Where A and B have several formats, each with a map of its own, those that mirror share it.
    mirror = len({each.formats for each in every if each.role == "a"}) > 1
    groups: dict[tuple[object, ...], list[LayoutFacts]] = {}
    for each in every:
        if each.wave == first:
            element = frozenset(_mirrored(each)) if mirror else each.element
            groups.setdefault((each.formats, element, each.registers), []).append(each)
    return Facts(
        tuple(
            (
                f"{_roles(group)} {_named(group[0])}".strip(),
                f"{'; '.join(f'{name} = {text}' for name, text in _element(group))}"
                f" ({plural(group[0].registers, 'register')}{_copied(group[0])})",
            )
            for group in groups.values()
        )
    )


def _roles(group: list[LayoutFacts]) -> str:
    roles = [each.role for each in group]
    return "scales" if roles == list(SCALE_ROLES) else ", ".join(map(role_name, roles))


def _element(group: list[LayoutFacts]) -> tuple[tuple[str, str], ...]:
    """Give the formulas of operands that share them; of A and B in the words of both."""
    plain = {each.element for each in group}
    return group[0].element if len(plain) == 1 else _mirrored(group[0])


def _mirrored(layout: LayoutFacts) -> tuple[tuple[str, str], ...]:
    """Give the formulas of A or B with one name for A's row and B's column."""
    if {"i", "j"} <= {name for name, _ in layout.element}:
        return layout.element
    return tuple((_MIRRORED.get(name, name), text) for name, text in layout.element)


def short_speeds(speeds: Iterable[Speed]) -> Facts:
    """Write cycles and rates, one line for targets that are alike."""
    groups: dict[tuple[str, str, str], list[str]] = {}
    for each in speeds:
        rate = f", {number(each.ops_per_cu_per_cycle)} ops/{each.unit}/cycle"
        known = "" if each.ops_per_cu_per_cycle is None else rate
        grade = "" if each.cycles is None else f" [{each.grade}]"
        key = (each.stepping, each.case, f"{number(each.cycles)}{known}{grade}")
        groups.setdefault(key, []).append(each.target)
    return _lines(
        "cycles",
        [
            f"{', '.join(filter(None, (where_words(names), stepping, case)))}: {text}"
            for (stepping, case, text), names in groups.items()
        ],
    )


def short_models(uses: Iterable[ModelUse]) -> Facts:
    """Write the arithmetic models by name, one line for targets that are alike."""
    groups: dict[tuple[str, str, tuple[str, ...]], dict[str, list[str]]] = {}
    for use in uses:
        key = (use.model or "unknown", use.title, use.alternatives)
        groups.setdefault(key, {}).setdefault(use.grade, []).append(use.target)
    texts = []
    for (model, title, others), by_grade in groups.items():
        names = [name for found in by_grade.values() for name in found]
        rule = f": {title}" if title else ""
        rivals = f"; or {listed(others)}" if others else ""
        grades = "; ".join(
            grade + (f" {where_words(found)}" if len(by_grade) > 1 else "")
            for grade, found in by_grade.items()
        )
        texts.append(f"{where_words(names)}: {model}{rule}{rivals} [{grades}]")
    return _lines("sums", texts)


def short_builtins(forms: Iterable[Form]) -> Facts:
    """Write the builtins of each architecture, one line for those that are alike."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for form in forms:
        groups.setdefault(form.builtins, []).extend(form.targets)
    several = len(groups) > 1
    return _lines(
        "builtins",
        [
            f"{f'{where_words(names)}: ' if several else ''}{listed(found)}"
            for found, names in groups.items()
        ],
    )


def _lines(name: str, texts: Iterable[str]) -> Facts:
    """Name the first of some lines."""
    return Facts(tuple((name if place == 0 else "", text) for place, text in enumerate(texts)))


def _named(layout: LayoutFacts) -> str:
    """Name the formats of a layout, the first of many."""
    if layout.role == "index":
        return ""
    more = "/..." if len(layout.formats) > _FEW else ""
    return "/".join(layout.formats[:_FEW]) + more


def _copied(layout: LayoutFacts) -> str:
    others = ", ".join(f"lane + {offset}" for offset in layout.copies[1:])
    return f"; the same in {others}" if others else ""
