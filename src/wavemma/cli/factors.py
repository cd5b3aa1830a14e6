"""How A and B of a product are given where they are not plain matrices, as options."""

from dataclasses import dataclass
from typing import Any, Literal

import numpy.typing as npt
from cyclopts import Parameter

from wavemma.cli.arrays import load
from wavemma.errors import SyntaxMistake
from wavemma.gemm.block_scales import BlockScales, Quantise
from wavemma.gemm.index_words import IndexWords, positions_in
from wavemma.gemm.plan import Product
from wavemma.isa import catalog


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class Factors:
    """Sparse and scaled forms of A and B.

    Attributes:
        index: For a sparse instruction: where each kept element of A stood in its group of four
            along k, integers 0 to 3 [..., M, K/2], as the fourth file of "sparse pack" has them;
            A is then the kept elements, its third file; a type that .npy loses is to be named,
            as in kept.npy:bf16.
        index_words: The same as registers of the index, uint32 [..., tiles along M, tiles along
            K, register, lane], as the second file of "sparse pack" has them; with --op, whose
            registers they are.
        index_part: Which part of its register an index is in; 0 if left out.
        prune: For a sparse instruction and a dense A: groups with more than two elements that
            are not zero lose their smallest.
        scale_a: For a scaled instruction: the scales of A, [..., M, K/block], codes as integers
            or a type such as scales.npy:e8m0; ones if left out.
        scale_b: The scales of B, [..., K/block, N].
        scale_format_a: Format of A's scales where the file has integers: e8m0 (the default),
            e5m3 or e4m3; with --format-a the format to choose scales in.
        scale_format_b: The same of B.
        allow_nan_scales: Take scales that are NaN and give NaN as hardware does.
        format_a: For a scaled instruction: A holds real numbers; quantise them to this format,
            such as fp4, with scales of their own. The error is then that of the product of the
            quantised numbers.
        format_b: The same of B; both or none.
        scale_rule: How the scale of a block follows from its largest number.

    """

    index: str | None = None
    index_words: str | None = None
    index_part: int | None = None
    prune: bool = False
    scale_a: str | None = None
    scale_b: str | None = None
    scale_format_a: str | None = None
    scale_format_b: str | None = None
    allow_nan_scales: bool = False
    format_a: str | None = None
    format_b: str | None = None
    scale_rule: Literal["power", "nearest", "fit"] | None = None

    def arguments(self, target: str) -> dict[str, Any]:
        """Give the arguments of `matmul` that the options stand for; reads their files.

        Args:
            target: Where the name of a type may mean several, one that this target has.

        Raises:
            SyntaxMistake: Options that exclude each other, or one without its partner.
            FileMistake: A file cannot be read.

        """
        return {
            "positions": self._positions(),
            "prune": self.prune,
            "scales": self._scales(target),
        }

    def _positions(self) -> npt.ArrayLike | IndexWords | None:
        if self.index is not None and self.index_words is not None:
            raise SyntaxMistake("--index and --index-words say the same; give one of them.")
        if self.prune and (self.index or self.index_words) is not None:
            raise SyntaxMistake("--index says what is kept already; it goes without --prune.")
        if self.index_words is not None:
            return IndexWords(load(self.index_words), self.index_part or 0)
        if self.index_part is not None:
            raise SyntaxMistake("--index-part goes with --index-words.")
        return None if self.index is None else load(self.index)

    def _scales(self, target: str) -> BlockScales | Quantise | None:
        if self.format_a is not None or self.format_b is not None:
            return self._quantise()
        if self.scale_rule is not None:
            raise SyntaxMistake("--scale-rule goes with --format-a and --format-b.")
        files = (self.scale_a, self.scale_b)
        options = (self.scale_format_a, self.scale_format_b)
        if not self.allow_nan_scales and all(each is None for each in (*files, *options)):
            return None
        left, right = (None if file is None else load(file, target) for file in files)
        return BlockScales(
            left,
            right,
            self.scale_format_a or BlockScales.a_format,
            self.scale_format_b or BlockScales.b_format,
            allow_nan=self.allow_nan_scales,
        )

    def _quantise(self) -> Quantise:
        if self.format_a is None or self.format_b is None:
            raise SyntaxMistake("--format-a and --format-b go together.")
        if self.scale_a or self.scale_b or self.allow_nan_scales:
            raise SyntaxMistake(
                "--format-a and --format-b choose the scales; they go without --scale-a, --scale-b"
                " and --allow-nan-scales."
            )
        scales = (self.scale_format_a, self.scale_format_b)
        return Quantise(self.format_a, self.format_b, *scales, self.scale_rule)


PLAIN = Factors()


def anywhere(forms: dict[str, Any], made: Product, shape: tuple[int, ...]) -> dict[str, Any]:
    """Give arguments that other instructions understand too.

    Args:
        forms: As `Factors.arguments` gives them.
        made: The product that was made with them.
        shape: That of A as given.

    """
    if not isinstance(forms["positions"], IndexWords):
        return forms
    instruction = catalog.instruction(made.plan.instruction, made.plan.target)
    found = positions_in(forms["positions"], instruction, made.plan.wave, shape)
    return {**forms, "positions": found}
