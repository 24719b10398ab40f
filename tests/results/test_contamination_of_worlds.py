"""A released set beside one that is made on the spot: logs of the task itself."""

from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.solvers.baselines import always_refuse
from refusalbench_tasks.tasks.nq import nq


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("logs")
    for name, task in (
        ("sample", nq(data="sample", judge="offline", per_stratum=1)),
        ("worlds", nq(data="worlds", n=4, seed=7, judge="offline")),
    ):
        (log,) = eval(task, model=None, solver=always_refuse(), log_dir=str(made / name), display="none")
        assert log.status == "success", log.error
    return made


def told(folder: Path, *arguments: str) -> str:
    paths = [str(folder / one) if (folder / one).exists() else one for one in arguments]
    return CliRunner().invoke(main, ["compare", *paths]).output


def test_what_a_model_loses_from_the_released_rows_to_worlds(folder: Path) -> None:
    text = told(folder, "--static", "sample", "--fresh", "worlds")
    lines = {line.split()[0]: line.split()[1:] for line in text.splitlines() if line}
    # whoever always refuses refuses all answerable rows of both: two of a quad's four
    static, fresh, drop, *_, n_fresh = lines["false_refusal_rate"]
    assert (static, fresh, drop, n_fresh) == ("1.000", "1.000", "0.000", "2")
    assert "18 rows (static), 4 rows (fresh)" in text
    assert "the two sets have other shares of classes" in text


def test_rows_of_two_sets_are_not_compared_one_by_one(folder: Path) -> None:
    assert "compare what both have with --any-data" in told(folder, "sample", "worlds")
    assert "no sample in common" in told(folder, "sample", "worlds", "--any-data")
