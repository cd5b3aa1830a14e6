"""Which instruction a product uses if none is named."""

from collections.abc import Callable, Sequence
from typing import Literal

from wavemma.errors import ArrayMistake, Unsupported
from wavemma.formats import number_format
from wavemma.isa import catalog
from wavemma.isa.instruction import Instruction
from wavemma.throughput.cost import cost

_FEW = 6

Kind = Literal["dense", "sparse", "scaled"]
"""What A and B of an instruction are."""


def choose(
    target: str,
    op: str | None,
    a: Sequence[str],
    b: Sequence[str],
    c: str | None,
    kind: Kind = "dense",
) -> tuple[Instruction, str, str]:
    """Find the instruction for operands, the fastest if none is named.

    Args:
        target: Name of the target.
        op: Name of the instruction, or None.
        a: Formats that A can be, the closest first.
        b: The same of B.
        c: Format of C if there is one.
        kind: What A and B are.

    Returns:
        The instruction and the formats of A and B.

    Raises:
        ArrayMistake: The instruction or the target does not take such operands.
        Unsupported: The instruction cannot be used in a loop over k.
        UnknownInstruction: The target has no such instruction.

    """
    if op is not None:
        instruction = catalog.instruction(op, target)
        if kind == "dense":
            check_dense(instruction)
        elif not KINDS[kind](instruction):
            raise _other_kind(instruction, kind)
        pair = _formats(instruction, a, b)
        if pair is None or c not in (None, *instruction.formats["c"]):
            raise ArrayMistake(
                _refusal(instruction, a, b, c), subject=a[0], hint=_takers(target, a, b, c, kind)
            )
        return instruction, *pair
    found = _fitting(target, a, b, c, kind)
    if not found:
        raise ArrayMistake(
            f"{target} has no {kind} instruction for A {'/'.join(a)} and B {'/'.join(b)}"
            f"{f' with C {c}' if c else ''}.",
            subject=a[0],
            hint=_takers(target, a, b, c, kind),
        )
    instruction, pair = min(found, key=lambda each: _rank(target, *each))
    return instruction, *pair


def is_dense(instruction: Instruction) -> bool:
    """Whether an instruction multiplies plain matrices and can accumulate over k."""
    return loops(instruction) and not instruction.is_sparse and not instruction.is_scaled


def loops(instruction: Instruction) -> bool:
    """Whether an instruction can accumulate over k."""
    return instruction.is_matrix and instruction.formats["c"] == instruction.formats["d"]


KINDS: dict[Kind, Callable[[Instruction], bool]] = {
    "dense": is_dense,
    "sparse": lambda instruction: loops(instruction) and instruction.is_sparse,
    "scaled": lambda instruction: loops(instruction) and instruction.is_scaled,
}
"""Whether an instruction is of a kind and can run in a loop over k."""


def kind_of(instruction: Instruction) -> Kind:
    """Tell what an instruction takes: plain matrices, a sparse A, or blocks with scales."""
    if instruction.is_scaled:
        return "scaled"
    return "sparse" if instruction.is_sparse else "dense"


def _other_kind(instruction: Instruction, kind: Kind) -> Unsupported:
    return Unsupported(
        f"{instruction.name} is no {kind} instruction with C and D in one format.",
        subject=instruction.name,
        hint="See: wavemma show INSTRUCTION --target TARGET",
    )


def check_dense(instruction: Instruction) -> None:
    """Refuse an instruction that does not multiply plain matrices in a loop over k.

    Raises:
        Unsupported: It is sparse or scaled, or its C and D have different formats.

    """
    if not is_dense(instruction):
        raise Unsupported(
            f"{instruction.name} cannot run in a loop over k: it is sparse or scaled, or its C and"
            " D have different formats.",
            subject=instruction.name,
            hint="Use a dense instruction, or call its builtin for one step.",
        )


def _formats(
    instruction: Instruction, a: Sequence[str], b: Sequence[str]
) -> tuple[str, str] | None:
    """Pick the first format of each side that the instruction takes."""
    left = next((name for name in a if name in instruction.formats["a"]), None)
    right = next((name for name in b if name in instruction.formats["b"]), None)
    return (left, right) if left and right else None


def _rank(target: str, instruction: Instruction, pair: tuple[str, str]) -> tuple[float, ...]:
    """Order by exact formats, then the widest accumulator, then speed, then fewer blocks."""
    rate = cost(target, instruction.name, *pair).ops_per_cu_per_cycle or 0.0
    width = instruction.layout("d").element_bits
    # A format that drops bits is taken only if it is asked for by name.
    dropped = max(number_format(name).ignored for name in pair)
    return (dropped, -width, -rate, instruction.blocks, -instruction.shape[2])


def _fitting(
    target: str | None, a: Sequence[str], b: Sequence[str], c: str | None, kind: Kind
) -> list[tuple[Instruction, tuple[str, str]]]:
    """List the instructions of a target, or of all, that take the operands."""
    return [
        (instruction, pair)
        for instruction in catalog.instructions(target)
        if KINDS[kind](instruction) and c in (None, *instruction.formats["c"])
        for pair in [_formats(instruction, a, b)]
        if pair is not None
    ]


def _takers(target: str, a: Sequence[str], b: Sequence[str], c: str | None, kind: Kind) -> str:
    """Say which instructions of the target take the operands, else which targets have one."""
    here = [instruction.name for instruction, _ in _fitting(target, a, b, c, kind)]
    more = f", and {len(here) - _FEW} more" if len(here) > _FEW else ""
    owners = [name for each, _ in _fitting(None, a, b, c, kind) for name in each.targets]
    if here:
        who = f"Of {target} these take them: {', '.join(here[:_FEW])}{more}."
    elif owners:
        who = f"Targets that have one: {', '.join(dict.fromkeys(owners))}."
    else:
        who = "No target has one."
    return f"{who}  All: wavemma list --target {target}"


def _refusal(instruction: Instruction, a: Sequence[str], b: Sequence[str], c: str | None) -> str:
    wanted = ", ".join(
        f"{role.upper()} {'/'.join(instruction.formats[role])}" for role in ("a", "b", "c")
    )
    given = f"A {'/'.join(a)}, B {'/'.join(b)}" + (f", C {c}" if c else "")
    return f"{instruction.name} takes {wanted}; given {given}."
