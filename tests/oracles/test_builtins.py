"""Clang compiles each builtin to the instruction, operands and modifiers that our call assumes."""

import pytest

from tests.clang_builtins.drawn_calls import constants, pairs
from tests.oracles.compiled_builtins import Call, compiled, matrix_instructions
from wavemma.clang_builtins.call import Builtin, _effects, builtin
from wavemma.isa.decoded import Decoded
from wavemma.tables.targets import target as target_row

# ziglang's LLVM 22 has neither these targets nor that builtin.
LAST_PARAMETER = 31
NEWER = {target for _, target in pairs() if target_row(target).oldest_llvm > 22}


def calls_of(target: str, wave: int, seed: str) -> list[tuple[Builtin, Call]]:
    made = []
    for name, owner in pairs():
        call = builtin(name, target) if owner == target else None
        if call is None or call.wave != wave or builtin_is_newer(name):
            continue
        chosen = constants(call.signature, call.instructions[-1], call.wave, seed + name)
        places = {
            i: chosen[a.role] for i, a in enumerate(call.signature.arguments) if not a.operand
        }
        made.append((call, Call(call.signature, places)))
    return made


def builtin_is_newer(name: str) -> bool:
    from wavemma.tables.builtins import builtin_row

    return bool(builtin_row(name).since)


@pytest.mark.oracle
@pytest.mark.parametrize("seed", ["1", "2"])
@pytest.mark.parametrize("target", sorted({t for _, t in pairs()} - NEWER))
def test_compiled_call_is_the_instruction_that_ours_runs(target: str, seed: str) -> None:
    seen = 0
    for wave in (32, 64):
        made = calls_of(target, wave, seed)
        if not made:
            continue
        code, complaints = compiled([call for _, call in made], target, wave)
        assert code, complaints
        for number, (ours, call) in enumerate(made):
            check(ours, call, code[number], target, wave)
            seen += 1
    assert seen == sum(t == target and not builtin_is_newer(n) for n, t in pairs())


def check(ours: Builtin, call: Call, code: bytes, target: str, wave: int) -> None:
    names = {instruction.name for instruction in ours.instructions}
    found = matrix_instructions(code, target, wave, names)
    assert len(found) == 1, (call.signature.name, code.hex())
    check_operands(call, found[0])
    effects: dict[str, int] = {}
    for place, value in call.constants.items():
        argument = call.signature.arguments[place]
        effects |= _effects(argument, value, found[0].instruction, ours.wave)
    emitted = {name: value for name, value in found[0].effects.items() if name != "hint"}
    wanted = {name: effects.get(name, 0) for name in emitted}
    assert emitted == wanted, (call.signature.name, call.constants)
    assert {n for n, v in effects.items() if v and n != "hint"} <= set(emitted), call


def check_operands(call: Call, found: Decoded) -> None:
    """Parameters come in v0 to v31 in order, the rest in memory: registers tell which is which."""
    first = 0
    for argument in call.signature.arguments:
        if not argument.operand:
            continue
        last = first + argument.ctype.registers - 1
        # C may be copied to accumulation registers, or out of the way of the result.
        if argument.operand in found.instruction.roles and argument.operand != "c":
            in_place = found.operand(argument.operand).first == first
            assert in_place or last > LAST_PARAMETER, (call.signature.name, found.operands)
        first = last + 1
