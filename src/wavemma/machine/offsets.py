"""The offset in bytes that an instruction itself holds."""

from functools import cache
from typing import NoReturn

from wavemma.errors import Unsupported
from wavemma.isa.ordinary import DecodedOrdinary, OrdinaryInstruction

OFFSET = "offset"


class OpenNumber(int):
    """Stands for a number that is known only when code runs: it can only become a constant.

    Its value is the number of the argument that will hold it, or -1 where it may not even become
    a constant.
    """

    def _known(self, *_: object) -> NoReturn:
        raise Unsupported("A number that an instruction computes with must be known here.")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __and__ = __rand__ = _known
    __lshift__ = __rshift__ = __lt__ = __le__ = __gt__ = __ge__ = __floordiv__ = _known
    __eq__ = __ne__ = __bool__ = __neg__ = __mod__ = __or__ = __xor__ = __invert__ = _known
    __hash__ = int.__hash__


def signed_offset(decoded: DecodedOrdinary) -> int:
    """Give the offset with its sign; 0 if there is none."""
    number = decoded.operands.get(OFFSET)
    value = decoded.modifiers.get(OFFSET, 0) if number is None else number.value
    if isinstance(value, OpenNumber):
        return value
    bits = _sign_bits(decoded.instruction)
    return value - (value >> bits - 1 << bits) if bits else value


@cache
def _sign_bits(instruction: OrdinaryInstruction) -> int:
    """Count the bits of the offset, its sign among them; 0 if it has none."""
    for slot in instruction.slots:
        if slot.row.role == OFFSET:
            return slot.field.width_bits if slot.field else 0
    for setting in instruction.settings:
        if setting.word == OFFSET:
            return len(setting.bits) if setting.row.kind.startswith("signed") else 0
    return 0
