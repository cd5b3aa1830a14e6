"""What a source calls a function, from its symbol (Itanium C++ ABI)."""

import re

_LENGTH = re.compile(r"L?(\d+)")
_QUALIFIERS = "KVrRO"


def source_name(symbol: str) -> str:
    """Give the name that a source uses for a function, without its parameters.

    Args:
        symbol: As the linker knows it.

    Returns:
        Such as "gemm" or "tiles::gemm"; of an instance of a template its name alone. The symbol
        itself if it is not mangled, or has what is not known here.

    """
    if not symbol.startswith("_Z"):
        return symbol
    at = len("_Z")
    is_nested = symbol.startswith("N", at)
    if is_nested:
        at += 1
        while at < len(symbol) and symbol[at] in _QUALIFIERS:
            at += 1
    parts: list[str] = []
    while (found := _LENGTH.match(symbol, at)) and (is_nested or not parts):
        at = found.end() + int(found[1])
        parts.append(symbol[found.end() : at])
    return "::".join(parts) or symbol


def kernel_words(symbol: str) -> str:
    """Name a kernel as its source does, with its symbol behind it if that is another."""
    name = source_name(symbol)
    return symbol if name == symbol else f"{name} ({symbol})"
