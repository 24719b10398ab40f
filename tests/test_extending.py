"""The recipe of docs/extending.md: a third data set of the refusal kind is rows, a
sample, a prompt and a thin task.
"""

import json
from importlib import import_module
from pathlib import Path

import pytest
from inspect_ai import eval

from refusalbench_tasks.report.build import write_report
from refusalbench_tasks.solvers.baselines import oracle
from tests.models import fake, metrics_of

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
    name="Toy",
    task="toy",
    repo="nobody/toy",
    split="test",
    licence="Apache-2.0",
    passages="shelf",
    sample=FOLDER + "toy_sample.jsonl",
    prompt=FOLDER + "toy.txt",
    layout=ToyRow,
    grounded=True,
)
"""
TASK = """
from toy_rows import TOY
from inspect_ai import Task, task

from refusalbench_tasks.tasks.refusal_task import RefusalSettings, refusal_task


@task
def toy(data: str = "sample") -> Task:
    return refusal_task(TOY, "1-A", RefusalSettings(data=data, judge="offline"))
"""
KIND = {"ask": "When does it open?", "replies": ["at ten"], "class": "P-MissingInfo"}
SAMPLE = [
    KIND
    | {
        "number": 1,
        "shelf": ["It opens at ten.", "It is red."],
        "intensity": "LOW",
    },
    KIND | {"number": 2, "shelf": ["It opens.", "It is red."], "intensity": "HIGH"},
]
PROMPT = (
    "Answer, or give one of the codes.\n\nQUESTION\n{{query}}\n\nSHELF\n{{context}}"
)


def test_a_third_data_set_is_four_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "toy_sample.jsonl": "\n".join(map(json.dumps, SAMPLE)),
        "toy.txt": PROMPT,
        "toy_rows.py": f"FOLDER = {str(tmp_path)!r} + '/'\n{ROWS}",
        "toy.py": TASK,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    toy = import_module("toy").toy
    logs = str(tmp_path / "logs")
    (log,) = eval(
        toy(), model="none/none", solver=oracle(), log_dir=logs, display="none"
    )
    found = metrics_of(log, "grounded_scores")
    names = (
        "answer_accuracy",
        "refusal_accuracy",
        "unscored_rate",
        "calibrated_refusal_score",
    )
    assert [found[name] for name in names] == [1, 1, 0, 1]
    page = write_report([logs], tmp_path / "report").page
    assert "Runs: 1 of toy." in page.read_text(encoding="utf-8")
    asked: list[str] = []

    def answer(prompt: str) -> str:
        asked.append(prompt)
        return "REFUSE_OTHER"

    eval(toy(), model=fake(answer), display="none", limit=1, log_dir=logs)
    assert asked[0].startswith(
        "Answer, or give one of the codes.\n\nQUESTION\nWhen does it open?\n\nSHELF\n"
    )
    assert "[2] It is red." in asked[0]
