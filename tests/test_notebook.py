"""What notebooks show: an HTML form of instructions, layouts, fragments, plans and reports."""

import subprocess
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import wavemma
import wavemma.notebook
from tests.objects.compiled import linked
from tests.render.test_html import read
from wavemma.explain.layout import layout
from wavemma.explain.layout_pair import layout_pair
from wavemma.fragments.operation import operation
from wavemma.gemm.matmul import multiply
from wavemma.hip.run_report import RunReport
from wavemma.machine.device import Device
from wavemma.machine.tally import Executed

WMMA = "v_wmma_f32_16x16x16_f16"
SOURCE = """
extern "C" __attribute__((global)) void fill(int* x) {
  x[__builtin_amdgcn_workitem_id_x()] = 7;
}
"""


def things() -> dict[str, tuple[object, str]]:
    """Give an object of each class that has a form, and words that must be in it."""
    op = operation(WMMA, "gfx1100")
    ones = np.ones((16, 16), np.float16)
    product = multiply(ones, ones, target="gfx942")
    return {
        "operation": (op, f"{WMMA} on gfx1100"),
        "instruction": (op.instruction, "Multiplies the 16x16 matrix A"),
        "fragment": (op.D, "i = (lane // 16) + 2*v"),
        "layout": (op.A.layout, "The same element is also at lane + 16"),
        "register layout": (layout("gfx1201", WMMA, "B"), "AMD matrix instruction calculator"),
        "pair": (layout_pair(layout("gfx1100", WMMA, "D"), "gfx1201"), "224 of 256"),
        "decoded": (wavemma.decode(bytes.fromhex("0a00cdd302091a0c"), "gfx942"), "a[2:3]"),
        "plan": (product.plan, "16 x 16 times 16 x 16 on gfx942"),
        "product": (product, "truncated_8 (H)"),
    }


THINGS = things()


@pytest.mark.parametrize("name", THINGS)
def test_html_is_a_part_of_a_page(name: str) -> None:
    thing, words = THINGS[name]
    text = thing._repr_html_()
    reader = read(text)
    assert words in " ".join(reader.words) or words in "".join(reader.words)
    assert "<html" not in text
    assert "<script" not in text
    # Rules must not reach what the notebook shows beside it.
    style = text[text.index("<style>") + 7 : text.index("</style>")]
    assert all(line.startswith(".wavemma") for line in style.strip().splitlines())


@pytest.mark.parametrize("name", ["fragment", "layout", "register layout", "pair"])
def test_layouts_have_pictures(name: str) -> None:
    thing, _ = THINGS[name]
    picture = thing._repr_svg_()
    assert ElementTree.fromstring(picture).tag.endswith("svg")
    assert picture in thing._repr_html_()


def test_reports() -> None:
    device = Device("gfx1100", threads=1)
    module = device.load(linked("gfx1100", "-O3", source=SOURCE))
    place = device.memory.allocate(4 * 64, "x")
    launched = device.launch(module, "fill", 3, 64, [place])._repr_html_()
    assert "3 x 1 x 1" in launched
    assert "s_endpgm" in launched
    ran = RunReport(
        target="gfx1100",
        device="a product",
        launches=[],
        modelled_seconds=0.5,
        host_seconds=0.25,
        cycles=100.0,
        matrix_cycles=50.0,
        executed=(Executed(WMMA, 12, True, "H", "complement_2"),),
    )
    assert "50.0% of the peak matrix rate of busy SIMDs" in ran._repr_html_()


def test_ipython_need_not_be_there_and_is_not_loaded() -> None:
    code = (
        "import sys; sys.modules['IPython'] = None; import wavemma.notebook as n;"
        "n.load_ipython_extension(None); import wavemma;"
        "print(wavemma.layout('gfx1100', 'v_wmma_f32_16x16x16_f16', 'D')._repr_html_()[:20])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.strip() == '<div class="wavemma"'
