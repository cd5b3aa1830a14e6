"""What rows name must exist in code: layout families, arithmetic models, formats, sources."""

import importlib

from wavemma.cli.app import COMMANDS, GROUPS
from wavemma.layouts.families import FAMILIES
from wavemma.tables.formats import format_rows
from wavemma.tables.instructions import InstructionRow, architecture_rows
from wavemma.tables.models import model_rows
from wavemma.tables.sources import sources
from wavemma.tables.targets import architectures


def matrix_rows() -> list[InstructionRow]:
    return [row for name in architectures() for row in architecture_rows(name).instructions]


def test_layout_families_exist() -> None:
    named = {row.layout for row in matrix_rows()} | {r.scale_layout for r in matrix_rows()} - {""}
    assert named == set(FAMILIES)


def test_models_exist() -> None:
    assert len(matrix_rows()) == 261
    for row in matrix_rows():
        assert row.model in model_rows(), row.name


def test_formats_exist() -> None:
    for row in matrix_rows():
        for value in (row.a, row.b, row.c, row.d, row.scale_formats):
            for name in [value] if isinstance(value, str) else value:
                assert name in format_rows(), (row.name, name)


def test_sources_exist() -> None:
    for name in architectures():
        table = architecture_rows(name)
        for row in (*table.instructions, *table.scale_loads):
            assert row.source in sources(), row.name


def test_commands_say_what_the_overview_says() -> None:
    inner = [command for _, _, commands in GROUPS for command in commands]
    assert len(COMMANDS) + len(inner) >= 24
    for _, place, summary in (*COMMANDS, *inner):
        module, _, function = place.partition(":")
        text = getattr(importlib.import_module(module), function).__doc__
        assert text.splitlines()[0] == summary, place


def test_who_says_an_alternative_is_a_source_and_says_it_of_one() -> None:
    for row in model_rows().values():
        assert set(row.said_by) <= set(row.alternatives), row.name
        assert set(row.said_by.values()) <= set(sources()), row.name
