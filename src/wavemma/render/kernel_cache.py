"""The looks of the cache of compiled kernels."""

from wavemma.explain.kernel_cache import KernelCache
from wavemma.render.document import Document, Facts, Heading
from wavemma.render.pages import document_of


@document_of.register
def _kernel_cache(answer: KernelCache) -> Document:
    rows = [
        ("folder", answer.folder),
        ("kernels", f"{answer.kernels} ({answer.size_bytes / 1e6:.1f} MB)"),
    ]
    if answer.removed:
        rows.append(("deleted", str(answer.removed)))
    return (Heading("Compiled kernels", 1), Facts(tuple(rows)))
