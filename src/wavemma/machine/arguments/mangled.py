"""Types of a function's parameters from its mangled name (Itanium C++ ABI)."""

from collections.abc import Callable

POINTER = "*"
_LETTERS = {
    "b": "bool",
    "c": "char",
    "a": "signed char",
    "h": "unsigned char",
    "s": "short",
    "t": "unsigned short",
    "i": "int",
    "j": "unsigned int",
    "l": "long",
    "m": "unsigned long",
    "x": "long long",
    "y": "unsigned long long",
    "f": "float",
    "d": "double",
    "w": "wchar_t",
}
_NO_WORD = "vngeoz"
"""Letters of types that no argument has, or that have no name here."""
_AFTER_D = {
    "Dh": "half",
    "DF16_": "_Float16",
    "DF16b": "__bf16",
    "Ds": "char16_t",
    "Di": "char32_t",
    "Du": "char8_t",
    "Dn": POINTER,
}
_QUALIFIERS = "rVK"
_INDIRECT = "PRO"


class _CannotRead(Exception):
    """The name has something that this reader does not know."""


def parameters(name: str) -> tuple[str | None, ...] | None:
    """Give the type of each parameter.

    Args:
        name: Of a function, as the linker knows it.

    Returns:
        "*" for pointers and references, C words such as "unsigned int" for numbers, None for
        structures and whatever else cannot be told; None if the name is not mangled or has what
        is not known here.

    """
    if not name.startswith("_Z"):
        return None
    reader = _Reader(name, 2)
    try:
        return reader.encoding()
    except (_CannotRead, IndexError, RecursionError):
        return None


class _Reader:
    """Reads a mangled name from left to right."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at
        self.arguments: list[str | None] = []
        self.seen: list[str | None] = []

    def encoding(self) -> tuple[str | None, ...]:
        """Read a function's name and its parameters."""
        if self.name(is_type=False):
            self.type()
        found: list[str | None] = []
        while self.at < len(self.text) and self.text[self.at] != ".":
            if self.took("v"):
                return tuple(found)
            found.append(self.type())
        return tuple(found)

    def next(self) -> str:
        return self.text[self.at]

    def took(self, prefix: str) -> bool:
        """Step over a prefix if it is there."""
        if self.text.startswith(prefix, self.at):
            self.at += len(prefix)
            return True
        return False

    def digits(self) -> int:
        start = self.at
        while self.at < len(self.text) and self.text[self.at].isdigit():
            self.at += 1
        if start == self.at:
            raise _CannotRead
        return int(self.text[start : self.at])

    def source_name(self) -> str:
        """Read a length and so many characters."""
        size = self.digits()
        found = self.text[self.at : self.at + size]
        if len(found) < size:
            raise _CannotRead
        self.at += size
        return found

    def name(self, *, is_type: bool) -> bool:
        """Read a name; tell whether it ends with the arguments of a template.

        Every part of a name can be referred to later, but the whole only if it is a type.
        """
        if self.took("N"):
            return self.nested(is_type=is_type)
        is_new = self.part()
        if is_new and (is_type or self.next() == "I"):
            self.seen.append(None)
        is_template = self.template()
        if is_template and is_type:
            self.seen.append(None)
        return is_template

    def nested(self, *, is_type: bool) -> bool:
        """Read the parts of a name up to its end."""
        while self.next() in _QUALIFIERS + "RO":
            self.at += 1
        is_template, is_new = False, False
        while not self.took("E"):
            if is_new:
                self.seen.append(None)
            is_template = self.template()
            is_new = is_template or self.part()
        if is_new and is_type:
            self.seen.append(None)
        return is_template

    def part(self) -> bool:
        """Read one part of a name; tell whether it is more than a reference."""
        if self.took("St"):
            return self.part()
        if self.next() == "S":
            self.substitution()
            return False
        self.took("L")
        self.source_name()
        return True

    def substitution(self) -> str | None:
        """Read a reference to something that came before."""
        self.at += 1
        if self.next() in "absiod":
            self.at += 1
            return None
        start = self.at
        while not self.took("_"):
            if not (self.next().isdigit() or self.next().isupper()):
                raise _CannotRead
            self.at += 1
        digits = self.text[start : self.at - 1]
        return self.seen[int(digits, 36) + 1 if digits else 0]

    def referred(self) -> str | None:
        """Read a type that is a reference, or the name of a structure that begins with one."""
        if self.text.startswith("St", self.at):
            return self.named()
        found = self.substitution()
        if self.template():
            self.seen.append(None)
            return None
        return found

    def template(self) -> bool:
        """Read the arguments of a template, if they come next, and keep their types."""
        if not self.took("I"):
            return False
        found: list[str | None] = []
        while not self.took("E"):
            if self.took("L"):
                self.literal()
                found.append(None)
            else:
                found.append(self.type())
        self.arguments = found
        return True

    def literal(self) -> None:
        """Read a constant: a type, and a number."""
        self.type()
        self.took("n")
        self.digits()
        if not self.took("E"):
            raise _CannotRead

    def type(self) -> str | None:
        """Read a type."""
        letter = self.next()
        if letter in _LETTERS or letter in _NO_WORD:
            self.at += 1
            return _LETTERS.get(letter)
        return _READERS.get(letter, _Reader.named)(self)

    def noted(self, found: str | None) -> str | None:
        """Note a type that can be referred to later."""
        self.seen.append(found)
        return found

    def pointer(self) -> str | None:
        """Read a pointer or a reference."""
        self.at += 1
        self.type()
        return self.noted(POINTER)

    def qualified(self) -> str | None:
        """Read const or volatile, and the type behind it."""
        while self.next() in _QUALIFIERS:
            self.at += 1
        return self.noted(self.type())

    def named(self) -> str | None:
        """Read the name of a structure without losing the arguments of the function's template."""
        kept = self.arguments
        self.name(is_type=True)
        self.arguments = kept
        return None

    def parameter(self) -> str | None:
        """Read a parameter of the template: T_ is the first one, T0_ the second."""
        self.at += 1
        if self.took("_"):
            number = 0
        else:
            number = self.digits() + 1
            if not self.took("_"):
                raise _CannotRead
        return self.noted(self.arguments[number])

    def with_qualifier(self) -> str | None:
        """Read a vendor's qualifier, such as an address space, and the type behind it."""
        self.at += 1
        self.source_name()
        return self.noted(self.type())

    def vendor(self) -> str | None:
        """Read a type that a vendor named."""
        self.at += 1
        return self.noted(self.source_name())

    def function(self) -> str | None:
        """Read a function type."""
        self.at += 1
        self.took("Y")
        while not self.took("E"):
            self.type()
        return self.noted(None)

    def array(self) -> str | None:
        """Read an array type: its length and its elements."""
        self.at += 1
        self.digits()
        if not self.took("_"):
            raise _CannotRead
        self.type()
        return self.noted(None)

    def after_d(self) -> str | None:
        """Read one of the types of two letters, or a vector."""
        for prefix, word in _AFTER_D.items():
            if self.took(prefix):
                return word
        if not self.took("Dv"):
            raise _CannotRead
        self.digits()
        if not self.took("_"):
            raise _CannotRead
        self.type()
        return self.noted(None)


_READERS: dict[str, Callable[[_Reader], str | None]] = {
    **dict.fromkeys(_INDIRECT, _Reader.pointer),
    **dict.fromkeys(_QUALIFIERS, _Reader.qualified),
    "S": _Reader.referred,
    "T": _Reader.parameter,
    "U": _Reader.with_qualifier,
    "u": _Reader.vendor,
    "F": _Reader.function,
    "A": _Reader.array,
    "D": _Reader.after_d,
}
