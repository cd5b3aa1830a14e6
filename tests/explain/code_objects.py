"""Code objects made on the spot: llvmlite lowers IR for AMD targets, no assembler needed."""

import functools

from llvmlite import binding

CALL = "call <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16"
ZEROS = "i32 0, i32 0, i32 0"
IR = f"""
target triple = "amdgcn-amd-amdhsa"
declare <4 x float> @llvm.amdgcn.mfma.f32.16x16x16f16(
  <4 x half>, <4 x half>, <4 x float>, i32, i32, i32)
define amdgpu_kernel void @product(
  ptr addrspace(1) %p, ptr addrspace(1) %a, ptr addrspace(1) %b) {{
  %x = load <4 x half>, ptr addrspace(1) %a
  %y = load <4 x half>, ptr addrspace(1) %b
  %c = load <4 x float>, ptr addrspace(1) %p
  %d = {CALL}(<4 x half> %x, <4 x half> %y, <4 x float> %c, {ZEROS})
  %e = {CALL}(<4 x half> %y, <4 x half> %x, <4 x float> %d, {ZEROS})
  store <4 x float> %e, ptr addrspace(1) %p
  ret void
}}
"""


@functools.cache
def mfma_object(target: str = "gfx942") -> bytes:
    """Compile a kernel of two MFMAs into a relocatable ELF file."""
    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    machine = binding.Target.from_triple("amdgcn-amd-amdhsa").create_target_machine(cpu=target)
    module = binding.parse_assembly(IR)
    return machine.emit_object(module)
