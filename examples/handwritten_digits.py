"""Make two real matrices: 1797 scanned digits (8 by 8 grey values) and the axes they vary along.

Their product is the first step of a principal component analysis: every digit seen along the 64
axes. Usage: python handwritten_digits.py A.npy B.npy
"""

import sys

import numpy as np
from sklearn.datasets import load_digits


def main(first: str, second: str) -> None:
    """Write A, the centred digits (1797 x 64), and B, their principal axes (64 x 64), as f16."""
    digits = load_digits().data
    centred = digits - digits.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    np.save(first, (centred / 16).astype(np.float16))
    np.save(second, axes.T.astype(np.float16))
    print(f"A: 1797 digits of 64 pixels, B: 64 principal axes, as f16 -> {first}, {second}")


if __name__ == "__main__":
    main(*sys.argv[1:3])
