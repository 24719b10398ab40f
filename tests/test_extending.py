"""The recipe of docs/extending.md: a third data set of the refusal kind is rows, a sample, a prompt and a thin task."""

import importlib.util
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from inspect_ai import eval

from refusalbench_tasks.report.build import write_report
from refusalbench_tasks.solvers.baselines import oracle
from tests.models import fake

ROWS = """
from refusalbench_tasks.datasets.benchmarks import Benchmark
from refusalbench_tasks.datasets.fields import Strings, Text, Word, named
from refusalbench_tasks.datasets.refusal_rows import RefusalRow


class ToyRow(RefusalRow):
    id: Word = named("number")
    query: Text = named("ask")
    passages: Strings = named("shelf")
    answers: Strings = named("replies")


TOY = Benchmark(
    name="Toy", task="toy", repo="nobody/toy", split="test", licence="Apache-2.0", sample=SAMPLE, prompt=PROMPT,
    passages="shelf", layout=ToyRow, grounded=GROUNDED,
)
"""
TASK = """
from inspect_ai import Task, task

from refusalbench_tasks.tasks.refusal_task import RefusalSettings, refusal_task


@task
def toy(data: str = "sample") -> Task:
    return refusal_task(TOY, "1-A", RefusalSettings(data=data, judge="offline"))
"""
SAMPLE = [
    {"number": 1, "ask": "When does it open?", "shelf": ["It opens at ten.", "It is red."], "replies": ["at ten"]},
    {"number": 2, "ask": "When does it open?", "shelf": ["It opens.", "It is red."], "replies": ["at ten"]},
]
KINDS = [{"class": "P-MissingInfo", "intensity": "LOW"}, {"class": "P-MissingInfo", "intensity": "HIGH"}]
PROMPT = "Answer, or give one of the codes.\n\nQUESTION\n{{query}}\n\nSHELF\n{{context}}"


def toy_task(folder: Path, grounded: bool) -> ModuleType:
    """Write the four files of the recipe, and return the task's module."""
    rows = [row | kind for row, kind in zip(SAMPLE, KINDS, strict=True)]
    (folder / "toy_sample.jsonl").write_text("\n".join(map(json.dumps, rows)))
    (folder / "toy.txt").write_text(PROMPT)
    constants = {
        "SAMPLE": str(folder / "toy_sample.jsonl"),
        "PROMPT": str(folder / "toy.txt"),
        "GROUNDED": grounded,
    }
    lines = [f"{name} = {value!r}" for name, value in constants.items()]
    (folder / "toy_rows.py").write_text("\n".join(lines) + ROWS)
    (folder / "toy.py").write_text("from toy_rows import TOY\n" + TASK)
    spec = importlib.util.spec_from_file_location("toy", folder / "toy.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def report_page(folder: Path) -> str:
    write_report([str(folder / "logs")], folder / "report")
    return (folder / "report" / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("grounded", "scorer"), [(False, "refusal_scores"), (True, "grounded_scores")])
def test_a_third_data_set_is_four_files(
    grounded: bool, scorer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "toy_rows", raising=False)
    module: Any = toy_task(tmp_path, grounded)
    (log,) = eval(module.toy(), model="none/none", solver=oracle(), log_dir=str(tmp_path / "logs"), display="none")
    assert log.status == "success", log.error
    assert log.results
    scores = {score.name: score.metrics for score in log.results.scores}
    found = {name: scores[scorer][name].value for name in ("answer_accuracy", "refusal_accuracy", "unscored_rate")}
    assert found == {"answer_accuracy": 1, "refusal_accuracy": 1, "unscored_rate": 0}
    assert scores[scorer]["calibrated_refusal_score"].value == 1.0
    assert "Runs: 1 of toy." in report_page(tmp_path)
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "REFUSE_OTHER"

    eval(module.toy(), model=fake(answer), display="none", limit=1, log_dir=str(tmp_path / "logs"))
    assert asked[0].startswith("Answer, or give one of the codes.\n\nQUESTION\nWhen does it open?\n\nSHELF\n")
    assert ("[2] It is red." in asked[0]) is grounded
