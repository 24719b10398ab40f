"""Worked examples for a base with several passages: one for each strategy that acts on
passages alone.
"""

from functools import cache
from typing import Any

from refusalbench_tasks.bounded_reading import yaml_value
from refusalbench_tasks.generators.levers import Strategy
from refusalbench_tasks.prompting import bundled, numbered

SEVERAL = "several.yaml"


@cache
def several_examples() -> dict[Strategy, dict[str, Any]]:
    """Return the bundled examples by their strategy (texts: ours).

    Each has `lever`, `question`, ten `passages`, those of them that bear on the
    question (`signal`, from 1), those that a lever `changed` by number, and `why`.
    """
    text = bundled("refusalbench_tasks.generators", SEVERAL)
    examples: Any = yaml_value(text, SEVERAL)
    return dict(examples)


def examples_for(strategies: frozenset[Strategy]) -> list[str]:
    """Return the texts of the examples for some strategies; none for a strategy that
    acts on the question too.
    """
    return [
        _shown(example)
        for strategy, example in several_examples().items()
        if strategy in strategies
    ]


def _shown(example: dict[str, Any]) -> str:
    """Return an example as a writer sees it: all passages before, the changed ones
    after.
    """
    lines = [
        f"Example with several passages, of the lever '{example['lever']}':",
        f"Before, question: {example['question']}",
        (
            "Before, passages (those that bear on the question:"
            f" {', '.join(map(str, example['signal']))}):"
        ),
        numbered(example["passages"]).replace("\n\n", "\n"),
        "After, passages that were changed (the question and all others stay):",
        *(f"[{k}] {text}" for k, text in example["changed"].items()),
        f"Why: {example['why']}",
    ]
    return "\n".join(lines)
