"""How the inputs that tell two targets apart read."""

from wavemma.explain.separation import ModelOfTarget, Separation
from wavemma.render.document import Document, Facts, Heading, Text
from wavemma.render.dot_product import input_facts, model_pointer, result_table
from wavemma.render.pages import document_of


@document_of.register
def _separation(answer: Separation) -> Document:
    first, second = answer.targets
    title = Heading(f"{answer.format} on {first.target} and on {second.target}", 1)
    rules = Facts(tuple((each.target, _rule(each)) for each in answer.targets))
    if answer.found is None:
        return (title, rules, Text(_nothing(answer)))
    blocks = [input_facts(reading) for reading in answer.found.readings]
    rows = answer.found.rows
    found = (Heading("They differ here"), *blocks, result_table(rows), model_pointer(rows))
    return (title, rules, *found)


def _rule(each: ModelOfTarget) -> str:
    return f"{each.instruction}: {each.model}, {each.title}"


def _nothing(answer: Separation) -> str:
    if answer.same_rule:
        return "None found: both follow the same rule with instructions of the same k."
    return f"None found in {answer.tried:,} inputs."
