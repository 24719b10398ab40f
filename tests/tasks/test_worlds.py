"""Made rows through the tasks, from the arguments to the numbers in the log and the
tables about it.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Task, eval
from inspect_ai.solver import Solver

from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.report.refusal_tables import more_tables
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.solvers.baselines import always_refuse, oracle
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.logged import numbers_of

MADE: dict[str, Any] = {"data": "worlds", "seed": 7, "judge": "offline"}


def run(task: Task, solver: Solver, folder: Path) -> dict[str, float]:
    (log,) = eval(task, model=None, solver=solver, log_dir=str(folder), display="none")
    return numbers_of(
        log, "grounded_scores" if log.eval.task.endswith("garage") else "refusal_scores"
    )


@pytest.mark.parametrize(("task", "rows"), [(nq, 24), (garage, 8)])
def test_the_oracle_is_perfect_without_a_judge(
    task: Callable[..., Task], rows: int, tmp_path: Path
) -> None:
    m = run(task(n=rows, **MADE), oracle(), tmp_path)
    names = (
        "answer_accuracy",
        "refusal_accuracy",
        "calibrated_refusal_score",
        "pair_consistency",
        "quad_consistency",
    )
    assert [m[name] for name in names] == [1, 1, 1, 1, 1]
    assert (
        m["n"],
        m["n_unscored"],
        m["pair_consistency_n"],
        m["quad_consistency_n"],
    ) == (rows, 0, rows / 2, rows / 4)
    # two answerable rows of each quad are decided by type, the others by their code
    assert (m["n_by_type"], m["n_by_parse"]) == (rows / 2, rows / 2)
    # quads are the units, and none of so few was wrong
    assert 0 < m["quad_consistency_ci_low"] < 1
    assert m["quad_consistency_ci_low"] == m["pair_consistency_ci_low"]


def test_scores_and_rows_know_their_epoch(tmp_path: Path) -> None:
    task = nq(n=4, domains="ferries", **MADE)
    (log,) = eval(
        task,
        model=None,
        solver=oracle(),
        epochs=2,
        log_dir=str(tmp_path),
        display="none",
    )
    assert numbers_of(log)["quad_consistency_n"] == 2
    for sample in log.samples or ():
        assert ((sample.scores or {})["refusal_scores"].metadata or {})[
            "epoch"
        ] == sample.epoch
    (found,) = read_logs([str(tmp_path)]).runs
    assert sorted(found.replies["epoch"]) == [1] * 4 + [2] * 4


def test_the_report_has_the_consistency_of_pairs_and_quads(tmp_path: Path) -> None:
    for name, solver in (("a", always_refuse()), ("b", oracle())):
        run(nq(n=48, domains="halls,opinions", **MADE), solver, tmp_path / name)
    (group,) = groups_of(read_logs([str(tmp_path)]).runs)
    (table,) = (one for one in more_tables(group) if one.key == "consistency")
    names = (
        "pair consistency",
        "quad consistency",
        "pair consistency n",
        "quad consistency n",
    )
    assert [[row[name] for name in names] for row in table.rows] == [
        [0, 0, 24, 12],
        [1, 1, 24, 12],
    ]
