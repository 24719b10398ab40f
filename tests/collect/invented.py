"""Scripted writers and readers of sources for invented facts."""

import re
from collections.abc import Callable
from typing import Any

from refusalbench_tasks.collect.written import brief_row, plan_written
from tests.collect.panel import said, sources_of
from tests.models import part


def plain(prompt: str) -> dict[str, Any]:
    """Return the plain texts of the briefs as pages: dull, and right."""
    shown = [part(prompt, f"BRIEF {n}") for n in range(1, prompt.count("BEGIN BRIEF ") + 1)]
    return {"pages": [text.partition("Plain text: ")[2] for text in shown]}


def knows(n: int, seed: int) -> Callable[[str], dict[str, Any]]:
    """Return a reader of n records who weighs their sources: his verdict follows from how the row was made."""
    rows = [brief_row(one, seed) for one in plan_written(n, seed)]

    def read(prompt: str) -> dict[str, Any]:
        texts = [re.sub(r"(?s).*\nText: ", "", text) for text in sources_of(prompt)]
        for row in rows:
            for arm, sources in row["source_sets"].items():
                if [one["text"] for one in sources] == texts:
                    value = row["readings"][arm]["weighed"]
                    return said("answer", value) if value == row["gold_answer"] else said("missing")
        raise AssertionError(texts)

    return read
