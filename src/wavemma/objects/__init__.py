"""Code objects: ELF files, bundles, kernel descriptors and metadata."""

from wavemma.objects.blocks import Block, blocks
from wavemma.objects.bundle import Entry, entries, is_bundle
from wavemma.objects.code_object import CodeObject, Kernel, code_object, code_objects
from wavemma.objects.descriptor import Descriptor, descriptor
from wavemma.objects.elf import ElfFile, Section, Segment, Symbol, is_elf, read_elf
from wavemma.objects.image import Image, Relocation, image
from wavemma.objects.listing import Placed, listing
from wavemma.objects.metadata import Argument, KernelMetadata, Metadata, metadata

__all__ = [
    "Argument",
    "Block",
    "CodeObject",
    "Descriptor",
    "ElfFile",
    "Entry",
    "Image",
    "Kernel",
    "KernelMetadata",
    "Metadata",
    "Placed",
    "Relocation",
    "Section",
    "Segment",
    "Symbol",
    "blocks",
    "code_object",
    "code_objects",
    "descriptor",
    "entries",
    "image",
    "is_bundle",
    "is_elf",
    "listing",
    "metadata",
    "read_elf",
]
