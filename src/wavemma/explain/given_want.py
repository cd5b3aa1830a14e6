"""Whether what was wanted is what A, B and C make, and whether it alone is what differs."""

import numpy as np

from wavemma.explain.output_formula import formula_of
from wavemma.explain.suspect import Fault, Suspect, multiplied
from wavemma.explain.tile_sample import Floats, Sample, numbers

_ENOUGH = 0.95
_NEARLY_ALL = 0.999


def made_of_factors(sample: Sample) -> Floats | None:
    """Give A times B plus C of a sample; None without A and B."""
    found = sample.factors
    if found is None:
        return None
    made = multiplied(found.scaled_a, found.scaled_b)
    return made if sample.c is None else made + sample.c


def other_want(sample: Sample) -> Suspect | None:
    """Suspect want itself where got is what A, B and C make, and want is not."""
    made = made_of_factors(sample)
    if made is None or not sample.differing:
        return None
    if not _agrees(sample, made, sample.got, _NEARLY_ALL):
        return None if _agrees(sample, made, sample.want, _ENOUGH) else _other_formula(sample)
    text, wanted = _formula(sample), formula_of(sample, sample.want)
    lacking = (
        " If C is added, give it too, with --c: it may be forgotten." if sample.c is None else ""
    )
    fault = Fault(
        "want",
        f"the given want is what differs: got is exactly {text} of the given inputs, and want is"
        f" {wanted or 'not'}",
        f"If want is right, the kernel must compute {wanted} too; if not, leave want out: it is"
        f" {text} then."
        if wanted
        else f"Make want from the same inputs, or leave it out: it is {text} then. Look for what"
        f" want has besides: a factor, a bias, an activation, other inputs.{lacking}",
    )
    return Suspect(fault, "whole", _alternative)


def _other_formula(sample: Sample) -> Suspect | None:
    """Suspect what is behind the loop where want and got follow two formulas of A, B and C."""
    wanted, came = formula_of(sample, sample.want), formula_of(sample, sample.got)
    if not wanted or not came:
        return None
    fault = Fault(
        "epilogue",
        f"got is {came} of the given inputs, and want is {wanted}",
        f"Make what is behind the loop compute {wanted}; or make want {came}.",
    )
    return Suspect(fault, "whole", lambda each: each.got[None], seen=True)


def mistrust(sample: Sample) -> tuple[str, ...]:
    """Warn where what was wanted is not what A, B and C make."""
    made = made_of_factors(sample)
    if made is None or _agrees(sample, made, sample.want, _ENOUGH):
        return ()
    share = float(sample.close(made, sample.want).mean())
    wanted = formula_of(sample, sample.want)
    return (
        f"want is not {_formula(sample)}{f' but {wanted}' if wanted else ''}: they agree in"
        f" {share:.0%} of the elements looked at, so the faults of loads and steps may be missed.",
    )


def unset(sample: Sample) -> tuple[str, ...]:
    """Warn where what was wanted is NaN: nothing that came could be wrong by it."""
    want = numbers(sample.given.want)
    count = int(np.isnan(want).sum())
    if not count:
        return ()
    return (
        f"want is NaN in {count:,} of {want.size:,} elements: make sure that the reference is"
        " right. NaN in both counts as equal.",
    )


def _agrees(sample: Sample, made: Floats, other: Floats, least: float) -> bool:
    return float(sample.close(made, other).mean()) >= least


def _alternative(sample: Sample) -> Floats:
    made = made_of_factors(sample)
    return np.asarray(sample.want if made is None else made)[None]


def _formula(sample: Sample) -> str:
    return "a @ b" if sample.c is None else "a @ b + c"
