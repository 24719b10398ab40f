"""What the tasks of the refusal kind share: rows are read by phrases of refusals."""

from pathlib import Path

import pytest
from inspect_ai import eval

from refusalbench_tasks import nq
from refusalbench_tasks.errors import DataError
from tests.models import fake


def test_a_systems_phrases_decide_offline_and_one_that_answers_hold_is_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    gold = "Edda Lindqvist"
    file = tmp_path / "phrases.txt"
    file.write_text(f"# ours\nThat is one for the front desk\n{gold}\n")
    task = nq(data="sample", judge="offline", codes=False, refusals=str(file))
    assert f"refusals: '{gold}' stands in a gold answer" in caplog.text
    model = fake(lambda _: "Thanks! That is one for the FRONT desk, floor 2.")
    [log] = eval(task, model=model, limit=24, display="none", log_dir=str(tmp_path))
    scores = [one.scores["refusal_correct"] for one in log.samples or () if one.scores]
    assert len(scores) == 24
    assert {(one.metadata or {})["decided_by"] for one in scores} == {"reading"}
    assert {one.explanation and one.explanation.split(", ")[1] for one in scores} == {
        "given REFUSAL (reading: refuses"
    }
    with pytest.raises(DataError, match="refusals: only with judge=offline"):
        nq(data="sample", refusals=str(file))
