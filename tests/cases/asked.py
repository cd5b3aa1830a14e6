"""What a case is: the commands that answer it, and the tests of its whole kind."""

from typing import NamedTuple

F16 = "v_wmma_f32_16x16x16_f16"
HALF = "v_wmma_f16_16x16x16_f16"
W32 = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"
SCALED = "v_mfma_scale_f32_16x16x128_f8f6f4"


class Line(NamedTuple):
    """A command, and what its answer must hold, spaces and ends of lines aside."""

    words: tuple[str, ...]
    says: tuple[str, ...]
    code: int = 0


class Case(NamedTuple):
    """One case: its command lines, and the tests of its kind as "file::function"."""

    lines: tuple[Line, ...]
    kinds: tuple[str, ...]


def line(text: str, *says: str, code: int = 0) -> Line:
    """Cut a command at its spaces; a part in ' ' is one word."""
    parts = text.split("'")
    words = [[part] if n % 2 else part.split() for n, part in enumerate(parts)]
    return Line(tuple(word for each in words for word in each), says, code)
