"""Kernels that tell, in comments of their assembly, in which registers they find what."""

import functools
import re
import subprocess
import tempfile
from pathlib import Path

from tests.objects.compiled import FREE, ZIG

_HEAD = """
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
__device__ __attribute__((noinline)) void callee(int x) { asm volatile("; %0" :: "v"(x)); }
extern "C" __global__ void k(unsigned* out, int a, int b) {
"""
_VALUES = {
    "kernarg": "__builtin_amdgcn_kernarg_segment_ptr()",
    "dispatch": "__builtin_amdgcn_dispatch_ptr()",
    "queue": "__builtin_amdgcn_queue_ptr()",
    "group_x": "__builtin_amdgcn_workgroup_id_x()",
    "group_y": "__builtin_amdgcn_workgroup_id_y()",
    "group_z": "__builtin_amdgcn_workgroup_id_z()",
    "out": "out",
    "a": "a",
    "b": "b",
}
CALL = "  callee(a);\n"
"""A call of a function makes the compiler ask for everything that the function could read."""


def marked(names: tuple[str, ...], rest: str = "") -> str:
    """Write a kernel named k that marks some things and then does the rest."""
    marks = [f'  asm volatile("; found {name} %0" :: "s"({_VALUES[name]}));\n' for name in names]
    return _HEAD + "".join(marks) + rest + "}\n"


@functools.cache
def found_in(source: str, target: str, *options: str) -> dict[str, tuple[int, ...]]:
    """Compile a source with marks, and read where each thing is: source codes by name."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder, "k.hip")
        place.write_text(source)
        device = ("-x", "hip", "--offload-device-only", "-S", f"--offload-arch={target}")
        done = subprocess.run(
            (*ZIG, "clang", *device, *FREE, *options, str(place), "-o", "-"),
            capture_output=True, text=True, check=False, timeout=300,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    pattern = r"; found (\w+) (s|ttmp)(?:(\d+)|\[(\d+):(\d+)\])"
    found = {}
    for name, file, single, first, last in re.findall(pattern, done.stdout):
        start, end = (single, single) if single else (first, last)
        base = {"s": 0, "ttmp": 108}[file]
        found[name] = tuple(range(base + int(start), base + int(end) + 1))
    return found
