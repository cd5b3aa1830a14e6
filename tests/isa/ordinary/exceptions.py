"""Where our text of an ordinary instruction is not LLVM 22's: each kind with its reason."""

import re
from typing import NamedTuple

LAST_REGISTER = 255


class Difference(NamedTuple):
    """A kind of difference: the sign of it in LLVM's text, and the reason."""

    sign: str
    reason: str


REFUSED = (
    Difference(r"/\*", "LLVM itself says that the operand or value is invalid"),
    Difference(r"src_flat_scratch_base|src_pops_|src_lds_direct", "registers of other targets"),
    Difference(r"src_vccz|src_execz", "the assembler says: not available on this GPU"),
    Difference(r"_e64_dpp", "scalars and constants where the assembler takes vectors only"),
    Difference(r"v_(movrel|swap|readfirstlane|permlane|readlane)", "constants read as vectors"),
    Difference(r"s_(get_|wakeup_)?barrier", "registers as barriers: constants or M0 are read"),
    Difference(r"v_dual_.*(lit\(|\b0x)", "literals of dual instructions of 12 bytes"),
    Difference(r"v_cndmask_b|_co_ci_u32_e64", "vector registers as masks of lanes"),
)
"""What LLVM decodes and we call reserved; ranges past the last register are told by number."""
WRITTEN = (
    Difference(r"s_version", "names of versions: we write the number"),
    Difference(r" (nv|scale_offset)\b", "bits of gfx1250, which gfx1201's assembler refuses"),
    Difference(r"swizzle\(", "names of swizzles: we write the number"),
    Difference(
        r"s_sendmsg(halt)? (\d|.*MSG_(GS|SYSMSG|GET)|sendmsg\(\d)",
        "messages with unused bits: we write numbers",
    ),
    Difference(r"v_fma_mix.*0x", "LLVM writes 16 bits of a literal of which 32 may be read"),
    Difference(r"v_cmpx?_\w+_e64_dpp", "op_sel of compares with DPP: LLVM leaves out the third"),
    Difference(r"v_fmac_f\d+_e64_dpp", "LLVM writes source codes in place of constants"),
    Difference(r"\|v\d+, vcc", "LLVM misplaces the bar of v_cndmask_b32_dpp"),
    Difference(r"_bf16.*(lit\(|0x)|v_dot2\w*_bf16", "literals of bf16 operands"),
    Difference(r"v_cvt_pk_[fb][pf]8_f16.*0x", "literals that constants could stand for"),
    Difference(r"_[biu]16_sdwa.*0x[34bc]", "constants of parts of integers: we write numbers"),
)
"""What both decode and write differently."""
REJECTED = (
    Difference(r"s_buffer_.*-0x", "LLVM decodes no negative offsets of buffers"),
    Difference(r"ttmp\[12:14\]", "LLVM has no such three registers"),
    Difference(r"s_atc_probe|_prefetch_", "LLVM decodes only 5 bits of the number"),
    Difference(r"(flat|global)_atomic_\w+ a", "LLVM has no AGPRs as results of some atomics"),
    Difference(r"s_(buffer_|scratch_)?(atomic|store)_", "LLVM wants scalars that we leave out"),
)
"""What LLVM refuses although we encode it: the sign of it in our text."""
QUADS = re.compile(r"quad_perm:\[[0-3,]*\]")
ZERO = re.compile(r"(?<!lit\()\b0x0\b")
HALVES = re.compile(r"\.[lh]\b| op_sel:\[[01,]*\]|lit\(|\)|0x[0-9a-f]+")


LONG_LITERAL = "code 254 names nothing"
TWO_LITERALS = "reads literals of two sizes"


def refused(text: str, message: str) -> str:
    """Say why we refuse what LLVM writes; "" if there is no reason; `message` is ours."""
    if LONG_LITERAL in message:
        return "literals of 64 bits, which LLVM decodes and does not assemble everywhere"
    if TWO_LITERALS in message:
        return "a literal of 32 bits beside one of 64: LLVM decodes it and assembles one alone"
    for match in re.finditer(r"v\[\d+:(\d+)\]", text):
        if int(match[1]) > LAST_REGISTER:
            return "a range past the last register"
    return next((each.reason for each in REFUSED if re.search(each.sign, text)), "")


def written(theirs: str, ours: str) -> str:
    """Say why our text differs from LLVM's; "" if there is no reason."""
    if "/*" in theirs:
        return "LLVM itself says that a value is invalid"
    for each in WRITTEN:
        if re.search(each.sign, theirs):
            return each.reason
    if not theirs:
        return next((each.reason for each in REJECTED if re.search(each.sign, ours)), "")
    if "quad_perm" in theirs and QUADS.sub("", theirs) == QUADS.sub("", ours):
        return "LLVM changes quad_perm of v_fma_mixlo and others; its assembler does not"
    if ZERO.sub("0", theirs) == ZERO.sub("0", ours):
        return "a literal 0 where 64 bits are read"
    if not re.search(r"\.[lh]\b", theirs) and HALVES.sub("", theirs) == HALVES.sub("", ours):
        return "with unused op_sel bits LLVM falls back to whole registers"
    return ""
