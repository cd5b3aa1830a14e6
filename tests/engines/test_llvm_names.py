"""Values of a function keep names of their own."""

import llvmlite.ir as ir
from llvmlite import binding

from wavemma.engines.llvm_names import count_names

I64 = ir.IntType(64)


def test_every_value_and_block_has_its_own_name() -> None:
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(I64, [I64, I64]), "f")
    count_names(function)
    build = ir.IRBuilder(function.append_basic_block("entry"))
    x, y = function.args
    total = build.add(x, y)
    with build.if_then(build.icmp_signed("<", total, x)):
        build.add(total, y, name="entry")
    build.branch(build.append_basic_block())
    build.position_at_end(function.blocks[-1])
    build.ret(build.mul(build.sub(total, y), x))
    values = [each for block in function.blocks for each in block.instructions]
    names = [each.name for each in (x, y, *function.blocks, *values)]
    assert len(set(names)) == len(names)
    binding.parse_assembly(str(module)).verify()
