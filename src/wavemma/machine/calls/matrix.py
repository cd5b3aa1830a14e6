"""Matrix instructions inside compiled kernels: calls of the models, on registers where they lie."""

import hashlib
import struct
from typing import TYPE_CHECKING

import llvmlite.ir as ir

from wavemma.engines.machine import Machine
from wavemma.errors import Unsupported
from wavemma.execute.compiled import wave_product
from wavemma.execute.wave_kernel import write_wave
from wavemma.formats.format import number_format
from wavemma.isa.decoded import Decoded
from wavemma.isa.operand import Operand
from wavemma.machine.compiled.runtime import Runtime, emitter
from wavemma.numerics.model import model

if TYPE_CHECKING:
    from wavemma.machine.compiled.wave import LlvmWave

I64 = ir.IntType(64)
WORD_BITS = 32


def call_matrix(wave: "LlvmWave", decoded: Decoded) -> None:
    """Call the compiled instruction; every lane takes part, active or not."""
    instruction, size = decoded.instruction, decoded.wave
    product = wave_product(
        instruction,
        size,
        decoded.effects,
        model(instruction.model(size)),
        wave.runtime.jit.machine,
        keep_finite=wave.keep_finite,
    )
    pointers = [
        _registers(wave, decoded.operand(role), decoded.formats.get(role, ""), fragment.registers)
        for role, fragment in product.fragments.items()
    ]
    name = hashlib.sha256(repr(product).encode()).hexdigest()[:32]
    wave.runtime.products[name] = product
    arguments = [I64(1), *pointers]
    kinds = [each.type for each in arguments]
    called = wave.runtime.declare(wave.build.module, ("multiply", name), kinds, None)
    wave.build.call(called, arguments)


@emitter("multiply")
def multiply(function: ir.Function, machine: Machine, runtime: Runtime, name: str) -> None:
    """Write void (1, registers of each operand): one matrix instruction."""
    write_wave(function, machine, runtime.products[name])


def _registers(wave: "LlvmWave", operand: Operand, form: str, count: int) -> ir.Value:
    """Give the address of an operand's registers; a constant is put into some."""
    if operand.is_register:
        offset = wave.accumulator_offset if operand.kind == "agpr" else 0
        return wave.vector_place(operand.first + offset)
    if not operand.is_constant:
        raise Unsupported(
            f"A matrix operand must be vector registers or a constant; it is {operand.text}.",
            subject=operand.text,
        )
    return wave.words_in_memory(constant_words(operand, form, count))


def constant_words(operand: Operand, form: str, count: int) -> list[int]:
    """Give the words that a constant stands for in all registers of an operand.

    Args:
        operand: The constant.
        form: Number format of the operand.
        count: Registers.

    Raises:
        Unsupported: How hardware spreads it over narrower numbers is not known.

    """
    if operand.kind == "inline_integer" and operand.first == 0:
        return [0] * count
    bits = number_format(form).bits
    if bits < WORD_BITS:
        raise Unsupported(
            f"What the constant {operand.text} means where numbers have {bits} bits is not known.",
            subject=operand.text,
            hint="Put the numbers into registers.",
        )
    if operand.kind == "inline_integer":
        value = operand.first & (1 << bits) - 1
    else:
        layout = "<d" if bits > WORD_BITS else "<f"
        value = int.from_bytes(struct.pack(layout, float(operand.text)), "little")
    words = bits // WORD_BITS
    return [value >> WORD_BITS * (place % words) & 0xFFFFFFFF for place in range(count)]
