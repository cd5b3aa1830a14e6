"""What is read from the source of commands is what the parser makes of them."""

from typing import get_args

import pytest
from cyclopts import App

from wavemma.cli.app import build
from wavemma.cli.command_options import options_of
from wavemma.cli.commands import COMMANDS, GROUPS

APP = build()
EVERY = [pytest.param(APP, name, place, id=name) for name, place, _ in COMMANDS] + [
    pytest.param(APP[group], name, place, id=f"{group} {name}")
    for group, _, commands in GROUPS
    for name, place, _ in commands
]


@pytest.mark.parametrize(("app", "name", "place"), EVERY)
def test_options_are_those_of_the_parser(app: App, name: str, place: str) -> None:
    found = options_of(place)
    parsed = [
        each
        for each in app[name].assemble_argument_collection()
        if each.field_info.kind.name == "KEYWORD_ONLY" and each.show
    ]
    # A switch that is off has no second name in the whole application.
    words = {each.names[0]: {x for x in each.names if x != "--no-json"} for each in parsed}
    assert {word for names in words.values() for word in names} >= {
        word for option in found.options for word in option.words
    }
    assert len(found.options) == len(parsed)
    for each in parsed:
        [option] = [option for option in found.options if each.names[0] in option.words]
        switch = each.token_count()[0] == 0 or bool in get_args(each.hint)
        assert option.following == (0 if switch else each.token_count()[0]), option.name


@pytest.mark.parametrize(("app", "name", "place"), EVERY)
def test_arguments_are_those_of_the_parser(app: App, name: str, place: str) -> None:
    parsed = [
        each
        for each in app[name].assemble_argument_collection()
        if each.field_info.kind.name != "KEYWORD_ONLY"
    ]
    found = options_of(place)
    assert [name for name, _ in found.positional] == [each.field_info.name for each in parsed]
    last = parsed[-1].field_info.kind.name if parsed else ""
    assert found.takes_more == (last == "VAR_POSITIONAL")


def test_choices_are_found_under_any_name() -> None:
    choices = {
        (name, option.name): option.choices
        for name, place, _ in COMMANDS
        for option in options_of(place).options
    }
    assert choices["port", "code"] == ("old", "new")
    assert choices["layout", "opsel"] == ("0", "1")
    assert choices["bits", "overflow"] == ("special", "saturate", "saturate_finite", "wrap")
    assert choices["gemm", "scale_rule"] == ("power", "nearest", "fit")
    assert choices["layout", "wave"] == ()
