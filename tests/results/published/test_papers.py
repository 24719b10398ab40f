"""The printed numbers: each names a metric that the suite has, and is what the paper
prints.
"""

import math
from functools import cache

import pytest

from refusalbench_tasks.replies.confidence import LEVELS
from refusalbench_tasks.results.published.numbers import DOMAINS, Numbers
from refusalbench_tasks.results.published.papers import (
    DATA_SET,
    PEOPLE,
    Published,
    PublishedRow,
    published_papers,
    sized_model,
)
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label
from tests.results.synthetic import hedging_sample, run
from tests.results.synthetic import row as refusal_sample

BLUFF, REFUSAL = published_papers()
ROWS = [row for paper in (BLUFF, REFUSAL) for row in paper.rows]
OF_WRITERS = {
    "self_pass_rate",
    "cross_pass_rate",
    "self_bias",
    "kappa",
    "pass_rate",
    "class_range",
}


@cache
def numbers_of(task: str) -> Numbers:
    """Return the numbers of a run whose replies are of every kind
    and in every subset.
    """
    if task == "bluff":
        samples = [
            hedging_sample(
                f"q{i}",
                arm,
                correctness=0.2 * i,
                hedges=float(i % 2),
                refused=float(i == 5),
                confidence=0.3 + i / 10,
                faithfulness=0.5,
                boosters=float(i % 3),
            )
            for i in range(6)
            for arm in ("clear", "ambiguous")
        ]
        return Numbers(run(samples, task="bluff"))
    given = (Label.ANSWER, Label.MISSING, Label.AMBIGUOUS)
    numbers = (
        dict.fromkeys(("eligible", "factual_all", "factual_relevant"), 1.0)
        if task == "garage"
        else {}
    )
    cells = [
        (one, level, label) for one in CLASSES for level in PERTURBED for label in given
    ]
    samples = [
        refusal_sample(
            f"{i}-{k}",
            label,
            one,
            intensity,
            level=LEVELS[k % 5],
            numbers=numbers,
            generator=("claude", "deepseek", "gpt", "nova")[k % 4],
            domain=DOMAINS[(i + k) % 5],
        )
        for i in range(5)
        for k, (one, intensity, label) in enumerate(cells)
    ]
    return Numbers(run(samples, task=task))


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row.task}-{row.model}-{row.label}-{row.where}"
)
def test_every_number_names_a_metric_that_the_suite_has(row: PublishedRow) -> None:
    if row.task.startswith(("perturb", "validation")):
        assert row.metric in OF_WRITERS
        assert row.subset in {"", *CLASSES, *PERTURBED} or set(
            row.subset.split(", ")
        ) <= set(REFUSAL.models)
        return
    for metric in filter(None, (row.metric, row.against)):
        assert not math.isnan(numbers_of(row.task).value(metric, row.subset))


def test_no_number_stands_twice() -> None:
    places = [
        (row.task, row.model, row.key, row.across, row.tokens, row.sign, row.where)
        for row in ROWS
    ]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("paper", published_papers(), ids=lambda paper: paper.paper)
def test_numbers_are_of_known_models_and_settings_of_known_numbers(
    paper: Published,
) -> None:
    metrics = {row.metric for row in paper.rows}
    assert set(paper.notes) <= {"all", *paper.models}
    assert set(paper.replies) <= set(paper.models)
    for setting in paper.settings:
        assert set(setting.metrics) | set(setting.not_metrics) <= metrics
        assert set(setting.models) | set(setting.not_models) <= set(paper.models)
    for row in paper.rows:
        assert (row.model in paper.groups) == bool(
            row.across and row.across != "gain"
        ) or "perturb" in row.task
        assert (row.low is None) == (row.high is None)
        assert row.model in {*paper.models, *paper.groups, DATA_SET, PEOPLE}
    assert set().union(*paper.groups.values()) <= set(paper.models)


def test_no_id_names_two_models_of_a_paper() -> None:
    for paper in (BLUFF, REFUSAL):
        ids = [one for model in paper.models.values() for one in model.ids]
        assert len(ids) == len(set(ids))
        assert all(one == one.lower() for one in ids)


@pytest.mark.parametrize(
    ("evaluated", "known"),
    [
        ("vllm/allenai/OLMo-2-1124-7B-SFT", ("OLMo-2", 7, "SFT")),
        ("openai-api/local/qwen2.5-0.5b-instruct", ("Qwen2.5", 0.5, "Instruct")),
        ("ollama/gemma3:270m", ("Gemma-3", 0.27, "Instruct")),
        ("hf/HuggingFaceTB/SmolLM2-135M-Instruct", ("SmolLM2", 0.135, "Instruct")),
    ],
)
def test_the_size_of_an_open_model_is_known_by_its_id(
    evaluated: str, known: tuple[str, float, str]
) -> None:
    model = sized_model(evaluated)
    assert model
    assert (model.family, model.size, model.tuning) == known


@pytest.mark.parametrize("evaluated", ["openai/gpt-4o", "x/my-7b-sft", "m"])
def test_no_size_is_read_off_a_name(evaluated: str) -> None:
    assert sized_model(evaluated) is None
