"""A report of three runs, with hostile text in everything that comes from outside."""

from pathlib import Path

import pytest

from refusalbench_tasks.taxonomy import Label
from tests.report.reporting import SCRIPT, report
from tests.results.synthetic import hedging_sample, row, write_log


@pytest.fixture(scope="session")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs of nq, one of bluff; the first has unscored rows and an error, and
    hostile text everywhere.
    """
    logs = tmp_path_factory.mktemp("mixed")
    lost = row("9", Label.MISSING)
    lost.scores = None
    bad = [
        row(
            str(k),
            None if k < 2 else Label.ANSWER,
            reply=f"{SCRIPT} $x$ {k}",
            query=f"{SCRIPT} {k}",
        )
        for k in range(9)
    ]
    write_log(logs, f"evil {SCRIPT}\x00$x_1$", [*bad, lost])
    write_log(logs, "good", [row(str(k), Label.MISSING) for k in range(10)])
    pairs = [
        hedging_sample(f"q{k}", arm, correctness=0.0)
        for k in range(3)
        for arm in ("clear", "ambiguous")
    ]
    write_log(logs, "b", pairs, task="bluff", scorer="hedging_scores")
    return logs


@pytest.fixture(scope="session")
def written(mixed: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The report of these runs, and what the command printed."""
    out = tmp_path_factory.mktemp("written") / "out"
    result = report(mixed, to=out)
    assert result.exit_code == 0, result.output
    return out, result.output
