"""The entries of each list that there is, from the instructions that match."""

from collections.abc import Callable, Iterator

from wavemma.explain.format_words import format_words
from wavemma.explain.speeds import speeds
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import BuiltinRow, available, builtins
from wavemma.tables.formats import format_rows
from wavemma.tables.keys import Grade
from wavemma.tables.models import model_rows
from wavemma.tables.products import products
from wavemma.tables.targets import architectures, target, targets, units

Cell = str | int | bool | None | tuple[str, ...] | tuple[int, ...]
Row = dict[str, Cell]
Found = tuple[Instruction, ...]


def _owners(found: Found, target_name: str) -> set[str]:
    """Name the targets that have one of the instructions."""
    owners = {name for each in found for name in each.targets}
    return owners & {target_name} if target_name else owners


def _instructions(found: Found, target_name: str) -> Iterator[Row]:
    for each in found:
        m, n, k = each.shape
        yield {
            "name": each.name,
            "architecture": architectures()[each.architecture].title,
            "targets": each.targets,
            "kind": each.kind,
            "shape": f"{m}x{n}x{k}" if each.is_matrix else "-",
            "blocks": each.blocks,
            "a": each.formats.get("a", ()),
            "b": each.formats.get("b", ()),
            "c": each.formats.get("c", ()),
            "d": each.formats.get("d", ()),
            "sparse": each.is_sparse,
            "scaled": each.is_scaled,
            "cycles": _cycles(each, target_name),
        }


def _cycles(instruction: Instruction, target_name: str) -> tuple[int, ...] | None:
    """List the cycles on the target asked for, several where formats decide; None: not asked."""
    if not target_name:
        return None
    found = (speed.cycles for speed in speeds(instruction, target_name))
    return tuple(sorted({cycles for cycles in found if cycles is not None}))


def _builtins(found: Found, target_name: str) -> Iterator[Row]:
    keys = {(each.architecture, each.name) for each in found}
    for row in builtins().values():
        owners = available(row)
        if keys & set(row.references) and target_name in ("", *owners):
            names = dict.fromkeys(each.instruction for each in row.references)
            yield {
                "name": row.name,
                "wave": row.wave or target(owners[0]).default_wave,
                "architectures": _titles(row),
                "instructions": tuple(names),
                "targets": owners,
            }


def _titles(row: BuiltinRow) -> tuple[str, ...]:
    keys = dict.fromkeys(each.architecture for each in row.references)
    return tuple(architectures()[key].title for key in keys)


def _targets(found: Found, target_name: str) -> Iterator[Row]:
    owners = _owners(found, target_name)
    for row in targets().values():
        if row.name in owners:
            yield {
                "name": row.name,
                "architecture": architectures()[row.architecture].title,
                "waves": row.waves,
                "unit": units()[row.unit].title,
                "fp8": architectures()[row.architecture].fp8,
                "instructions": sum(row.name in each.targets for each in found),
                "products": sum(each.target == row.name for each in products().values()),
            }


def _products(found: Found, target_name: str) -> Iterator[Row]:
    owners = _owners(found, target_name)
    for row in products().values():
        if row.target in owners:
            yield {
                "name": row.name,
                "target": row.target,
                "architecture": architectures()[row.target_row.architecture].title,
                "units": row.units,
                "mhz": row.clock_mhz,
                "memory_gb": None if row.memory_gb == "unknown" else row.memory_gb,
            }


def _formats(found: Found, target_name: str) -> Iterator[Row]:
    used: dict[str, set[str]] = {}
    for each in found:
        for name in {name for names in each.formats.values() for name in names}:
            used.setdefault(name, set()).update(set(each.targets) & _owners(found, target_name))
    for row in format_rows().values():
        if row.name in used:
            yield {
                "name": row.name,
                "type": row.type,
                "bits": row.bits,
                "format": format_words(row.name),
                "targets": tuple(name for name in targets() if name in used[row.name]),
            }


def _models(found: Found, target_name: str) -> Iterator[Row]:
    used: dict[str, set[str]] = {}
    for each in found:
        if each.is_matrix:
            used.setdefault(each.matrix.model, set()).update(each.targets)
    for row in model_rows().values():
        owners = [name for name in targets() if name in used.get(row.name, ())]
        if owners:
            yield {
                "name": row.name,
                "rule": row.title,
                "targets": tuple(f"{name} {row.grade_on(name)}" for name in owners),
            }


LISTS: dict[str, Callable[[Found, str], Iterator[Row]]] = {
    "instructions": _instructions,
    "builtins": _builtins,
    "targets": _targets,
    "products": _products,
    "formats": _formats,
    "models": _models,
}
"""What can be listed, and how."""


CITED: dict[str, Callable[[str], tuple[str, Grade]]] = {
    "builtins": lambda name: (builtins()[name].source, builtins()[name].grade),
    "targets": lambda name: (target(name).source, target(name).grade),
    "products": lambda name: (products()[name].source, products()[name].grade),
    "formats": lambda name: (format_rows()[name].source, format_rows()[name].grade),
    "models": lambda name: (model_rows()[name].source, model_rows()[name].grade),
}
"""Source and grade of an entry, by its name."""
