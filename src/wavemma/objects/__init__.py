"""Code objects: ELF files, bundles, kernel descriptors and metadata."""

from wavemma.objects.blocks import Block, blocks
from wavemma.objects.bundle import Entry, entries, is_bundle
from wavemma.objects.code_object import CodeObject, Kernel, code_object, code_objects, object_files
from wavemma.objects.debug_info import DebugInfo, SourceLine
from wavemma.objects.descriptor import Descriptor, descriptor
from wavemma.objects.elf import ElfFile, Section, Segment, Symbol, is_elf, read_elf
from wavemma.objects.functions import Function, functions
from wavemma.objects.image import Image, Relocation, image
from wavemma.objects.listing import Placed, listing
from wavemma.objects.metadata import Argument, KernelMetadata, Metadata, metadata
from wavemma.objects.processor import is_generic, processor, target_of

__all__ = [
    "Argument",
    "Block",
    "CodeObject",
    "DebugInfo",
    "Descriptor",
    "ElfFile",
    "Entry",
    "Function",
    "Image",
    "Kernel",
    "KernelMetadata",
    "Metadata",
    "Placed",
    "Relocation",
    "Section",
    "Segment",
    "SourceLine",
    "Symbol",
    "blocks",
    "code_object",
    "code_objects",
    "descriptor",
    "entries",
    "functions",
    "image",
    "is_bundle",
    "is_elf",
    "is_generic",
    "listing",
    "metadata",
    "object_files",
    "processor",
    "read_elf",
    "target_of",
]
