"""What a command takes, read from the source of its function.

Loading a command takes longer than a shell may wait for a completion; what is read here is what
the parser makes of the loaded function, which a test compares.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

_PACKAGE = "wavemma"
_ROOT = Path(__file__).resolve().parents[1]
_PARAMETER, _LITERAL, _ANNOTATED = "Parameter", "Literal", "Annotated"
_TUPLE = "tuple"
_HIDDEN = "show"


class Option(NamedTuple):
    """One option.

    Attributes:
        name: Of the parameter, such as "beside_op".
        words: How it is written, such as "--beside-op".
        following: How many words follow it; 0 of a switch.
        choices: What may follow it, if that is a fixed set.

    """

    name: str
    words: tuple[str, ...]
    following: int
    choices: tuple[str, ...]


class CommandOptions(NamedTuple):
    """What a command takes.

    Attributes:
        positional: Names of the arguments without a name, and their choices.
        takes_more: Whether the last of them may be repeated.
        options: The others.

    """

    positional: tuple[tuple[str, tuple[str, ...]], ...]
    takes_more: bool
    options: tuple[Option, ...]


def options_of(place: str) -> CommandOptions:
    """Read what a command takes.

    Args:
        place: Module and function, such as "wavemma.cli.layout:layout".

    """
    module, _, name = place.partition(":")
    source = _Source(module)
    function = next(
        each for each in source.tree.body if isinstance(each, ast.FunctionDef) and each.name == name
    )
    given = function.args
    plain = [*given.posonlyargs, *given.args, *([given.vararg] if given.vararg else [])]
    return CommandOptions(
        tuple((each.arg, source.choices(each.annotation)) for each in plain),
        given.vararg is not None,
        tuple(
            option
            for each in given.kwonlyargs
            for option in source.options(each.arg, each.annotation)
        ),
    )


class _Source:
    """The text of one module of this package."""

    def __init__(self, module: str) -> None:
        self.tree = _tree(module)

    def options(self, name: str, annotation: ast.expr | None) -> Iterator[Option]:
        """Give the options that a parameter becomes: one, or those of a group, or none."""
        group = self._group(annotation)
        if group is not None:
            source, fields = group
            for each in fields.body:
                if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name):
                    yield from source.options(each.target.id, each.annotation)
            return
        words = {f"--{name.replace('_', '-')}": None}
        for keyword, value in self._parameter(annotation):
            if keyword == _HIDDEN:
                return
            if keyword in ("name", ""):
                words = dict.fromkeys(_texts(value))
            elif keyword in ("alias", "negative"):
                words |= dict.fromkeys(_texts(value))
        count = 0 if self._is_flag(annotation) else _count(annotation)
        yield Option(name, tuple(words), count, self.choices(annotation))

    def choices(self, annotation: ast.expr | None) -> tuple[str, ...]:
        """Give the values of a Literal, by whatever name it goes."""
        for node in ast.walk(annotation) if annotation else ():
            if isinstance(node, ast.Subscript) and _name(node.value) == _LITERAL:
                return _texts(node.slice)
            if isinstance(node, ast.Name):
                found = self._meant(node.id)
                if found and found[1] is not annotation:
                    choices = found[0].choices(found[1])
                    if choices:
                        return choices
        return ()

    def _is_flag(self, annotation: ast.expr | None) -> bool:
        return any(
            isinstance(node, ast.Name)
            and (node.id == "bool" or self._means_flag(node.id, annotation))
            for node in (ast.walk(annotation) if annotation else ())
        )

    def _means_flag(self, name: str, annotation: ast.expr | None) -> bool:
        found = self._meant(name)
        return bool(found and found[1] is not annotation and found[0]._is_flag(found[1]))

    def _parameter(self, annotation: ast.expr | None) -> Iterator[tuple[str, ast.expr]]:
        """Yield what an annotation says to the parser: keyword ("" for none) and value."""
        for node in ast.walk(annotation) if annotation else ():
            if isinstance(node, ast.Call) and _name(node.func) == _PARAMETER:
                yield from (("", each) for each in node.args)
                yield from ((each.arg or "", each.value) for each in node.keywords)

    def _group(self, annotation: ast.expr | None) -> tuple["_Source", ast.ClassDef] | None:
        """Find the class whose fields are options of their own."""
        if not isinstance(annotation, ast.Name):
            return None
        source = self._from(annotation.id)
        if source is None:
            return None
        classes = (each for each in source.tree.body if isinstance(each, ast.ClassDef))
        return next(((source, each) for each in classes if each.name == annotation.id), None)

    def _meant(self, name: str) -> tuple["_Source", ast.expr] | None:
        """Find what a name of a type stands for, here or where it is imported from."""
        source = self._from(name) or self
        for each in source.tree.body:
            if isinstance(each, ast.Assign) and _name(each.targets[0]) == name:
                return source, each.value
        return None

    def _from(self, name: str) -> "_Source | None":
        """Find the module of this package that a name is imported from."""
        for each in self.tree.body:
            if not isinstance(each, ast.ImportFrom) or not each.module:
                continue
            inside = each.module.split(".")[0] == _PACKAGE
            if inside and any(alias.name == name for alias in each.names):
                return _Source(each.module)
        return None


@cache
def _tree(module: str) -> ast.Module:
    place = _ROOT.joinpath(*module.split(".")[1:])
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


def _count(annotation: ast.expr | None) -> int:
    """Count the words that a value is made of: those of a tuple of a fixed length, else one."""
    for node in ast.walk(annotation) if annotation else ():
        if isinstance(node, ast.Subscript) and _name(node.value) == _TUPLE:
            inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            if all(isinstance(each, ast.Name) for each in inner):
                return len(inner)
    return 1


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _texts(node: ast.expr) -> tuple[str, ...]:
    """Give the constants of an expression, in order, as they are written on a command line."""
    found = (each.value for each in ast.walk(node) if isinstance(each, ast.Constant))
    return tuple(str(value) for value in found if value is not None)
