"""Laws of maps over bits, and orders of k."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.layouts.facts_rows import distinct, first, instruction_rows, row_layout, widths
from wavemma.errors import OutOfRange
from wavemma.layouts import Shape, layout
from wavemma.layouts.algebra import (
    BitMap,
    bit_map,
    complement,
    compose,
    contiguous_k,
    contiguous_k_positions,
    conversion,
    divide,
    identity,
    invert,
    k_equivalent,
    product,
    relabel,
)


@st.composite
def maps(draw: st.DrawFn, bits_in: int | None = None, bits_out: int | None = None) -> BitMap:
    inputs = draw(st.integers(0, 6)) if bits_in is None else bits_in
    outputs = draw(st.integers(0, 6)) if bits_out is None else bits_out
    column = st.integers(0, (1 << outputs) - 1)
    return BitMap(tuple(draw(column) for _ in range(inputs)), outputs)


@st.composite
def invertible(draw: st.DrawFn) -> BitMap:
    """A permutation of bits, then additions of one column to another."""
    bits = draw(st.integers(1, 6))
    columns = [1 << bit for bit in draw(st.permutations(range(bits)))]
    for _ in range(draw(st.integers(0, 8))):
        source, target = draw(st.integers(0, bits - 1)), draw(st.integers(0, bits - 1))
        if source != target:
            columns[target] ^= columns[source]
    return BitMap(tuple(columns), bits)


@given(st.data())
def test_compose_means_what_it_says_at_every_point(data: st.DataObject) -> None:
    inner = data.draw(maps())
    outer = data.draw(maps(bits_in=inner.out_bits))
    both = compose(outer, inner)
    for number in range(1 << len(inner.columns)):
        assert both(number) == outer(inner(number))


@given(invertible())
def test_invert_undoes_at_every_point(whole: BitMap) -> None:
    undone = invert(whole)
    for number in range(1 << whole.out_bits):
        assert undone(whole(number)) == number
        assert whole(undone(number)) == number
    assert compose(whole, undone) == identity(whole.out_bits)


@given(maps(), maps())
def test_product_works_on_the_halves_and_divide_takes_it_apart(low: BitMap, high: BitMap) -> None:
    both = product(low, high)
    for x, y in itertools.product(range(1 << len(low.columns)), range(1 << len(high.columns))):
        assert both(x | y << len(low.columns)) == low(x) | high(y) << low.out_bits
    assert divide(both, low) == high


@given(maps())
def test_complement_reaches_every_output_once(part: BitMap) -> None:
    image = {part(number) for number in range(1 << len(part.columns))}
    rest = complement(part)
    reached = [x ^ rest(n) for x in image for n in range(1 << len(rest.columns))]
    assert sorted(reached) == list(range(1 << part.out_bits))


def test_what_cannot_be_undone_or_divided_is_refused() -> None:
    with pytest.raises(OutOfRange, match="1 of 2 in and 2 out"):
        invert(BitMap((1, 1), 2))
    with pytest.raises(OutOfRange, match="product with the given low map"):
        divide(identity(3), BitMap((2, 1), 2))
    with pytest.raises(OutOfRange, match="takes 1 bits; the inner one gives 2"):
        compose(identity(1), identity(2))


@pytest.mark.facts
def test_the_bit_map_of_every_layout_is_its_place() -> None:
    checked = 0
    for made in {entry.layout for entry in distinct()}:
        mapped = bit_map(made)
        everything = itertools.product(*(range(size) for _, size in made.extents))
        for number, values in enumerate(everything):
            place = made.place(**dict(zip(made.size, values, strict=True)))[0]
            assert mapped(number) == place.slot + made.slots * (place.lane - made.copies[0])
        checked += 1
    assert checked == 178


def test_conversion_between_two_results() -> None:
    old = layout("wmma_replicated", "d", Shape(16, 16, 16), 32, 32)
    new = layout("wmma_chunks_64", "d", Shape(16, 16, 16), 32, 32)
    moved = conversion(old, new)
    for slot, lane in itertools.product(range(8), range(32)):
        element = old.element(lane, slot)
        assert element is not None
        place = new.place(**element)[0]
        assert moved(slot + 8 * lane) == place.slot + 8 * place.lane
    with pytest.raises(OutOfRange, match="one matrix"):
        conversion(old, layout("mfma", "d", Shape(32, 32, 8), 32, 64))


def _pair(family: str, shape: Shape, bits: int, wave: int, sparse: bool = False):
    return tuple(layout(family, role, shape, bits, wave, sparse=sparse) for role in "ab")


def test_contiguous_k() -> None:
    # numerics.md 5.1: wave32 halves of the lanes hold k = 8h..8h+7; wave64 agrees with the table.
    a, b = _pair("wmma_chunks_64", Shape(16, 16, 16), 16, 32)
    order = contiguous_k(a, b)
    assert order == (0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15)
    for half, n in itertools.product(range(2), range(8)):
        place = a.place(i=0, k=order[8 * half + n])[0]
        assert (place.lane, place.slot) == (16 * half, n)
    assert contiguous_k(*_pair("wmma_chunks_64", Shape(16, 16, 16), 16, 64)) == tuple(range(16))
    assert contiguous_k(*_pair("wmma_replicated", Shape(16, 16, 16), 16, 32)) == tuple(range(16))


def test_contiguous_k_of_sparse_forms() -> None:
    a, b = _pair("wmma_chunks_64", Shape(16, 16, 32), 16, 32, sparse=True)
    order = contiguous_k(a, b)
    assert order is not None
    assert order[:24] == (*range(8), *range(16, 24), *range(8, 16))
    # Doubled k: a lane of A holds 16 neighbouring k, a lane of B twice 8.
    assert contiguous_k(*_pair("mfma", Shape(16, 16, 64), 16, 64, sparse=True)) is None


@pytest.mark.facts
def test_dense_a_and_b_always_have_a_contiguous_order() -> None:
    checked = 0
    for row in instruction_rows():
        bits = widths()[first(row["types"]["A"])]
        for wave in row["wave_sizes"] if not row["sparse"] else ():
            a, b = (row_layout(row, role, bits, wave) for role in "ab")
            order = contiguous_k(a, b)
            assert order is not None
            assert sorted(order) == list(range(row["K"]))
            checked += 1
    # 183 dense rows, of which 34 have two wave sizes.
    assert checked == 183 + 34


def test_k_equivalent_finds_the_order_it_was_given() -> None:
    a, b = _pair("wmma_chunks_64", Shape(16, 16, 16), 16, 32)
    positions = contiguous_k_positions(a)
    loaded = [relabel(each, "k", positions) for each in (a, b)]
    assert k_equivalent(a, b, *loaded) == contiguous_k(a, b)
    assert k_equivalent(a, b, a, b) == tuple(range(16))
    # A alone renumbered gives another product.
    assert k_equivalent(a, b, loaded[0], b) is None
    assert k_equivalent(a, b, *_pair("wmma_replicated", Shape(16, 16, 16), 16, 32)) is None


def test_k_equivalent_of_sparse_forms_moves_groups() -> None:
    a, b = _pair("wmma_chunks_64", Shape(16, 16, 32), 16, 32, sparse=True)
    loaded = relabel(a, "g", (0, 2, 1)), relabel(b, "k", (0, 1, 2, 4, 3))
    assert k_equivalent(a, b, *loaded) == contiguous_k(a, b)
    assert k_equivalent(a, b, loaded[0], b) is None


def test_the_two_orders_of_64_k_in_8_bits_are_equivalent() -> None:
    narrow = _pair("wmma_chunks_64", Shape(16, 16, 64), 8, 32)
    wide = _pair("wmma_chunks_128", Shape(16, 16, 64), 8, 32)
    order = k_equivalent(*narrow, *wide)
    assert order is not None
    assert order[8] == 16
    assert sorted(order) == list(range(64))
