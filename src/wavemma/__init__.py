"""AMD's matrix cores (WMMA, SWMMAC, MFMA, SMFMAC) on any machine.

Public names load when they are first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wavemma.clang_builtins.call import builtin
    from wavemma.errors import WavemmaError
    from wavemma.explain.check_layout import check_layout
    from wavemma.explain.difference import diagnose
    from wavemma.explain.element import where
    from wavemma.explain.layout import layout
    from wavemma.explain.lint import lint
    from wavemma.fragments.operation import operation as instruction
    from wavemma.gemm.matmul import matmul
    from wavemma.hip.kernels_of_source import compile_source as compile
    from wavemma.isa.assemble import assemble
    from wavemma.isa.decode import decode
    from wavemma.machine.device_array import device_array
    from wavemma.machine.kernels import load
    from wavemma.throughput.roofline import peak
    from wavemma.version import __version__

# In the order of the flow: bits, instruction, fragments, product, answers.
_PLACES: dict[str, tuple[str, str]] = {
    "formats": ("wavemma.formats", ""),
    "decode": ("wavemma.isa.decode", "decode"),
    "assemble": ("wavemma.isa.assemble", "assemble"),
    "instruction": ("wavemma.fragments.operation", "operation"),
    "builtin": ("wavemma.clang_builtins.call", "builtin"),
    "matmul": ("wavemma.gemm.matmul", "matmul"),
    "load": ("wavemma.machine.kernels", "load"),
    "compile": ("wavemma.hip.kernels_of_source", "compile_source"),
    "device_array": ("wavemma.machine.device_array", "device_array"),
    "layout": ("wavemma.explain.layout", "layout"),
    "check_layout": ("wavemma.explain.check_layout", "check_layout"),
    "diagnose": ("wavemma.explain.difference", "diagnose"),
    "lint": ("wavemma.explain.lint", "lint"),
    "where": ("wavemma.explain.element", "where"),
    "peak": ("wavemma.throughput.roofline", "peak"),
    "__version__": ("wavemma.version", "__version__"),
    "WavemmaError": ("wavemma.errors", "WavemmaError"),
}

__all__ = [
    "WavemmaError",
    "__version__",
    "assemble",
    "builtin",
    "check_layout",
    "compile",
    "decode",
    "device_array",
    "diagnose",
    "instruction",
    "layout",
    "lint",
    "load",
    "matmul",
    "peak",
    "where",
]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the names have many types
    """Load a public name on first use."""
    if name not in _PLACES:
        raise AttributeError(f"module 'wavemma' has no attribute {name!r}")
    module, attribute = _PLACES[name]
    found = import_module(module)
    return getattr(found, attribute) if attribute else found


def __dir__() -> list[str]:
    return sorted(_PLACES)
