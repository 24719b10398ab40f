"""A fixed set of rows for the Hugging Face hub, with the `eval.yaml` that the hub and
Inspect run without this package: `python -m benchmarks.worlds_hub FOLDER`.

Scorers of others compare text alone, so the target of a row is a code, or an answer
that is written in one way only.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from refusalbench_tasks.prompting.refusal_template import prompt_text
from refusalbench_tasks.safe_writing import jsonl, write_folder
from refusalbench_tasks.taxonomy import PerturbationClass
from refusalbench_tasks.worlds.card import Card
from refusalbench_tasks.worlds.quad import VERSION
from refusalbench_tasks.worlds.quad_rows import CELLS, quad_rows

CONTENT = Path(__file__).with_suffix(".yaml")
QUADS = 25
"""Quads of each class."""


def write_hub(folder: Path) -> None:
    """Write the rows, `eval.yaml` and the data card, as a repository of the hub holds
    them.

    The rows are the first quads of seed 0 whose answers are a date, a time, a year, a
    count, yes or no; each class has as many. Raises DataError if it cannot be written.
    """
    content = yaml.safe_load(CONTENT.read_text(encoding="utf-8"))
    (task,) = content["eval"]["tasks"]
    arguments = task["solvers"][0]["args"]
    instructions = prompt_text().partition("\n\nQUESTION\n")[0]
    template = arguments["template"].replace("{instructions}", instructions)
    arguments["template"] = template
    card = Card("python -m benchmarks.worlds_hub FOLDER")
    rows = card.passing(
        _rows(task["field_spec"]["metadata"]),
        ("perturbation_class", "intensity", "domain"),
    )
    lines = jsonl(rows)
    front_matter = yaml.safe_dump(content["card"], sort_keys=False)
    written = {
        "test.jsonl": lines,
        "eval.yaml": yaml.safe_dump(content["eval"], sort_keys=False, width=120),
        "README.md": f"---\n{front_matter}---\n\n{card.text(VERSION)}",
    }
    write_folder(folder, written)


def _rows(columns: Sequence[str]) -> Iterator[dict[str, Any]]:
    left = {perturbation.value: QUADS for perturbation in PerturbationClass}
    for start in count(0, CELLS):
        if not any(left.values()):
            return
        quad = list(quad_rows(0, start, start + CELLS))
        kind = quad[0]["perturbation_class"]
        has_one_spelling = all(len(row["original_answers"]) == 1 for row in quad)
        if left[kind] and has_one_spelling:
            left[kind] -= 1
            for row in quad:
                yield _row(row, columns)


def _row(
    row: dict[str, Any],
    columns: Sequence[str],
) -> dict[str, Any]:
    question = row["perturbed_query"]
    passage = row["perturbed_context"]
    target = row["expected_rag_behavior"]
    if target == "ANSWER_CORRECTLY":
        target = row["original_answers"][0]
    return {
        **{name: row[name] for name in columns},
        "input": f"QUESTION\n{question}\n\nPASSAGES\n{passage}",
        "target": target,
    }


if __name__ == "__main__":
    write_hub(Path(sys.argv[1]))
