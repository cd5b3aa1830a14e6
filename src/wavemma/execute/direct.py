"""One instruction on registers where they lie: no codes are copied out and back.

Most instructions can do so, since a row of their result fills lanes that follow each other. C may
lie in D's registers, or anywhere; only if it lies in some of them is it copied first.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence

import llvmlite.ir as ir

from wavemma.engines.loops import INDEX, counted_loop
from wavemma.engines.machine import Machine
from wavemma.execute.chain import Chain
from wavemma.execute.in_place import InPlace, Steps, steps_of
from wavemma.execute.panels import ALIGN, POINTER, WORD, Registers
from wavemma.execute.register_test import RegisterTest, can_test
from wavemma.execute.wave_product import WaveProduct
from wavemma.layouts.layout import REGISTER_BITS

_LETTERS = {"a": "i", "b": "j", "c": "j", "d": "j"}
_WORD_BYTES = REGISTER_BITS // 8


def direct_steps(product: WaveProduct) -> Mapping[str, Steps] | None:
    """Find where all entries of an instruction's operands lie; None if it needs copies.

    Args:
        product: The instruction.

    """
    if set(product.fragments) != set(_LETTERS):
        return None
    if any(product.fragments[role].bits != REGISTER_BITS for role in "cd"):
        return None
    path = product.fast.path if product.fast else product.path
    if product.shape[2] % path.length:
        return None
    found = {}
    for role, letter in _LETTERS.items():
        steps = steps_of(product.fragments[role], letter, list(_entries(product, role)))
        if steps is None:
            return None
        found[role] = steps
    return found if _can_test(product) else None


def _entries(product: WaveProduct, role: str) -> Iterator[dict[str, int]]:
    other, size = ("k", product.shape[2]) if role in "ab" else ("i", product.shape[0])
    for block in range(product.blocks):
        own = {"b": block} if product.blocks > 1 else {}
        for number in range(size):
            yield {other: number, **own}


def _can_test(product: WaveProduct) -> bool:
    if not product.fast:
        return True
    forms = {"a": product.setting.a, "b": product.setting.b, "c": product.setting.c}
    return all(can_test(form, product.fragments[role].bits) for role, form in forms.items())


class Direct:
    """Writes the code for one instruction; memory is reserved here.

    Args:
        build: Where instructions go.
        machine: The processor.
        product: The instruction.
        steps: Where its operands' entries lie.

    """

    def __init__(
        self,
        build: ir.IRBuilder,
        machine: Machine,
        product: WaveProduct,
        steps: Mapping[str, Steps],
    ) -> None:
        self.build = build
        self.product = product
        self.codes = {
            role: InPlace(
                build,
                product.fragments[role],
                letter,
                product.blocks * product.shape[2 if role in "ab" else 0],
                steps[role],
            )
            for role, letter in _LETTERS.items()
        }
        path = product.fast.path if product.fast else product.path
        self.chain = Chain(build, machine, product, path, self.codes)
        fragment = product.fragments["c"]
        self.words = fragment.registers * fragment.lanes
        self.spare = build.alloca(WORD, self.words)
        self.spare.align = ALIGN
        self.spare.type = POINTER

    def bind(self, registers: Mapping[str, Registers]) -> None:
        """Take one wave's registers."""
        given = {**registers, "c": self._apart(registers["c"], registers["d"])}
        for role, codes in self.codes.items():
            codes.bind(given[role])

    def passed(self) -> ir.Value:
        """Tell whether all numbers lie in the ranges of the way of summing."""
        fast, setting = self.product.fast, self.product.setting
        assert fast is not None, "Asked only of a way with ranges."
        ranges = fast.ranges
        tests = [
            RegisterTest(self.build, self.codes[role], form, bounds).passed()
            for role, form, bounds in (
                ("a", setting.a, ranges.a),
                ("b", setting.b, ranges.b),
                ("c", setting.c, ranges.c),
            )
        ]
        return functools.reduce(self.build.and_, tests)

    def run(self) -> None:
        """Write the code at the builder's place."""
        self.chain.run()

    def _apart(self, c: Registers, d: Registers) -> Registers:
        """Copy C where some of D's registers are others of C's."""
        build = self.build
        from_c, from_d = (build.ptrtoint(each.first, INDEX) for each in (c, d))
        size = INDEX(self.words * _WORD_BYTES)
        whole = INDEX(d.fragment.registers * d.fragment.lanes * _WORD_BYTES)
        ahead = build.icmp_unsigned("<", build.sub(from_d, from_c), size)
        behind = build.icmp_unsigned("<", build.sub(from_c, from_d), whole)
        overlap = build.or_(ahead, behind)
        if self.codes["c"].steps == self.codes["d"].steps:
            overlap = build.and_(overlap, build.icmp_unsigned("!=", from_c, from_d))
        with build.if_then(overlap, likely=False):
            counted_loop(build, INDEX(self.words), [], lambda at, _: self._copy(c, at))
        first = build.select(overlap, self.spare, c.first)
        return Registers(build, first, INDEX(0), c.fragment)

    def _copy(self, c: Registers, at: ir.Value) -> Sequence[ir.Value]:
        word = self.build.load(c.words(at), typ=WORD)
        self.build.store(word, self.build.gep(self.spare, [at], source_etype=WORD))
        return []
