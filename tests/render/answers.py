"""Answers of every kind and shape that the tests of this room draw."""

import functools

from wavemma.explain.answer import Answer
from wavemma.explain.assembly import assembly
from wavemma.explain.contents import contents
from wavemma.explain.disassembly import disassembly
from wavemma.explain.element import where
from wavemma.explain.layout import RegisterLayout, layout
from wavemma.isa import catalog

DENSE = "v_wmma_f32_16x16x16_f16"
MFMA = "v_mfma_f32_16x16x16_f16 v[10:13], a[2:3], v[4:5], v[6:9]"


def some_answers() -> dict[str, Answer]:
    """Give an answer of each kind of this room's questions, odd ones among them."""
    return {
        "element": where("gfx1100", DENSE, "A", 2, 5),
        "sparse element": where("gfx942", "v_smfmac_f32_16x16x32_f16", "A", 2, 5),
        "index element": where("gfx942", "v_smfmac_f32_16x16x32_f16", "index", 2, 5),
        "moved element": where("gfx90a", "v_mfma_f32_32x32x1f32", "B", 0, 1, modifiers={"blgp": 3}),
        "unknown element": unknown("where"),
        "contents": contents("gfx950", "v_mfma_f32_16x16x128_f8f6f4", "A", 3, 1, format="fp6"),
        "layout": layout("gfx1201", DENSE, "A"),
        "wide layout": layout("gfx942", "v_mfma_f32_32x32x1_2b_f32", "D"),
        "moved layout": layout(
            "gfx942", "v_mfma_f32_4x4x4_16b_f16", "A", modifiers={"cbsz": 2, "abid": 1}
        ),
        "unknown layout": unknown("layout"),
        "rivals": layout("gfx1250", "v_wmma_f32_16x16x64_fp8_fp8", "B"),
        "assembly": assembly("gfx942", MFMA),
        "disassembly": disassembly("gfx1100", "00c044cc 0819027c 12345678", fields=True),
    }


def unknown(question: str) -> Answer:
    asked = ("gfx1250", "v_swmmac_f32_16x16x64_f16", "index")
    if question == "where":
        return where(*asked, 0, 0, modifiers={"index_key": 1})
    return layout(*asked, modifiers={"index_key": 1})


@functools.cache
def every_layout() -> tuple[RegisterLayout, ...]:
    """Give one layout of each pattern of bits over all instructions, roles, waves and formats."""
    found = {}
    for instruction in catalog.instructions():
        for role in instruction.roles if instruction.is_matrix else ():
            for wave in instruction.waves:
                for name in instruction.formats_of(role):
                    placed = instruction.layout(role, wave, name)
                    found.setdefault(
                        (placed, role in ("b", "scale_b")),
                        (instruction.targets[0], instruction.name, role, wave, name),
                    )
    return tuple(
        layout(target, name, role, wave=wave, format=format)
        for target, name, role, wave, format in found.values()
    )
