"""What deriving rows must be told, because LLVM's text does not tell it."""

# Numbers of registers: every field its own, so that the text says which field it shows.
NUMBERS = {
    "SSRC0": 8, "SSRC1": 12, "SDST": 16, "SBASE": 10, "SDATA": 24, "SOFFSET": 4, "SRC0": 40,
    "VSRC1": 44, "SRC1": 44, "SRC2": 48, "VDST": 56, "ADDR": 60, "DATA0": 64, "DATA1": 72,
    "DATA": 68, "SADDR": 20, "VADDR": 76, "VSRC": 68, "RSRC": 28, "VDATA": 80, "SRSRC": 7,
    "SRCX0": 40, "VSRCX1": 44, "SDWA_SRC0": 84, "SDWA_SDST": 22,
    "SIMM16": 1, "VDSTX": 57, "SRCY0": 48, "VSRCY1": 52, "VDSTY": 30, "DPP_SRC0": 84,
    "VSRCX2": 34, "VSRCY2": 38,
}  # fmt: skip
STEPS = {"SBASE": 2, "SRSRC": 4}
SCALAR_RANGES = ("SBASE", "SRSRC", "SDATA", "RSRC")
VECTOR = 256
NULL = 124
OTHERS = {"VDST": (126,), "VDSTX": (58,), "SADDR": (NULL, 127)}
"""Codes that some instructions need there: EXEC, the null register, the first of a pair."""
FLOWS = {
    "s_branch": "jump",
    "s_cbranch_": "branch",
    "s_subvector_loop_": "branch",
    **dict.fromkeys(("s_call_b64", "s_call_i64"), "call"),
    **dict.fromkeys(("s_setpc_b64", "s_rfe_b64", "s_set_pc_i64", "s_rfe_i64"), "far_jump"),
    **dict.fromkeys(("s_swappc_b64", "s_swap_pc_i64"), "far_call"),
    "s_endpgm": "end",
}
"""Where control goes, by the start of the mnemonic."""
BARRIERS = ("s_barrier_", "s_get_barrier_", "s_wakeup_barrier")
"""They name a barrier by a constant or M0; a literal there makes LLVM 22 crash."""
ROLES = {
    **dict.fromkeys(("SDST", "VDST", "VDSTX", "VDSTY", "SDATA", "SDWA_SDST"), "d"),
    **dict.fromkeys(("SSRC0", "SRC0", "SRCX0", "SRCY0", "DPP_SRC0", "SDWA_SRC0"), "a"),
    **dict.fromkeys(("SSRC1", "SRC1", "VSRC1", "VSRCX1", "VSRCY1"), "b"),
    **dict.fromkeys(("SRC2", "VSRCX2", "VSRCY2"), "c"),
    "SIMM16": "number",
    "SBASE": "base",
    "SOFFSET": "scalar_offset",
    "ADDR": "address",
    "VADDR": "address",
    "SADDR": "scalar_address",
    "DATA": "data",
    "DATA0": "data",
    "VDATA": "data",
    "DATA1": "data_1",
    "VSRC": "data",
    "RSRC": "resource",
    "IOFFSET": "offset",
    "OFFSET": "offset",
    "SRSRC": "resource",
}
"""What the operand of a field does, in words that all architectures share."""
IN_PARTS = {"kind": "source", "classes": ["vgpr", "sgpr", "special_sgpr", "inline_constant"]}
"""What may be read in parts."""
# What LLVM's text does not tell apart from other operands: see SlotRow.
RULES = {
    ("GLOBAL", "ADDR"): {"registers": 1, "wide_if_null": "SADDR"},
    ("GLOBAL", "SADDR"): {"off_if_null": True},
    ("GLOBAL_LDS", "ADDR"): {"registers": 1, "wide_if_null": "SADDR"},
    ("GLOBAL_LDS", "SADDR"): {"off_if_null": True},
    ("SCRATCH", "SADDR"): {"off_if_null": True},
    ("SCRATCH", "ADDR"): {"counted": ["SVE"]},
    ("MUBUF", "VADDR"): {"counted": ["OFFEN", "IDXEN"]},
    ("MUBUF_LDS", "VADDR"): {"counted": ["OFFEN", "IDXEN"]},
    ("SDWA", "SDWA_SRC0"): IN_PARTS | {"scalar": "S0"},
    ("SDWA", "VSRC1"): IN_PARTS | {"scalar": "S1"},
    ("SDWA", "SDWA_SDST"): {"fixed_unless": "SD", "code": 106, "lanes": True},
    ("SMEM", "SOFFSET"): {"offset_if_null": True},
    ("VFLAT with SADDR", "VADDR"): {"registers": 1, "wide_if_null": "SADDR"},
    ("VFLAT with SADDR", "SADDR"): {"off_if_null": True, "style": "if_any"},
    ("VGLOBAL", "VADDR"): {"registers": 1, "wide_if_null": "SADDR"},
    ("VGLOBAL", "SADDR"): {"off_if_null": True},
    ("VSCRATCH", "SADDR"): {"off_if_null": True},
    ("VSCRATCH", "VADDR"): {"counted": ["SVE"]},
    ("VBUFFER", "VADDR"): {"counted": ["OFFEN", "IDXEN"]},
}
# What may stand beside lanes that are moved, by the assembler: the disassembler takes more.
VECTORS_ONLY = ("rdna3",)
"""Architectures whose assembler takes no scalar as the second source there."""
IN_DPP = {
    "SRC1": ["vgpr", "sgpr", "special_sgpr", "inline_constant"],
    "SRC2": ["vgpr", "sgpr", "special_sgpr", "inline_constant"],
    "SDST": ["sgpr", "special_sgpr"],
    "VDST": ["sgpr", "special_sgpr"],
}
SCALAR_FLAT = {"VFLAT": ("cdna5",)}
"""Architectures that add a scalar address to flat ones, too."""
# Fields that must not be 0 for an operand to be there.
FORCED = {
    "FLAT": {"SADDR": NULL},
    "VFLAT": {"SADDR": NULL},
    "SCRATCH": {"SVE": 1},
    "VSCRATCH": {"SVE": 1},
    "MUBUF": {"OFFEN": 1},
    "MUBUF_LDS": {"OFFEN": 1},
    "VBUFFER": {"OFFEN": 1},
}
ONES = {"VOP3P": {"OPSEL_HI": 3, "OPSEL_HI_2": 1}}
PARTS = {"DST_SEL": 6, "SRC0_SEL": 6, "SRC1_SEL": 6, "SD": 1}
"""A word that takes parts of registers: it takes whole ones, and names the mask it writes."""
ONE_PART = {"DST_SEL": 6, "SRC0_SEL": 6}
"""Such a word of an instruction with one source."""
LANES = {"DPP_CTRL": 0xE4, "ROW_MASK": 15, "BANK_MASK": 15}
WIDE_LANES = LANES | {"DPP_CTRL": 0x150}
"""Lanes of a row, and the only ones that pairs of registers can be taken from."""
NEEDED = {"SMEM_OFFSET": "OFFSET", "SMEM_REGISTER": "SOFFSET", "SMEM_BOTH": "SOFFSET"}
"""Fields that an operand must show: without it, another word is the one that is written."""
ACCUMULATORS = "VOP3P-MAI"
FILLS = {ACCUMULATORS: {"ABID": 8, "ACC_SRC0": 1, "ACC_SRC1": 1}}
"""What the assembler writes into fields that no operand shows."""
MASK_FIELDS = ("VSRCX2", "VSRCY2")
"""Fields whose scalar registers are masks: dual instructions are of waves of 32 alone."""
MASKS = ("v_cndmask_b32", "v_addc_co_u32", "v_subb_co_u32", "v_subbrev_co_u32")
"""Mnemonics whose third source is one bit a lane, where waves have one size only."""
ONE_WAVE = ("cdna1", "cdna2", "cdna3", "cdna4")
"""Architectures whose waves have one size: the text does not tell masks from pairs."""
NOT_TAKEN = (
    *(("s_buffer_", ("scale_offset",)), ("global_inv", ("scale_offset",))),
    *(("global_wb", ("scale_offset",)), ("global_load_addtid_", ("scale_offset",))),
    ("global_store_addtid_", ("scale_offset",)),
)
"""Modifiers that LLVM's disassembler knows and its assembler does not, by starts of mnemonics."""
RETURNS = ("GLC", "SC0", "TH")
"""Fields that ask an atomic for the old number."""
HELD = {
    "VOPD3_X": {"OPY": 3, "SRCY0": VECTOR + 48, "VSRCY1": 52, "VDSTY": 31, "VSRCY2": 0},
    "VOPD3_Y": {"SRCX0": VECTOR + 40, "VSRCX1": 44, "OPX": 3, "VDSTX": 56, "VSRCX2": 0},
    "VOPD_X": {"OPY": 3, "SRCY0": VECTOR + 48, "VSRCY1": 52, "VDSTY": 30},
    "VOPD_Y": {"SRCX0": VECTOR + 40, "VSRCX1": 44, "OPX": 3, "VDSTX": 57},
}
SIGNS = (
    (
        "negate",
        "is_negated",
        ("NEG", "NEGX", "NEGY", "DPP_NEG0", "DPP_NEG1", "SRC0_NEG", "SRC1_NEG"),
    ),
    ("absolute", "is_absolute", ("ABS", "NEG_HI", "DPP_ABS0", "DPP_ABS1", "SRC0_ABS", "SRC1_ABS")),
)
"""The fields of signs and absolute values, and how a register's text shows them."""
WORD_BYTES = 4
SHORT_LITERALS = ("cdna1", "cdna2", "cdna3", "cdna4")
"""Architectures in which literals follow one word only; LLVM 22 crashes at others."""
WITHOUT_LITERALS = ("VOPD3_X", "VOPD3_Y")
"""Encodings whose literals LLVM's disassembler knows and its assembler does not."""
PROBES = {
    "sgpr": 8,
    "special_sgpr": 106,
    "inline_constant": 129,
    "literal": 255,
    "literal_64": 254,
}
"""A source code of each class but vector registers."""
