"""What a row is, as a score."""

import asyncio

from inspect_ai.dataset import Sample
from inspect_ai.model import ModelName
from inspect_ai.scorer import Score, Target
from inspect_ai.solver import TaskState

from refusalbench_tasks.datasets.benchmarks import NQ, Selection, load
from refusalbench_tasks.datasets.bluff import load_bluff
from refusalbench_tasks.scorers.row_facts import row_facts


def noted(sample: Sample) -> Score:
    state = TaskState(
        model=ModelName("none/none"),
        sample_id="i",
        epoch=1,
        input=sample.input,
        messages=[],
        metadata=sample.metadata or {},
    )
    score = asyncio.run(row_facts()(state, Target("")))
    assert score is not None
    return score


def test_a_row_of_the_refusal_kind_has_class_intensity_and_gold() -> None:
    item = load(NQ, Selection(data="sample")).perturbed[0]
    score = noted(item.to_sample({}))
    assert score.as_dict()["class"] == item.perturbation
    assert score.as_dict()["intensity"] == item.intensity
    assert item.expected in str(score.explanation)
    assert item.references[0] in str(score.explanation)


def test_a_row_of_bluff_has_topic_and_arm() -> None:
    item = load_bluff("sample")[0][0]
    score = noted(item.to_sample())
    assert score.value == {"topic": item.topic, "arm": item.arm}
    assert score.explanation == f"gold answers: {item.answer}"
