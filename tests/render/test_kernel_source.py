"""The text of a port's kernels: its functions do what the facts' layouts say, in C on the host."""

import random
import re
import subprocess
from itertools import product
from math import prod
from pathlib import Path

import pytest

from tests.explain.layout_facts import Question, axes, place, questions
from tests.explain.sides import every_side
from tests.oracles.host_compiler import compile_c
from wavemma.explain.port_side import PortSide
from wavemma.render.kernel_source import as_kernel, has_loop

FUNCTION = re.compile(r"WAVEMMA_FUNCTION void (load|store)_(\w+)\(.*?\n\}\n", re.DOTALL)
WIDTHS = (8, 16, 32, 64)


def functions(side: PortSide) -> dict[str, str]:
    """Take the loaders and the store out of a kernel's text, by operand."""
    found = {match[2]: match[0] for match in FUNCTION.finditer(as_kernel(side))}
    assert len(found) == len(side.operands)
    return found


def sizes(question: Question) -> list[int]:
    bits = question.fact["lane_bits"] + question.fact["slot_bits"]
    return [1 << sum(bit[0] == letter for bit in bits) for letter in axes(question.fact)]


def flat(question: Question, indices: tuple[int, ...]) -> int:
    """Number an element of a row-major matrix; kept elements of a group stand side by side."""
    number = 0
    for size, index in zip(sizes(question), indices, strict=True):
        number = number * size + index
    return number


def program(number: int, question: Question, text: str) -> str:
    """Write a C function that gives 0 if the text moves every element where the fact says."""
    rng = random.Random(number)
    fact, width = question.fact, question.fact["element_bits"]
    letters = axes(fact)
    extent = sizes(question)
    columns = {"s": prod(extent[-2:]), "i": 1}.get(letters[-1], extent[-1])
    wave = question.wave
    count = fact["stride_bits"] * (1 << len(fact["slot_bits"])) + 31 >> 5
    matrix = [rng.getrandbits(width) for _ in range(prod(extent))]
    registers = [0] * (wave * count)
    for indices in product(*map(range, extent)):
        for lane, low, _ in place(fact, dict(zip(letters, indices, strict=True))):
            code = matrix[flat(question, indices)] << low % 32
            for part in range(-(-(low % 32 + width) // 32)):
                registers[lane * count + low // 32 + part] |= code >> 32 * part & 0xFFFFFFFF
    kind = f"uint{next(each for each in WIDTHS if each >= width)}_t"
    is_load = "void load_" in text
    name = re.sub(r"(load|store)_\w+\(", f"move_{number}(", text, count=1)
    listed = ", ".join(f"{code}ull" for code in matrix)
    wanted = ", ".join(f"{code}u" for code in registers)
    body = (
        f"uint32_t v[{count}]; move_{number}(v, matrix, {columns}, lane);"
        f" for (int n = 0; n < {count}; ++n) if (v[n] != wanted[lane * {count} + n]) return 1;"
        if is_load
        else f"move_{number}(back, {columns}, wanted + lane * {count}, lane);"
    )
    check = (
        ""
        if is_load
        else f"for (int n = 0; n < {prod(extent)}; ++n) if (back[n] != matrix[n]) return 2;"
    )
    return f"""
{name}
static int test_{number}(void)
{{
    static const {kind} matrix[] = {{{listed}}};
    static const uint32_t wanted[] = {{{wanted}}};
    static {kind} back[{prod(extent)}];
    (void)back;
    for (int lane = 0; lane < {wave}; ++lane) {{ {body} }}
    {check}
    (void)matrix;
    return 0;
}}
"""


@pytest.mark.facts
@pytest.mark.oracle
@pytest.mark.slow
def test_functions_move_every_element_where_the_facts_say(tmp_path: Path) -> None:
    texts: dict[tuple[object, ...], dict[str, str]] = {}
    for architecture, side in every_side():
        if side.builtin:
            formats = side.operands[0].format
            texts[architecture, side.instruction, side.wave, formats] = functions(side)
    parts: dict[str, str] = {}
    asked = 0
    for question in questions():
        role = question.operand.lower()
        for (architecture, name, wave, formats), found in texts.items():
            same = (question.fact["arch"], question.instruction, question.wave)
            if same != (architecture, name, wave) or role not in found:
                continue
            if question.format and not str(formats).startswith(question.format):
                continue
            asked += 1
            key = found[role] + repr((question.fact["lane_bits"], question.fact["slot_bits"]))
            if key not in parts:
                parts[key] = program(len(parts), question, found[role])
    assert asked > 1200
    assert len(parts) > 120
    calls = "".join(f"    if (test_{n}()) return {n % 250 + 1};\n" for n in range(len(parts)))
    head = "#include <stddef.h>\n#include <stdint.h>\n#define WAVEMMA_FUNCTION static inline\n"
    source, binary = tmp_path / "all.c", tmp_path / "all"
    source.write_text(head + "".join(parts.values()) + f"int main(void)\n{{\n{calls}}}\n")
    compile_c(source, binary, "-Wno-unused-variable")
    assert subprocess.run([binary], check=False).returncode == 0


def test_a_kernel_goes_over_k_in_steps_of_the_instruction() -> None:
    loops = 0
    for _, side in every_side():
        if side.builtin:
            text = as_kernel(side)
            step = f"for (int k = 0; k < K; k += {side.shape[2]})"
            assert (step in text) == has_loop(side)
            assert f"threadIdx.x % {side.wave}" in text
            assert f"{side.builtin}(" in text
            loops += has_loop(side)
    assert loops > 250
