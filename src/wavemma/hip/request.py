"""What is to be built of HIP sources, and what comes of it."""

from pathlib import Path

import msgspec

_LINKED_DEVICE, _OWN_DEVICE = "-fgpu-rdc", "-fno-gpu-rdc"
# What the target and the way of linking decide.
_NOT_TAKEN = ("--offload-arch", _LINKED_DEVICE, _OWN_DEVICE)


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """What to build.

    Attributes:
        sources: HIP sources, and objects and libraries to link.
        target: The device's target.
        include_folders: Where headers are looked for.
        definitions: Macros, as NAME or NAME=VALUE.
        libraries: Libraries to link, by name.
        flags: Other words for the compiler.
        compiler: A clang++; None for ziglang's clang.
        cache_folder: Where results are kept.
        temporaries: A folder that gets copies of device and host code; None for none.

    """

    sources: tuple[Path, ...]
    target: str
    include_folders: tuple[Path, ...] = ()
    definitions: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    compiler: Path | None = None
    cache_folder: Path
    temporaries: Path | None = None

    @property
    def links_device_code(self) -> bool:
        """Whether device code of one source may use that of another."""
        chosen = [word for word in self.flags if word in (_LINKED_DEVICE, _OWN_DEVICE)]
        return chosen[-1:] == [_LINKED_DEVICE]

    @property
    def words(self) -> tuple[str, ...]:
        """The user's words for every compilation."""
        folders = (f"-I{folder}" for folder in self.include_folders)
        flags = (word for word in self.flags if not word.startswith(_NOT_TAKEN))
        return (*folders, *(f"-D{each}" for each in self.definitions), *flags)


class Built(msgspec.Struct, frozen=True):
    """A program that can be loaded: its library, and the runtime that must be loaded before."""

    program: Path
    runtime: Path
