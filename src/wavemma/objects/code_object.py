"""A code object: the kernels of one target with all that a loader must know."""

from collections.abc import Mapping
from functools import cached_property

import msgspec

from wavemma.errors import FileMistake, UnknownName
from wavemma.objects.bundle import bundles_of_host, entries, for_target, holds_bundles, is_bundle
from wavemma.objects.debug_info import DebugInfo
from wavemma.objects.descriptor import Descriptor, descriptor
from wavemma.objects.elf import ElfFile, Symbol, is_elf, read_elf
from wavemma.objects.image import Image, image
from wavemma.objects.metadata import KernelMetadata, metadata
from wavemma.objects.processor import by_value, flags_field, target_of
from wavemma.objects.source_name import source_name
from wavemma.tables.abi import abi
from wavemma.tables.targets import target

VERSIONS = ("V5", "V6")
_NOT_VARIABLES = ("amdgpu.", "__hip_cuid_")


class Kernel(msgspec.Struct, frozen=True, eq=False):
    """One kernel; what is known of it is kept by its identity.

    Attributes:
        name: As the linker knows it.
        metadata: What the compiler notes about it.
        descriptor: What its waves start with.
        descriptor_address: Of the descriptor in the image.
        entry: Address of the first instruction in the image.
        size: Bytes of code, 0 if the file does not say.

    """

    name: str
    metadata: KernelMetadata
    descriptor: Descriptor
    descriptor_address: int
    entry: int
    size: int


class CodeObject(msgspec.Struct, frozen=True, dict=True):
    """Kernels and variables for one target.

    Attributes:
        target: Such as "gfx1100", by the machine number of the header.
        version: "V5" or "V6".
        features: "unsupported", "any", "off" or "on" for xnack and sramecc.
        spelling: The target as the metadata writes it.
        file: The ELF file.
        image: Its memory, from address 0 on.
        kernels: By name.
        printf: The printf formats of the metadata.

    """

    target: str
    version: str
    features: dict[str, str]
    spelling: str
    file: ElfFile
    image: Image
    kernels: dict[str, Kernel]
    printf: tuple[str, ...]

    def kernel(self, name: str) -> Kernel:
        """Find a kernel.

        Raises:
            UnknownName: Offers the nearest names.

        """
        if name not in self.kernels:
            raise UnknownName(
                f"{name!r} is not a kernel of this code object.", subject=name, allowed=self.kernels
            )
        return self.kernels[name]

    def kernel_called(self, name: str) -> Kernel:
        """Find a kernel by its symbol, or by what its source calls it where only one is so called.

        Raises:
            UnknownName: Offers the nearest names.

        """
        found = [symbol for symbol in self.kernels if source_name(symbol) == name]
        return self.kernel(found[0] if name not in self.kernels and len(found) == 1 else name)

    @cached_property
    def functions(self) -> tuple[tuple[int, str], ...]:
        """Address and name of every function, lowest first."""
        return tuple(sorted((self.address_of(s), s.name) for s in self._defined("FUNC")))

    @cached_property
    def variables(self) -> dict[str, Symbol]:
        """The variables by name; descriptors of kernels are none."""
        descriptors = {kernel.metadata.symbol for kernel in self.kernels.values()}
        return {
            s.name: s
            for s in self._defined("OBJECT")
            if s.name not in descriptors and not s.name.startswith(_NOT_VARIABLES)
        }

    @cached_property
    def debug(self) -> DebugInfo:
        """Source lines and types, if the compiler noted them."""
        return DebugInfo(self.file, self.image)

    def address_of(self, symbol: Symbol) -> int:
        """Give the address of a symbol in the image."""
        return self.image.address_of(symbol)

    def _defined(self, kind: str) -> list[Symbol]:
        return [s for s in self.file.symbols if s.kind == kind and isinstance(s.section, int)]


def code_objects(
    data: bytes, target_name: str | None = None, externals: Mapping[str, int] | None = None
) -> tuple[CodeObject, ...]:
    """Read every code object in some bytes: an ELF file, a bundle, or a host file with bundles.

    Args:
        data: The whole file.
        target_name: Of bundles, take only the entries for this target.
        externals: Addresses of symbols that a relocatable object does not define.

    Raises:
        FileMistake: It is none of them, is damaged, or holds nothing for the target.
        UnknownTarget: It is for a processor that is not in the tables.

    """
    return tuple(code_object(each, externals) for each in object_files(data, target_name))


def object_files(data: bytes, target_name: str | None = None) -> tuple[bytes, ...]:
    """Take the ELF files of the device out of some bytes; arguments as for `code_objects`.

    Raises:
        FileMistake: A bundle is damaged, or holds nothing for the target.

    """
    if not is_bundle(data) and not holds_bundles(data):
        return (data,)
    found = entries(data if is_bundle(data) else bundles_of_host(data))
    chosen = found if target_name is None else for_target(found, target_name)
    return tuple(each.data for each in chosen if is_elf(each.data))


def code_object(data: bytes, externals: Mapping[str, int] | None = None) -> CodeObject:
    """Read one code object from its ELF file.

    Args:
        data: The whole file.
        externals: Addresses of symbols that a relocatable object does not define.

    Raises:
        FileMistake: It is no code object of version 5 or 6, or is damaged.
        UnknownTarget: It is for a processor that is not in the tables.

    """
    file = read_elf(data)
    version = _version(file)
    name = target_of(file.flags)
    noted = [metadata(each) for each in file.notes]
    if not noted:
        raise FileMistake(
            "A code object must have a note with metadata; there is none.", subject="note"
        )
    laid = image(file, externals)
    placed = laid.at(0)
    by_name = {symbol.name: symbol for symbol in file.symbols}
    kernels = {
        each.name: _kernel(each, by_name, laid, placed, target(name).architecture)
        for note in noted
        for each in note.kernels
    }
    printf = tuple(dict.fromkeys(each for note in noted for each in note.printf))
    return CodeObject(
        name, version, _features(file.flags), noted[0].target, file, laid, kernels, printf
    )


def _kernel(
    noted: KernelMetadata, symbols: dict[str, Symbol], laid: Image, placed: bytes, architecture: str
) -> Kernel:
    symbol = symbols.get(noted.symbol)
    if symbol is None:
        raise FileMistake(
            f"Kernel {noted.name} must have a descriptor {noted.symbol}; no symbol has that name.",
            subject=noted.symbol,
            allowed=symbols,
        )
    address = laid.address_of(symbol)
    found = descriptor(placed, address, architecture)
    entry = address + found.entry_offset
    if not any(start <= entry < start + size for start, size in laid.code):
        raise FileMistake(
            f"Kernel {noted.name} must start inside the code; its entry is 0x{entry:x}."
            " The file is damaged.",
            subject=noted.name,
        )
    code = symbols.get(noted.name)
    return Kernel(noted.name, noted, found, address, entry, code.size if code else 0)


def _version(file: ElfFile) -> str:
    numbers = by_value("abi_version")
    version = numbers.get(file.abi_version, str(file.abi_version))
    if file.os_abi not in (_value("os_abi", "HSA"),) or version not in VERSIONS:
        raise FileMistake(
            f"A code object must be for HSA and have version {' or '.join(VERSIONS)}; it is for"
            f" {by_value('os_abi').get(file.os_abi, file.os_abi)} and has {version}.",
            subject=version,
            hint="Compile with -mcode-object-version=5.",
        )
    return version


def _features(flags: int) -> dict[str, str]:
    words = by_value("feature")
    return {name.lower(): words[flags_field(flags, name)] for name in ("XNACK", "SRAMECC")}


def _value(set_name: str, name: str) -> int:
    return next(r.value for r in abi().numbers if (r.set, r.name) == (set_name, name))
