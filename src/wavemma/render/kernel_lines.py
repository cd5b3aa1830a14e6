"""The loads and the store of a side of a port, each as the one line that matters."""

from wavemma.explain.port_side import OperandUse, PortSide

_SLOT = "// slot: elements of a lane, from the low bits of its first register"
# A terminal of 80 columns, less the indent of code.
_WIDEST = 78


def kernel_lines(side: PortSide) -> str:
    """Write what each lane loads and stores, as C; empty where no short formulas say it."""
    shown = [use for use in side.operands if use.role != "c" and use.formulas.element]
    lines = [line for use in shown for line in _copy(use)]
    if not lines:
        return ""
    return "\n".join([_SLOT, f"const int lane = threadIdx.x % {side.wave};", *lines])


def _copy(use: OperandUse) -> list[str]:
    """Write one load or store; what does not fit a line goes above it, and below its sign."""
    # Names of the matrix's letters come in the order of its axes.
    axes = "".join(f"[{each.c}]" for each in use.formulas.element)
    memory, held = f"{use.name}{axes}", f"{use.role}[{_number(use)}]"
    goal, source = (memory, held) if use.role == "d" else (held, memory)
    slots = f"// slot 0..{use.slots - 1}" if use.slots > 1 else ""
    line = f"{goal} = {source};"
    if len(f"{line}  {slots}") <= _WIDEST:
        return [f"{line}  {slots}".rstrip()]
    lines = [line] if len(line) <= _WIDEST else [f"{goal} =", f"    {source};"]
    return [slots, *lines] if slots else lines


def _number(use: OperandUse) -> str:
    """Count elements of the lane's registers, gaps too."""
    step, first = use.stride_bits // use.element_bits, use.offset_bits // use.element_bits
    text = "slot" if step == 1 else f"{step}*slot"
    return f"{text} + {first}" if first else text
