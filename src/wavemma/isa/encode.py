"""Instructions to bytes, from the same fields that decoding reads."""

from wavemma.isa.decoded import Decoded


def encode(decoded: Decoded) -> bytes:
    """Give the bytes of an instruction, legal or not.

    Fields that it doesn't use are filled as the assembler does.

    Args:
        decoded: The instruction; every operand field and every modifier must be there.

    Returns:
        8 or 16 bytes, little-endian words.

    """
    instruction = decoded.instruction
    bits = instruction.base
    for each in instruction.modifiers(decoded.wave):
        bits = bits & ~each.mask | each.put(decoded.modifiers[each.word])
    for field in instruction.operands:
        operand = decoded.operands[field.field.name]
        bits |= field.field.put(operand.code & ((1 << field.field.width_bits) - 1))
        if field.accumulator is not None and operand.kind == "agpr":
            bits |= field.accumulator.mask
    return bits.to_bytes(instruction.size_bytes, "little")
