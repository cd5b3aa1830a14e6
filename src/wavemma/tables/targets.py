"""Records of data/targets.toml: architectures, unit kinds and compile targets."""

from functools import cache
from typing import Literal

import msgspec

from wavemma.errors import UnknownTarget
from wavemma.tables.files import rows
from wavemma.tables.keys import Grade, by_name, check_known
from wavemma.tables.processors import processors
from wavemma.tables.product_names import begun, called, endings, targets_of_products

Wave = Literal[32, 64]
_FILE = "targets.toml"
# "gfx9" is the shortest beginning that tells anything.
_SHORTEST_FAMILY = 4


class ArchitectureRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One generation whose instruction rows its targets share.

    Attributes:
        name: Key, such as "cdna3".
        title: Name as printed.
        waves: Lanes a wave may have, the default first.
        alignment: The first register of a tuple is a multiple of this.
        fp8: Family of the 8-bit float formats.
        accumulators: Where C and D may be: only VGPRs, only AGPRs, or either.
        pass_cycles: Cycles of a pass, 0 where vendors do not count in passes.

    """

    name: str
    title: str
    waves: tuple[Wave, ...]
    alignment: Literal[1, 2]
    fp8: Literal["none", "fnuz", "ocp"]
    accumulators: Literal["vgpr", "agpr", "either"]
    pass_cycles: int
    source: str
    grade: Grade
    note: str = ""


class UnitRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a product counts as a unit, and the block that shares one LDS.

    Attributes:
        name: Key.
        title: Word for the unit.
        simds: SIMDs of a unit.
        block: Word for the block; a HIP multiprocessor is one block.
        units_per_block: Units of a block.

    """

    name: str
    title: str
    simds: int
    block: str
    units_per_block: int
    source: str
    grade: Grade
    note: str = ""


class TargetRow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One compile target.

    Attributes:
        name: Key, as given to the compiler.
        architecture: Key of its ArchitectureRow.
        unit: Key of its UnitRow.
        vgprs: Registers of 32 bits for one lane in one SIMD at the default wave size.
        vgpr_granule: Registers are given to a wave in multiples of this, at the default wave size.
        max_vgprs: Most registers of one wave.
        max_waves: Most waves of one SIMD.
        lds_kib: LDS of one block.
        lds_kib_per_workgroup: Most LDS of one workgroup.
        macro: Preprocessor macro that only this target defines.
        family_macro: Preprocessor macro of its family.
        macro_grade: Evidence for both macros.
        oldest_llvm: The older of the compared LLVM releases (22, 24) that knows it.
        gcn_arch_name: The name that HIP reports.
        gcn_arch_name_alternatives: Other spellings that sources give.
        configurable: Features that a suffix switches.

    """

    name: str
    architecture: str
    unit: str
    vgprs: int
    vgpr_granule: int
    max_vgprs: int
    max_waves: int
    lds_kib: int
    lds_kib_per_workgroup: int
    macro: str
    family_macro: str
    macro_grade: Grade
    oldest_llvm: Literal[22, 24]
    source: str
    grade: Grade
    gcn_arch_name: str
    gcn_arch_name_grade: Grade
    gcn_arch_name_alternatives: tuple[str, ...] = ()
    configurable: tuple[str, ...] = ()
    note: str = ""

    @property
    def waves(self) -> tuple[Wave, ...]:
        """Lanes a wave may have, the default first."""
        return architectures()[self.architecture].waves

    @property
    def default_wave(self) -> Wave:
        """Lanes of a wave unless the compiler is told otherwise."""
        return self.waves[0]

    @property
    def simds_per_unit(self) -> int:
        """SIMDs of what a product counts as a unit."""
        return units()[self.unit].simds

    @property
    def vgpr_file_kib(self) -> int:
        """Vector registers of one block in KiB."""
        unit = units()[self.unit]
        lane_bytes = 4 * self.vgprs
        return lane_bytes * self.default_wave * unit.simds * unit.units_per_block // 1024


@cache
def architectures() -> dict[str, ArchitectureRow]:
    """Give the architectures by name.

    Raises:
        DataMistake: If two rows have one name.

    """
    return by_name(_FILE, "architecture", rows(_FILE, "architecture", ArchitectureRow))


@cache
def units() -> dict[str, UnitRow]:
    """Give the kinds of unit by name.

    Raises:
        DataMistake: If two rows have one name.

    """
    return by_name(_FILE, "unit", rows(_FILE, "unit", UnitRow))


@cache
def targets() -> dict[str, TargetRow]:
    """Give the targets by name, ordered by generation.

    Raises:
        DataMistake: If two rows have one name, or name an architecture or unit that is not there.

    """
    table = by_name(_FILE, "target", rows(_FILE, "target", TargetRow))
    for row in table.values():
        place = f"data/{_FILE}, target {row.name}"
        check_known(place, "architecture", [row.architecture], architectures())
        check_known(place, "unit", [row.unit], units())
    return table


def target(name: str) -> TargetRow:
    """Find one target.

    Args:
        name: As given to the compiler, such as "gfx1100" or "gfx90a:sramecc+:xnack-", or a
            product that is compiled for it, such as "RX 7900 XTX"; case doesn't matter.

    Raises:
        UnknownTarget: Offers the nearest names.

    """
    key = without_settings(name.lower())
    if key not in targets() and key not in processors():
        key = _of_product(name) or key
    if key not in targets():
        raise UnknownTarget(
            _what_it_is(name),
            subject=key,
            allowed=() if key in processors() or _family(name) or begun(name) else _near(),
            hint="All: wavemma list targets, or products: the name of a product will do",
        )
    return targets()[key]


def without_settings(name: str) -> str:
    """Take off what HIP writes behind a target's name, such as ":sramecc+:xnack-", if it is that.

    Matrix instructions are the same with each setting that a target has.
    """
    bare, *settings = name.split(":")
    known = targets()[bare].configurable if bare in targets() else ()
    is_whole = all(each[:-1] in known and each[-1:] in ("+", "-") for each in settings)
    return bare if is_whole else name


def _near() -> tuple[str, ...]:
    """List the names that a misspelt one may be near to."""
    return (*targets(), *filter(_has_words, endings()))


def _has_words(name: str) -> bool:
    """Whether a name is of several words: those of one are too short to be near by intent."""
    return " " in name


def _of_product(name: str) -> str:
    """Find the target of a product's name; empty if no product has it.

    Raises:
        UnknownTarget: It is the end of several products' names, of several targets.

    """
    found = {each: targets_of_products()[each] for each in called(name)}
    if len(set(found.values())) > 1:
        places = ", ".join(f"{product} ({place})" for product, place in found.items())
        raise UnknownTarget(
            f"{name!r} must name one target; products of several targets are called so.",
            subject=name,
            hint=f"They are {places}.",
        )
    return next(iter(found.values()), "")


def _what_it_is(name: str) -> str:
    """Say why a name is no target: it may still be a processor."""
    row = processors().get(name.lower())
    if row is None and _family(name):
        return f"{name!r} is a family of targets: {', '.join(_family(name))}. Name one of them."
    if row is None and begun(name):
        products = ", ".join(f"{each} ({targets_of_products()[each]})" for each in begun(name))
        return f"{name!r} must name one product whole; it begins {products}."
    if row is None:
        return f"{name!r} is not a target with matrix instructions."
    if row.covers:
        return f"{row.name} stands for several targets, {', '.join(row.covers)}; name one of them."
    return f"{row.name} is a real target, but it has no matrix instructions: neither WMMA nor MFMA."


def _family(name: str) -> tuple[str, ...]:
    """List the targets that a generation's name, or the beginning of a name, stands for."""
    key = "".join(letter for letter in name.lower() if letter not in " -_")
    if key in architectures():
        return targets_of(key)
    if len(key) < _SHORTEST_FAMILY:
        return ()
    found = tuple(each for each in targets() if each.startswith(key))
    return found if len(found) > 1 else ()


def targets_of(architecture: str) -> tuple[str, ...]:
    """List the names of the targets of an architecture."""
    return tuple(row.name for row in targets().values() if row.architecture == architecture)
