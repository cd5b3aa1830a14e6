"""The shape of a launch: what is filled up, and what a target cannot do."""

import msgspec
import numpy as np
import pytest

from tests.objects.compiled import HIP, linked
from wavemma.errors import LaunchMistake
from wavemma.machine.geometry import Geometry, check, sizes
from wavemma.objects import Kernel, code_object


@pytest.fixture(scope="module")
def kernel() -> Kernel:
    return code_object(linked("gfx1100", "-O3", source=HIP)).kernel("arguments")


def test_missing_axes_are_one() -> None:
    assert sizes(5, "grid") == (5, 1, 1)
    assert sizes((5, 6), "grid") == (5, 6, 1)
    assert sizes([5, 6, 7], "grid") == (5, 6, 7)
    assert sizes(np.int64(5), "grid") == (5, 1, 1)
    assert sizes((np.uint32(5), 2), "grid") == (5, 2, 1)


@pytest.mark.parametrize(
    "given", [0, -1, (), (1, 2, 3, 4), (1, 0), 1.5, (1, "2"), True, 1 << 32, None]
)
def test_what_is_no_size(given: object) -> None:
    with pytest.raises(LaunchMistake, match="A block must be one to three whole numbers above 0"):
        sizes(given, "block")  # type: ignore[arg-type]


def test_counts() -> None:
    shape = Geometry((2, 3, 4), (5, 6, 7))
    assert shape.groups == 24
    assert shape.items == 210
    assert (shape.waves(32), shape.waves(64)) == (7, 4)


def test_the_largest_of_everything_is_taken(kernel: Kernel) -> None:
    check(Geometry((1, 1, 1), (1024, 1, 1), 65536 - 1284), kernel, "rdna3")
    check(Geometry(((1 << 32) - 1, 1, 1), (1, 1, 1)), kernel, "rdna3")
    check(Geometry((1, 65536, 65535), (1, 1, 1)), kernel, "rdna4")


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (Geometry((1, 1, 1), (1025, 1, 1)), "at most 1024 work-items; 1025 x 1 x 1 are 1025"),
        (Geometry((1, 1, 1), (32, 32, 2)), "at most 1024 work-items; 32 x 32 x 2 are 2048"),
        (
            Geometry((1, 1, 1), (1, 1, 1), 65536 - 1283),
            "65,536 bytes of LDS; .* 1,284 and .*64,253",
        ),
        (Geometry((1, 1, 1), (1, 1, 1), -1), "bytes of LDS"),
        (Geometry((1 << 22, 2, 1), (1024, 1, 1)), "4,294,967,295 work-items, got 8,589,934,592"),
    ],
)
def test_what_is_too_much(kernel: Kernel, shape: Geometry, message: str) -> None:
    with pytest.raises(LaunchMistake, match=message):
        check(shape, kernel, "rdna3")


def test_numbers_of_workgroups_that_have_no_room(kernel: Kernel) -> None:
    """TTMP7 has 16 bits each for y and z on gfx12 (abi.md, 5.2)."""
    for grid, axis in (((1, 65537, 1), "y"), ((1, 1, 65537), "z")):
        check(Geometry(grid, (1, 1, 1)), kernel, "rdna3")
        with pytest.raises(LaunchMistake, match=f"at most 65,536 workgroups along {axis}"):
            check(Geometry(grid, (1, 1, 1)), kernel, "rdna4")


def test_what_the_kernel_was_compiled_for(kernel: Kernel) -> None:
    small = msgspec.structs.replace(kernel.metadata, max_flat_workgroup_size=256)
    with pytest.raises(LaunchMistake, match="at most 256 work-items"):
        check(
            Geometry((1, 1, 1), (257, 1, 1)),
            msgspec.structs.replace(kernel, metadata=small),
            "rdna3",
        )
    fixed = msgspec.structs.replace(kernel.metadata, reqd_workgroup_size=(8, 8, 1))
    with pytest.raises(
        LaunchMistake, match=r"compiled for workgroups of \(8, 8, 1\), got \(64, 1, 1\)"
    ):
        check(
            Geometry((1, 1, 1), (64, 1, 1)),
            msgspec.structs.replace(kernel, metadata=fixed),
            "rdna3",
        )
