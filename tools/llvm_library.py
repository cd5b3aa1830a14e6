"""LLVM's own disassembler, called inside this process: the outside oracle of ordinary rows."""

import ctypes
from functools import cache

LIBRARY = "libLLVM.so.22.1"
TRIPLE = b"amdgcn-amd-amdhsa"
FEATURES = "+real-true16"
LONGEST_TEXT = 1024


@cache
def _library() -> ctypes.CDLL:
    """Load Debian's libLLVM 22 (apt-get install libllvm22)."""
    library = ctypes.CDLL(LIBRARY)
    for part in ("TargetInfo", "TargetMC", "Disassembler"):
        getattr(library, f"LLVMInitializeAMDGPU{part}")()
    create = library.LLVMCreateDisasmCPUFeatures
    create.restype = ctypes.c_void_p
    create.argtypes = (
        [ctypes.c_char_p] * 3 + [ctypes.c_void_p, ctypes.c_int] + [ctypes.c_void_p] * 2
    )
    run = library.LLVMDisasmInstruction
    run.restype = ctypes.c_size_t
    run.argtypes = [
        ctypes.c_void_p,
        ctypes.c_char_p,
        ctypes.c_uint64,
        ctypes.c_uint64,
        ctypes.c_char_p,
        ctypes.c_size_t,
    ]
    return library


@cache
def _disassembler(target: str, wave: int) -> int:
    features = f"{FEATURES},+wavefrontsize{wave}".encode()
    made = _library().LLVMCreateDisasmCPUFeatures(
        TRIPLE, target.encode(), features, None, 0, None, None
    )
    if not made:
        raise RuntimeError(f"LLVM has no disassembler for {target}")
    return int(made)


def disassembled(data: bytes, target: str, wave: int) -> tuple[int, str]:
    """Disassemble the first instruction of some bytes.

    Returns:
        Its size in bytes, 0 if LLVM refuses it, and its text.

    """
    text = ctypes.create_string_buffer(LONGEST_TEXT)
    size = _library().LLVMDisasmInstruction(
        _disassembler(target, wave), data, len(data), 0, text, LONGEST_TEXT
    )
    return size, text.value.decode().strip() if size else ""
