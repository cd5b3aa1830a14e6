"""One instruction on the registers of many waves, as one compiled function.

For each wave, codes are read from registers run by run into small arrays. If all numbers lie in
the ranges of a faster way of summing, that way turns codes into codes, else the one that covers
every input; both give the same bits. Then the codes of D go into the result's registers.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from ctypes import c_int64, c_void_p
from math import lcm

import llvmlite.ir as ir

from wavemma.engines.float_mode import FloatMode
from wavemma.engines.jit import Function, Jit
from wavemma.engines.llvm_engine import LlvmEngine
from wavemma.engines.loops import INDEX, counted_loop
from wavemma.engines.machine import Machine
from wavemma.execute.chain import Chain
from wavemma.execute.direct import Direct, direct_steps
from wavemma.execute.lane_major import LaneMajor
from wavemma.execute.own_copies import copies_of_rows
from wavemma.execute.panels import POINTER, Array, Registers
from wavemma.execute.wave_product import WaveProduct
from wavemma.formats.format import Format
from wavemma.layouts import GROUP, KEPT
from wavemma.numerics.path import Extent, Path
from wavemma.numerics.ranges import FastPath, inside

NAME = "wave"


def wave_function(product: WaveProduct, jit: Jit) -> Function:
    """Compile the function, or find it in the cache.

    Its arguments: how many waves, then a pointer for each operand in the order of `fragments`:
    uint32 [wave, register, lane] without gaps, or [wave, lane, register] with `lane_words`. The
    result's registers hold what stands there before.
    """
    arguments = [c_int64, *[c_void_p] * len(product.fragments)]
    return jit.function(NAME, repr(product), _Emission(product).emit, arguments)


def write_wave(function: ir.Function, machine: Machine, product: WaveProduct) -> None:
    """Write the body of such a function, for callers with the default floating-point mode.

    Args:
        function: Without blocks yet.
        machine: The processor.
        product: The instruction.

    """
    _Emission(product).write(function, machine)


class _Emission:
    """Writes the function."""

    def __init__(self, product: WaveProduct) -> None:
        self.product = product

    def emit(self, module: ir.Module, machine: Machine) -> None:
        kinds = [INDEX, *[POINTER] * len(self.product.fragments)]
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), kinds), NAME)
        self.build = ir.IRBuilder(function.append_basic_block())
        mode = FloatMode(self.build, machine)
        self._waves(function, machine)
        mode.restore()
        self.build.ret_void()

    def write(self, function: ir.Function, machine: Machine) -> None:
        self.build = ir.IRBuilder(function.append_basic_block())
        self._waves(function, machine)
        self.build.ret_void()

    def _waves(self, function: ir.Function, machine: Machine) -> None:
        self.machine = machine
        # All memory is reserved once, since a loop must not grow the stack.
        self.direct = self._direct()
        self.codes = self._codes()
        self.whole = self._chain(self.product.path)
        fast = None if self.direct else self.product.fast
        self.fast = self._chain(fast.path) if fast else None
        self.own = copies_of_rows(self.product.fragments)
        self.merged = self._codes_of("d") if self.own else self.codes["d"]
        self.copies = {
            role: LaneMajor(self.build, self.product.fragments[role], words)
            for role, words in self.product.lane_words.items()
        }
        count, *pointers = function.args
        counted_loop(self.build, count, [], lambda wave, _: self._wave(wave, pointers))

    def _direct(self) -> Direct | None:
        steps = direct_steps(self.product)
        if steps is None or (copies_of_rows(self.product.fragments) and not self.product.fast):
            return None
        return Direct(self.build, self.machine, self.product, steps)

    def _chain(self, path: Path) -> Chain:
        return Chain(self.build, self.machine, self.product, path, self.codes)

    def _codes(self) -> dict[str, Array]:
        product, build = self.product, self.build
        fragments, blocks = product.fragments, product.blocks
        made = {role: self._codes_of(role) for role in ("c", "d")}
        made["a"] = Array(build, fragments["a"], "i", blocks * self._stored)
        made["b"] = Array(build, fragments["b"], "j", blocks * self._along)
        if product.is_sparse:
            made["index"] = Array(build, fragments["index"], "i", self._stored)
        for role, letter in (("scale_a", "i"), ("scale_b", "j")):
            if role in fragments:
                entries = fragments[role].layout.size["q"]
                made[role] = Array(build, fragments[role], letter, entries)
        return made

    def _codes_of(self, role: str) -> Array:
        rows = self.product.blocks * self.product.shape[0]
        return Array(self.build, self.product.fragments[role], "j", rows)

    @property
    def _stored(self) -> int:
        """Stored k of one block, filled up to whole steps of every path."""
        depth, paths = self.product.shape[2], [self.product.path]
        if self.product.fast:
            paths.append(self.product.fast.path)
        step = lcm(*(path.length for path in paths))
        return depth + -depth % step

    @property
    def _along(self) -> int:
        """All of k of one block, as B has it."""
        return self._stored // KEPT * GROUP if self.product.is_sparse else self._stored

    def _wave(self, wave: ir.Value, pointers: Sequence[ir.Value]) -> list[ir.Value]:
        places = dict(zip(self.product.fragments, pointers, strict=True))
        registers = {role: self._registers(role, place, wave) for role, place in places.items()}
        if self.direct is None:
            self._by_codes(registers)
        else:
            self._in_place(self.direct, registers)
        if self.copies:
            self.copies["d"].put_back(places["d"], wave)
        return []

    def _in_place(self, direct: Direct, registers: Mapping[str, Registers]) -> None:
        direct.bind(registers)
        tests = [registers[role].copies_agree() for role in "ab"] if self.own else []
        tests += [direct.passed()] if self.product.fast else []
        if not tests:
            direct.run()
            return
        with self.build.if_else(functools.reduce(self.build.and_, tests)) as (fast, whole):
            with fast:
                direct.run()
            with whole:
                self._by_codes(registers)

    def _by_codes(self, registers: Mapping[str, Registers]) -> None:
        """Copy codes out of registers, and those of the result into them."""
        if self.own:
            self._by_copies(registers)
        else:
            self._multiply(registers)
        for entry, place in self._result_places():
            self.merged.write(registers["d"], entry, place)

    def _multiply(self, registers: Mapping[str, Registers]) -> None:
        self._read(registers)
        if self.fast is None or self.product.fast is None:
            self.whole.run()
            return
        with self.build.if_else(self._all_inside(self.product.fast)) as (fast, whole):
            with fast:
                self.fast.run()
            with whole:
                self.whole.run()

    def _by_copies(self, registers: Mapping[str, Registers]) -> None:
        """Multiply once where all copies are the same, else once a copy for the rows of each."""
        build, copies = self.build, max(self.own) + 1
        factors = [registers[role] for role in "ab"]
        same = functools.reduce(build.and_, [each.copies_agree() for each in factors])

        def turn(copy: ir.Value, _: Sequence[ir.Value]) -> list[ir.Value]:
            moved = {role: registers[role].copy(copy) for role in "ab"}
            self._multiply({**registers, **moved})
            for entry, own in enumerate(self.own):
                mine = build.or_(same, build.icmp_unsigned("==", copy, INDEX(own)))
                at = INDEX(entry)
                code = build.select(mine, self.codes["d"].vector(at), self.merged.vector(at))
                self.merged.put(at, code)
            return []

        counted_loop(build, build.select(same, INDEX(1), INDEX(copies)), [], turn)

    def _registers(self, role: str, pointer: ir.Value, wave: ir.Value) -> Registers:
        if role in self.copies:
            return self.copies[role].fetch(pointer, wave)
        return Registers(self.build, pointer, wave, self.product.fragments[role])

    def _read(self, registers: Mapping[str, Registers]) -> None:
        kept = self.product.is_sparse
        self._read_along("a", registers["a"], self._stored, kept=kept)
        if kept:
            self._read_along("index", registers["index"], self._stored, kept=True)
        self._read_along("b", registers["b"], self._along, kept=False)
        for role in ("scale_a", "scale_b"):
            if role in self.codes:
                for q in range(self.codes[role].entries):
                    self.codes[role].read(registers[role], q, {"q": q})
        for entry, place in self._result_places():
            self.codes["c"].read(registers["c"], entry, place)

    def _read_along(self, role: str, registers: Registers, depth: int, *, kept: bool) -> None:
        """Read every k of every block; what fills up the last step is zero."""
        stored = self.product.shape[2]
        real = stored // KEPT * GROUP if self.product.is_sparse and not kept else stored
        array = self.codes[role]
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

    def _all_inside(self, fast: FastPath) -> ir.Value:
        """Tell whether all numbers lie in a fast path's ranges."""
        setting, ranges = self.product.setting, fast.ranges
        tests = (("a", setting.a, ranges.a), ("b", setting.b, ranges.b), ("c", setting.c, ranges.c))
        found = [self._inside(self.codes[role], form, bounds) for role, form, bounds in tests]
        return self.build.and_(self.build.and_(found[0], found[1]), found[2])

    def _inside(self, codes: Array, form: Format, bounds: Extent) -> ir.Value:
        engine = LlvmEngine(self.build, codes.count, self.machine)
        truth = ir.VectorType(ir.IntType(1), codes.count)

        def turn(entry: ir.Value, carried: Sequence[ir.Value]) -> list[ir.Value]:
            fits = inside(engine, form, bounds, codes.vector(entry))
            return [self.build.and_(carried[0], fits)]

        everything = ir.Constant(truth, [1] * codes.count)
        (fits,) = counted_loop(self.build, INDEX(codes.entries), [everything], turn)
        number = ir.IntType(codes.count)
        every = number((1 << codes.count) - 1)
        return self.build.icmp_unsigned("==", self.build.bitcast(fits, number), every)
