"""What tables of bits and shifted feedback give, bit by bit."""

from tests.machine.semantics.integer_oracle import Given, Result, expects

TAPS = {0, 2, 6, 7}
"""The bits that a one that falls out of the register flips: 197."""


@expects(r"v_bitop3_b(16|32)")
def looked_up(g: Given, width: str) -> Result:
    table = [g.modifiers["bitop3"] >> place & 1 for place in range(8)]
    places = [
        int("".join(str(x >> bit & 1) for x in (g.a, g.b, g.c)), 2) for bit in range(int(width))
    ]
    return sum(table[place] << bit for bit, place in enumerate(places))


@expects(r"v_dual_bitop2_b32")
def looked_up_by_two(g: Given) -> Result:
    table = [g.modifiers["bitop3"] >> place & 1 for place in range(8)]
    places = [4 * (g.a >> bit & 1) + 2 * (g.b >> bit & 1) for bit in range(32)]
    return sum(table[place] << bit for bit, place in enumerate(places))


@expects(r"v_prng_b32")
def next_random(g: Given) -> Result:
    falls_out = g.a >> 31
    above = [0, *(g.a >> bit & 1 for bit in range(31))]
    return sum((bit ^ (falls_out & (n in TAPS))) << n for n, bit in enumerate(above))
