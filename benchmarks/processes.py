"""Time and memory of whole commands, beside a bare interpreter in the same run.

Usage: python benchmarks/processes.py [repetitions]
"""

import os
import statistics
import subprocess
import sys
import time

COMMANDS = {
    "python, nothing": ["-c", "pass"],
    "import wavemma": ["-c", "import wavemma"],
    "import numpy": ["-c", "import numpy"],
    "wavemma --help": ["-m", "wavemma", "--help"],
    "wavemma where": [
        *("-m", "wavemma", "where", "gfx1100", "v_wmma_f32_16x16x16_f16", "D", "2", "3"),
    ],
    "wavemma show": ["-m", "wavemma", "show", "v_mfma_f32_32x32x8_f16", "--target", "gfx942"],
    "wavemma list": ["-m", "wavemma", "list"],
    "wavemma peak": ["-m", "wavemma", "peak", "RX 7900 XTX", "--type", "f16"],
    "wavemma check-layout": [
        *("-m", "wavemma", "check-layout", "gfx1201", "v_wmma_f32_16x16x16_f16", "D"),
        "row = v + 8*(lane//16); col = lane%16",
    ],
    "wavemma why": [
        *("-m", "wavemma", "why", "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32"),
        *("--target", "gfx1201"),
    ],
    "wavemma guard": ["-m", "wavemma", "guard", "fp8"],
    "wavemma port": ["-m", "wavemma", "port", "gfx1100", "gfx1201", "--op", "i32_16x16x16_iu8"],
    "wavemma numerics": [
        *("-m", "wavemma", "numerics", "f16", "--a", "4096,4096", "--b", "8192,-8192", "--c", "3"),
    ],
    "wavemma numerics --separate": [
        *("-m", "wavemma", "numerics", "bf16", "--separate", "gfx90a", "gfx942"),
    ],
    "wavemma probe --list": ["-m", "wavemma", "probe", "--list"],
    "completion": ["-m", "wavemma", "--complete", "show", "v_"],
    "diagnose one tile": [
        "-c",
        "import numpy as np\n"
        "import wavemma\n"
        "want = np.random.default_rng(5).standard_normal((16, 16)).astype(np.float32)\n"
        "got = want[2 * np.arange(16) % 16 + np.arange(16) // 8]\n"
        "found = wavemma.diagnose('gfx1100', 'v_wmma_f32_16x16x16_f16', got, want)\n"
        "assert found.explanations[0].faults[0].kind == 'store map'\n",
    ],
    "index of all layouts": [
        "-c",
        "from wavemma.explain.layout_search import index\nassert len(index()) > 100\n",
    ],
    "diagnose 4096 squared": [
        "-c",
        "import numpy as np\n"
        "import wavemma\n"
        "random, rows = np.random.default_rng(5), np.arange(4096)\n"
        "a, b = (random.standard_normal((4096, 4096)).astype(np.float16) for _ in 'ab')\n"
        "want = a.astype(np.float32) @ b.astype(np.float32)\n"
        "got = want[rows - rows % 16 + 2 * rows % 16 + rows % 16 // 8]\n"
        "op = 'v_wmma_f32_16x16x16_f16'\n"
        "found = wavemma.diagnose('gfx1100', op, got, a=a, b=b)\n"
        "assert found.explanations[0].faults[0].kind == 'store map'\n",
    ],
    "every layout of every row": [
        "-c",
        "from wavemma.isa import catalog\n"
        "from wavemma.tables.targets import architectures\n"
        "n = 0\n"
        "for name in architectures():\n"
        "    for row in catalog.of_architecture(name):\n"
        "        for wave in row.waves if row.is_matrix else ():\n"
        "            for role in row.roles:\n"
        "                for form in row.formats.get(role, (None,)):\n"
        "                    n += row.layout(role, wave, form).registers > 0\n"
        "assert n > 1400, n\n",
    ],
}


def once(words: list[str]) -> tuple[float, float]:
    """Run one process; give its seconds and its largest memory in MB."""
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, *words], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    assert status == 0, words
    return seconds, usage.ru_maxrss / 1024


def main(repetitions: int) -> None:
    """Print the median of every command and its ratio to a bare interpreter."""
    bare = 0.0
    print(f"{'process':28} {'median s':>9} {'ratio':>7} {'MB':>7}")
    for name, words in COMMANDS.items():
        once(words)
        runs = [once(words) for _ in range(repetitions)]
        seconds = statistics.median(s for s, _ in runs)
        bare = bare or seconds
        memory = max(m for _, m in runs)
        print(f"{name:28} {seconds:9.3f} {seconds / bare:6.1f}x {memory:7.1f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
