"""Mistakes that compilers and assemblers refuse, and what `why` must make of their words."""

from typing import NamedTuple

TYPES = """
typedef _Float16 h16 __attribute__((ext_vector_type(16)));
typedef _Float16 h8 __attribute__((ext_vector_type(8)));
typedef _Float16 h4 __attribute__((ext_vector_type(4)));
typedef float f8 __attribute__((ext_vector_type(8)));
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f2 __attribute__((ext_vector_type(2)));
typedef int i8 __attribute__((ext_vector_type(8)));
typedef int i4 __attribute__((ext_vector_type(4)));
"""
WMMA = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"
WIDE = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w64"
MFMA = "__builtin_amdgcn_mfma_f32_16x16x16f16"


class Seed(NamedTuple):
    """Text, what it is given to with which options, and what the answer must hold."""

    message: str
    target: str
    text: str
    language: str = "c++"
    options: tuple[str, ...] = ()
    builtin: str = ""
    says: str = ""
    solved: bool = True


CLANG = (
    Seed(
        "needs_feature",
        "gfx1030",
        f"f8 f(h16 a, f8 c) {{ return {WMMA}(a, a, c); }}",
        says="no matrix instructions",
        solved=False,
    ),
    Seed(
        "needs_feature",
        "gfx942",
        f"f8 f(h16 a, f8 c) {{ return {WMMA}(a, a, c); }}",
        builtin=MFMA,
        says="gfx942 lacks",
    ),
    Seed(
        "needs_feature",
        "gfx1100",
        f"f4 f(h16 a, f4 c) {{ return {WIDE}(a, a, c); }}",
        builtin=WIDE,
        says="-mwavefrontsize64",
    ),
    Seed(
        "needs_feature",
        "gfx1100",
        f"f8 f(h16 a, f8 c) {{ return {WMMA}(a, a, c); }}",
        options=("-mwavefrontsize64",),
        builtin=WMMA,
        says="-mno-wavefrontsize64",
    ),
    Seed(
        "cannot_select",
        "gfx1201",
        f"f8 f(h16 a, f8 c) {{ return {WMMA}(a, a, c); }}",
        builtin=f"{WMMA}_gfx12",
        says="fails when it looks",
    ),
    Seed(
        "cannot_select",
        "gfx1250",
        f"f8 f(h8 a, f8 c) {{ return {WMMA}_gfx12(a, a, c); }}",
        builtin="__builtin_amdgcn_wmma_f32_16x16x32_f16",
        says="gfx1250 lacks",
    ),
    Seed(
        "cannot_select",
        "gfx950",
        "f4 f(f2 a, f4 c) { return __builtin_amdgcn_mfma_f32_16x16x8_xf32(a, a, c, 0, 0, 0); }",
        builtin="__builtin_amdgcn_mfma_f32_16x16x4f32",
        says="f32, has every",
        solved=False,
    ),
    Seed(
        "undeclared",
        "gfx1100",
        "int f() { return __builtin_amdgcn_wmma_f32_16x16x16_f17_w32(); }",
        builtin=WMMA,
        says="no matrix builtin",
        solved=False,
    ),
    Seed(
        "undeclared",
        "gfx1251",
        "int f() { return __builtin_amdgcn_wmma_f64_16x16x4_f64(); }",
        builtin="__builtin_amdgcn_wmma_f64_16x16x4_f64",
        says="newer",
    ),
    Seed(
        "unknown_builtin",
        "gfx1100",
        "int f() { return __builtin_amdgcn_wmma_f32_16x16x16_f17_w32(); }",
        "c",
        builtin=WMMA,
        says="no matrix builtin",
        solved=False,
    ),
    Seed(
        "not_constant",
        "gfx942",
        f"f4 f(h4 a, f4 c, int s) {{ return {MFMA}(a, a, c, s, 0, 0); }}",
        builtin=MFMA,
        says="template parameter",
    ),
    Seed(
        "too_few",
        "gfx942",
        f"f4 f(h4 a, f4 c) {{ return {MFMA}(a, a, c); }}",
        builtin=MFMA,
        says="has 3 arguments, the builtin takes 6",
    ),
    Seed(
        "too_many",
        "gfx942",
        f"f4 f(h4 a, f4 c) {{ return {MFMA}(a, a, c, 0, 0, 0, 0); }}",
        builtin=MFMA,
        says="has 7 arguments, the builtin takes 6",
    ),
    Seed(
        "parameter_type",
        "gfx1100",
        f"f8 f(h8 a, f8 c) {{ return {WMMA}(a, a, c); }}",
        builtin=WMMA,
        says="elements",
    ),
    Seed(
        "parameter_type_c",
        "gfx1100",
        f"f8 f(h8 a, f8 c) {{ return {WMMA}(a, a, c); }}",
        "c",
        builtin=WMMA,
        says="elements",
    ),
    Seed(
        "result_variable",
        "gfx942",
        f"f8 f(h4 a, f4 c) {{ f8 d = {MFMA}(a, a, c, 0, 0, 0); return d; }}",
        builtin=MFMA,
        says="accumulator",
    ),
    Seed(
        "result_initializes",
        "gfx942",
        f"f8 f(h4 a, f4 c) {{ f8 d = {MFMA}(a, a, c, 0, 0, 0); return d; }}",
        "c",
        builtin=MFMA,
        says="accumulator",
    ),
    Seed(
        "result_assigned",
        "gfx942",
        f"f8 f(h4 a, f4 c) {{ f8 d; d = {MFMA}(a, a, c, 0, 0, 0); return d; }}",
        builtin=MFMA,
        says="accumulator",
    ),
    Seed(
        "result_returned",
        "gfx942",
        f"f8 f(h4 a, f4 c) {{ return {MFMA}(a, a, c, 0, 0, 0); }}",
        builtin=MFMA,
        says="accumulator",
    ),
    Seed(
        "result_returned_c",
        "gfx942",
        f"f8 f(h4 a, f4 c) {{ return {MFMA}(a, a, c, 0, 0, 0); }}",
        "c",
        builtin=MFMA,
        says="accumulator",
    ),
    Seed("invalid_target", "gfx1170", "int x;", says="newer than LLVM 22"),
    Seed("unsupported_architecture", "gfx1170", "int x;", "hip", says="newer than LLVM 22"),
    Seed(
        "unknown_cpu",
        "gfx942",
        "int x;",
        options=("-Xclang", "-target-cpu", "-Xclang", "gfx1170"),
        says="newer than LLVM 22",
    ),
    Seed("option_refused", "gfx1250", "int x;", options=("-mwavefrontsize64",), says="32 lanes"),
    Seed(
        "option_unknown",
        "gfx1100",
        "int x;",
        options=("-mwavefrontsize32",),
        says="-mwavefrontsize64",
    ),
    Seed(
        "output_register",
        "gfx1100",
        'f4 f(h4 a, f4 c) { asm("v_mfma_f32_16x16x16_f16 %0, %1, %1, %2":"=a"(c):"v"(a),"v"(c));'
        " return c; }",
        builtin="__builtin_amdgcn_wmma_f32_16x16x16_f16_w32",
        says="accumulation",
    ),
    Seed(
        "input_register",
        "gfx1100",
        'f4 f(h4 a, f4 c) { asm("v_mfma_f32_16x16x16_f16 %0, %1, %1, %2":"=v"(c):"a"(a),"v"(c));'
        " return c; }",
        builtin="__builtin_amdgcn_wmma_f32_16x16x16_f16_w32",
        says="accumulation",
    ),
    Seed(
        "not_for_mode",
        "gfx1201",
        'f8 f(h16 a, f8 c) { asm("v_wmma_f32_16x16x16_f16 %0, %1, %1, %2":"=v"(c):"v"(a),"v"(c));'
        " return c; }",
        builtin=f"{WMMA}_gfx12",
        says="another size",
    ),
    Seed(
        "host_code",
        "gfx1100",
        f"void f(h16 *a, f8 *c) {{ *c = {WMMA}(*a, *a, *c); }}",
        "host",
        builtin=WMMA,
        says="__global__",
    ),
)
