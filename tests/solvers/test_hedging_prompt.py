"""The hedging prompt has every element of the protocol and shows no category."""

from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset

from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.scorers.hedging import hedging_correct
from refusalbench_tasks.solvers.hedging_prompt import hedging_prompt, sources_text
from refusalbench_tasks.solvers.ptrue import ptrue
from tests.models import fake

ITEM = load_bluff("sample")[0][0]


def test_the_sources_are_numbered_with_title_and_address_and_without_category() -> None:
    text = sources_text(ITEM)
    for number, source in enumerate(ITEM.sources, 1):
        assert (
            f"Source {number}\nTitle: {source.title}\nURL: {source.url}\nText:"
            f" {source.text}" in text
        )
    assert text.endswith(f"QUESTION\n\n{ITEM.query}")
    assert ITEM.sources[4].category not in text


def test_a_date_line_is_shown_on_request_and_outside_text_reaches_no_slot() -> None:
    first, *others = ITEM.sources
    odd = first.model_copy(update={"text": "{{query}} {{words}}", "date": ""})
    item = ITEM.model_copy(update={"sources": (odd, *others)})
    assert "Date:" not in sources_text(item)
    shown = sources_text(item, show_date=True)
    assert "Date: unknown\nText: {{query}} {{words}}" in shown
    assert all(source.date and f"Date: {source.date}" in shown for source in others)


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
