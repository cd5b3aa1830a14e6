"""How everything about a product reads."""

from collections.abc import Iterator

from wavemma.explain.product import ProductFacts
from wavemma.render.document import Block, Detail, Document, Facts, Heading, Text
from wavemma.render.pages import document_of, footer_of, short_footer
from wavemma.render.peaks import published_table, rate_table
from wavemma.render.words import UNKNOWN, listed, number


@document_of.register
def _product(answer: ProductFacts) -> Document:
    blocks: list[Block] = [Heading(answer.name, 1), Facts(tuple(_facts(answer)))]
    if answer.note:
        blocks.append(Text(f"{answer.note[0].upper()}{answer.note[1:]}."))
    blocks += [Heading("Peak matrix rates"), rate_table(answer.peaks, answer.unit)]
    if any(each.published for each in answer.peaks):
        published = (Heading("Published figures"), published_table(answer.peaks))
        blocks.append(Detail(published, (Text("Published figures beside these: --full."),)))
    return tuple(blocks)


@footer_of.register
def _footer(answer: ProductFacts) -> Document:
    return short_footer(answer)


def _facts(answer: ProductFacts) -> Iterator[tuple[str, str]]:
    yield "target", f"{answer.target} ({answer.architecture})"
    yield "HIP name", answer.gcn_arch_name
    yield f"{answer.unit}s", f"{answer.units}, each with {answer.simds_per_unit} SIMDs"
    devices = f" on each of {answer.devices} devices" if answer.devices > 1 else ""
    seen = "" if answer.logged_multiprocessors is None else ", as a real board printed"
    yield "HIP multiprocessors", f"{answer.multiprocessors}{devices}{seen}"
    yield "clock", UNKNOWN if answer.boost_mhz is None else f"{answer.boost_mhz} MHz"
    if answer.driver_clocks_mhz:
        yield "clock by the driver", f"{listed(answer.driver_clocks_mhz)} MHz"
    yield "memory", _memory(answer)
    yield "bandwidth", _with("GB/s", answer.bandwidth_gb_s)
    yield "L2", _with("MiB, as a real board printed", answer.l2_mib)
    yield "LDS, VGPRs", f"{answer.lds_kib} KiB and {answer.vgpr_file_kib} KiB a block"
    yield "wave size", f"{answer.default_wave} by default"
    yield "compute dies", number(answer.xcds)
    if answer.units_per_xcd_physical is not None:
        yield "units of a die", f"{answer.units_per_xcd_physical}, the switched-off ones included"
    yield "shader engines", number(answer.shader_engines)
    yield "AI accelerators", number(answer.ai_accelerators)
    yield "APU", "yes" if answer.apu else "no"
    if answer.driver_name:
        yield "name by the driver", answer.driver_name


def _memory(answer: ProductFacts) -> str:
    if answer.shares_memory:
        return "that of the system"
    reported = answer.reported_memory_mib
    seen = "" if reported is None else f"; a real board printed {reported} MiB"
    return f"{_with('GB', answer.memory_gb)}{seen}"


def _with(unit: str, value: float | None) -> str:
    return UNKNOWN if value is None else f"{number(value)} {unit}"
