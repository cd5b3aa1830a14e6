"""HIP programs for targets that ziglang's clang does not know, finished by a newer LLVM."""
