"""The twin gives every result of section 13 of numerics.md."""

from collections.abc import Callable

import pytest

from tests.twin import RULES, digests, dot, same
from tests.twin import examples_cdna as cdna
from tests.twin import examples_rdna as rdna
from tests.twin.examples_rdna import Check
from tests.twin.examples_table import Row, table

pytestmark = pytest.mark.facts

ROWS = 132
HANDLERS: list[tuple[Callable[[Row], list[Check]], list[int]]] = [
    (rdna.two_product_step, [*range(1, 38)]),
    (rdna.gfx12_waves, [38, 39, 40]),
    (rdna.small_integers, [*range(41, 46)]),
    (rdna.packed_element, [*range(46, 52), *range(123, 127)]),
    (rdna.uniform_words, [*range(52, 58), 127]),
    (rdna.op_sel_half, [58]),
    (rdna.overflow, [*range(59, 65)]),
    (rdna.dot4, [*range(65, 69), 130]),
    (rdna.gfx11_integer, [104, 105]),
    (rdna.gfx12_clamp, [106]),
    (rdna.digest, [107, 108, 109, 132]),
    (rdna.inline_integers, [128]),
    (rdna.inline_float, [129]),
    (cdna.mfma, [*range(69, 99), *range(100, 103), 131]),
    (cdna.long_chain, [99]),
    (cdna.mfma_i8, [103]),
    (cdna.decoded, [*range(110, 119)]),
    (cdna.packing, [119]),
    (cdna.gfx950_scaled, [120]),
    (cdna.gfx950_nan_scale, [121]),
    (cdna.gfx1250_scaled, [122]),
]
BY_ROW = {number: handler for handler, numbers in HANDLERS for number in numbers}
CHECKS = 271


def test_every_row_of_the_table_has_a_handler() -> None:
    assert sorted(BY_ROW) == list(range(1, ROWS + 1)) == sorted(table())


@pytest.mark.parametrize("number", sorted(BY_ROW))
def test_row(number: int) -> None:
    checks = BY_ROW[number](table()[number])
    assert checks
    for rule, got, want in checks:
        if rule in RULES and isinstance(got, int) and isinstance(want, int):
            agree = same(rule, got, want, d_format="i32" if rule == "integer" else "f32")
        else:
            agree = got == want
        assert agree, f"row {number}, {rule}: got {got!r}, the table says {want!r}"


def test_the_rows_hold_as_many_results_as_counted() -> None:
    assert sum(len(handler(table()[n])) for n, handler in BY_ROW.items()) == CHECKS


def test_the_generator_is_the_one_described() -> None:
    words = [word for register in digests.registers(0) for word in register]
    assert digests.fnv(words) == "7689d9af055e43b6"


@pytest.mark.parametrize(
    ("rule", "want"),
    [
        ("cdna5_sequential", 0x40800000),
        ("cdna1_exact", 0x40400000),
        ("cdna2_flush", 0x40400000),
        ("cdna3_truncated", 0x40000000),
    ],
)
def test_case_21_cancelling_products_beside_a_small_c(rule: str, want: int) -> None:
    assert dot(rule, [0x6C00] * 2, [0x7000, 0xF000], 0x40400000, a_format="f16") == want
