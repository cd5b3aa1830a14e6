"""The functions of an ELF file, and which of them are kernels, by its symbols alone."""

from collections.abc import Iterator

import msgspec

from wavemma.errors import FileMistake
from wavemma.objects.damage import part
from wavemma.objects.descriptor import SIZE_BYTES, Descriptor, descriptor
from wavemma.objects.elf import ElfFile, Section
from wavemma.tables.targets import TargetRow

DESCRIPTOR_SUFFIX = ".kd"


class Function(msgspec.Struct, frozen=True):
    """A stretch of code from one function's start to the next one's.

    Attributes:
        name: Of the function; of code before the first one that of its section.
        address: Where it starts, as the file counts: in memory if linked, else in its section.
        data: Its bytes as they lie in the file, relocations not applied.
        is_function: Whether a symbol names it.
        descriptor: What its waves start with, if it is a kernel.
        unlinked: Places in the data that a linker will fill in, and the symbols that it takes.

    """

    name: str
    address: int
    data: bytes
    is_function: bool
    descriptor: Descriptor | None
    unlinked: dict[int, str]


def functions(file: ElfFile, target: TargetRow) -> tuple[Function, ...]:
    """Divide the code of a file into its functions, lowest first.

    Needs neither metadata nor a link, so it also reads what no loader would take.

    Args:
        file: The ELF file.
        target: Whose descriptors they are.

    Raises:
        FileMistake: A descriptor runs out of the file, or asks for waves that the target lacks.

    """
    kernels = dict(_kernels(file, target))
    return tuple(
        each
        for section in file.sections
        if section.is_code and section.data
        for each in _functions(section, file, kernels)
    )


def _functions(
    section: Section, file: ElfFile, kernels: dict[str, Descriptor]
) -> Iterator[Function]:
    named = {
        symbol.value - section.address: symbol.name
        for symbol in file.symbols
        if symbol.kind == "FUNC" and symbol.section == section.index
    }
    # The symbol of a section has no name of its own.
    sections: dict[int | str, str] = {each.index: each.name for each in file.sections}
    unlinked = {
        each.offset: each.symbol.name or sections.get(each.symbol.section, "")
        for each in file.references
        if each.section == section.index
    }
    starts = sorted(start for start in {0, *named} if 0 <= start < len(section.data))
    for start, end in zip(starts, [*starts[1:], len(section.data)], strict=True):
        yield Function(
            named.get(start, section.name),
            section.address + start,
            section.data[start:end],
            start in named,
            kernels.get(named.get(start, "")),
            {at - start: name for at, name in unlinked.items() if start <= at < end},
        )


def _kernels(file: ElfFile, target: TargetRow) -> Iterator[tuple[str, Descriptor]]:
    """Give name and descriptor of each kernel."""
    sections = {section.index: section for section in file.sections}
    for symbol in file.symbols:
        is_named = symbol.kind == "OBJECT" and symbol.name.endswith(DESCRIPTOR_SUFFIX)
        if not is_named or symbol.section not in sections:
            continue
        home = sections[int(symbol.section)]
        name = symbol.name.removesuffix(DESCRIPTOR_SUFFIX)
        data = part(home.data, symbol.value - home.address, SIZE_BYTES, f"The descriptor of {name}")
        found = descriptor(data, 0, target.architecture)
        if found.wave not in target.waves:
            raise FileMistake(
                f"Waves of {target.name} must have {' or '.join(map(str, target.waves))} lanes; the"
                f" descriptor of {name} asks for {found.wave}. The file is damaged.",
                subject=found.wave,
            )
        yield name, found
