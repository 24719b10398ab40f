"""The printed numbers: each names a metric that the suite has, and is what the paper prints."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from refusalbench_tasks.replies.confidence import LEVELS
from refusalbench_tasks.results.published.numbers import DOMAINS, Numbers
from refusalbench_tasks.results.published.papers import DATA_SET, Published, PublishedRow, published_papers
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label
from tests.results.synthetic import hedging_sample, run
from tests.results.synthetic import row as refusal_sample

BLUFF, REFUSAL = published_papers()
ROWS = [row for paper in (BLUFF, REFUSAL) for row in paper.rows]
OF_WRITERS = {"self_pass_rate", "cross_pass_rate", "self_bias", "kappa", "pass_rate", "class_range"}
DATA = Path(__file__).parents[4] / "shared" / "data"
needs_data = pytest.mark.skipif(not (DATA / "paper_numbers.json").is_file(), reason="the read-off numbers are not here")


@cache
def numbers_of(task: str) -> Numbers:
    """Return the numbers of a run whose replies are of every kind and in every subset."""
    if task == "bluff":
        samples = [
            hedging_sample(f"q{i}", arm, correctness=0.2 * i, hedges=float(i % 2), refused=float(i == 5),
                           confidence=0.3 + i / 10, faithfulness=0.5, boosters=float(i % 3))
            for i in range(6)
            for arm in ("clear", "ambiguous")
        ]  # fmt: skip
        return Numbers(run(samples, task="bluff"))
    given = (Label.ANSWER, Label.MISSING, Label.AMBIGUOUS)
    numbers = dict.fromkeys(("eligible", "factual_all", "factual_relevant"), 1.0) if task == "garage" else {}
    cells = [(one, level, label) for one in CLASSES for level in PERTURBED for label in given]
    samples = [
        refusal_sample(f"{i}-{k}", label, one, intensity, level=LEVELS[k % 5], numbers=numbers,
                       generator=("claude", "deepseek", "gpt", "nova")[k % 4], domain=DOMAINS[(i + k) % 5])
        for i in range(5)
        for k, (one, intensity, label) in enumerate(cells)
    ]  # fmt: skip
    return Numbers(run(samples, task=task))


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.task}-{row.model}-{row.label}-{row.where}")
def test_every_number_names_a_metric_that_the_suite_has(row: PublishedRow) -> None:
    if row.task.startswith(("perturb", "validation")):
        assert row.metric in OF_WRITERS
        assert row.subset in {"", *CLASSES, *PERTURBED} or set(row.subset.split(", ")) <= set(REFUSAL.models)
        return
    for metric in filter(None, (row.metric, row.against)):
        assert not math.isnan(numbers_of(row.task).value(metric, row.subset))


def test_no_number_stands_twice() -> None:
    places = [(row.task, row.model, row.key, row.across, row.tokens, row.sign, row.where) for row in ROWS]
    assert len(places) == len(set(places))


@pytest.mark.parametrize("paper", published_papers(), ids=lambda paper: paper.paper)
def test_numbers_are_of_known_models_and_settings_of_known_numbers(paper: Published) -> None:
    metrics = {row.metric for row in paper.rows}
    assert set(paper.notes) <= {"all", *paper.models}
    assert set(paper.replies) <= set(paper.models)
    for setting in paper.settings:
        assert set(setting.metrics) | set(setting.not_metrics) <= metrics
        assert set(setting.models) | set(setting.not_models) <= set(paper.models)
    for row in paper.rows:
        assert (row.model in paper.groups) == bool(row.across and row.across != "gain") or "perturb" in row.task
        assert (row.low is None) == (row.high is None)
    with pytest.raises(ValidationError, match="no such model or group: nobody"):
        Published.model_validate(paper.model_dump() | {"groups": {**paper.groups, "more": ("nobody",)}})


def test_no_id_names_two_models_of_a_paper() -> None:
    for paper in (BLUFF, REFUSAL):
        ids = [one for model in paper.models.values() for one in model.ids]
        assert len(ids) == len(set(ids))
        assert all(one == one.lower() for one in ids)


def test_the_ids_of_the_open_lines_are_known() -> None:
    known = {
        "hf/allenai/OLMo-2-0425-1B-DPO": "OLMo-2-1B-DPO",
        "vllm/allenai/OLMo-2-0325-32B-SFT": "OLMo-2-32B-SFT",
        "vllm/meta-llama/Llama-3.1-70B-Instruct": "Llama-3.1-70B",
        "hf/Qwen/Qwen1.5-0.5B-Chat": "Qwen1.5-0.5B",
        "hf/Qwen/Qwen2.5-7B-Instruct": None,
    }
    assert {name: REFUSAL.model_of(name) for name in known} == known


RENAMED = {
    "crs": "calibrated_refusal_score",
    "ece_overall": "ece",
    "refusal_accuracy_bootstrap_se": "refusal_accuracy_bootstrap_stderr",
    "accuracy_at_95pct_confidence": "VERY_CONFIDENT/accuracy",
    "accuracy_at_max_confidence": "VERY_CONFIDENT/accuracy",
    "share_at_max_confidence": "VERY_CONFIDENT/share",
    "accuracy_at_max_confidence_range": "VERY_CONFIDENT/accuracy",
    "granularity_refusal_accuracy": "P-GranularityMismatch/refusal_accuracy",
    "granularity_accuracy_confusion_matrix_MEDIUM": "P-GranularityMismatch/refusal_accuracy",
    "correct_refusal_rate_any_code": "correct_refusal_rate",
    "correct_category_refusals_share_of_all": "correct_code_refusal",
    "total_refusal_share_of_all": "refusal_rate",
    "wrong_code_refusals_share_of_all": "wrong_code_refusal",
    "missed_refusals_share_of_all": "missed_refusal",
    "low_quality_answers_share_of_all": "poor_answer",
    "refusal_rate_LOW": "LOW/false_refusal_rate",
    "info_missing_accuracy": "P-MissingInfo/refusal_accuracy",
    "info_missing_accuracy_range": "P-MissingInfo/refusal_accuracy",
    "other_classes_accuracy": "P-Ambiguity/refusal_accuracy",
    "frr_over_mrr": "false_to_missed_ratio",
    "hierarchical_refusal_score": "hierarchical_score",
    "false_premise_refusal_accuracy": "P-FalsePremise/refusal_accuracy",
    "raf_on_attempts": "raf_attempts",
    "answer_attempts_on_answerable": "raf_attempts_n",
    "refusal_rate_gain_MEDIUM_to_HIGH": "refusal_rise_from_medium",
    "ece_refusals_range": "ece_refusals",
    "ece_answers_range": "ece_answers",
    "raf_on_attempts_range": "raf_attempts",
    "info_missing_share_of_predictions": "REFUSE_INFO_MISSING_IN_CONTEXT",
    "frr_mrr_correlation": "false_refusal_rate",
    "best_refusal_accuracy": "refusal_accuracy",
    "eligibility_on_attempts": "eligibility_attempts",
    "refusal_accuracy_spread": "refusal_accuracy",
    "false_refusal_rate_range": "false_refusal_rate",
}
NOT_HERE = {"low_to_medium_refusal_jump", "raf_cluster", "tiers", "frr_to_mrr_ratio"}
"""What the head of the file says is not there, and why."""
_OF_DOMAINS = {"refusal_accuracy_by_domain": "refusal_accuracy", "answer_quality_by_domain": "answer_accuracy"}
GROUPS = {"Claude_family": "Claude models"}


def numbers(found: Any, points: bool = False) -> Iterator[float]:
    """Yield the numbers in what was read off, also those within text; percentage points as shares."""
    if isinstance(found, Mapping):
        points = points or found.get("unit") == "pp"
        for key, value in found.items():
            yield from numbers(value, points or key.endswith(("_pp", "_pct"))) if key != "source" else ()
    elif isinstance(found, list):
        for value in found:
            yield from numbers(value, points)
    elif isinstance(found, str):
        for text in re.findall(r"-?\d*\.?\d+", found):
            yield from numbers(float(text), points)
    elif not isinstance(found, bool) and found is not None:
        yield round(found / 100, 4) if points else float(found)


def read_off(name: str) -> dict[str, Any]:
    read: dict[str, Any] = json.loads((DATA / name).read_text(encoding="utf-8"))
    return read


def printed(task: str, model: str, key: str) -> set[float]:
    return {row.value for row in REFUSAL.rows if (row.task, row.model, row.key) == (task, model, key)}


def _read_of_model(name: str, entry: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return the keys of a log that one entry is about, each with what was read off."""
    if name in NOT_HERE:
        return []
    if "unit" in entry:
        return [(RENAMED.get(name, name), entry["value"])]
    if name.endswith("_by_domain"):
        return [(f"{domain}/{_OF_DOMAINS[name]}", entry[domain]) for domain in DOMAINS if domain in entry]
    return [(RENAMED.get(key, key), value) for key, value in entry.items() if key not in ("source", "origin")]


@needs_data
def test_what_was_read_off_of_models_is_here() -> None:
    found = read_off("paper_numbers.json")
    blocks = [(task, model, own) for task in ("NQ", "GaRAGe") for model, own in found["models"][task].items()]
    blocks += [(task, "all models", found["cross_model"][task]) for task in ("NQ", "GaRAGe")]
    checked = 0
    for bench, model, own in blocks:
        for name, entry in own.items():
            for key, value in _read_of_model(name, entry):
                expected = set(numbers(value, points=entry.get("unit") == "pp"))
                assert expected <= printed(bench.lower(), GROUPS.get(model, model), key), (bench, model, key)
                checked += len(expected)
    assert checked > 80


@needs_data
def test_what_was_read_off_of_writers_and_people_is_here() -> None:
    found = read_off("paper_numbers.json")
    for bench in ("NQ", "GaRAGe"):
        people = {
            row.subset or "Average": row.value for row in REFUSAL.rows if row.task == f"validation {bench.lower()}"
        }
        assert people == found["human_validation_table2"][bench]
        task, own = f"perturb {bench.lower()}", found["generator_verifier"][bench]
        for model, rates in own["fig17_self_vs_cross"].items():
            if model != "source":
                for name, value in rates.items():
                    metric = "self_bias" if name == "bias_pp" else f"{name}_pass_rate"
                    assert {round(value / 100, 4) if name == "bias_pp" else value} <= printed(task, model, metric)
        for name, value in own["pass_rate_by_class_all_pairs"].items():
            if name.startswith("P-"):
                assert value in printed(task, "all writers", f"{name}/pass_rate")
        for model, rates in own.get("pass_rate_by_intensity", {"source": ""}).items():
            if model != "source":
                assert {level: printed(task, model, f"{level}/pass_rate") for level in rates} == {
                    level: {value} for level, value in rates.items()
                }


@needs_data
def test_figure_2_with_its_intervals_is_here() -> None:
    own = {(row.model, row.metric): row for row in BLUFF.rows if row.where == "Figure 2"}
    figure = read_off("bluff_paper_numbers.json")["figure2"]["models"]
    for model, values in figure.items():
        low, high = values.pop("asi_ci")
        assert (own[model, "asi"].low, own[model, "asi"].high) == (low, high)
        assert values.pop("model_id").lower().rpartition("/")[2] in BLUFF.models[model].ids
        for name, value in values.items():
            assert own[model, name.removeprefix("overall_")].value == value
    assert len(own) == 70


@needs_data
def test_no_number_is_invented() -> None:
    for paper, name in ((BLUFF, "bluff_paper_numbers.json"), (REFUSAL, "paper_numbers.json")):
        known = {round(value, 4) for value in numbers(read_off(name))}
        # bounds that the text of RQ1 states, which the file of numbers lacks
        of_text = {row.value for row in paper.rows if row.where.startswith("4.2 RQ1") and row.sign != "="}
        assert of_text <= {0.95, 0.85, 0.75, 0.55}
        assert {row.value for row in paper.rows if row.sign == "=" or row.value not in of_text} <= known
    assert any(row.model == DATA_SET for row in BLUFF.rows)
