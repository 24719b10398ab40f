"""The hedging prompt has every element of the protocol and shows no category."""

from pathlib import Path

import pytest
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset

from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scorers.hedging import hedging_correct
from refusalbench_tasks.solvers.hedging_prompt import hedging_prompt, rules_text, sources_text
from refusalbench_tasks.solvers.ptrue import ptrue
from tests.models import fake

ITEM = load_bluff("sample")[0][0]


def test_the_sources_are_numbered_with_title_and_address_and_without_category() -> None:
    text = sources_text(ITEM)
    for number, source in enumerate(ITEM.sources, 1):
        assert f"Source {number}\nTitle: {source.title}\nURL: {source.url}\nText: {source.text}" in text
    assert text.endswith(f"QUESTION\n\n{ITEM.query}")
    assert ITEM.sources[4].category not in text


def test_a_date_line_is_shown_on_request() -> None:
    assert "Date:" not in sources_text(ITEM)
    shown = sources_text(ITEM, show_date=True)
    assert all(source.date and f"Date: {source.date}" in shown for source in ITEM.sources)


def test_a_source_without_a_date_says_that_it_is_unknown() -> None:
    undated = tuple(source.model_copy(update={"date": ""}) for source in ITEM.sources)
    shown = sources_text(ITEM.model_copy(update={"sources": undated}), show_date=True)
    assert shown.count("Date: unknown") == 5


def test_the_rules_have_every_element() -> None:
    rules = rules_text()
    assert [rules.count(f"\n{number}. ") for number in range(1, 8)] == [1] * 7
    assert rules.count("{{threshold}}") == 2
    assert rules.count("{{words}}") == 1
    assert "I don't know" in rules
    assert "first line" in rules


def test_a_source_that_names_a_slot_stays_text() -> None:
    source = ITEM.sources[0].model_copy(update={"text": "{{query}} {{words}}"})
    text = sources_text(ITEM.model_copy(update={"sources": (source,)}))
    assert "Text: {{query}} {{words}}" in text


def test_other_rules_need_the_slots(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("At most {{words}} words.")
    with pytest.raises(DataError, match="needs the slots {{threshold}}, {{words}}"):
        hedging_prompt(prompt=str(tmp_path / "rules.txt"))


def test_solver_and_label_work_outside_the_task(tmp_path: Path) -> None:
    def answer(prompt: str) -> str | dict[str, object]:
        if "BEGIN REFERENCE ANSWER" in prompt:
            return {"explanation": "x", "behaviour": "ANSWER", "correctness": 1.0}
        return "It may be so."

    task = Task(
        dataset=MemoryDataset([ITEM.to_sample()]),
        solver=[hedging_prompt(words=20, threshold=0.5), ptrue("none")],
        scorer=hedging_correct(),
    )
    (log,) = eval(task, model=fake(answer), log_dir=str(tmp_path), display="none")
    assert log.samples
    assert log.samples[0].scores
    assert log.samples[0].scores["hedging_correct"].value == "C"
    assert "no more than 20 words" in log.samples[0].messages[0].text
    assert "above 0.5." in log.samples[0].messages[0].text
