"""Every exception class of wavemma."""

import re
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import PurePath

_FEW = 12
_LIST_LIMIT = 400
_WORD_LIMIT = 160
_SUBJECT_LIMIT = 80
_LINE_LIMIT = 1000
_KEPT = 60


def shortened(message: str) -> str:
    """Cut what was given out of a message where it is so long that it hides the sentence.

    Args:
        message: Sentences; words of more than 160 characters and lines of more than 1,000 are
            cut in their middle.

    """
    words = re.sub(rf"\S{{{_WORD_LIMIT + 1},}}", lambda found: _cut(found[0], _KEPT), message)
    return "\n".join(
        line if len(line) <= _LINE_LIMIT else _cut(line, _LINE_LIMIT // 2)
        for line in words.split("\n")
    )


def _cut(text: str, kept: int) -> str:
    """Keep the first and the last characters."""
    return f"{text[:kept]}[...]{text[-kept // 3 :]}"


class WavemmaError(Exception):
    """A mistake in what was asked, told so that it can be mended.

    Args:
        message: What must be and what was given, as one sentence.
        subject: The thing that was given.
        allowed: What would have been taken, if it can be listed.
        hint: What to do next, or how to list everything that is allowed.
        record: Everything that is known, where it is more than a sentence holds.

    """

    def __init__(
        self,
        message: str,
        *,
        subject: object = None,
        allowed: Iterable[object] = (),
        hint: str = "",
        record: object = None,
    ) -> None:
        self.message = message
        self.subject = subject
        self.allowed = tuple(allowed)
        self.hint = hint
        self.record = record
        super().__init__(self._text())

    def _text(self) -> str:
        """Join the sentence, the nearest allowed names and the hint."""
        lines = [shortened(self._brief())]
        names = list(dict.fromkeys(str(value) for value in self.allowed))
        near = get_close_matches(str(self.subject)[:_SUBJECT_LIMIT], names, n=3, cutoff=0.5)
        parts = []
        if near:
            parts.append(f"Closest: {', '.join(map(_quoted, near))}.")
        elif names and (len(names) <= _FEW or not self.hint):
            parts.append(f"Allowed: {_listed(names)}.")
        if self.hint:
            parts.append(self.hint)
        if parts:
            lines.append("  " + "  ".join(parts))
        return "\n".join(lines)

    def _brief(self) -> str:
        """Cut the subject where the sentence quotes the whole of a long one."""
        given = str(self.subject)
        if len(given) <= _SUBJECT_LIMIT or isinstance(self.subject, PurePath):
            return self.message
        short = _cut(given, _KEPT)
        return self.message.replace(repr(given), repr(short)).replace(given, short)


def _quoted(name: str) -> str:
    """Write a name so that a shell takes it as one word."""
    return f'"{name}"' if " " in name else name


def _listed(names: list[str]) -> str:
    """List names; of very many the first."""
    whole = ", ".join(names)
    if len(names) <= _FEW or len(whole) <= _LIST_LIMIT:
        return whole
    return f"{', '.join(names[:_FEW])} and {len(names) - _FEW:,} more"


class UnknownName(WavemmaError):
    """A name that nothing in the tables has."""


class UnknownTarget(UnknownName):
    """No target has this name."""


class UnknownInstruction(UnknownName):
    """The target has no instruction of this name."""


class UnknownBuiltin(UnknownName):
    """No compiler builtin has this name, or not on this target."""


class UnknownFormat(UnknownName):
    """No number format has this name."""


class UnknownProduct(UnknownName):
    """No product has this name."""


class UnknownModel(UnknownName):
    """No arithmetic model has this name."""


class OutOfRange(WavemmaError):
    """A number outside of its range."""


class SyntaxMistake(WavemmaError):
    """Text that does not parse: assembly, a formula, an argument."""


class EncodingMistake(WavemmaError):
    """Operands or modifiers that the instruction does not take."""


class DecodeMistake(WavemmaError):
    """Bytes that are no instruction that we know."""


class ArrayMistake(WavemmaError):
    """An array of the wrong shape, type or content."""


class FileMistake(WavemmaError):
    """A file that cannot be read or written, or holds something else."""


class DataMistake(WavemmaError):
    """A row of our own tables that breaks a rule; names file, row and field."""


class Unsupported(WavemmaError):
    """Something known that wavemma cannot do, and what can be done instead."""


class MemoryMistake(WavemmaError):
    """Device memory that cannot be had, given back or reached so."""


class LaunchMistake(WavemmaError):
    """A launch that the target cannot do, or arguments that the kernel does not take."""


class KernelFault(WavemmaError):
    """A kernel that did what it must not; the record, a `Stop`, says where."""


class WatchdogExpired(WavemmaError):
    """A kernel that ran longer than it was given."""


class CompileMistake(WavemmaError):
    """A program that the compiler refuses; the message holds what it says."""

    def _text(self) -> str:
        """Keep the compiler's lines as they are."""
        return f"{self.message}\n  {self.hint}" if self.hint else self.message
