"""Names of values in LLVM IR: most have none of their own, and are numbered."""

import llvmlite.ir as ir
from llvmlite.ir._utils import NameScope


class _Numbers(NameScope):  # type: ignore[misc]
    """Names of one function; llvmlite's own look each number up twice.

    Args:
        taken: The last number that is taken.

    """

    def __init__(self, taken: int) -> None:
        super().__init__()
        self._last = taken

    def register(self, name: str, deduplicate: bool = False) -> str:
        """Give a name that nothing else has."""
        if name:
            found: str = super().register(name, deduplicate)
            return found
        self._last += 1
        return f".{self._last}"


def count_names(function: ir.Function) -> None:
    """Let the values of a function that has none yet be named faster."""
    function.scope = _Numbers(len(function.args))
