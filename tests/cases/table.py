"""All cases by number."""

from tests.cases.layout_cases import LAYOUTS
from tests.cases.other_cases import OTHERS
from tests.cases.target_cases import TARGETS

CASES = {**LAYOUTS, **TARGETS, **OTHERS}
