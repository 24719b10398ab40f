"""Worked examples for a base with several passages: one for each strategy that acts on passages alone."""

from functools import cache
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.generators.levers import Strategy
from refusalbench_tasks.prompting import bundled, numbered

SEVERAL = "several.yaml"


class SeveralExample(BaseModel):
    """A base of ten passages, and those that a lever changed; passages are counted from 1."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    lever: str
    question: str
    answers: tuple[str, ...]
    signal: tuple[int, ...]
    passages: tuple[str, ...] = Field(min_length=10, max_length=10)
    changed: dict[int, str]
    why: str

    @property
    def after(self) -> tuple[str, ...]:
        """Return all passages as they read after the change."""
        return tuple(self.changed.get(k, text) for k, text in enumerate(self.passages, 1))

    @property
    def text(self) -> str:
        """Return the example as a writer sees it: all passages before, the changed ones after."""
        lines = [
            f"Example with several passages, of the lever '{self.lever}':",
            f"Before, question: {self.question}",
            f"Before, passages (those that bear on the question: {', '.join(map(str, self.signal))}):",
            numbered(self.passages).replace("\n\n", "\n"),
            "After, passages that were changed (the question and all others stay):",
            *(f"[{k}] {text}" for k, text in self.changed.items()),
            f"Why: {self.why}",
        ]
        return "\n".join(lines)


@cache
def several_examples() -> dict[Literal["one_noise", "all_signal"], SeveralExample]:
    """Return the bundled examples by their strategy (texts: ours)."""
    entries = yaml.load(bundled("refusalbench_tasks.generators", SEVERAL), yaml.CSafeLoader)
    return {strategy: SeveralExample.model_validate(entry) for strategy, entry in entries.items()}


def examples_for(strategies: frozenset[Strategy]) -> list[str]:
    """Return the texts of the examples for some strategies; none for a strategy that acts on the question too."""
    return [example.text for strategy, example in several_examples().items() if strategy in strategies]
