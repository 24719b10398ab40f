"""Base questions that every model answers."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.generators.solved_filter import solved_in
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.solvers.baselines import always_refuse, oracle
from refusalbench_tasks.tasks.nq import nq

OWN = {
    "question": "Who built it?",
    "answer": "Ole Brandt",
    "context": "It was built by Ole Brandt.",
}


def saved(path: Path, *rows: dict[str, Any]) -> str:
    (path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path / "rows.jsonl")


def test_only_what_every_log_answers_rightly_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    path = saved(tmp_path, OWN, OWN | {"question": "And who paid?"})
    items = curate(path).items
    write_rows(tmp_path / "bases.jsonl", map(base_row, items))
    for name, solver in (("right", oracle()), ("refusing", always_refuse())):
        task = nq(data=str(tmp_path / "bases.jsonl"), controls="only", judge="offline")
        eval(
            task,
            solver=solver,
            model="none/none",
            log_dir=str(tmp_path / name),
            display="none",
        )
    assert solved_in(items, [str(tmp_path / "right")])[0] == items
    assert (
        solved_in(items, [str(tmp_path / "right"), str(tmp_path / "refusing")])[0] == []
    )
    (tmp_path / "right/2020-01-01_nq_x.eval").write_bytes(b"no archive")
    found, counted = solved_in(items, [str(tmp_path / "right")])
    assert (found, len(counted.logs)) == (items, 1)
    assert ["not a readable log" in why for _, why in counted.left_out] == [True]
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no log of a run of nq or garage"):
        solved_in(items, [str(tmp_path / "empty")])


def test_solved_questions_are_drawn_from_on_the_command_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    path = saved(
        tmp_path,
        *[OWN | {"question": f"Who built {k}?", "id": f"q{k}"} for k in range(6)],
    )
    run = [
        str(tmp_path / "pool.jsonl"),
        str(tmp_path / "drawn.jsonl"),
        str(tmp_path / "logs"),
    ]
    assert (
        CliRunner().invoke(main, ["plan", "--bases", path, "-o", run[0]]).exit_code == 0
    )
    task = nq(data=run[0], controls="only", judge="offline")
    # the run holds four of the six
    eval(
        task,
        solver=oracle(),
        model="none/none",
        limit=4,
        log_dir=run[2],
        display="none",
    )
    result = CliRunner().invoke(
        main, ["plan", "--bases", path, "-o", run[1], "--solved-in", run[2], "-n", "3"]
    )
    assert result.exit_code == 0, result.output
    assert "4 of 6 questions are answered rightly in the log" in result.output
    assert "left out, not kept: 2" in result.output
    assert len(curate(run[1]).items) == 3
