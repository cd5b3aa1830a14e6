"""What integers of 64 bits, and sums that are compared at once, give."""

from tests.machine.semantics.integer_oracle import Given, Result, expects, kept, read


@expects(r"v_(?:dual_)?(min|max)_([iu]64|i32)")
def smaller_or_larger(g: Given, name: str, kind: str) -> Result:
    choose = min if name == "min" else max
    return kept(choose(read(g.a, kind), read(g.b, kind)), kind)


@expects(r"v_(add|sub)_nc_u64")
def sum_of_pairs(g: Given, name: str) -> Result:
    return kept(g.a + g.b if name == "add" else g.a - g.b, "u64", g.clamp)


@expects(r"v_mul_u64")
def product_of_pairs(g: Given) -> Result:
    return kept(g.a * g.b, "u64")


@expects(r"v_dual_sub_nc_u32")
def dual_difference(g: Given) -> Result:
    return kept(g.a - g.b, "u32")


@expects(r"v_mad_u32")
def product_and_sum(g: Given) -> Result:
    return kept(g.a * g.b + g.c, "u32")


@expects(r"v_mad_nc_([iu])64_[iu]32")
def wide_product_and_sum(g: Given, letter: str) -> Result:
    a, b = read(g.a, f"{letter}32"), read(g.b, f"{letter}32")
    return kept(a * b + read(g.c, f"{letter}64"), f"{letter}64", g.clamp)


@expects(r"v_(?:pk_)?add_(min|max)_([iu](?:16|32))")
def compared_sum(g: Given, name: str, kind: str) -> Result:
    """The sum stays within its type, whether or not the modifier asks for it."""
    total = kept(read(g.a, kind) + read(g.b, kind), kind, clamp=True)
    choose = min if name == "min" else max
    return kept(choose(read(total, kind), read(g.c, kind)), kind)
