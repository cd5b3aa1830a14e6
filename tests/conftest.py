"""What all tests share: a checkout without the fact files leaves out the modules made of them."""

from pathlib import Path

import pytest
from hypothesis import settings

from tests.facts import FACTS

# A deadline times the machine and what else runs on it; benchmarks/ time the code.
settings.register_profile("wavemma", deadline=None)
settings.load_profile("wavemma")

WHOLE_MODULE = "pytestmark = pytest.mark.facts"


def left_out(config: pytest.Config) -> bool:
    """Whether fact tests are deselected and their files are not here to be read."""
    return "not facts" in config.getoption("markexpr") and not FACTS.is_dir()


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out modules that read the fact files when they are imported."""
    if collection_path.suffix != ".py" or not left_out(config):
        return None
    return WHOLE_MODULE in collection_path.read_text(encoding="utf-8") or None


def pytest_report_header(config: pytest.Config) -> str:
    """Say which kind of run this is."""
    return f"fact files: {'absent, their tests are left out' if left_out(config) else FACTS}"
