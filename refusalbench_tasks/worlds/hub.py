"""A fixed set of rows for the Hugging Face hub, with the `eval.yaml` that the hub and
Inspect run without this package.

Scorers of others compare text alone, so the target of a row is a code, or an answer
that is written in one way only.
"""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import jsonl, write_folder
from refusalbench_tasks.solvers.refusal_prompt import prompt_text
from refusalbench_tasks.taxonomy import PerturbationClass
from refusalbench_tasks.worlds.card import LICENCE, Card
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.quad import VERSION
from refusalbench_tasks.worlds.quad_rows import CELLS, rows

TASK = "refusalbench_worlds"
FILE = "test.jsonl"
KEPT = (
    "id",
    "source_id",
    "pair_id",
    "perturbation_class",
    "intensity",
    "domain",
    "answer_type",
)
_SHORT = (
    "When you answer, give the value alone, as the passages write it, or yes or no: no"
    " sentence around it."
)


def write_hub(folder: Path, number: int = 600, seed: int = 0) -> None:
    """Write the rows, `eval.yaml` and the data card, as a repository of the hub holds
    them.

    The rows are the first quads of the seed whose answers are a date, a time, a year, a
    count, yes or no; each class has as many. Raises DataError if `number` is no
    multiple of 24, or if it cannot be written.
    """
    classes = len(PerturbationClass)
    if number < 1 or number % (CELLS * classes):
        raise DataError(
            f"--hub: -n {number} is no multiple of {CELLS * classes}: quads of each of"
            f" {classes} classes"
        )
    card = Card(f"refusalbench worlds --hub {folder.name} -n {number} --seed {seed}")
    contents = list(
        card.passing(
            _rows(seed, number // CELLS // classes),
            ("perturbation_class", "intensity", "domain"),
        )
    )
    write_folder(
        folder,
        {
            FILE: jsonl(contents),
            "eval.yaml": yaml.safe_dump(_task(), sort_keys=False, width=120),
            "README.md": _front_matter() + card.text(VERSION),
        },
    )


def _rows(seed: int, quads: int) -> Iterator[dict[str, Any]]:
    left = {perturbation.value: quads for perturbation in PerturbationClass}
    for start in count(0, CELLS):
        if not any(left.values()):
            return
        quad = list(rows(seed, start, start + CELLS, DOCUMENTS))
        kind = quad[0]["perturbation_class"]
        if left[kind] and all(len(row["original_answers"]) == 1 for row in quad):
            left[kind] -= 1
            yield from map(_row, quad)


def _row(row: dict[str, Any]) -> dict[str, Any]:
    code = row["expected_rag_behavior"]
    return {
        **{name: row[name] for name in KEPT},
        "input": (
            f"QUESTION\n{row['perturbed_query']}\n\nPASSAGES\n{row['perturbed_context']}"
        ),
        "target": row["original_answers"][0] if code == "ANSWER_CORRECTLY" else code,
    }


def _task() -> dict[str, Any]:
    """Return the task in the form that Inspect's loader of hub tasks reads: its own
    solvers and scorers alone.
    """
    instructions = prompt_text().partition("\n\nQUESTION\n")[0]
    prompt = {"template": f"{instructions}\n\n{_SHORT}"}
    task = {
        "id": TASK,
        "config": "default",
        "split": "test",
        "field_spec": {"input": "input", "target": "target", "metadata": list(KEPT)},
        "solvers": [
            {"name": "system_message", "args": prompt},
            {"name": "generate"},
        ],
        "scorers": [{"name": "exact"}],
    }
    return {
        "name": "RefusalBench worlds",
        "description": (
            "Answer from a document about invented things, or refuse with the code of"
            " the reason."
        ),
        "evaluation_framework": "inspect-ai",
        "tasks": [task],
    }


def _front_matter() -> str:
    facts = {
        "license": LICENCE.lower(),
        "language": ["en"],
        "task_categories": ["question-answering"],
        "tags": ["refusal", "abstention", "rag", "synthetic"],
        "configs": [
            {"config_name": "default", "data_files": [{"split": "test", "path": FILE}]}
        ],
    }
    return f"---\n{yaml.safe_dump(facts, sort_keys=False)}---\n\n"
