"""Compiled functions that call each other: loaded from disk with all that they need, or made."""

import hashlib
from collections.abc import Callable, Collection

import llvmlite.ir as ir
from llvmlite import binding

from wavemma.engines.object_folder import ObjectFolder, Stored

Compile = Callable[[ir.Module], bytes]
_REFUSED = ""


class Linker:
    """The functions of one compiler that others may call. Callers hold `inside_llvm`.

    A function is known by its symbol, which says all that it does. An object holds any number of
    them; an index says which.

    Args:
        folder: Where objects are kept.
        name_file: Names the file of what depends on a text, on the machine and on this package.
        load: Loads an object whose calls are defined.

    Attributes:
        addresses: Of the functions that are loaded, by symbol.

    """

    def __init__(
        self,
        folder: ObjectFolder,
        name_file: Callable[[str], str],
        load: Callable[[bytes], binding.ExecutionEngine],
    ) -> None:
        self._folder = folder
        self._name_file = name_file
        self._load = load
        self.addresses: dict[str, int] = {}
        self._index: dict[str, str] | None = None
        self._loaded: set[str] = set()

    def define(self, symbol: str, address: int) -> None:
        """Let others call a function."""
        self.addresses[symbol] = address
        binding.add_symbol(symbol, address)

    def has(self, symbol: str) -> bool:
        """Load a function with all that it calls, unless it is; tell whether it is there now."""
        if symbol not in self.addresses:
            file = self._files().get(symbol, _REFUSED)
            if file and file not in self._loaded:
                self._open(file)
        return symbol in self.addresses

    def is_refused(self, symbol: str) -> bool:
        """Tell whether a function is known to be impossible."""
        return self._files().get(symbol) == _REFUSED

    def refuse(self, symbols: Collection[str]) -> None:
        """Note that functions are impossible, so that nobody tries again."""
        self._add(dict.fromkeys(symbols, _REFUSED))

    def make(self, module: ir.Module, compile_: Compile) -> None:
        """Compile a module whose calls are defined; keep it on disk, load and define it."""
        symbols, needs = [], []
        for each in module.functions:
            if not each.is_declaration:
                symbols.append(each.name)
            elif each.name in self.addresses:
                needs.append(each.name)
        code = compile_(module)
        file = self._name_file(hashlib.sha256(" ".join(symbols).encode()).hexdigest())
        self._folder.write(file, Stored(code, tuple(symbols), tuple(needs)))
        self._add(dict.fromkeys(symbols, file))
        self._take(file, code, symbols)

    def _open(self, file: str) -> None:
        """Load an object, unless something of what it calls is not on disk."""
        stored = self._folder.read(file)
        if stored is not None and all(self.has(need) for need in stored.needs):
            self._take(file, stored.code, stored.symbols)

    def _take(self, file: str, code: bytes, symbols: Collection[str]) -> None:
        engine = self._load(code)
        self._loaded.add(file)
        for symbol in symbols:
            if symbol not in self.addresses:
                self.define(symbol, int(engine.get_function_address(symbol)))

    def _files(self) -> dict[str, str]:
        """Give the file of each function that is on disk."""
        if self._index is None:
            self._index = self._folder.read_index(self._name_file("index"))
        return self._index

    def _add(self, added: dict[str, str]) -> None:
        self._files().update(added)
        if added:
            self._folder.write_index(self._name_file("index"), added)
