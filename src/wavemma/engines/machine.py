"""The processor that compiled code is made for: this host, or a lower level of it for tests."""

from dataclasses import dataclass
from pathlib import Path

from llvmlite import binding

from wavemma.engines.llvm_lock import inside_llvm
from wavemma.errors import UnknownName

# LLVM's tuning halves the vectors of some processors; our loops gain from whole ones.
_WHOLE_VECTORS = "-prefer-256-bit"
# x86 vectors of this width have instructions that narrower ones lack.
_WIDE_VECTORS = 512
# Linux tells whether microcode against "Downfall" is at work.
_GATHERS = Path("/sys/devices/system/cpu/vulnerabilities/gather_data_sampling")
_LEVELS: dict[str, tuple[str, str, int]] = {
    "baseline": ("x86-64", "", 128),
    "avx2": ("x86-64-v3", "", 256),
    "avx512": ("x86-64-v4", _WHOLE_VECTORS, 512),
}


@dataclass(frozen=True)
class Machine:
    """One processor, as LLVM names it.

    Args:
        triple: LLVM target triple.
        cpu: LLVM processor name.
        features: LLVM feature list, as `+avx2,-avx512f`.
        vector_bits: Widest vector register worth using.
        has_fma: Multiplies and adds with one rounding.
        has_floor: Rounds floats to integers by itself.
        has_gather: Loads from an address a lane, sooner than one lane after the other.

    """

    triple: str
    cpu: str
    features: str
    vector_bits: int
    has_fma: bool
    has_floor: bool
    has_gather: bool = False

    @property
    def is_x86(self) -> bool:
        """True for 32- and 64-bit x86."""
        return self.triple.startswith(("x86_64", "i386", "i686"))

    @property
    def is_wide_x86(self) -> bool:
        """True for x86 with vectors of 512 bits, which have instructions of their own."""
        return self.is_x86 and self.vector_bits == _WIDE_VECTORS

    def target_machine(self, speed_level: int = 2) -> binding.TargetMachine:
        """Make a fresh LLVM target machine; the caller owns it.

        Args:
            speed_level: How hard it works for fast code, 0 to 3.

        """
        initialize()
        target = binding.Target.from_triple(self.triple)
        return target.create_target_machine(
            cpu=self.cpu, features=self.features, opt=speed_level, codemodel="jitdefault", jit=True
        )


def initialize() -> None:
    """Prepare LLVM's native back end; may be called again."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


def host_machine(level: str | None = None) -> Machine:
    """Describe this host, or an x86 level that it is asked to stay within.

    Args:
        level: None for all that the host has; "baseline", "avx2" or "avx512" on x86.

    Raises:
        UnknownName: If the level is not one of those.

    """
    with inside_llvm():
        triple = binding.get_process_triple()
        if level is None:
            return _whole_host(triple)
    if level not in _LEVELS:
        raise UnknownName(
            f"A processor level must be a known name, got '{level}'.",
            subject=level,
            allowed=_LEVELS,
        )
    cpu, features, bits = _LEVELS[level]
    modern = level != "baseline"
    return Machine(triple, cpu, features, bits, has_fma=modern, has_floor=modern)


def _whole_host(triple: str) -> Machine:
    features = binding.get_host_cpu_features()
    names = dict(features)
    if not triple.startswith("x86_64"):
        cpu = binding.get_host_cpu_name()
        return Machine(triple, cpu, features.flatten(), 128, has_fma=True, has_floor=True)
    wide = all(names.get(name, False) for name in ("avx512f", "avx512vl", "avx512dq", "avx512bw"))
    bits = 512 if wide else 256 if names.get("avx2", False) else 128
    return Machine(
        triple,
        binding.get_host_cpu_name(),
        f"{features.flatten()},{_WHOLE_VECTORS}" if wide else features.flatten(),
        bits,
        has_fma=names.get("fma", False),
        has_floor=names.get("sse4.1", False),
        has_gather=wide and not _gathers_are_slowed(),
    )


def _gathers_are_slowed() -> bool:
    """Tell whether this host's processor guards what gathers read, which makes them slow."""
    try:
        return _GATHERS.read_text().startswith("Mitigation")
    except OSError:
        return False
