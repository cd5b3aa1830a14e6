"""HIP sources to a shared library of this host that holds its device code."""

import hashlib
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from wavemma.errors import CompileMistake, FileMistake
from wavemma.hip.build_cache import BuildCache, keep_copy
from wavemma.hip.compile_hints import hint_of
from wavemma.hip.compiler import Compiler, Finished, given, includes, zig
from wavemma.hip.forwarders import runtime_text
from wavemma.hip.linked_device import (
    BITCODE,
    LLVM_AS_IT_IS,
    SEPARATE,
    holder,
    link_words,
    needs_one_name,
    with_one_name,
)
from wavemma.hip.request import Built, Request
from wavemma.hip.wrong_builtins import wrong_builtins

Tell = Callable[[str], None]
"""Takes a line of progress."""
LINKED = (".o", ".a", ".so")
_OURS = ("amdhip64", "hiprtc")
# Our headers test for infinities, also where -ffast-math says that there are none.
_QUIET = ("-Wno-unused-command-line-argument", "-Wno-nan-infinity-disabled")
_HIP = ("-x", "hip", "-nogpulib", "-nogpuinc", *_QUIET)
# Tables of lines let faults name the source; they change no code.
_DEVICE_ONLY = (
    "--offload-device-only",
    "--no-gpu-bundle-output",
    "-mprintf-kind=buffered",
    "-gline-tables-only",
)
_RUNTIME = "libamdhip64.so"
_FIRST_BUILD = "building the C++ library for HIP programs, once (about a minute) ..."


class Toolchain:
    """Builds for one request.

    Args:
        request: What.
        tell: Where progress goes.

    """

    def __init__(self, request: Request, tell: Tell = lambda _: None) -> None:
        self.request = request
        self.tell = tell
        folder = request.cache_folder
        self.cache = BuildCache(folder / "built")
        self.compiler: Compiler = given(request.compiler) if request.compiler else zig(folder)

    def build(self) -> Built:
        """Compile and link.

        Raises:
            CompileMistake: The compiler refuses it; holds what it says.
            FileMistake: A source cannot be read.

        """
        request = self.request
        for source in request.sources:
            if not source.is_file():
                raise FileMistake(f"{source} must be a file that can be read.", subject=source)
        own = [each for each in request.sources if each.suffix not in LINKED]
        compiled = self._linked_objects(own) if request.links_device_code else self._objects(own)
        others = [each.resolve() for each in request.sources if each.suffix in LINKED]
        runtime = self.runtime()
        return Built(self._linked([*compiled, *others], runtime), runtime)

    def device_code(self, source: Path, words: Sequence[str] = ()) -> Path:
        """Compile the device's side of a source to a code object.

        Raises:
            CompileMistake: The compiler refuses it.

        """
        return self._device_part(source, words, ".hsaco")

    def runtime(self) -> Path:
        """Build the runtime that programs are linked with."""
        text = runtime_text()
        words = ("-x", "c", "-shared", "-fPIC", "-O2", f"-I{includes()}", f"-Wl,-soname,{_RUNTIME}")
        digest = hashlib.sha256((text + _digest_of_headers()).encode()).hexdigest()
        command = [*self.compiler.libraries, *words, self.compiler.name, digest]

        def make(output: Path, read: Path) -> bool:
            source = output.with_suffix(".c")
            source.write_text(text)
            try:
                linked = [*self.compiler.libraries, *words, str(source), "-o", str(output)]
                return self._check(self.compiler.run(linked), source, ())
            finally:
                source.unlink(missing_ok=True)

        made = self._made(command, make, Path(_RUNTIME), ".so")
        # The name by which the program asks for it.
        place = made.parent / made.stem / _RUNTIME
        if not place.exists():
            place.parent.mkdir(exist_ok=True)
            shutil.copyfile(made, place)
        return place

    def _device_part(self, source: Path, words: Sequence[str], suffix: str) -> Path:
        command = self._device_command(source, words)

        def make(output: Path, read: Path) -> bool:
            done = self.compiler.run([*command, *_listing(read), "-o", str(output)])
            return self._check(done, source, command)

        return self._made(command, make, source, suffix)

    def _objects(self, sources: Sequence[Path]) -> list[Path]:
        """Compile both sides of each source; objects hold the code objects."""
        made = []
        for source in sources:
            device = self.device_code(source)
            embed = ("-Xclang", "-fcuda-include-gpubinary", "-Xclang", str(device))
            made.append(self._host_object(source, embed))
            self._keep(device, f"{source.stem}-{self.request.target}.hsaco")
        return made

    def _linked_objects(self, sources: Sequence[Path]) -> list[Path]:
        """Compile both sides of each source; the last object holds the one code object of all."""
        parts = [self._bitcode(source) for source in sources]
        device = self._linked_device(parts, sources)
        self._keep(device, f"program-{self.request.target}.hsaco")
        objects = [self._host_object(source, SEPARATE) for source in sources]
        return [*objects, self._assembled(holder(device, objects))]

    def _bitcode(self, source: Path) -> Path:
        """Compile the device's side of a source to bitcode that can be linked."""
        part = self._device_part(source, BITCODE, ".bc")
        if not needs_one_name(part.read_bytes()):
            return part
        command = (*self.compiler.clang, *LLVM_AS_IT_IS)

        def make(output: Path, read: Path) -> bool:
            text = output.with_suffix(".ll")
            try:
                done = self.compiler.run([*command, "-S", str(part), "-o", str(text)])
                self._check(done, source, ())
                text.write_text(with_one_name(text.read_text()))
                done = self.compiler.run([*command, "-c", str(text), "-o", str(output)])
                return self._check(done, source, ())
            finally:
                text.unlink(missing_ok=True)

        return self._made([*command, str(part)], make, part, ".bc")

    def _linked_device(self, parts: Sequence[Path], sources: Sequence[Path]) -> Path:
        words = link_words(self.request.target, self.request.flags)
        command = [*self.compiler.device_linker, *words, *map(str, parts)]

        def make(output: Path, read: Path) -> bool:
            done = self.compiler.run([*command, "-o", str(output)])
            if done.code:
                for source in sources:
                    self._explain(source, self._device_command(source, BITCODE))
                raise CompileMistake(
                    f"The device code does not link for {self.request.target}:\n"
                    f"{done.output.rstrip()}"
                )
            return True

        return self._made(command, make, parts[0], ".hsaco")

    def _assembled(self, text: str) -> Path:
        """Assemble text for the host."""
        command = [*self.compiler.libraries, "-c", "-x", "assembler"]

        def make(output: Path, read: Path) -> bool:
            source = output.with_suffix(".s")
            source.write_text(text)
            try:
                done = self.compiler.run([*command, str(source), "-o", str(output)])
                return self._check(done, source, ())
            finally:
                source.unlink(missing_ok=True)

        return self._made([*command, text], make, Path(_RUNTIME), ".o")

    def _host_object(self, source: Path, words: Sequence[str]) -> Path:
        """Compile a source for the host."""
        command = [
            *self._command(source, "-O2", *self.compiler.host),
            *("--offload-host-only", "-fPIC", "-c", *words, *self.request.words, str(source)),
        ]

        def make(output: Path, read: Path) -> bool:
            done = self.compiler.run([*command, *_listing(read), "-o", str(output)])
            return self._check(done, source, ())

        made = self._made(command, make, source, ".o")
        self._keep(made, f"{source.stem}-host.o")
        return made

    def _linked(self, objects: Sequence[Path], runtime: Path) -> Path:
        request = self.request
        names = [f"-l{name}" for name in request.libraries if name not in _OURS]
        flags = [word for word in request.flags if word.startswith(("-L", "-Wl,", "-fopenmp"))]
        words = [
            "-shared",
            "-Wl,-z,defs",
            "-Wl,--wrap=exit",
            *map(str, objects),
            str(runtime),
            *flags,
            *names,
        ]
        command = [*self.compiler.libraries, *words]

        def make(output: Path, read: Path) -> bool:
            read.write_text(f"linked: {' '.join(str(each) for each in objects)}\n")
            ready = request.cache_folder / "tools" / "libraries-are-built"
            if self.compiler.has_own_libraries and not ready.exists():
                self.tell(_FIRST_BUILD)
            done = self.compiler.run([*command, "-o", str(output)])
            if done.code:
                raise CompileMistake(f"The program does not link:\n{done.output.rstrip()}")
            ready.parent.mkdir(parents=True, exist_ok=True)
            ready.touch()
            return True

        made = self._made([*command, self.compiler.name], make, Path("the program"), ".so")
        self._keep(made, "program.so")
        return made

    def _device_command(self, source: Path, words: Sequence[str]) -> list[str]:
        device = (*_DEVICE_ONLY, *self.compiler.device)
        return [*self._command(source, "-O3", *device), *words, *self.request.words, str(source)]

    def _command(self, source: Path, *words: str) -> list[str]:
        """Begin a command; both sides must agree on the id of the source."""
        own = hashlib.sha256(str(source.resolve()).encode()).hexdigest()[:16]
        arch = f"--offload-arch={self.request.target}"
        return [*self.compiler.clang, *_HIP, arch, f"-cuid={own}", *words, f"-I{includes()}"]

    def _made(
        self,
        command: Sequence[str],
        make: Callable[[Path, Path], bool],
        source: Path,
        suffix: str,
    ) -> Path:
        key = [*command, self.compiler.name, str(Path.cwd()) if not source.is_absolute() else ""]
        made = self.cache.made(key, make, suffix)
        assert made is not None, "a compiler that fails raises"
        return made

    def _check(self, done: Finished, source: Path, device_command: Sequence[str]) -> bool:
        """Refuse what a compiler refused; pass on what it warned of."""
        if done.code == 0:
            if done.output.strip():
                self.tell(done.output.rstrip())
            return True
        if device_command:
            self._explain(source, device_command)
        raise CompileMistake(
            f"{source} does not compile for {self.request.target}:\n{done.output.rstrip()}",
            subject=source,
            hint=hint_of(done.output, self.request.target) if device_command else "",
        )

    def _explain(self, source: Path, device_command: Sequence[str]) -> None:
        """Say which builtins the target does not have, where those are why it fails."""
        expanded = self.compiler.run([*device_command, "-E"])
        wrong = wrong_builtins(expanded.output, self.request.target)
        if wrong:
            raise CompileMistake(
                f"{source} does not compile for {self.request.target}:\n" + "\n".join(wrong),
                subject=source,
            )

    def _keep(self, made: Path, name: str) -> None:
        if self.request.temporaries is not None:
            keep_copy(made, self.request.temporaries, name)


def _listing(read: Path) -> tuple[str, ...]:
    """Make the front end list what it reads; the driver's own switch is ignored where it links."""
    words = ("-dependency-file", str(read), "-MT", "result", "-sys-header-deps")
    return tuple(part for word in words for part in ("-Xclang", word))


def _digest_of_headers() -> str:
    digest = hashlib.sha256()
    for path in sorted(includes().rglob("*.h")):
        digest.update(path.read_bytes())
    return digest.hexdigest()
