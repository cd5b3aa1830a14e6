"""Kernels and conditions compiled by ziglang's clang as HIP device code, with no HIP headers."""

import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

# What HIP's own headers define; the rest of the text is as a user gets it.
HEADER = """
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef unsigned long size_t;
struct Thread {
    unsigned x;
    __device__ Thread() : x(__builtin_amdgcn_workitem_id_x()) {}
};
#define threadIdx Thread()
"""
INCLUDE = re.compile(r"#include <\w+\.h>\n")


def clang(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ziglang", "clang", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


def device_text(source: str, target: str, wave_flag: str = "") -> tuple[str, str]:
    """Compile HIP text for a target; give the assembly (empty if it fails) and the complaints."""
    with tempfile.TemporaryDirectory() as folder:
        text, result = Path(folder, "k.hip"), Path(folder, "k.s")
        text.write_text(source)
        device = ["-x", "hip", "--offload-device-only", f"--offload-arch={target}"]
        options = [*device, "-nogpulib", "-nogpuinc", "-O1", *wave_flag.split(), "-S"]
        done = clang(*options, str(text), "-o", str(result))
        return (result.read_text() if result.exists() else ""), done.stderr


def in_namespaces(kernels: Sequence[str]) -> str:
    """Put each kernel's text into a namespace of its own, in one file."""
    parts = [
        f"namespace n{number} {{\n{INCLUDE.sub('', kernel)}\n#undef WAVEMMA_FUNCTION\n}}\n"
        for number, kernel in enumerate(kernels)
    ]
    return HEADER + "".join(parts)


def functions_of(assembly: str) -> dict[int, str]:
    """Cut assembly into the kernels of the namespaces, by number."""
    found = {}
    for match in re.finditer(
        r"^(_ZN\d*n(\d+)13multiply_tile\w*):.*?^\.Lfunc_end", assembly, re.M | re.S
    ):
        found[int(match[2])] = match[0]
    return found


def preprocessed(source: str, target: str, wave_flag: str = "") -> str:
    """Run the preprocessor alone for a processor."""
    with tempfile.TemporaryDirectory() as folder:
        text = Path(folder, "k.c")
        text.write_text(source)
        flags = [f"-mcpu={target}", *wave_flag.split(), "-E", "-P", str(text)]
        done = clang("--target=amdgcn-amd-amdhsa", *flags)
        assert done.returncode == 0, done.stderr
        return done.stdout
