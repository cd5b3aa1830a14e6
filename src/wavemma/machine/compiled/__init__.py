"""Machine code as functions of the host, translated through LLVM."""
