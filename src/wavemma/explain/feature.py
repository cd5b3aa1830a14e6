"""What a feature in a user's words means: a builtin, an instruction, types and shape, targets."""

import re
from collections.abc import Callable, Iterable, Iterator

import msgspec

from wavemma.clang_builtins.names import available
from wavemma.errors import UnknownName
from wavemma.explain.builtin_guards import PREFIX
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.tables.builtins import BuiltinRow, builtins
from wavemma.tables.format_names import formats_called, is_format_name, known_names
from wavemma.tables.product_names import called
from wavemma.tables.targets import architectures, target, targets, targets_of, without_settings

HINT = (
    "A feature is a builtin, an instruction, targets, or words such as f16, fp8, sparse, scaled,"
    " wmma, mfma and a shape such as 16x16x16."
)
_SHAPE = re.compile(r"(\d+)x(\d+)(?:x(\d+))?\Z")
_OTHER_WORDS = {"block": "scaled", "block-scaled": "scaled"}
_SPLIT = re.compile(r"[\s,]+")
_SPLIT_NAME = re.compile(r"[_*]+")
_FLAGS: dict[str, Callable[[Instruction], bool]] = {
    "sparse": lambda each: each.is_sparse,
    "dense": lambda each: not each.is_sparse,
    "scaled": lambda each: each.is_scaled,
    "unscaled": lambda each: not each.is_scaled,
}


class Feature(msgspec.Struct, frozen=True):
    """What a user's words mean.

    Attributes:
        words: The words, in one spelling.
        kind: "builtin", "instruction", "targets" or "types and shape".
        targets: The targets that have it, in the order of the table.
        instructions: The instructions that are meant; empty if targets are.
        builtins: The builtins that are meant.
        inputs: Words for formats of A and B that were given, in order.

    """

    words: str
    kind: str
    targets: tuple[str, ...]
    instructions: tuple[Instruction, ...] = ()
    builtins: tuple[BuiltinRow, ...] = ()
    inputs: tuple[str, ...] = ()

    def formats(self, instruction: Instruction) -> dict[str, str]:
        """Choose the formats of A and B that were named; those that were not are left out."""
        return _pair(instruction, self.inputs, ordered=False) or {}


class _Words(msgspec.Struct):
    """Words of a feature, sorted."""

    kinds: set[str]
    flags: list[str]
    shape: tuple[int, ...]
    results: list[str]
    inputs: list[str]


def feature(text: str) -> Feature:
    """Find out what a user's words mean.

    Args:
        text: A builtin with or without its prefix, a mnemonic or an alias of one, targets or
            architectures, or words for formats, kinds and a shape, such as "f16 wmma",
            "i32_16x16x16_iu8" or "sparse fp8"; where words stand on both sides of the shape, the
            result is before it.

    Raises:
        UnknownName: A word has no meaning; offers the nearest. Or nothing has all of them.

    """
    word = text.strip().lower()
    if not word.strip(", "):
        raise UnknownName("A feature must be named, nothing was given.", hint=HINT)
    for look in (_builtin, _instruction, _targets):
        found = look(word)
        if found is not None:
            return found
    return _filtered(word)


def builtins_of_all(instructions: Iterable[Instruction]) -> tuple[BuiltinRow, ...]:
    """List the builtins that become any of the instructions, in the order of the table."""
    keys = {(each.architecture, each.name) for each in instructions}
    return tuple(row for row in builtins().values() if keys & set(row.references))


def _builtin(word: str) -> Feature | None:
    for name, row in builtins().items():
        if word in (name.lower(), name.lower().removeprefix(PREFIX)):
            found = tuple(_instructions_of(row))
            return Feature(name, "builtin", _ordered(available(row)), found, (row,))
    return None


def _instructions_of(row: BuiltinRow) -> Iterator[Instruction]:
    for architecture, name in row.references:
        yield catalog.by_name(architecture)[name]


def _instruction(word: str) -> Feature | None:
    tables = (catalog.by_name(key) for key in architectures())
    found = tuple(table[word] for table in tables if word in table)
    if not found:
        return None
    owners = _ordered(name for each in found for name in each.targets)
    return Feature(word, "instruction", owners, found, builtins_of_all(found))


def _targets(word: str) -> Feature | None:
    """Read targets and architectures, separated by commas or spaces, and products, by commas."""
    names: list[str] = []
    for part in filter(None, re.split(r"\s*,\s*", word)):
        for each in [part] if called(part) else part.split():
            if each in architectures():
                names += targets_of(each)
            elif without_settings(each) in targets() or called(each):
                names.append(target(each).name)
            else:
                return None
    return Feature(", ".join(_ordered(names)), "targets", _ordered(names))


def _filtered(word: str) -> Feature:
    words = _sorted(word)
    found = tuple(_matching(words))
    if not found:
        raise UnknownName(
            f"No instruction of any target is {word!r}: each word is known, but none has all.",
            subject=word,
            hint="All: wavemma list",
        )
    owners = _ordered(name for each in found for name in each.targets)
    return Feature(
        " ".join(_parts(word)),
        "types and shape",
        owners,
        found,
        builtins_of_all(found),
        tuple(words.inputs),
    )


def _sorted(word: str) -> _Words:
    """Sort words by what they say.

    Raises:
        UnknownName: Offers the nearest words and names.

    """
    words = _Words(set(), [], (), [], [])
    kinds = {each.kind for each in catalog.instructions()}
    for part in _parts(word):
        part = _OTHER_WORDS.get(part, part)
        shape = _SHAPE.match(part)
        if shape:
            words.shape = tuple(int(size) for size in shape.groups() if size)
            words.results, words.inputs = words.inputs, []
        elif part in kinds:
            words.kinds.add(part)
        elif part in _FLAGS:
            words.flags.append(part)
        elif is_format_name(part):
            words.inputs.append(part)
        else:
            raise _unknown(part, word, kinds)
    if words.shape and not words.inputs:
        words.results, words.inputs = [], words.results
    return words


def _parts(word: str) -> Iterator[str]:
    """Part words at spaces and commas, and what is no format at the joints of mnemonics."""
    for whole in filter(None, _SPLIT.split(word)):
        if is_format_name(whole):
            yield whole
        else:
            yield from filter(None, _SPLIT_NAME.split(whole))


def _unknown(part: str, word: str, kinds: set[str]) -> UnknownName:
    """Refuse a word; what looks like a name is compared with names, the prefix left out."""
    if part == word or " " in word:
        message, subject = f"{part!r} is no word of a feature.", part
    else:
        message, subject = f"{word!r} is no feature.", word.removeprefix(PREFIX)
    names = {name.removeprefix(PREFIX) for name in _names()}
    return UnknownName(
        message, subject=subject, allowed=[*kinds, *_FLAGS, *known_names(), *names], hint=HINT
    )


def _matching(words: _Words) -> Iterator[Instruction]:
    every = [each for each in catalog.instructions() if each.is_matrix and _fits(each, words)]
    strict = [
        each for each in every if _pair(each, words.inputs, ordered=bool(words.shape)) is not None
    ]
    if strict or words.shape:
        yield from strict
        return
    # Without a shape, words may name the result as well.
    for each in every:
        formats = {name for role in ("a", "b", "d") for name in each.formats[role]}
        if all(formats & set(formats_called(word)) for word in words.inputs):
            yield each


def _fits(each: Instruction, words: _Words) -> bool:
    """Whether kind, shape, result and other words fit, inputs aside."""
    return (
        (not words.kinds or each.kind in words.kinds)
        and all(_FLAGS[flag](each) for flag in words.flags)
        and each.shape[: len(words.shape)] == words.shape
        and all(set(each.formats["d"]) & set(formats_called(word)) for word in words.results)
    )


def _pair(
    instruction: Instruction, inputs: Iterable[str], *, ordered: bool
) -> dict[str, str] | None:
    """Choose formats of A and B for the words; one word speaks of both.

    Returns:
        Formats by role, None if the instruction cannot have them.

    """
    words = tuple(inputs)
    if not words:
        return {}
    for pair in ((words[0], words[-1]), (words[-1], words[0]))[: 1 if ordered else 2]:
        a = _first(instruction, "a", pair[0])
        b = _first(instruction, "b", pair[1])
        if a and b and len(words) < 3:
            return {"a": a, "b": b}
    return None


def _first(instruction: Instruction, role: str, word: str) -> str:
    """Give the first format of a role that a word means; "" if there is none."""
    meant = formats_called(word)
    return next((name for name in instruction.formats[role] if name in meant), "")


def _names() -> set[str]:
    return {*builtins(), *targets(), *(each.name for each in catalog.instructions())}


def _ordered(names: Iterable[str]) -> tuple[str, ...]:
    chosen = set(names)
    return tuple(name for name in targets() if name in chosen)
