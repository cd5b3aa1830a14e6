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
# What the relative can do; the newer target's name tells that anew, but for the size of waves.
FEATURES = re.compile(r'"target-features"="([^"]*)"')
WAVES = "+wavefrontsize64"
BUILTINS = str(Path(__file__).with_name("builtins.h"))


def run(newer: str, relative: str, words: list[str]) -> int:
    """Compile for a host as ziglang does, for a device with LLVM 24."""
    words = [word.replace(f"={newer}", f"={relative}") for word in words]
    if any(word.startswith("--offload-") for word in words):
        words += ["-include", BUILTINS]
    if "--offload-device-only" not in words or "-E" in words:
        return subprocess.run(words, check=False).returncode
    at = words.index("-o") + 1
    output, ir = words[at], Path(f"{words[at]}.ll")
    words[at] = str(ir)
    done = subprocess.run([*words, "-S", "-emit-llvm"], check=False)
    if done.returncode:
        return done.returncode
    text = FEATURES.sub(
        lambda found: f'"target-features"="{WAVES if WAVES in found[1] else ""}"', ir.read_text()
    )
    ir.write_text(text.replace(f'"target-cpu"="{relative}"', f'"target-cpu"="{newer}"'))
    command = [sys.executable, "-c", TRANSLATE, str(ir), newer, f"{output}.o", output]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2], sys.argv[3:]))
