"""Loads and stores of the records of `state` in compiled code."""

import llvmlite.ir as ir

I8, I32, I64 = ir.IntType(8), ir.IntType(32), ir.IntType(64)
POINTER = ir.PointerType()


class Records:
    """Loads and stores members of the records of `state`.

    Args:
        build: Where instructions go.

    """

    def __init__(self, build: ir.IRBuilder) -> None:
        self.build = build

    def at(self, base: ir.Value, offset: ir.Value | int) -> ir.Value:
        """Give the address so many bytes behind a pointer."""
        if offset == 0:
            return base
        count = I64(offset) if isinstance(offset, int) else offset
        return self.build.gep(base, [count], source_etype=I8)

    def get(self, base: ir.Value, offset: int, kind: ir.Type = I32) -> ir.Value:
        """Load a member."""
        return self.build.load(self.at(base, offset), align=4, typ=kind)

    def put(self, base: ir.Value, offset: int, value: ir.Value) -> None:
        """Store a member."""
        self.build.store(value, self.at(base, offset), align=4)

    def pointer(self, base: ir.Value, offset: int) -> ir.Value:
        """Load a member that is an address."""
        return self.build.inttoptr(self.get(base, offset, I64), POINTER)
