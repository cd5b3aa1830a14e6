"""HIP programs built as `wavemma run` builds them, and run on the stand-in device."""

import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import msgspec

from wavemma.hip.build_cache import default_folder
from wavemma.hip.program import EventTime, Order
from wavemma.hip.request import Built, Request
from wavemma.hip.toolchain import Toolchain

ROOT = Path(__file__).resolve().parents[2]


class Ran(NamedTuple):
    code: int
    out: str
    err: str


@cache
def request(text: str, folder: Path, target: str, flags: tuple[str, ...] = ()) -> Request:
    source = folder / "program.hip"
    source.write_text(text)
    return Request(sources=(source,), target=target, cache_folder=default_folder(), flags=flags)


def build(text: str, folder: Path, target: str = "gfx1100", flags: tuple[str, ...] = ()) -> Built:
    return Toolchain(request(text, folder, target, flags)).build()


def ran(
    text: str,
    folder: Path,
    *words: str,
    device: str = "AMD Radeon RX 7900 XTX",
    target: str = "gfx1100",
    event_time: EventTime = "modelled",
    report: str = "",
) -> Ran:
    """Build and run a program; the process is what `start` would make."""
    built = build(text, folder, target)
    order = Order(
        program=str(built.program),
        runtime=str(built.runtime),
        words=("program", *words),
        target=target,
        device=device,
        event_time=event_time,
        watchdog_seconds=None,
        report=report,
        build=request(text, folder, target),
    )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "tests.hip.numpy_device",
            msgspec.json.encode(order, enc_hook=str).decode(),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return Ran(done.returncode, done.stdout, done.stderr)
