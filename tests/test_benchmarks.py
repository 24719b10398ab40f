"""What the benchmarks write."""

from pathlib import Path

import pytest
from inspect_ai import eval

from benchmarks.models_table import PAGE, fill
from refusalbench_tasks import nq
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.baselines import oracle
from tests.models import fake


def test_the_page_of_models_takes_the_table_of_logs_and_keeps_the_rest(tmp_path: Path) -> None:
    page = tmp_path / "models.md"
    page.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    task = nq(data="sample", judge="offline")
    eval(task, solver=oracle(), model=fake(lambda _: ""), limit=3, log_dir=str(tmp_path / "logs"), display="none")
    for _ in range(2):
        fill(page, [str(tmp_path / "logs")])
        text = page.read_text(encoding="utf-8")
        assert text.count("| Model | ") == 1
        assert text.endswith(PAGE.read_text(encoding="utf-8").rpartition("<!-- end -->")[2])
    with pytest.raises(DataError, match="does not exist"):
        fill(page, [str(tmp_path / "none")])
    assert page.read_text(encoding="utf-8") == text
