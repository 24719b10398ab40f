"""Made rows through the tasks, from the arguments to the numbers in the log and the tables about it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import Task, eval
from inspect_ai.solver import Solver

from refusalbench_tasks.cli import main
from refusalbench_tasks.report.refusal_tables import more_tables
from refusalbench_tasks.report.system import groups_of
from refusalbench_tasks.results.table import Run, read_logs
from refusalbench_tasks.solvers.baselines import always_refuse, oracle
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.logged import numbers_of

MADE: dict[str, Any] = {"data": "worlds", "seed": 7, "judge": "offline"}


def run(task: Task, solver: Solver, folder: Path) -> dict[str, float]:
    (log,) = eval(task, model=None, solver=solver, log_dir=str(folder), display="none")
    return numbers_of(log, "grounded_scores" if log.eval.task.endswith("garage") else "refusal_scores")


@pytest.mark.parametrize(("task", "rows"), [(nq, 24), (garage, 8)])
def test_the_oracle_is_perfect_without_a_judge(task: Callable[..., Task], rows: int, tmp_path: Path) -> None:
    m = run(task(n=rows, **MADE), oracle(), tmp_path)
    names = ("answer_accuracy", "refusal_accuracy", "calibrated_refusal_score", "pair_consistency", "quad_consistency")
    assert [m[name] for name in names] == [1, 1, 1, 1, 1]
    assert (m["n"], m["n_unscored"], m["pair_consistency_n"], m["quad_consistency_n"]) == (rows, 0, rows / 2, rows / 4)
    # two answerable rows of each quad are decided by type, the others by their code
    assert (m["n_by_type"], m["n_by_parse"]) == (rows / 2, rows / 2)
    # quads are the units, and none of so few was wrong
    assert 0 < m["quad_consistency_ci_low"] < 1
    assert m["quad_consistency_ci_low"] == m["pair_consistency_ci_low"]


def test_scores_and_rows_know_their_epoch(tmp_path: Path) -> None:
    task = nq(n=4, domains="ferries", **MADE)
    (log,) = eval(task, model=None, solver=oracle(), epochs=2, log_dir=str(tmp_path), display="none")
    assert numbers_of(log)["quad_consistency_n"] == 2
    for sample in log.samples or ():
        assert ((sample.scores or {})["refusal_scores"].metadata or {})["epoch"] == sample.epoch
    (found,) = read_logs([str(tmp_path)]).runs
    assert sorted(found.replies["epoch"]) == [1] * 4 + [2] * 4


def quad_lines(*runs: Run) -> list[dict[str, Any]]:
    """Return the lines of the report's table of pairs and quads."""
    (group,) = groups_of(runs)
    return [row for table in more_tables(group) if table.key == "quads" for row in table.rows]


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the logs of a perfect run and of one that always refuses, over eleven hidden quads and one that tells."""
    folder = tmp_path_factory.mktemp("logs")
    for name, solver in (("a", always_refuse()), ("b", oracle())):
        run(nq(n=48, domains="halls,opinions", **MADE), solver, folder / name)
    return folder


def test_what_a_question_alone_tells_is_reported_apart(logs: Path) -> None:
    rows = quad_lines(*read_logs([str(logs)]).runs)
    lines = {(line["system"], line["quads"]): line for line in rows}
    refuses, knows = (name for name in dict.fromkeys(line["system"] for line in rows))
    parts = {part: lines[refuses, part]["quad consistency n"] for part in ("all", "hidden", "the question alone tells")}
    assert parts == {"all": 12, "hidden": 11, "the question alone tells": 1}
    for part, quads in parts.items():
        assert lines[knows, part]["quad consistency"] == lines[knows, part]["answer accuracy"] == 1
        assert lines[refuses, part]["pair consistency"] == 0
        assert lines[refuses, part]["false refusal rate"] == 1
        assert lines[refuses, part]["pair consistency n"] == lines[refuses, part]["answer accuracy n"] == 2 * quads


@pytest.mark.parametrize("command", [["show", "--all"], ["compare"], ["gate", "--min", "pair_consistency=0.8"]])
def test_commands_tell_the_consistency_of_pairs_and_quads(command: list[str], logs: Path) -> None:
    given = [str(logs / "b")] if command[0] == "gate" else [str(logs / "a"), str(logs / "b")]
    told = CliRunner().invoke(main, [command[0], *given, *command[1:]])
    lines = {line.split()[0]: line.split()[1:] for line in told.output.splitlines() if line}
    match command[0]:
        case "show":
            consistent = [line.split()[-5:] for line in told.output.splitlines() if " quad_consistency " in line]
            assert [(one[0], one[1], one[-1]) for one in consistent] == [
                ("quad_consistency", "0.000", "12"),
                ("quad_consistency", "1.000", "12"),
            ]
        case "compare":
            # 0 against 1 in twelve quads, which are 24 pairs
            assert lines["pair_consistency"][:3] == ["0.000", "1.000", "1.000"]
            assert lines["quad_consistency"][5:7] == ["12", "12"]
        case _:
            # of twelve quads that are all right Wilson's lower bound is 0.758, and of 24 pairs no more
            assert told.exit_code == 3, told.output
            assert "1.000     0.758      1.000  24" in told.output
