"""What helps where a compiler refuses device code."""

import re

from wavemma.tables.targets import target

_UNDEFINED = re.compile(r"error: undefined (\w+ )?symbol: ")
_LINK_HINT = "Device code of several sources is linked with --flags=-fgpu-rdc"
_NO_TARGET = "unsupported HIP gpu architecture"


def hint_of(output: str, target_name: str) -> str:
    """Say what to do, "" if nothing is known to help.

    Args:
        output: What the compiler says.
        target_name: What it compiles for.

    """
    if _NO_TARGET in output:
        row = target(target_name)
        return (
            f"This compiler does not know {row.name}: LLVM {row.oldest_llvm} does. Name a clang++"
            " of it: --compiler PATH"
        )
    return _LINK_HINT if _UNDEFINED.search(output) else ""
