import random
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from tests.oracles.host_compiler import compile_c, compile_cplusplus
from tests.render.answers import every_layout
from wavemma.errors import Unsupported
from wavemma.explain.layout import RegisterLayout, layout
from wavemma.render.source import as_c, as_python

WIDTHS = (8, 16, 32, 64)


def matrix_of(answer: RegisterLayout, rng: random.Random) -> dict[tuple[int, ...], int]:
    """Draw a code for each element, by its indices along the layout's extents."""
    return {
        indices: rng.getrandbits(answer.element_bits)
        for indices in product(*(range(size) for _, size in answer.extents))
    }


def merged(answer: RegisterLayout, indices: tuple[int, ...]) -> tuple[int, ...]:
    """Put group and kept element into one column, two columns a group."""
    if answer.extents[-1][0] == "s":
        return (*indices[:-2], 2 * indices[-2] + indices[-1])
    return indices


def registers_of(answer: RegisterLayout, codes: dict[tuple[int, ...], int]) -> list[list[int]]:
    """Put every code where the layout says, bit by bit."""
    registers = [[0] * answer.registers for _ in range(answer.asked.wave)]
    for element in answer.elements:
        for spot in element.places:
            code = codes[element.indices]
            for bits in spot.bits:
                width = bits.hi - bits.lo + 1
                registers[spot.lane][bits.register] |= (code & (1 << width) - 1) << bits.lo
                code >>= width
    return registers


def nested(answer: RegisterLayout, codes: dict[tuple[int, ...], int]) -> Any:
    """Make the list of lists that the Python text takes."""
    table = {merged(answer, indices): code for indices, code in codes.items()}
    sizes = [max(column) + 1 for column in zip(*table, strict=True)]

    def fill(prefix: tuple[int, ...]) -> Any:
        if len(prefix) == len(sizes):
            return table[prefix]
        return [fill((*prefix, n)) for n in range(sizes[len(prefix)])]

    return fill(())


def test_python_loads_and_stores_every_layout() -> None:
    rng = random.Random(3)
    answers = every_layout()
    assert len(answers) > 140
    for answer in answers:
        names: dict[str, Any] = {}
        exec(as_python(answer), names)
        codes = matrix_of(answer, rng)
        name = answer.asked.operand.lower()
        registers = names[f"load_{name}"](nested(answer, codes))
        assert registers == registers_of(answer, codes), answer.asked
        assert names[f"store_{name}"](registers) == nested(answer, codes)


def program(answer: RegisterLayout, codes: dict[tuple[int, ...], int], number: int) -> str:
    """Write a C function that is 0 if loading and storing do what the layout says."""
    table = {merged(answer, indices): code for indices, code in codes.items()}
    flat = [table[indices] for indices in sorted(table)]
    stride = max(indices[-1] for indices in table) + 1
    width = next(width for width in WIDTHS if width >= answer.element_bits)
    registers = [bits for lane in registers_of(answer, codes) for bits in lane]
    name = answer.asked.operand.lower()
    listed = ", ".join(f"{code}u" if width < 64 else f"{code}ull" for code in flat)
    text = as_c(answer).replace(f"load_{name}", f"load_{number}")
    return (
        text.replace(f"store_{name}", f"store_{number}")
        + f"""
static int test_{number}(void)
{{
    static const uint{width}_t matrix[] = {{{listed}}};
    static const uint32_t wanted[] = {{{", ".join(f"{bits}u" for bits in registers)}}};
    static uint{width}_t back[sizeof matrix / sizeof *matrix];
    for (int lane = 0; lane < {answer.asked.wave}; ++lane) {{
        uint32_t v[{answer.registers}];
        load_{number}(v, matrix, {stride}, lane);
        for (int n = 0; n < {answer.registers}; ++n)
            if (v[n] != wanted[lane * {answer.registers} + n]) return 1;
        store_{number}(back, {stride}, v, lane);
    }}
    for (size_t n = 0; n < sizeof matrix / sizeof *matrix; ++n)
        if (back[n] != matrix[n]) return 2;
    return 0;
}}
"""
    )


@pytest.mark.oracle
@pytest.mark.slow
def test_c_loads_and_stores_every_layout(tmp_path: Path) -> None:
    rng = random.Random(4)
    answers = every_layout()
    parts = [program(answer, matrix_of(answer, rng), n) for n, answer in enumerate(answers)]
    tests = "".join(f"    if (test_{n}()) return {n % 250 + 1};\n" for n in range(len(parts)))
    source, binary = tmp_path / "all.c", tmp_path / "all"
    main = f"int main(void)\n{{\n{tests}    return 0;\n}}\n"
    source.write_text("\n".join([*parts, main]))
    compile_c(source, binary)
    assert subprocess.run([binary], check=False).returncode == 0
    assert len(parts) > 140


@pytest.mark.oracle
def test_c_is_also_cplusplus(tmp_path: Path) -> None:
    source = tmp_path / "a.cpp"
    source.write_text(as_c(layout("gfx1100", "v_wmma_f32_16x16x16_f16", "A")))
    compile_cplusplus(source, tmp_path / "a.o")


def test_unknown_and_moved_layouts_have_no_source() -> None:
    moved = layout("gfx942", "v_mfma_f32_4x4x4_16b_f16", "A", modifiers={"cbsz": 1})
    asked = ("gfx1250", "v_swmmac_f32_16x16x64_f16", "index")
    for answer in (moved, layout(*asked, modifiers={"index_key": 1})):
        for write in (as_c, as_python):
            with pytest.raises(Unsupported, match="No source can be written"):
                write(answer)
