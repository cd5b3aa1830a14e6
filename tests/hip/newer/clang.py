"""A clang for a newer target: ziglang's makes IR for a relative, LLVM 24 inside Triton the rest.

python clang.py NEWER RELATIVE ziglang's clang and its words ...
"""

import re
import subprocess
import sys
from pathlib import Path

TRANSLATE = """
import sys
from triton._C.libtriton import amd, llvm
llvm.init_targets()
ir, cpu, made, linked = open(sys.argv[1]).read(), *sys.argv[2:]
out = llvm.translate_to_asm(ir, "amdgcn-amd-amdhsa", cpu, "", [], True, True, False)
open(made, "wb").write(out)
amd.link_hsaco(made, linked)
"""
# What the relative is, and what it can do; the newer target's name tells both anew.
OF_RELATIVE = re.compile(r'"target-(?:cpu|features)"="[^"]*"')


def run(newer: str, relative: str, words: list[str]) -> int:
    """Compile for a host as ziglang does, for a device with LLVM 24."""
    words = [word.replace(f"={newer}", f"={relative}") for word in words]
    if "--offload-device-only" not in words or "-E" in words:
        return subprocess.run(words, check=False).returncode
    at = words.index("-o") + 1
    output, ir = words[at], Path(f"{words[at]}.ll")
    words[at] = str(ir)
    done = subprocess.run([*words, "-S", "-emit-llvm"], check=False)
    if done.returncode:
        return done.returncode
    ir.write_text(OF_RELATIVE.sub(f'"target-cpu"="{newer}"', ir.read_text()))
    command = [sys.executable, "-c", TRANSLATE, str(ir), newer, f"{output}.o", output]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2], sys.argv[3:]))
