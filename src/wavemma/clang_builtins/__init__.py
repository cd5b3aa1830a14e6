"""Clang's matrix builtins: `names`, `signatures`, and `call` on NumPy fragments."""
