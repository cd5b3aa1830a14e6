"""The fact files beside the checkout: the outside oracle of our data."""

import functools
import json
from pathlib import Path
from typing import Any

FACTS = Path(__file__).resolve().parents[2] / "shared" / "spec"


@functools.cache
def facts_json(name: str) -> Any:
    """Load ../shared/spec/<name>.json; a missing folder fails the test that asked."""
    return json.loads((FACTS / f"{name}.json").read_text(encoding="utf-8"))


def facts_text(name: str) -> str:
    """Read ../shared/spec/<name>."""
    return (FACTS / name).read_text(encoding="utf-8")
