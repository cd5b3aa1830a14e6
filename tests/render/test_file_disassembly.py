"""The code of a file as lines: what is filled up is told once."""

from tests.objects.compiled import assembled
from wavemma.explain.file_disassembly import file_disassembly
from wavemma.render.document import Code, Heading, Text
from wavemma.render.pages import document_of

SOURCE = """
.globl add
.type add,@function
add:
here:
v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7] neg_lo:[1,1,0]
s_branch here
.fill 5, 4, 0xbf9f0000
.long 0xffffffff
"""
LINES = """\
v_wmma_i32_16x16x16_iu8 v[0:7], v[8:11], v[12:15], v[0:7] neg_lo:[1,1,0]  \
// +0x0: 0xcc444000 0x7c021908
    // neg_lo: A is signed, B is signed
s_branch 65533                                                // +0x8: 0xbfa0fffd
    // leads to add+0x0
s_code_end                                                    // +0xc: 0xbf9f0000
    // and 4 more of these
.long 0xffffffff                                              // +0x20: 0xffffffff
"""


def test_a_stretch_is_an_instruction_a_line() -> None:
    whole, heading, code, counts = document_of(file_disassembly("", assembled("gfx1100", SOURCE)))
    assert isinstance(whole, Heading)
    assert whole.text == "0 kernels in 1 stretch of code"
    assert isinstance(heading, Heading)
    assert heading.text == "Function add: gfx1100, wave32 by the default"
    assert isinstance(code, Code)
    *lines, reason = code.text.split("\n")
    assert lines == LINES.splitlines()
    assert reason.startswith("    // no instruction that we know: ")
    assert isinstance(counts, Text)
    assert counts.text == "1 matrix instruction and 6 others in 36 bytes; 4 bytes of other code."


def test_fields_are_told_if_asked_for() -> None:
    blocks = document_of(file_disassembly("", assembled("gfx1100", SOURCE), fields=True))
    assert sum(isinstance(block, Code) for block in blocks) == 8
