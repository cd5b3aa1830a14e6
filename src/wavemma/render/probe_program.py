"""The HIP program of a probe: it runs one instruction on fixed inputs and prints the results."""

from collections.abc import Iterator, Sequence
from textwrap import wrap

from wavemma.explain.probe import Probe, ProbeOperand

WIDTH = 96
VERSION = 1
WAVE_OPTION = "-mwavefrontsize64"
_HOST = """\
static void check(hipError_t code, const char *what)
{
    if (code != hipSuccess) {
        std::fprintf(stderr, "%s: %s\\n", what, hipGetErrorString(code));
        std::exit(1);
    }
}

static uint32_t *on_device(const uint32_t *words, size_t bytes)
{
    uint32_t *place = nullptr;
    check(hipMalloc(&place, bytes), "hipMalloc");
    check(hipMemcpy(place, words, bytes, hipMemcpyHostToDevice), "hipMemcpy");
    return place;
}
"""


def as_program(probe: Probe) -> str:
    """Write the program.

    Returns:
        HIP C++ that needs no other file; the same text for the same probe.

    """
    return "\n".join([*_head(probe), *_data(probe), *_kernel(probe), _HOST, *_main(probe)])


def compile_line(probe: Probe, source: str = "probe.hip") -> str:
    """Write the command that compiles the program for the target."""
    lanes = f" {WAVE_OPTION}" if probe.wave_option else ""
    return f"hipcc --offload-arch={probe.target}{lanes} -O2 {source} -o probe"


def _head(probe: Probe) -> Iterator[str]:
    yield from _comment(f"Open point {probe.point}: {probe.question}.")
    yield from _comment(f"{probe.instruction} on {probe.target}, wave{probe.wave}.")
    for each in probe.candidates:
        yield from _comment(f"Candidate {each.name}: {each.title}.")
    yield f"// {compile_line(probe)}"
    yield "// ./probe > probe.txt"
    yield "// wavemma probe --read probe.txt"
    yield "#include <hip/hip_runtime.h>"
    yield ""
    for header in ("cstdint", "cstdio", "cstdlib"):
        yield f"#include <{header}>"
    yield ""
    yield from probe.declarations
    yield ""
    yield f"constexpr int RUNS = {probe.runs}, LANES = {probe.wave};"
    yield f"constexpr int RESULT_REGISTERS = {probe.result_registers};"
    yield ""


def _comment(text: str) -> list[str]:
    return [f"// {line}" for line in wrap(text, WIDTH - 3)]


def _data(probe: Probe) -> Iterator[str]:
    """Write the inputs: run by run, register by register, lane by lane; zeros at the end follow."""
    for each in probe.operands:
        start = f"static const uint32_t {each.role}_words[RUNS * {each.registers} * LANES] = {{"
        used = max((place for place, word in enumerate(each.words, 1) if word), default=0)
        if used:
            yield start
            yield from _numbers(each.words[:used])
            yield "};"
        else:
            yield f"{start}0}};"
        yield ""


def _numbers(words: Sequence[int]) -> Iterator[str]:
    line = "   "
    for word in words:
        text = f" {word:#x}," if word > 9 else f" {word},"
        if len(line) + len(text) > WIDTH:
            yield line
            line = "   "
        line += text
    yield line.removesuffix(",")


def _kernel(probe: Probe) -> Iterator[str]:
    names = [each.role for each in probe.operands]
    yield "__global__ void __launch_bounds__(LANES) probe("
    yield from (f"    const uint32_t *{name}_words," for name in names)
    yield "    uint32_t *d_words)"
    yield "{"
    yield "    const int run = blockIdx.x, lane = threadIdx.x;"
    for each in probe.operands:
        yield from _load(each)
    yield f"    const {probe.returns} d = {probe.builtin}({', '.join(probe.call)});"
    yield "    uint32_t v_d[sizeof d / 4];"
    yield "    __builtin_memcpy(v_d, &d, sizeof d);"
    yield "    for (int r = 0; r < RESULT_REGISTERS; ++r)"
    yield "        d_words[(run * RESULT_REGISTERS + r) * LANES + lane] = v_d[r];"
    yield "}"
    yield ""


def _load(each: ProbeOperand) -> Iterator[str]:
    """Write the lines that load one operand into a variable of its C type."""
    name, count = each.role, each.registers
    size = f"(sizeof({each.type}) + 3) / 4"
    yield f"    uint32_t v_{name}[{size} > {count} ? {size} : {count}] = {{0}};"
    yield f"    for (int r = 0; r < {count}; ++r)"
    yield f"        v_{name}[r] = {name}_words[(run * {count} + r) * LANES + lane];"
    yield f"    {each.type} {name};"
    yield f"    __builtin_memcpy(&{name}, v_{name}, sizeof {name});"


def _main(probe: Probe) -> Iterator[str]:
    facts = (
        f"wavemma probe {VERSION}",
        f"point {probe.point}",
        f"target {probe.target}",
        f"instruction {probe.instruction}",
        f"wave {probe.wave}",
        f"inputs {probe.digest}",
    )
    yield "int main()"
    yield "{"
    for each in facts:
        yield f'    std::puts("{each}");'
    yield "    hipDeviceProp_t about;"
    yield '    check(hipGetDeviceProperties(&about, 0), "hipGetDeviceProperties");'
    yield '    std::printf("device %s, %s\\n", about.gcnArchName, about.name);'
    yield "    static uint32_t d_words[RUNS * RESULT_REGISTERS * LANES];"
    yield "    uint32_t *d = on_device(d_words, sizeof d_words);"
    words = [f"on_device({each.role}_words, sizeof {each.role}_words)" for each in probe.operands]
    yield "    probe<<<RUNS, LANES>>>("
    for each in words:
        yield f"        {each},"
    yield "        d);"
    yield '    check(hipGetLastError(), "launch");'
    yield '    check(hipDeviceSynchronize(), "hipDeviceSynchronize");'
    yield ('    check(hipMemcpy(d_words, d, sizeof d_words, hipMemcpyDeviceToHost), "hipMemcpy");')
    yield "    for (int run = 0; run < RUNS; ++run)"
    yield "        for (int r = 0; r < RESULT_REGISTERS; ++r) {"
    yield '            std::printf("d %d %d", run, r);'
    yield "            for (int lane = 0; lane < LANES; ++lane)"
    yield (
        '                std::printf(" %08x",'
        " d_words[(run * RESULT_REGISTERS + r) * LANES + lane]);"
    )
    yield '            std::printf("\\n");'
    yield "        }"
    yield '    std::puts("end");'
    yield "    return 0;"
    yield "}"
    yield ""
