"""The compute policy that a matrix instruction gives by itself."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from wavemma.errors import ArrayMistake, OutOfRange
from wavemma.execute.compiled import CompiledInstruction, compiled_instruction
from wavemma.formats import codes_of, number_format, typed
from wavemma.formats.dtypes import formats_of
from wavemma.fragments import Fragment, fragments_of
from wavemma.gemm.choice import check_dense
from wavemma.gemm.lane_words import from_registers, to_registers
from wavemma.gemm.plan import KOrder, permutation
from wavemma.gemm.policies import Array, ComputePolicy
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.layouts import Role
from wavemma.layouts.arrays import elements
from wavemma.tables.targets import Wave


@dataclass(frozen=True)
class InstructionPolicy(ComputePolicy):
    """A policy whose every part follows from an instruction's row; `policy_of` makes it.

    Element n of a lane is slot n of the instruction's layout, as compilers number the elements
    of a builtin's vectors. An instruction of several blocks takes rows of A block after block
    and the same columns of B for all of them.

    Args:
        thread_tile_m: Rows of D of a wave.
        thread_tile_n: Columns of D of a wave.
        effective_lanes: Lanes of a wave.
        k_step: k of the instruction.
        instruction: A dense instruction.
        target: Name of the target.
        wave: Lanes of a wave.
        a: Format of A.
        b: Format of B.
        signed: Whether integers of A and of B are signed, where the instruction leaves it open.
        order: For each place along the instruction's k, the k that is loaded there; ascending
            if empty.
        model: An arithmetic model other than the row's.

    """

    thread_tile_m: int
    thread_tile_n: int
    effective_lanes: int
    k_step: int
    instruction: Instruction
    target: str
    wave: Wave
    a: str
    b: str
    signed: tuple[bool, bool] = (True, True)
    order: tuple[int, ...] = ()
    model: str | None = None

    def zero(self, lane: int) -> Array:
        """Give the accumulator that a lane begins with, [elements]."""
        form = number_format(self.fragments["d"].format)
        slots = self.fragments["d"].layout.slots
        return typed(np.zeros(slots, dtype=self.fragments["d"].dtype), form)

    def load_a(self, tile_a: Array, lane: int) -> Array:
        """Give the elements of A that the layout puts into a lane."""
        depth = self.instruction.shape[2]
        row, k = np.divmod(self._numbers("a", lane), depth)
        return _loaded(tile_a, row, self._ordered(k))

    def load_b(self, tile_b_t: Array, lane: int) -> Array:
        """Give the elements of B that the layout puts into a lane."""
        _, n, depth = self.instruction.shape
        k, column = np.divmod(self._numbers("b", lane), n)
        return _loaded(tile_b_t, np.where(k < 0, -1, column), self._ordered(k % depth))

    def mma(self, accumulator: Array, a: Array, b: Array) -> Array:
        """Run the instruction on whole waves."""
        self.check_factors(a.dtype, b.dtype)
        given = {"a": a, "b": b, "c": accumulator}
        registers = {
            role: to_registers(codes_of(held, number_format(fragment.format)), fragment)
            for role, held in given.items()
            for fragment in [self.fragments[role]]
        }
        made = from_registers(self._run(registers), self.fragments["d"])
        return typed(made, number_format(self.fragments["d"].format))

    def store_c(self, tile_c: Array, accumulator: Array, lane: int) -> None:
        """Write the elements of D that the layout puts into a lane."""
        n = self.instruction.shape[1]
        numbers = self._numbers("d", lane)
        row, column = np.divmod(numbers[numbers >= 0], n)
        tile_c[row, column] = accumulator[numbers >= 0]

    def check_factors(self, a: "np.dtype[Any]", b: "np.dtype[Any]") -> None:
        """Refuse elements that the instruction would take for other numbers.

        Raises:
            ArrayMistake: A type has not the codes of the policy's format, or not its sign.

        """
        for name, kind, form, is_signed in (
            ("A", a, self.a, self.signed[0]),
            ("B", b, self.b, self.signed[1]),
        ):
            formats, signed = formats_of(kind)
            if form not in formats:
                given = "/".join(formats) or kind
                raise ArrayMistake(
                    f"The policy takes {name} in {form}; given {given}.", subject=form
                )
            if number_format(form).sign == "chosen" and signed != is_signed:
                words = ("signed", "unsigned") if is_signed else ("unsigned", "signed")
                raise ArrayMistake(
                    f"The policy takes {name} as {words[0]} integers; {kind} is {words[1]}.",
                    subject=str(kind),
                    hint="Say how integers are read: policy_of(..., signed=(for A, for B)).",
                )

    @cached_property
    def fragments(self) -> dict[str, Fragment]:
        """The operands by role."""
        formats = {"a": self.a, "b": self.b}
        found = fragments_of(self.instruction, self.wave, formats)
        return {str(role): fragment for role, fragment in found.items()}

    @cached_property
    def effects(self) -> dict[str, int]:
        """What the instruction's modifiers must do for these formats and signs."""
        chosen = {
            f"format_{role}": self.instruction.formats[role].index(name)
            for role, name in (("a", self.a), ("b", self.b))
        }
        signs = {
            f"signed_{role}": int(is_signed)
            for role, is_signed in zip("ab", self.signed, strict=True)
        }
        return chosen | signs

    @cached_property
    def _run(self) -> CompiledInstruction:
        return compiled_instruction(self.instruction, self.wave, self.effects, self.model)

    def _numbers(self, role: str, lane: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """Give the number of the element in each slot of a lane, -1 where none lies."""
        if not 0 <= lane < self.wave:
            raise OutOfRange(
                f"A lane must be 0..{self.wave - 1}, the thread index modulo the wave size; {lane}"
                " was given.",
                subject=lane,
            )
        return elements(self.fragments[role].layout)[:, lane]

    def _ordered(self, k: Array) -> Array:
        return np.asarray(self.order)[k] if self.order else k


def _loaded(tile: Array, rows: Array, k: Array) -> Array:
    """Take elements of a tile; where none lies, zero."""
    held: Array = tile[rows, k]
    if (rows < 0).any():
        held[rows < 0] = 0
    return held


def policy_of(
    op: str,
    target: str,
    *,
    wave: Wave | None = None,
    a: str | None = None,
    b: str | None = None,
    signed: tuple[bool, bool] = (True, True),
    k_order: KOrder = "calculator",
    model: str | None = None,
) -> InstructionPolicy:
    """Make the compute policy of an instruction.

    Args:
        op: Name of a dense instruction.
        target: Name of the target.
        wave: Lanes of a wave; the target's default if None.
        a: Format of A, where the instruction takes several; the first if None.
        b: Format of B.
        signed: Whether integers of A and of B are signed, where the instruction leaves it open.
        k_order: How k is numbered inside the instruction, as for `matmul`.
        model: An arithmetic model other than the instruction's own.

    Raises:
        UnknownTarget: No such target.
        UnknownInstruction: The target has no such instruction.
        Unsupported: The instruction is sparse or scaled, or its C and D differ.
        OutOfRange: It does not run in such waves.
        UnknownFormat: It does not take such a format.

    Example:
        >>> policy = policy_of("v_wmma_f32_16x16x16_f16", "gfx1100")
        >>> policy.thread_tile_m, policy.thread_tile_n, policy.effective_lanes, policy.k_step
        (16, 16, 32, 16)

    """
    instruction = catalog.instruction(op, target)
    check_dense(instruction)
    lanes = wave or instruction.waves[0]
    if lanes not in instruction.waves:
        raise OutOfRange(
            f"{op} runs in waves of {' or '.join(map(str, instruction.waves))} lanes on {target};"
            f" {wave} was given.",
            subject=wave,
            allowed=instruction.waves,
        )
    pair = (a or instruction.formats["a"][0], b or instruction.formats["b"][0])
    roles: tuple[tuple[Role, str], ...] = (("a", pair[0]), ("b", pair[1]))
    for role, name in roles:
        instruction.layout(role, lanes, name)
    m, n, depth = instruction.shape
    return InstructionPolicy(
        thread_tile_m=m * instruction.blocks,
        thread_tile_n=n,
        effective_lanes=lanes,
        k_step=depth,
        instruction=instruction,
        target=target,
        wave=lanes,
        a=pair[0],
        b=pair[1],
        signed=signed,
        order=permutation(instruction, pair, lanes, k_order),
        model=model,
    )


def is_plain(compute: ComputePolicy | None) -> bool:
    """Whether a policy is just what its instruction gives, so that any way to run it will do."""
    if type(compute) is not InstructionPolicy:
        return False
    m, n, depth = compute.instruction.shape
    sizes = (compute.thread_tile_m, compute.thread_tile_n, compute.effective_lanes, compute.k_step)
    return sizes == (m * compute.instruction.blocks, n, compute.wave, depth)
