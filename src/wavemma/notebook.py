"""Rich displays for notebooks: importing this gives instructions, layouts and reports an HTML form.

In a notebook: `import wavemma.notebook`, or `%load_ext wavemma.notebook`. What shows an object by
its `_repr_html_` or `_repr_svg_` then shows tables and register maps. IPython need not be there.

Examples:
    >>> import wavemma
    >>> op = wavemma.instruction("v_wmma_f32_16x16x16_f16", target="gfx1100")
    >>> op.D._repr_svg_()[:4]
    '<svg'

"""

from collections.abc import Callable
from typing import Any

from wavemma.explain.answer import Answer
from wavemma.explain.disassembly import disassembly
from wavemma.explain.instruction import explain_instruction
from wavemma.explain.layout import RegisterLayout, bare_layout
from wavemma.explain.layout_pair import LayoutPair
from wavemma.explain.operand import LETTERS
from wavemma.fragments import Fragment
from wavemma.fragments.operation import Operation
from wavemma.gemm.plan import Plan, Product
from wavemma.hip.run_report import RunReport
from wavemma.isa.decoded import Decoded
from wavemma.isa.encode import encode
from wavemma.isa.instruction import Instruction
from wavemma.layouts import Layout
from wavemma.machine.job import Report
from wavemma.render.document import Document, Picture
from wavemma.render.html import cell
from wavemma.render.pages import document_of, footer
from wavemma.render.reports import launch_document, plan_document, run_document
from wavemma.render.svg import as_svg, as_svg_pair

_PICTURE = "The matrix, each cell with its place."


def answer_html(answer: Answer) -> str:
    """Write an answer with its sources; layouts with their picture."""
    return cell((*document_of(answer), *_pictures(answer), *footer(answer)))


def instruction_html(instruction: Instruction) -> str:
    """Write everything about an instruction."""
    return answer_html(explain_instruction(instruction.name, instruction.targets[0]))


def operation_html(operation: Operation) -> str:
    """Write everything about an instruction on its target."""
    return answer_html(explain_instruction(operation.name, operation.target))


def decoded_html(decoded: Decoded) -> str:
    """Write the fields of one occurrence of an instruction."""
    target = decoded.instruction.targets[0]
    words = encode(decoded).hex()
    return answer_html(disassembly(target, words, wave=decoded.wave, fields=True))


def fragment_html(fragment: Fragment) -> str:
    """Write where a fragment has its elements."""
    return _layout_html(_of_fragment(fragment))


def fragment_svg(fragment: Fragment) -> str:
    """Draw where a fragment has its elements."""
    return as_svg(_of_fragment(fragment))


def layout_html(layout: Layout) -> str:
    """Write where a layout has its elements."""
    return _layout_html(_of_layout(layout))


def layout_svg(layout: Layout) -> str:
    """Draw where a layout has its elements."""
    return as_svg(_of_layout(layout))


def load_ipython_extension(_ipython: object) -> None:
    """Take `%load_ext wavemma.notebook`: importing this module has done what there is to do."""


def _of_fragment(fragment: Fragment) -> RegisterLayout:
    name = LETTERS.get(fragment.role, fragment.role)
    return bare_layout(fragment.layout, name, fragment.format, fragment.registers)


def _of_layout(layout: Layout) -> RegisterLayout:
    return bare_layout(layout, "matrix", f"{layout.element_bits} bits", None)


def _layout_html(found: RegisterLayout) -> str:
    return cell((*document_of(found), *_pictures(found)))


def _pictures(answer: Answer) -> Document:
    if isinstance(answer, RegisterLayout):
        return (Picture(as_svg(answer), _PICTURE),)
    if isinstance(answer, LayoutPair):
        return (Picture(as_svg_pair(answer), _PICTURE),)
    return ()


# Any: each function takes the objects of its own class.
_HTML: dict[type, Callable[[Any], str]] = {
    Answer: answer_html,
    Instruction: instruction_html,
    Operation: operation_html,
    Decoded: decoded_html,
    Fragment: fragment_html,
    Layout: layout_html,
    Plan: lambda plan: cell(plan_document(plan)),
    Product: lambda product: cell(plan_document(product.plan)),
    Report: lambda report: cell(launch_document(report)),
    RunReport: lambda report: cell(run_document(report)),
}
_SVG: dict[type, Callable[[Any], str]] = {
    RegisterLayout: as_svg,
    LayoutPair: as_svg_pair,
    Fragment: fragment_svg,
    Layout: layout_svg,
}

for _name, _table in (("_repr_html_", _HTML), ("_repr_svg_", _SVG)):
    for _kind, _write in _table.items():
        setattr(_kind, _name, _write)
