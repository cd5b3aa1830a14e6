"""LLVM reads the same module from our text as from llvmlite's."""

import re

import llvmlite.ir as ir
from llvmlite import binding

from wavemma.engines.llvm_text import module_text

I1, I8, I32, I64, F32 = (
    ir.IntType(1),
    ir.IntType(8),
    ir.IntType(32),
    ir.IntType(64),
    ir.FloatType(),
)
POINTER = ir.PointerType()


def written() -> ir.Module:
    """A module with every kind of instruction that code here is made of, and attributes."""
    module = ir.Module("all kinds")
    module.triple = binding.get_process_triple()
    other = ir.Function(module, ir.FunctionType(I32, [POINTER, I64]), "other")
    kind = ir.FunctionType(I32, [POINTER, I32, F32])
    function = ir.Function(module, kind, 'all "kinds"')
    function.attributes.add("nounwind")
    build = ir.IRBuilder(function.append_basic_block("entry"))
    place, number, real = function.args
    room = build.alloca(I32, 4)
    room.align = 64
    row = ir.VectorType(I32, 4)
    value = build.load(place, typ=row, align=16)
    plain = build.load(place, typ=I32)
    there = build.gep(place, [I64(8), number], source_etype=ir.ArrayType(I8, 4))
    inside = build.gep(place, [I64(1)], inbounds=True, source_etype=I32)
    build.store(value, there, align=4)
    build.store(plain, inside)
    total = build.add(number, plain, flags=["nsw"])
    small = build.fadd(real, real, flags=["nnan", "ninf"])
    minus = build.fneg(small)
    chosen = build.select(build.fcmp_ordered("<", minus, real), total, I32(-5))
    wide = build.zext(chosen, I64)
    first = build.insert_element(value, chosen, I32(0))
    turned = build.shuffle_vector(first, first, ir.Constant(row, [3, 2, 1, 0]))
    build.store(turned, place, align=1)
    again = build.append_basic_block("again")
    done = build.append_basic_block()
    build.branch(again)
    build.position_at_end(again)
    count = build.phi(I64)
    count.add_incoming(wide, function.entry_basic_block)
    following = build.sub(count, I64(1))
    count.add_incoming(following, again)
    test = build.cbranch(build.icmp_signed(">", following, I64(0)), again, done)
    test.set_weights([99, 1])
    build.position_at_end(done)
    build.atomic_rmw("add", place, number, "monotonic")
    build.ret(build.call(other, [place, build.bitcast(following, I64)]))
    return module


def same(text: str) -> str:
    """Give the module as LLVM writes it, without its name and layout."""
    lines = str(binding.parse_assembly(text)).splitlines()
    kept = [each for each in lines if not re.match(r"; ModuleID|source_filename|target data", each)]
    return "\n".join(kept).strip()


def test_llvm_reads_the_same_module() -> None:
    module = written()
    assert same(module_text(module)) == same(str(module))
    assert "!prof" in module_text(module)
