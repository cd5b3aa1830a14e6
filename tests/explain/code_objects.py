"""Code objects made on the spot: llvmlite lowers IR for AMD targets, no assembler needed."""

import functools

from llvmlite import binding

TRIPLE = "amdgcn-amd-amdhsa"
MFMA = ("4 x float", "4 x half", "mfma.f32.16x16x16f16", ", i32 0, i32 0, i32 0")
WMMA = ("8 x float", "16 x half", "wmma.f32.16x16x16.f16.v8f32.v16f16", "")


def _ir(sums: str, factors: str, name: str, more: str) -> str:
    """Write a kernel of two dependent matrix instructions."""
    call = f"call <{sums}> @llvm.amdgcn.{name}"
    types = more.replace(" 0", "")
    return f"""
target triple = "{TRIPLE}"
declare <{sums}> @llvm.amdgcn.{name}(<{factors}>, <{factors}>, <{sums}>{types})
define amdgpu_kernel void @product(
  ptr addrspace(1) %p, ptr addrspace(1) %a, ptr addrspace(1) %b) {{
  %x = load <{factors}>, ptr addrspace(1) %a
  %y = load <{factors}>, ptr addrspace(1) %b
  %c = load <{sums}>, ptr addrspace(1) %p
  %d = {call}(<{factors}> %x, <{factors}> %y, <{sums}> %c{more})
  %e = {call}(<{factors}> %y, <{factors}> %x, <{sums}> %d{more})
  store <{sums}> %e, ptr addrspace(1) %p
  ret void
}}
"""


@functools.cache
def compiled(form: tuple[str, str, str, str], target: str) -> bytes:
    """Compile a kernel of two matrix instructions into a relocatable ELF file."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple(TRIPLE).create_target_machine(cpu=target)
    return machine.emit_object(binding.parse_assembly(_ir(*form)))


def mfma_object(target: str = "gfx942") -> bytes:
    """Compile two MFMAs of f16."""
    return compiled(MFMA, target)


def wmma_object(target: str = "gfx1100") -> bytes:
    """Compile two WMMAs of f16."""
    return compiled(WMMA, target)
