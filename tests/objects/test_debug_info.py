"""Source lines and types of parameters, against the source that the test wrote."""

import random

import pytest

from tests.objects.compiled import linked, relocatable
from wavemma.isa.decode import Undecoded
from wavemma.isa.ordinary import text_any
from wavemma.objects import code_object, listing

LINES = """
struct Pair { int a; float b; };
enum Colour { RED, BLUE };
typedef unsigned short small;
static __attribute__((device, noinline)) int helper(int x) {
  return __builtin_amdgcn_readfirstlane(x) * 3;  // in helper
}
extern "C" __attribute__((global)) void kernel(
    float *out, const int *__restrict__ in, int n, small s, _Float16 h, double d, Pair pair,
    Colour colour, bool flag, __bf16 b, const long long l, unsigned char c) {
  int i = __builtin_amdgcn_workitem_id_x();
  asm volatile("s_sleep 11");  // first
  out[i] = helper(in[i]);
  asm volatile("s_sleep 12");  // second
  out[i + n] = s + h + d + pair.b + colour + flag + l + c;
  asm volatile("s_sleep 13");  // third
}
"""
TYPES = (
    "float*", "int*", "int", "unsigned short", "_Float16", "double", "Pair", "unsigned int", "bool",
    "__bf16", "long long", "unsigned char",
)  # fmt: skip
MARKS = {
    "s_sleep 11": "// first",
    "s_sleep 12": "// second",
    "s_sleep 13": "// third",
    "s_mul_i32": "// in helper",
}
BUILDS = [
    (make, *options)
    for make in (linked, relocatable)
    for options in (("-O0", "-g"), ("-O2", "-g"), ("-O2", "-gdwarf-4"))
]


def line_of(mark):
    return next(n for n, text in enumerate(LINES.splitlines(), 1) if mark in text)


@pytest.mark.parametrize("build", BUILDS, ids=lambda build: " ".join(build[1:]))
def test_lines_and_types(build):
    make, *options = build
    found = code_object(make("gfx1100", *options, source=LINES))
    assert found.debug.parameters("kernel") == TYPES
    assert found.debug.parameters("other") == ()
    seen = {}
    for each in listing(found):
        if isinstance(each.instruction, Undecoded):
            continue
        text = text_any(each.instruction)
        seen |= {mark: each.address for mark in MARKS if text.startswith(mark)}
    told = {mark: found.debug.line(address) for mark, address in seen.items()}
    marks = [mark for mark in MARKS if mark in told]
    assert len(marks) == 4 or marks == list(MARKS)[:3]
    assert {mark: told[mark].line for mark in marks} == {m: line_of(MARKS[m]) for m in marks}
    assert {told[mark].file.rpartition("/")[2] for mark in marks} == {"k.hip"}


@pytest.mark.parametrize("make", [linked, relocatable])
def test_none_without_the_option(make):
    found = code_object(make("gfx1100", "-O1", source=LINES))
    assert not found.debug.has_lines
    assert found.debug.parameters("kernel") == ()
    assert {found.debug.line(each.address) for each in listing(found)} == {None}


def test_damaged_debug_information_counts_as_missing():
    data = linked("gfx1100", "-O0", "-g", source=LINES)
    found = code_object(data)
    sections = {each.name: each.data for each in found.file.sections}
    whole = found.debug.parameters("kernel"), found.debug.line(found.kernel("kernel").entry)
    outcomes = set()
    for name in (".debug_info", ".debug_abbrev", ".debug_line", ".debug_str_offsets"):
        first = data.index(sections[name])
        for seed in range(15):
            generator = random.Random(f"{name} {seed}")
            changed = bytearray(data)
            for _ in range(generator.choice([1, 4])):
                at = first + generator.randrange(len(sections[name]))
                changed[at] = generator.randrange(256)
            found = code_object(bytes(changed))
            told = found.debug.parameters("kernel"), found.debug.line(found.kernel("kernel").entry)
            outcomes.add(told == whole)
    assert outcomes == {True, False}
