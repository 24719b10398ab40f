"""Base questions as rows."""

import json
from pathlib import Path
from typing import Any

from inspect_ai import eval

from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.nq import nq

OWN = {
    "question": "Who built it?",
    "answer": "Ole Brandt",
    "context": "It was built by Ole Brandt.",
}


def saved(path: Path, *rows: dict[str, Any]) -> str:
    (path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path / "rows.jsonl")


def test_own_documents_become_bases_that_nq_runs(tmp_path: Path) -> None:
    found = curate(
        saved(
            tmp_path,
            OWN,
            OWN
            | {
                "question": "Where?",
                "contexts": ["Nothing.", "Ole Brandt lives there."],
            },
        )
    )
    write_rows(
        tmp_path / "bases.jsonl",
        [base_row(item) | {"licence": "CC0"} for item in found.items],
    )
    bases = curate(str(tmp_path / "bases.jsonl")).items
    assert [one.model_copy(update={"columns": {}}) for one in bases] == found.items
    assert {item.passages[0] for item in bases} == {
        "It was built by Ole Brandt.",
        "Ole Brandt lives there.",
    }
    assert curate(str(tmp_path / "bases.jsonl")).licence == "CC0"
    task = nq(data=str(tmp_path / "bases.jsonl"), controls="only", judge="offline")
    (log,) = eval(
        task,
        solver=oracle(),
        model="none/none",
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    assert log.results
    assert log.results.scores[1].metrics["control_answer_accuracy"].value == 1.0
