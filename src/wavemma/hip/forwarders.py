"""The runtime's C text: what is written by hand, and a forwarding function for every other call."""

import re
from importlib.resources import files

from wavemma.hip.declarations import Call, calls, structures

_CHECKED = """{type} {name}({declared}) {{
  static int said = 0;
  {type} (*answer)({passed}) = ({type} (*)({passed}))wavemma_calls[{place}];
  {type} error = answer ? answer({arguments}) : ({type})unsupported("{name}", &said);
  return {told};
}}"""
_UNCHECKED = """{type} {name}({declared}) {{
  {type} (*answer)({passed}) = ({type} (*)({passed}))wavemma_calls[{place}];
  {returned}answer({arguments});
}}"""


def forwarded() -> tuple[Call, ...]:
    """List the calls that go to Python, in the order of the table that Python fills."""
    own = set(re.findall(r"^\w[\w *]*?(\w+)\([^;]*\) \{", _by_hand(), re.M))
    return tuple(call for name, call in calls().items() if name not in own)


def runtime_text() -> str:
    """Give the whole C text of the runtime."""
    found = forwarded()
    parts = [_by_hand(), f"void *wavemma_calls[{len(found)}];"]
    parts += [_forwarder(call, place) for place, call in enumerate(found)]
    parts.append(_fields())
    return "\n".join(parts) + "\n"


def _by_hand() -> str:
    return files("wavemma.hip").joinpath("runtime/runtime.c").read_text(encoding="utf-8")


def _forwarder(call: Call, place: int) -> str:
    given = call.parameters
    declared = ", ".join(f"{each.type} {each.name}" for each in given) or "void"
    passed = (
        ", ".join(f"const {each.type} *" if each.is_record else each.type for each in given)
        or "void"
    )
    arguments = ", ".join(f"&{each.name}" if each.is_record else each.name for each in given)
    template = _CHECKED if call.is_checked else _UNCHECKED
    return template.format(
        type=call.type,
        name=call.name,
        declared=declared,
        passed=passed,
        arguments=arguments,
        place=place,
        told="told(error)" if call.type == "hipError_t" else "error",
        returned="" if call.type == "void" else "return ",
    )


def _fields() -> str:
    """Tell where the fields of records lie, so that no layout is written twice."""
    rows = [
        f'  {{"{record}", "{name}", offsetof({record}, {name}), sizeof((({record} *)0)->{name})}},'
        for record, names in structures().items()
        for name in names
    ]
    sizes = [f'  {{"{record}", "", 0, sizeof({record})}},' for record in structures()]
    return "\n".join(
        [
            "const struct wavemma_field {",
            "  const char *record, *name;",
            "  size_t offset, bytes;",
            "} wavemma_fields[] = {",
            *rows,
            *sizes,
            "  {0, 0, 0, 0}};",
        ]
    )
