"""One instruction on the registers of many waves, as one compiled function.

Each wave runs three phases. Codes of A and B are read from registers run by run into small
arrays; these are prepared, once an element; then each row sums its products, columns side by
side in vector lanes, and writes its codes into the result's registers.
"""

from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_int64, c_void_p

import llvmlite.ir as ir

from wavemma.engines.engine import Lane
from wavemma.engines.jit import Function, Jit
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.loops import INDEX, counted_loop
from wavemma.engines.machine import Machine
from wavemma.execute.panels import POINTER, Array, LaneMajor, Panel, Registers
from wavemma.execute.wave_product import WaveProduct
from wavemma.formats.decode import decode_lanes
from wavemma.formats.format import Format
from wavemma.fragments.sparse import GROUP, KEPT
from wavemma.numerics.path import Lanes

NAME = "wave"


def wave_function(product: WaveProduct, jit: Jit) -> Function:
    """Compile the function, or find it in the cache.

    Its arguments: how many waves, then a pointer for each operand in the order of `fragments`:
    uint32 [wave, register, lane] without gaps, or [wave, lane, register] with `lane_words`. The
    result's registers hold what stands there before.
    """
    arguments = [c_int64, *[c_void_p] * len(product.fragments)]
    return jit.function(NAME, repr(product), _Emission(product).emit, arguments)


class _Emission:
    """Writes the function."""

    def __init__(self, product: WaveProduct) -> None:
        self.product = product
        self.path = product.path

    def emit(self, module: ir.Module, machine: Machine) -> None:
        kinds = [INDEX, *[POINTER] * len(self.product.fragments)]
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), NAME)
        self.build = ir.IRBuilder(function.append_basic_block())
        self.machine = machine
        self.across = self._engine(self.product.shape[1])
        self.panels = self._panels()
        self.codes = self._codes()
        self.copies = {
            role: LaneMajor(self.build, self.product.fragments[role], words)
            for role, words in self.product.lane_words.items()
        }
        count, *pointers = function.args
        counted_loop(self.build, count, [], lambda wave, _: self._wave(wave, pointers))
        self.build.ret_void()

    def _engine(self, width: int) -> LlvmEngine:
        return LlvmEngine(self.build, width, self.machine)

    def _panels(self) -> dict[str, Panel]:
        """Make the arrays of elements; once, since a loop must not grow the stack."""
        product, build = self.product, self.build
        fragments, depth, blocks = product.fragments, product.depth, product.blocks
        made = {"a": Panel(build, fragments["a"], "i", blocks * depth, self.path.operand)}
        for name in ("b", "b_odd") if self._two_signs else ("b",):
            made[name] = Panel(build, fragments["b"], "j", blocks * self.whole, self.path.operand)
        for role, letter in (("scale_a", "i"), ("scale_b", "j")):
            if role in fragments:
                entries = fragments[role].layout.size["q"]
                made[role] = Panel(build, fragments[role], letter, entries, (Lane.F64,))
        return made

    def _codes(self) -> dict[str, Array]:
        """Make the arrays of what is not prepared."""
        product, build = self.product, self.build
        rows = product.blocks * product.shape[0]
        made = {role: Array(build, product.fragments[role], "j", rows) for role in ("c", "d")}
        if product.is_sparse:
            made["index"] = Array(build, product.fragments["index"], "i", product.depth)
        return made

    @property
    def whole(self) -> int:
        """All of k of one block, as B has it, filled up to whole steps."""
        depth = self.product.depth
        return depth // KEPT * GROUP if self.product.is_sparse else depth

    @property
    def _two_signs(self) -> bool:
        """Whether partners of first and second kept elements get different signs."""
        even, odd = self.product.signs["b"]
        return self.product.is_sparse and even != odd

    def _wave(self, wave: ir.Value, pointers: Sequence[ir.Value]) -> list[ir.Value]:
        places = dict(zip(self.product.fragments, pointers, strict=True))
        registers = {role: self._registers(role, place, wave) for role, place in places.items()}
        self._read(registers)
        self._prepare()
        groups = self.product.blocks * self.product.shape[0] // self.at_once
        counted_loop(self.build, INDEX(groups), [], lambda group, _: self._rows(group))
        for entry, place in self._result_places():
            self.codes["d"].write(registers["d"], entry, place)
        if self.copies:
            self.copies["d"].put_back(places["d"], wave)
        return []

    def _registers(self, role: str, pointer: ir.Value, wave: ir.Value) -> Registers:
        if role in self.copies:
            return self.copies[role].fetch(pointer, wave)
        return Registers(self.build, pointer, wave, self.product.fragments[role])

    # Phase one: codes out of registers.

    def _read(self, registers: Mapping[str, Registers]) -> None:
        kept = self.product.is_sparse
        self._read_along(self.panels["a"], registers["a"], self.product.depth, kept=kept)
        if kept:
            array = self.codes["index"]
            self._read_along(array, registers["index"], self.product.depth, kept=True)
        for name in ("b", "b_odd"):
            if name in self.panels:
                self._read_along(self.panels[name], registers["b"], self.whole, kept=False)
        for role in ("scale_a", "scale_b"):
            if role in self.panels:
                for q in range(self.panels[role].entries):
                    self.panels[role].read(registers[role], q, {"q": q})
        for entry, place in self._result_places():
            self.codes["c"].read(registers["c"], entry, place)

    def _read_along(self, array: Array, registers: Registers, depth: int, *, kept: bool) -> None:
        """Read every k of every block; what fills up the last step is zero."""
        stored = self.product.shape[2]
        real = stored // KEPT * GROUP if self.product.is_sparse and not kept else stored
        for entry in range(array.entries):
            block, k = divmod(entry, depth)
            place = {"g": k // KEPT, "s": k % KEPT} if kept else {"k": k}
            if k < real:
                array.read(registers, entry, {**place, **self._block(block)})
            else:
                array.clear(entry)

    def _result_places(self) -> Iterator[tuple[int, dict[str, int]]]:
        rows = self.product.shape[0]
        for entry in range(self.product.blocks * rows):
            block, row = divmod(entry, rows)
            yield entry, {"i": row, **self._block(block)}

    def _block(self, block: int) -> dict[str, int]:
        return {"b": block} if self.product.blocks > 1 else {}

    # Phase two: elements prepared.

    def _prepare(self) -> None:
        setting, signs = self.product.setting, self.product.signs
        for role, form in (("scale_a", setting.scale_a), ("scale_b", setting.scale_b)):
            if role in self.panels and form is not None:
                self._prepare_scales(self.panels[role], form)
        self._prepare_factor("a", setting.a, signs["a"], signed=setting.signed_a)
        for number, name in enumerate(name for name in self.panels if name in ("b", "b_odd")):
            same = (signs["b"][number],) * 2
            flips = same if self.product.is_sparse else signs["b"]
            self._prepare_factor(name, setting.b, flips, signed=setting.signed_b)

    def _prepare_scales(self, panel: Panel, form: Format) -> None:
        engine = self._engine(panel.count)
        panel.prepare(engine, lambda _, code: (decode_lanes(engine, form, code),))

    def _prepare_factor(
        self, name: str, form: Format, flips: tuple[int, ...], *, signed: bool
    ) -> None:
        panel, build = self.panels[name], self.build
        engine = self._engine(panel.count)
        scales = self.panels.get(f"scale_{name[0]}")

        def make(entry: ir.Value, code: ir.Value) -> Sequence[ir.Value]:
            if any(flips):
                # Entries of a block are even in number wherever signs differ along k.
                odd = build.trunc(entry, ir.IntType(1))
                flip = build.select(odd, INDEX(flips[1]), INDEX(flips[0]))
                code = engine.xor(code, engine.splat(flip))
            scale = None
            if scales is not None:
                (scale,) = scales.vectors(
                    build.udiv(entry, INDEX(self.product.setting.scale_block))
                )
            return self.path.prepare(engine, form, code, signed=signed, scale=scale)

        panel.prepare(engine, make)

    # Phase three: rows of the result.

    @property
    def at_once(self) -> int:
        """Rows that are summed together."""
        return min(self.path.rows, self.product.shape[0])

    def _rows(self, group: ir.Value) -> list[ir.Value]:
        build, width = self.build, len(self.path.state)
        first = build.mul(group, INDEX(self.at_once))
        entries = [build.add(first, INDEX(number)) for number in range(self.at_once)]
        size = INDEX(self.product.shape[0])
        block, rows = build.udiv(first, size), [build.urem(entry, size) for entry in entries]

        def turn(step: ir.Value, flat: Sequence[ir.Value]) -> list[ir.Value]:
            start = build.mul(step, INDEX(self.path.length))
            results: list[ir.Value] = []
            for number, row in enumerate(rows):
                state = tuple(flat[number * width : (number + 1) * width])
                results.extend(self._step(block, row, start, state))
            return results

        states = [self.path.begin(self.across, self._c(entry)) for entry in entries]
        steps = INDEX(self.product.depth // self.path.length)
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

    def _step(
        self, block: ir.Value, row: ir.Value, start: ir.Value, state: Lanes[ir.Value]
    ) -> Lanes[ir.Value]:
        build = self.build
        a_first = build.mul(block, INDEX(self.product.depth))
        b_first = build.mul(block, INDEX(self.whole))
        a, b = [], []
        for offset in range(self.path.length):
            k = build.add(start, INDEX(offset))
            scalars = self.panels["a"].scalars(build.add(a_first, k), row)
            a.append(tuple(self.across.splat(scalar) for scalar in scalars))
            chosen = self._partner(row, k) if self.product.is_sparse else k
            b.append(self._factor(build.add(b_first, chosen), k))
        return self.path.step(self.across, a, b, state)

    def _factor(self, entry: ir.Value, k: ir.Value) -> Lanes[ir.Value]:
        """Load elements of B for the k of A that they are multiplied with."""
        even = self.panels["b"].vectors(entry)
        if not self._two_signs:
            return even
        is_odd = self.build.trunc(k, ir.IntType(1))
        odd = self.panels["b_odd"].vectors(entry)
        return tuple(self.build.select(is_odd, y, x) for x, y in zip(even, odd, strict=True))

    def _partner(self, row: ir.Value, k: ir.Value) -> ir.Value:
        """Give the row of B that the index names for the kept element k of a row of A."""
        position = self.codes["index"].number(k, row)
        group = self.build.udiv(k, INDEX(KEPT))
        return self.build.add(self.build.mul(group, INDEX(GROUP)), position)
