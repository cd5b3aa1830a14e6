"""What a diagnosis says of arrays that are no matrices of real numbers."""

from typing import Any

import numpy as np
import pytest

from wavemma.errors import ArrayMistake
from wavemma.explain.difference import diagnose

OP = "v_wmma_f32_16x16x16_f16"
WANT = np.random.default_rng(0).standard_normal((32, 48)).astype(np.float32)

REFUSED: dict[str, tuple[Any, str]] = {
    "one number": (np.float32(3), "got must be a matrix, [..., rows, columns]; one value was"),
    "a word": ("abc", "one value was given: 'abc'"),
    "objects": (WANT.astype(object), "numbers of one known type; given object.\n  Convert it:"),
    "nothing in places": ([[None] * 16] * 16, "given object"),
    "rows of several lengths": ([[1, 2], [3]], "got must be one array, with as many numbers"),
    "text": (WANT.astype(str), "given <U32.\n  If the text is numbers, read them: got.astype"),
    "bytes": (WANT.astype("S"), "given |S32"),
    "complex": (WANT + 0j, "got must hold real numbers; given complex64.\n  Compare got.real"),
    "fields": (np.zeros((32, 48), [("x", "f4"), ("y", "f4")]), "given 2 fields: x, y.\n  Choose"),
    "truths": (WANT > 0, "given bool.\n  If truth stands for 0 and 1"),
    "dates": (np.zeros((32, 48), "M8[s]"), "got must hold real numbers; given datetime64[s]"),
    "no rows": (np.zeros((0, 48)), "Arrays must hold numbers; got, of shape [0, 48], has none"),
    "masked": (np.ma.array(WANT, mask=WANT > 0), "Fill it, such as with NaN: got.filled(np.nan)"),
    "codes of 16 bits": (WANT.astype(np.float16).view(np.uint16), "uint32 (codes of f32); given"),
    "bits as integers": (WANT.view(np.int32), "whose bits are those of want.\n  Name the type:"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_matrix_of_numbers_is_refused_by_name(kind: str) -> None:
    got, words = REFUSED[kind]
    with pytest.raises(ArrayMistake) as caught:
        diagnose("gfx1100", OP, got, WANT)
    assert words in str(caught.value)


@pytest.mark.parametrize("name", ["want", "a", "b", "c"])
def test_the_array_at_fault_is_named(name: str) -> None:
    arrays: dict[str, Any] = {"want": WANT, "a": WANT, "b": WANT, "c": WANT, name: WANT + 0j}
    with pytest.raises(ArrayMistake, match=f"^{name} must hold real numbers; given complex64"):
        diagnose("gfx1100", OP, WANT, **arrays)


def test_without_got_or_with_one_factor_only() -> None:
    with pytest.raises(ArrayMistake, match=r"got must be given"):
        diagnose("gfx1100", OP, None, WANT)  # type: ignore[arg-type]
    for name, array in (("a", np.ones((32, 16))), ("b", np.ones((16, 48)))):
        with pytest.raises(ArrayMistake, match=f"a and b go together; only {name} was given"):
            diagnose("gfx1100", OP, WANT, WANT, **{name: array})


@pytest.mark.parametrize("got", [WANT, np.full_like(WANT, np.nan)])
def test_a_want_of_nan_alone_is_refused(got: np.ndarray) -> None:
    with pytest.raises(ArrayMistake, match=r"all of its 1,536 elements are NaN"):
        diagnose("gfx1100", OP, got, np.full_like(WANT, np.nan))


def test_whole_numbers_that_are_numbers_are_compared() -> None:
    whole = np.rint(WANT * 8)
    assert diagnose("gfx1100", OP, whole.astype(np.int32), whole).verdict == "equal"
    codes = WANT.view(np.uint32)
    assert diagnose("gfx1100", OP, codes, WANT).verdict == "equal"
