"""How the parts of an instruction read: its word, operands, modifiers and layouts."""

from collections.abc import Callable, Iterable, Sequence

from wavemma.explain.form import Form
from wavemma.explain.formulas import LayoutFacts
from wavemma.explain.operand_fields import OperandFacts
from wavemma.explain.word import BitRange, ModifierFacts
from wavemma.render.document import Block, Facts, Heading, Table, Text
from wavemma.render.words import listed, number

Section = Callable[[Form], tuple[Block, ...]]


def facts_of(form: Form) -> tuple[tuple[str, str], ...]:
    """List what an instruction is, one line each."""
    word = form.word
    opcode = f"{word.opcode} (0x{word.opcode:x})"
    if word.scale_opcode is not None:
        opcode += f", first half {word.scale_opcode} (0x{word.scale_opcode:x})"
    m, n, k = form.shape
    rows = [
        ("targets", listed(form.targets)),
        ("mnemonic", form.name),
        ("also written", listed(form.aliases)),
        ("kind", form.kind.replace("_", " ")),
        ("M x N x K", f"{m}x{n}x{k}" + (f", {form.blocks} blocks" if form.blocks > 1 else "")),
        ("operations", number(form.ops)),
        ("wave size", " or ".join(map(str, form.waves))),
        ("encoding", f"{word.encoding}, {8 * word.size_bytes} bits"),
        ("opcode", opcode),
        ("identifier", word.identifier),
        ("template", word.template),
        ("rules", _rules(form)),
        ("note", form.note or "-"),
    ]
    if form.kind == "scale_load":
        rows = [row for row in rows if row[0] not in ("M x N x K", "operations")]
    return tuple(row for row in rows if row[1] != "-")


def bit_section(form: Form) -> tuple[Block, ...]:
    """Draw the bits of the word, the highest first."""
    rows = tuple(
        (_span(each), each.name or "-", _value(each), each.holds) for each in form.word.bits
    )
    return (Table(("bits", "field", "value", "holds"), rows, right=(0,)),)


def operand_section(form: Form) -> tuple[Block, ...]:
    """List the operand fields."""
    rows = tuple(_operand(each) for each in form.operands)
    head = ("field", "bits", "holds", "may be", "formats", "registers")
    blocks: list[Block] = [Table(head, rows)]
    constants = {each.constants for each in form.operands if each.constants}
    blocks += [Text(f"Inline constants: {listed(each)}.") for each in constants]
    return tuple(blocks)


def modifier_section(form: Form) -> tuple[Block, ...]:
    """List what else a line may say."""
    if not form.word.modifiers:
        return (Text("It takes no modifiers."),)
    rows = tuple(_modifier(each, form) for each in form.word.modifiers)
    return (Table(("modifier", "bits", "values", "does"), rows),)


def layout_section(form: Form) -> tuple[Block, ...]:
    """List the formulas of each operand, both ways."""
    if not form.layouts:
        return (Text("It has no matrix, so no layout."),)
    return (layout_table(form.layouts),)


def layout_table(layouts: Iterable[LayoutFacts]) -> Table:
    """Write layouts as formulas; roles with the same formulas share a row."""
    groups: dict[tuple[object, ...], list[LayoutFacts]] = {}
    for each in layouts:
        key = (each.wave, each.formats, each.place, each.element, each.registers, each.copies)
        groups.setdefault(key, []).append(each)
    return Table(
        ("operand", "wave", "registers", "which element is at lane, v, n", "where an element is"),
        tuple(
            (
                ", ".join(role_name(each.role) for each in group)
                + f" {'/'.join(group[0].formats) if group[0].role != 'index' else ''}",
                str(group[0].wave),
                str(group[0].registers),
                "; ".join(f"{name} = {text}" for name, text in group[0].element),
                place_words(group[0]),
            )
            for group in groups.values()
        ),
        right=(1, 2),
    )


def place_words(layout: LayoutFacts) -> str:
    """Write the formulas of a place, copies included."""
    words = {"vgpr": "v"}
    texts = dict(layout.place)
    if texts["vgpr"] == "slot":
        texts = {"lane": texts["lane"], "vgpr": texts["slot"], "bit": texts["bit"]}
    if layout.element_bits % 32 == 0:
        texts.pop("bit")
    parts = [f"{words.get(name, name)} = {text}" for name, text in texts.items()]
    if len(layout.copies) > 1:
        others = ", ".join(f"lane + {offset}" for offset in layout.copies[1:])
        parts.append(f"the same in {others}")
    return "; ".join(parts)


def role_name(role: str) -> str:
    """Name a role as people write it."""
    return role.upper() if len(role) == 1 else role


def grouped(forms: tuple[Form, ...], title: str, section: Section) -> tuple[Block, ...]:
    """Write a section once for all architectures for which it reads the same."""
    groups: dict[tuple[Block, ...], list[str]] = {}
    for form in forms:
        groups.setdefault(section(form), []).append(form.title)
    blocks: list[Block] = []
    for found, titles in groups.items():
        where = f" ({', '.join(titles)})" if len(groups) > 1 else ""
        blocks += [Heading(f"{title}{where}"), *found]
    return tuple(blocks)


def same_and_different(
    forms: tuple[Form, ...],
) -> tuple[Facts, tuple[tuple[str, tuple[tuple[str, str], ...]], ...]]:
    """Split the facts of several forms into those they share and those they don't."""
    tables = [dict(facts_of(form)) for form in forms]
    names = dict.fromkeys(name for table in tables for name in table)
    shared = tuple(
        (name, tables[0][name]) for name in names if len({table.get(name) for table in tables}) == 1
    )
    different = tuple(
        (
            name,
            tuple(
                (form.title, table.get(name, "-"))
                for form, table in zip(forms, tables, strict=True)
            ),
        )
        for name in names
        if len({table.get(name) for table in tables}) > 1
    )
    return Facts(shared), different


def _rules(form: Form) -> str:
    return " ".join(form.constraints) or "-"


def _span(bits: BitRange) -> str:
    return f"{bits.hi}:{bits.lo}" if bits.hi > bits.lo else str(bits.hi)


def _value(bits: BitRange) -> str:
    if bits.value is None:
        return ""
    return f"{bits.value:0{bits.hi - bits.lo + 1}b}"


def _operand(found: OperandFacts) -> tuple[str, ...]:
    counts: dict[tuple[str, ...], list[str]] = {}
    several = len({(each.formats, each.role) for each in found.registers}) > 1
    for each in found.registers:
        named = "/".join(each.formats) if several and each.formats else ""
        counts.setdefault((named,), []).append(f"{each.registers}")
    waves = list(dict.fromkeys(each.wave for each in found.registers))
    registers = "; ".join(
        f"{named[0]} {_by_wave(values, waves)}".strip() for named, values in counts.items()
    )
    return (
        found.field,
        f"{found.hi}:{found.lo}",
        f"{found.matrix}{' ' + found.size if found.size else ''}, {found.access}",
        ", ".join(kind.replace("_", " ") for kind in found.kinds),
        listed(found.formats),
        registers,
    )


def _by_wave(values: Sequence[str], waves: Sequence[int]) -> str:
    """Write register counts, by wave size where these differ."""
    if len(set(values)) == 1:
        return values[0]
    if len(values) == len(waves):
        return ", ".join(f"{v} (wave{w})" for v, w in zip(values, waves, strict=True))
    return ", ".join(dict.fromkeys(values))


def _modifier(found: ModifierFacts, form: Form) -> tuple[str, ...]:
    meaning = [text for text in found.meaning if text]
    if found.values:
        meaning.append(", ".join(f"{value} {text}" for value, text in enumerate(found.values)))
    if found.default:
        meaning.append(f"default {found.default}")
    if found.note:
        meaning.append(found.note)
    wave = f" (wave{found.waves[0]})" if len(found.waves) < len(form.waves) else ""
    bits = ", ".join("-" if bit is None else str(bit) for bit in found.bits)
    return (found.word + wave, bits, found.legal, "; ".join(meaning) or "-")
