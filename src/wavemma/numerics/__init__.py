"""Arithmetic models: how matrix instructions sum; `kernel` and `product` load LLVM."""

from wavemma.numerics.dot import Scales, accumulate
from wavemma.numerics.model import Model, models
from wavemma.numerics.path import Setting

__all__ = ["Model", "Scales", "Setting", "accumulate", "models"]
