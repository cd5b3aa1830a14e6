"""The sums of one instruction by one path: elements prepared, then rows of the result."""

from collections.abc import Mapping, Sequence

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.loops import INDEX, counted_loop
from wavemma.engines.machine import Machine
from wavemma.execute.panels import Array, Codes
from wavemma.execute.prepared import Prepared
from wavemma.execute.wave_product import WaveProduct
from wavemma.formats.decode import decode_lanes
from wavemma.formats.format import Format
from wavemma.layouts import GROUP, KEPT
from wavemma.numerics.path import TOGETHER, Lanes, Path


class Chain:
    """Writes the code that turns codes into codes.

    Args:
        build: Where instructions go; memory is reserved here.
        machine: The processor.
        product: The instruction.
        path: How sums are done.
        codes: Codes by operand: a and b an entry each k of each block, c and d an entry each
            row, index an entry each kept k, scales an entry each block along k.

    """

    def __init__(
        self,
        build: ir.IRBuilder,
        machine: Machine,
        product: WaveProduct,
        path: Path,
        codes: Mapping[str, Codes],
    ) -> None:
        self.build = build
        self.machine = machine
        self.product = product
        self.path = path
        self.codes = codes
        self.across = self._engine(product.shape[1])
        names = ("a", "b", "b_odd") if product.has_two_signs else ("a", "b")
        self.prepared = {
            name: Prepared(codes[name[0]], machine, path.left if name == "a" else path.operand)
            for name in names
        }
        for role in ("scale_a", "scale_b"):
            if role in codes:
                self.prepared[role] = Prepared(codes[role], machine, (Lane.F64,))

    def _engine(self, width: int) -> LlvmEngine:
        return LlvmEngine(self.build, width, self.machine)

    def run(self) -> None:
        """Write the code at the builder's place."""
        self._prepare()
        groups = self.product.blocks * self.product.shape[0] // self._at_once
        counted_loop(self.build, INDEX(groups), [], lambda group, _: self._rows(group))

    def _prepare(self) -> None:
        setting, signs = self.product.setting, self.product.signs
        for role, form in (("scale_a", setting.scale_a), ("scale_b", setting.scale_b)):
            if role in self.prepared and form is not None:
                self._prepare_scales(self.prepared[role], form)
        self._prepare_factor("a", setting.a, signs["a"], signed=setting.signed_a)
        for number, name in enumerate(name for name in self.prepared if name in ("b", "b_odd")):
            same = (signs["b"][number],) * 2
            flips = same if self.product.is_sparse else signs["b"]
            self._prepare_factor(name, setting.b, flips, signed=setting.signed_b)

    def _prepare_scales(self, prepared: Prepared, form: Format) -> None:
        engine = self._engine(prepared.codes.count)
        prepared.fill(engine, lambda _, code: (decode_lanes(engine, form, code),))

    def _prepare_factor(
        self, name: str, form: Format, flips: tuple[int, ...], *, signed: bool
    ) -> None:
        prepared, build = self.prepared[name], self.build
        engine = self._engine(prepared.codes.count * prepared.codes.slots)
        scales = self.prepared.get(f"scale_{name[0]}")

        def make(entry: ir.Value, code: ir.Value) -> Sequence[ir.Value]:
            if any(flips):
                # Entries of a block are even in number wherever signs differ along k.
                code = engine.xor(code, self._flip(engine, prepared.codes, entry, flips))
            scale = None
            if scales is not None:
                block = INDEX(self.product.setting.scale_block)
                (scale,) = scales.vectors(build.udiv(entry, block))
            prepare = self.path.prepare_left if name == "a" else self.path.prepare
            return prepare(engine, form, code, signed=signed, scale=scale)

        prepared.fill(engine, make, self.path.widen_left if name == "a" else self.path.widen)

    def _flip(
        self, engine: LlvmEngine, codes: Codes, entry: ir.Value, flips: tuple[int, ...]
    ) -> ir.Value:
        """Give the bits to flip in entries that are read together, the first of which is even."""
        if codes.slots > 1:
            kind = engine.vector_type(Lane.I64)
            lanes = [flips[slot % 2] for slot in range(codes.slots) for _ in range(codes.count)]
            return ir.Constant(kind, lanes)
        odd = self.build.trunc(entry, ir.IntType(1))
        return engine.splat(self.build.select(odd, INDEX(flips[1]), INDEX(flips[0])))

    @property
    def _at_once(self) -> int:
        """Rows that are summed together."""
        return min(self.path.rows, self.product.shape[0])

    @property
    def _depth(self) -> int:
        """Entries of A for one block."""
        return self.codes["a"].entries // self.product.blocks

    def _rows(self, group: ir.Value) -> list[ir.Value]:
        build, width = self.build, len(self.path.state)
        first = build.mul(group, INDEX(self._at_once))
        entries = [build.add(first, INDEX(number)) for number in range(self._at_once)]
        size = INDEX(self.product.shape[0])
        block, rows = build.udiv(first, size), [build.urem(entry, size) for entry in entries]

        def turn(step: ir.Value, flat: Sequence[ir.Value]) -> list[ir.Value]:
            start = build.mul(step, INDEX(self.path.length))
            states = [tuple(flat[at : at + width]) for at in range(0, len(flat), width)]
            found = self._steps(block, rows, start, states)
            return [part for state in found for part in state]

        states = [self.path.begin(self.across, self._c(entry)) for entry in entries]
        steps = INDEX(self._depth // self.path.length)
        flat = counted_loop(build, steps, [part for state in states for part in state], turn)
        for number, entry in enumerate(entries):
            state = tuple(flat[number * width : (number + 1) * width])
            self.codes["d"].put(entry, self.path.finish(self.across, state))
        return []

    def _c(self, entry: ir.Value) -> ir.Value:
        code = self.codes["c"].vector(entry)
        kind = self.across.vector_type(self.product.code)
        code = code if code.type == kind else self.build.zext(code, kind)
        code = self.across.and_(code, ~self.product.c_clear)
        return self.across.xor(code, self.product.c_flip)

    def _steps(
        self,
        block: ir.Value,
        rows: Sequence[ir.Value],
        start: ir.Value,
        states: Sequence[Lanes[ir.Value]],
    ) -> list[Lanes[ir.Value]]:
        """Do a step of every row; rows of a sparse product have partners of their own."""
        b = self._columns(block, start) if not self.product.is_sparse else None
        together = TOGETHER if b else 1
        results = []
        for first in range(0, len(rows), together):
            some = rows[first : first + together]
            factors = b or self._partners(block, some[0], start)
            a = self._factors(block, some, start)
            results += self.path.steps(self.across, a, factors, states[first : first + together])
        return results

    def _factors(
        self, block: ir.Value, rows: Sequence[ir.Value], start: ir.Value
    ) -> list[list[Lanes[ir.Value]]]:
        """Load the elements of A of one step, by row."""
        first = self.build.add(self.build.mul(block, INDEX(self._depth)), start)
        found = []
        for offset in range(self.path.length):
            entry = self.build.add(first, INDEX(offset))
            scalars = self.prepared["a"].scalars(entry, rows)
            found.append([tuple(map(self.across.splat, parts)) for parts in scalars])
        return [list(row) for row in zip(*found, strict=True)]

    def _columns(self, block: ir.Value, start: ir.Value) -> list[Lanes[ir.Value]]:
        """Load the elements of B of one step, the same for every row."""
        first = self.build.add(self.build.mul(block, INDEX(self._depth)), start)
        return [
            self.prepared["b"].vectors(self.build.add(first, INDEX(offset)))
            for offset in range(self.path.length)
        ]

    def _partners(self, block: ir.Value, row: ir.Value, start: ir.Value) -> list[Lanes[ir.Value]]:
        """Load the elements of B that the index names for the kept elements of a row."""
        build, found = self.build, []
        whole = INDEX(self._depth // KEPT * GROUP)
        for offset in range(self.path.length):
            k = build.add(start, INDEX(offset))
            group = build.mul(build.udiv(k, INDEX(KEPT)), INDEX(GROUP))
            index = self.codes["index"]
            assert isinstance(index, Array), "The index of a sparse A is read first."
            entry = build.add(group, index.number(k, row))
            found.append(self._signed(build.add(build.mul(block, whole), entry), k))
        return found

    def _signed(self, entry: ir.Value, k: ir.Value) -> Lanes[ir.Value]:
        """Load elements of B with the sign that the parity of their partner gives them."""
        even = self.prepared["b"].vectors(entry)
        if not self.product.has_two_signs:
            return even
        is_odd = self.build.trunc(k, ir.IntType(1))
        odd = self.prepared["b_odd"].vectors(entry)
        return tuple(self.build.select(is_odd, y, x) for x, y in zip(even, odd, strict=True))
