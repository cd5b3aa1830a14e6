"""The bases of a linear layout as Triton writes them; every word must have a meaning."""

import json
import re

from wavemma.errors import SyntaxMistake

_NAME = r"(?<!\w)[\"']?(?P<{}>register|lane|warp|block)[\"']?"
_LIST = _NAME.format("name") + r"\s*[=:]\s*(?P<list>\[(?:[^\[\]]|\[[^\[\]]*\])*\])"
_ARROW = (
    _NAME.format("bit")
    + r"\s*=\s*(?P<at>[0-9]{1,9})\s*->"
    + r"\s*\((?P<to>\s*[0-9]{1,9}\s*(?:,\s*[0-9]{1,9}\s*)*)\)"
)
# What else Triton's own printing has: the attribute's name, dimensions without bits, and sizes.
_REST = (
    r"#[\w.]*linear\s*<|LinearLayout\s*\(|"
    + _NAME.format("single")
    + r"\s+is a size 1 dimension|where out dims are\s*:\s*\[[^\[\]]*\]|[\s,;{}<>()]|-(?!>)"
)
_PART = re.compile(f"{_LIST}|{_ARROW}|(?:{_REST})")
_START = re.compile(rf"{_NAME.format('name')}\s*(?:[=:]\s*\[|=\s*[0-9]+\s*->)")

Bases = list[list[int]]


def is_bases(text: str) -> bool:
    """Whether a text gives, or means to give, the bases of a linear layout."""
    return bool(_START.search(text))


def basis_parts(text: str) -> dict[str, Bases]:
    """Read the bases of each name.

    Args:
        text: Lists such as "register = [[2, 0]]", or lines such as "lane=1 -> (0, 1)".

    Returns:
        By name, one basis a bit, the lowest first: (row, col), or (block, row, col).

    Raises:
        SyntaxMistake: Something in it is no part of bases, or a basis is none.

    """
    parts: dict[str, Bases] = {}
    listed: set[str] = set()
    place = 0
    while place < len(text):
        match = _PART.match(text, place)
        if match is None:
            raise SyntaxMistake(
                f"Bases must be lists for register and lane; at position {place + 1} stands"
                f" {text[place : place + 20]!r}.",
                subject=text[place : place + 20],
            )
        if (match["name"] and match["name"] in parts) or match["bit"] in listed:
            raise SyntaxMistake(
                f"The bases of {match['name'] or match['bit']} must not be given twice.",
                subject=match["name"] or match["bit"],
            )
        if match["name"]:
            listed.add(match["name"])
            parts[match["name"]] = _listed(match["name"], match["list"])
        elif match["bit"]:
            _append(parts.setdefault(match["bit"], []), match)
        place = match.end()
    _check_lengths(text, parts)
    return parts


def _listed(name: str, text: str) -> Bases:
    """Read a list of lists of whole numbers."""
    try:
        found = json.loads(text)
    except ValueError:
        found = None
    if not _are_bases(found):
        raise SyntaxMistake(
            f"The bases of {name} must be a list of lists of whole numbers; given {text}.",
            subject=text,
        )
    return [[int(number) for number in basis] for basis in found]


def _are_bases(found: object) -> bool:
    """Whether JSON is a list of lists of numbers from 0 on; a number with a point is none."""
    return isinstance(found, list) and all(
        isinstance(basis, list) and all(type(each) is int and each >= 0 for each in basis)
        for basis in found
    )


def _append(bases: Bases, match: re.Match[str]) -> None:
    """Add the basis of a line, whose bit must be the next one."""
    if int(match["at"]) != 1 << len(bases):
        raise SyntaxMistake(
            f"The bases of {match['bit']} must be given for 1, 2, 4 and so on; given"
            f" {match['at']}.",
            subject=match["at"],
        )
    bases.append([int(number) for number in match["to"].split(",")])


def _check_lengths(text: str, parts: dict[str, Bases]) -> None:
    lengths = {len(basis) for bases in parts.values() for basis in bases}
    if len(lengths) > 1 or not lengths <= {2, 3}:
        raise SyntaxMistake(
            "Each basis must be (row, col), or (block, row, col), the same for all; given lengths"
            f" {', '.join(map(str, sorted(lengths)))}.",
            subject=text,
        )
