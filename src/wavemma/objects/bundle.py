"""Offload bundles: code objects for several targets in one file, plain or compressed."""

import importlib
import zlib
from collections.abc import Callable
from io import BytesIO
from types import ModuleType

import msgspec
from elftools.elf.elffile import ELFFile

from wavemma.errors import FileMistake, Unsupported
from wavemma.objects.damage import damage, part
from wavemma.objects.elf import MOST_BYTES, WHOLE, is_elf, start_words
from wavemma.objects.structures import number, read_struct, size_bytes
from wavemma.tables.abi import abi

PLAIN, COMPRESSED = (row.name.encode() for row in abi().words if row.set == "magic")
_VERSIONS = {1: "compressed_v1", 2: "compressed_v2", 3: "compressed_v3"}
_ZSTD = ("compression.zstd", "zstandard")
SECTION = ".hip_fatbin"
"""The section of a host file that holds its bundles."""
MOST_ENTRIES = 4096


class Entry(msgspec.Struct, frozen=True):
    """One file in a bundle.

    Attributes:
        id: Such as "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-".
        kind: What made it: "host", "hip", "hipv4", "openmp".
        triple: Such as "amdgcn-amd-amdhsa-".
        processor: Such as "gfx90a"; "" for the host.
        features: "on" or "off" by name, of the features that the id names.
        data: The file; empty for the host.

    """

    id: str
    kind: str
    triple: str
    processor: str
    features: dict[str, str]
    data: bytes


def is_bundle(data: bytes) -> bool:
    """Tell whether bytes start as a plain or compressed bundle does."""
    return data.startswith((PLAIN, COMPRESSED))


def entries(data: bytes) -> tuple[Entry, ...]:
    """List the files of all bundles that follow each other in some bytes.

    Args:
        data: Starts with a bundle; zeros may stand between bundles and at the end.

    Raises:
        FileMistake: It is no bundle, or is damaged.
        Unsupported: It is compressed in a way that this Python cannot undo.

    """
    found: list[Entry] = []
    place = 0
    while place < len(data):
        bundle, end = _next(data, place)
        found += _plain(bundle)
        place = end
        place += len(data) - place - len(data[place:].lstrip(b"\0"))
    return tuple(found)


def bundles_of_host(data: bytes) -> bytes:
    """Give the bundles that a host object or program holds.

    Raises:
        FileMistake: It is damaged, or has no such section.

    """
    with damage(WHOLE):
        section = ELFFile(BytesIO(data)).get_section_by_name(SECTION)
        if section is not None:
            return part(data, section["sh_offset"], section["sh_size"], SECTION)
    raise FileMistake(
        f"A host file must have a section {SECTION} with the device code; there is none.",
        subject=SECTION,
        hint="Compile with -x hip and without --offload-host-only.",
    )


def for_target(found: tuple[Entry, ...], target_name: str) -> tuple[Entry, ...]:
    """Give the entries whose processor is a target.

    Raises:
        FileMistake: None is; lists those that are there.

    """
    matching = tuple(each for each in found if each.processor == target_name)
    if not matching:
        there = sorted({each.processor for each in found if each.processor})
        raise FileMistake(
            f"The bundle must hold code for {target_name};"
            f" it is for {', '.join(there) or 'no GPU'}.",
            subject=target_name,
            allowed=there,
            hint=f"Compile with --offload-arch={target_name}.",
        )
    return matching


def _next(data: bytes, place: int) -> tuple[bytes, int]:
    """Give the next bundle without compression, and where it ends."""
    if data.startswith(COMPRESSED, place):
        return _decompressed(data, place)
    if not data.startswith(PLAIN, place):
        raise FileMistake(
            f"A bundle must start with {PLAIN.decode()} or {COMPRESSED.decode()};"
            f" it {start_words(data[place:])}.",
            subject="bundle",
        )
    following = data.find(PLAIN, place + len(PLAIN))
    end = following if following > 0 else len(data)
    return data[place:end], end


def _plain(bundle: bytes) -> list[Entry]:
    count = read_struct(bundle, 0, "bundle")["count"]
    if count > MOST_ENTRIES:
        raise FileMistake(
            f"A bundle must have {MOST_ENTRIES} entries at most; it says {count}. The file is"
            " damaged.",
            subject=count,
        )
    found = []
    place = size_bytes("bundle")
    for _ in range(count):
        head = read_struct(bundle, place, "bundle_entry")
        place += size_bytes("bundle_entry")
        name = part(bundle, place, head["id_length"], "A bundle entry's id")
        place += head["id_length"]
        found.append(_entry(name, part(bundle, head["offset"], head["size"], "A bundle entry")))
    return found


def _entry(raw: bytes, data: bytes) -> Entry:
    with damage("a bundle whose ids are text"):
        text = raw.decode("ascii")
    name, *features = text.split(":")
    kind, _, rest = name.partition("-")
    triple, _, bare = rest.rpartition("-")
    signs = {"+": "on", "-": "off"}
    return Entry(
        text,
        kind,
        triple,
        bare,
        {each[:-1]: signs[each[-1]] for each in features if each[-1:] in signs},
        data,
    )


def _decompressed(data: bytes, place: int) -> tuple[bytes, int]:
    version = int.from_bytes(part(data, place, 8, "A compressed bundle")[4:6], "little")
    if version not in _VERSIONS:
        raise Unsupported(
            f"A compressed bundle must have version {', '.join(map(str, _VERSIONS))}; it has"
            f" {version}.",
            subject=version,
        )
    head = read_struct(data, place, _VERSIONS[version])
    start = place + size_bytes(_VERSIONS[version])
    end = place + head["file_size"] if "file_size" in head else len(data)
    if head["uncompressed_size"] > MOST_BYTES:
        raise FileMistake(
            f"A bundle must have {MOST_BYTES} bytes at most; it says {head['uncompressed_size']}."
            " The file is damaged.",
            subject="bundle",
        )
    packed = part(data, start, end - start, "A compressed bundle")
    plain = _method(head["method"])(packed, head["uncompressed_size"])
    if len(plain) != head["uncompressed_size"]:
        raise FileMistake(
            f"The bundle must have {head['uncompressed_size']} bytes when decompressed; it has"
            f" {len(plain)}.",
            subject="bundle",
        )
    return plain, end


def _method(method: int) -> Callable[[bytes, int], bytes]:
    methods = {
        number("compression_method", "zlib"): _zlib,
        number("compression_method", "zstd"): _zstd,
    }
    if method not in methods:
        raise Unsupported(
            f"A bundle must be compressed with zlib (0) or zstd (1); the method is {method}.",
            subject=method,
        )
    return methods[method]


def _zlib(packed: bytes, size: int) -> bytes:
    try:
        return zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as why:
        raise FileMistake(f"The compressed bundle is damaged: {why}.", subject="zlib") from None


def _zstd(packed: bytes, size: int) -> bytes:
    """Decompress with Python's own zstd (3.14) or the package zstandard."""
    module = _zstd_module()
    try:
        if hasattr(module, "ZstdDecompressor"):
            single = module.ZstdDecompressor()
            if hasattr(single, "decompressobj"):
                return bytes(single.decompressobj().decompress(packed))
        return bytes(module.decompress(packed))
    except Exception as why:
        # Each of the two modules has an error class of its own.
        if type(why).__name__ not in ("ZstdError", "MemoryError"):
            raise
        raise FileMistake(f"The compressed bundle is damaged: {why}.", subject="zstd") from None


def _zstd_module() -> ModuleType:
    for name in _ZSTD:
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise Unsupported(
        "The bundle is compressed with zstd, which this Python cannot undo.",
        subject="zstd",
        hint="pip install zstandard, use Python 3.14, or compile without --offload-compress.",
    )


def holds_bundles(data: bytes) -> bool:
    """Tell whether bytes are a host file with device code in it."""
    if not is_elf(data):
        return False
    with damage(WHOLE):
        file = ELFFile(BytesIO(data))
        return bool(
            file["e_machine"] != "EM_AMDGPU" and file.get_section_by_name(SECTION) is not None
        )
