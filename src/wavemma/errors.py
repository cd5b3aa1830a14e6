"""Every exception class of wavemma."""

from collections.abc import Iterable
from difflib import get_close_matches


class WavemmaError(Exception):
    """A mistake in what was asked, told so that it can be mended.

    Args:
        message: What must be and what was given, as one sentence.
        subject: The thing that was given.
        allowed: What would have been taken, if it can be listed.
        hint: What to do next, or how to list everything that is allowed.

    """

    def __init__(
        self,
        message: str,
        *,
        subject: object = None,
        allowed: Iterable[object] = (),
        hint: str = "",
    ) -> None:
        self.message = message
        self.subject = subject
        self.allowed = tuple(allowed)
        self.hint = hint
        super().__init__(self._text())

    def _text(self) -> str:
        """Join the sentence, the nearest allowed names and the hint."""
        lines = [self.message]
        names = [str(value) for value in self.allowed]
        near = get_close_matches(str(self.subject), names, n=3, cutoff=0.5)
        parts = []
        if near:
            parts.append(f"Closest: {', '.join(near)}.")
        elif names and len(names) <= 12:
            parts.append(f"Allowed: {', '.join(names)}.")
        if self.hint:
            parts.append(self.hint)
        if parts:
            lines.append("  " + "  ".join(parts))
        return "\n".join(lines)


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
