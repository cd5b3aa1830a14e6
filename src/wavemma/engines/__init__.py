"""Lane operations, and the engines that run them; `jit` and `llvm_engine` load LLVM."""

from wavemma.engines.array_engine import ArrayEngine
from wavemma.engines.engine import Engine, Lane

__all__ = ["ArrayEngine", "Engine", "Lane"]
