"""The output that a probe's program prints, written here without the program."""

from wavemma.explain.probe_experiment import Experiment
from wavemma.fragments import Registers


def printed(made: Experiment, words: Registers, device: str = "a test") -> str:
    """Write the registers of D, [run, register, lane], as the program prints them."""
    point = made.point
    lines = [
        "wavemma probe 1",
        f"point {point.row.name}",
        f"target {point.target}",
        f"instruction {point.instruction.name}",
        f"wave {point.wave}",
        f"inputs {made.digest}",
        f"device {device}",
    ]
    for run, registers in enumerate(words.tolist()):
        for number, lanes in enumerate(registers):
            lines.append(" ".join(["d", str(run), str(number), *(f"{w:08x}" for w in lanes)]))
    return "\n".join([*lines, "end", ""])
