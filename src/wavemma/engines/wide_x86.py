"""What only x86 vectors of 512 bits do in one instruction, as LLVM knows it by name."""

from collections.abc import Callable, Sequence

import llvmlite.ir as ir

_LANES = 16
_F64_LANES = 8
_I32 = ir.IntType(32)
_EVERY = ir.IntType(16)(-1)
# How an instruction rounds, without exceptions; what it does about magnitudes and signs.
_ROUND_DOWN = 9
_ROUND_TO_ZERO = 11
_BY_MODE = 4
_LARGER_SIZE_OWN_SIGN = 3
# The table of x & y | z: a bit for each three.
_AND_OR = 0xEA


def called(build: ir.IRBuilder, name: str, result: ir.Type, *values: ir.Value) -> ir.Value:
    """Call a function that LLVM knows."""
    module = build.module
    if name not in module.globals:
        ir.Function(module, ir.FunctionType(result, [v.type for v in values]), name)
    return build.call(module.globals[name], values)


def shuffled(build: ir.IRBuilder, x: ir.Value, y: ir.Value, order: Sequence[int]) -> ir.Value:
    """Pick lanes of two values, those of the second counted on."""
    mask = ir.Constant(ir.VectorType(_I32, len(order)), list(order))
    return build.shuffle_vector(x, y, mask)


def fits(width: int) -> bool:
    """Tell whether values of so many lanes are whole machine vectors, and 2^n of them."""
    return width >= _LANES and width & (width - 1) == 0


def floor_to_integer(build: ir.IRBuilder, x: ir.Value) -> ir.Value:
    """Round f32 to i32 toward minus infinity."""
    kind = ir.VectorType(_I32, _LANES)
    rest = (ir.Constant(kind, ir.Undefined), _EVERY, _I32(_ROUND_DOWN))
    name = "llvm.x86.avx512.mask.cvtps2dq.512"
    return _in_parts(build, lambda part: called(build, name, kind, part, *rest), x)


def larger_size(build: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """Give f32 x with the larger magnitude of its own and y."""
    kind = ir.VectorType(ir.FloatType(), _LANES)
    rest = (_I32(_LARGER_SIZE_OWN_SIGN), ir.Constant(kind, ir.Undefined), _EVERY, _I32(_BY_MODE))
    name = "llvm.x86.avx512.mask.range.ps.512"
    return _in_parts(build, lambda *xy: called(build, name, kind, *xy, *rest), x, y)


def add_down(build: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
    """Add f64, rounded toward minus infinity."""
    return _rounded(build, "add", _ROUND_DOWN, x, y)


def fma_down(build: ir.IRBuilder, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
    """Give x*y + z of f64, rounded toward minus infinity."""
    return _rounded(build, "vfmadd", _ROUND_DOWN, x, y, z)


def fma_to_zero(build: ir.IRBuilder, x: ir.Value, y: ir.Value, z: ir.Value) -> ir.Value:
    """Give x*y + z of f64, rounded toward zero."""
    return _rounded(build, "vfmadd", _ROUND_TO_ZERO, x, y, z)


def half_to_f32(build: ir.IRBuilder, code: ir.Value) -> ir.Value:
    """Read half precision in the lower half of each i32; all such processors convert it."""
    width = code.type.count
    bits = build.trunc(code, ir.VectorType(ir.IntType(16), width))
    half = build.bitcast(bits, ir.VectorType(ir.HalfType(), width))
    return build.fpext(half, ir.VectorType(ir.FloatType(), width))


def _rounded(build: ir.IRBuilder, operation: str, how: int, *values: ir.Value) -> ir.Value:
    kind = ir.VectorType(ir.DoubleType(), _F64_LANES)
    name = f"llvm.x86.avx512.{operation}.pd.512"
    return _in_parts(
        build, lambda *parts: called(build, name, kind, *parts, _I32(how)), *values, size=_F64_LANES
    )


def keep_and_set(build: ir.IRBuilder, x: ir.Value, kept: ir.Value, bits: ir.Value) -> ir.Value:
    """Give x & kept | bits of i32; LLVM takes it apart again where it knows what it is."""
    kind = ir.VectorType(_I32, _LANES)
    name = "llvm.x86.avx512.pternlog.d.512"
    return _in_parts(
        build, lambda *xyz: called(build, name, kind, *xyz, _I32(_AND_OR)), x, kept, bits
    )


def ashr_out(build: ir.IRBuilder, x: ir.Value, amount: ir.Value) -> ir.Value:
    """Shift i32 right, sign in, by any amounts."""
    kind = ir.VectorType(_I32, _LANES)
    name = "llvm.x86.avx512.psrav.d.512"
    return _in_parts(build, lambda *xy: called(build, name, kind, *xy), x, amount)


def _in_parts(
    build: ir.IRBuilder, operation: Callable[..., ir.Value], *values: ir.Value, size: int = _LANES
) -> ir.Value:
    """Do to machine vectors what is to be done to values of one or several of them."""
    width = values[0].type.count
    if width == size:
        return operation(*values)
    parts = []
    for first in range(0, width, size):
        cut = [shuffled(build, v, v, range(first, first + size)) for v in values]
        parts.append(operation(*cut))
    while len(parts) > 1:
        size *= 2
        pairs = zip(parts[::2], parts[1::2], strict=True)
        parts = [shuffled(build, x, y, range(size)) for x, y in pairs]
    return parts[0]
