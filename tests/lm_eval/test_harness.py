"""Tasks for lm-evaluation-harness ask what the tasks for Inspect ask, and tell what its
logs tell; with the harness itself where it is installed (the group `lm-eval`).
"""

import json
import math
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from inspect_ai import Task, eval
from inspect_ai.log import read_eval_log

from refusalbench_tasks import garage, nq
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.lm_eval import harness
from refusalbench_tasks.metrics.metric_table import METRICS
from refusalbench_tasks.replies.ab_probability import FALSE, TRUE
from refusalbench_tasks.tasks.garage import VERSION as GARAGE_VERSION
from refusalbench_tasks.tasks.nq import VERSION as NQ_VERSION
from tests.models import fake
from tests.recorded import recording, replayed_log

FOLDER = Path(harness.__file__).parent
ANSWERS = "qwen2.5-coder-0.5b-nq"
CITES = "qwen2.5-coder-1.5b-garage"
SYNTHETIC = "qwen2.5-coder-0.5b-worlds"
NAMES = {
    "_refusal": harness.REFUSAL,
    "refusalbench_ptrue": harness.CONFIDENCE,
}
WITHOUT_INSPECT = """
import sys
from refusalbench_tasks.lm_eval import harness
document = harness.nq_splits(data="sample")["test"][0]
told = harness.judged_reply(document, ["REFUSE_OTHER"])
(unscored,) = (row for row in harness.REFUSAL if row["metric"] == "unscored_rate")
assert unscored["aggregation"]([told["unscored_rate"]]) == 0
assert "inspect_ai" not in sys.modules
"""


class Declaration(yaml.SafeLoader):
    """Reads a task's file; a function is its name."""


def function_name(loader: Declaration, node: Any) -> Any:
    return loader.construct_scalar(node)


Declaration.add_constructor("!function", function_name)


def declared(name: str) -> dict[str, Any]:
    text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
    declaration: dict[str, Any] = yaml.load(text, Declaration)
    return declaration


def test_it_needs_no_inspect() -> None:
    subprocess.run([sys.executable, "-c", WITHOUT_INSPECT], check=True)


@pytest.mark.parametrize("listed", NAMES.values(), ids=NAMES)
def test_each_number_is_better_where_its_metric_is(
    listed: list[dict[str, Any]],
) -> None:
    # the harness sets its own standard error as it comes to a metric
    numbers = [number for number in listed if number not in harness.COUNTS]
    for number, error in zip(numbers[::2], numbers[1::2], strict=True):
        metric = METRICS[number["metric"]]
        assert metric.better != "neither"
        assert number["higher_is_better"] is (metric.better == "higher")
        assert error["metric"] == f"{metric.name}_stderr"
        assert error["higher_is_better"] is False


@pytest.mark.parametrize("name", NAMES)
def test_a_task_has_the_numbers_of_its_rows(name: str) -> None:
    module, attribute = declared(name)["metric_list"].split(".")
    assert (FOLDER / f"{module}.py").exists()
    assert getattr(harness, attribute) is NAMES[name]


def test_the_numbers_that_the_harness_shows() -> None:
    shown = [number["metric"] for number in harness.REFUSAL]
    assert [name for name in shown if not name.endswith("_stderr")] == [
        "answer_accuracy",
        "refusal_accuracy",
        "calibrated_refusal_score",
        "false_refusal_rate",
        "missed_refusal_rate",
        "detection_f1",
        "category_accuracy",
        "hierarchical_score",
        "no_reply_rate",
        "unscored_rate",
        "answerable_n",
        "unanswerable_n",
    ]


@pytest.mark.parametrize(
    "path", sorted(FOLDER.glob("*.yaml")), ids=lambda path: path.stem
)
def test_every_function_that_a_file_names_is_there_and_none_is_unsafe(
    path: Path,
) -> None:
    declaration = declared(path.stem)
    assert "unsafe_code" not in declaration
    for key in ("custom_dataset", "process_results"):
        if key in declaration:
            module, name = declaration[key].split(".")
            assert callable(getattr(harness, name))
            assert (FOLDER / f"{module}.py").exists()


def test_tasks_have_the_versions_of_those_for_inspect() -> None:
    versions = {
        name: declared(f"refusalbench_{name}")["metadata"]["version"]
        for name in ("nq", "worlds", "garage")
    }
    assert versions == {
        "nq": NQ_VERSION,
        "worlds": NQ_VERSION,
        "garage": GARAGE_VERSION,
    }


@pytest.mark.parametrize(
    ("splits", "task", "arguments"),
    [
        (harness.nq_splits, nq, {"data": "sample"}),
        (harness.garage_splits, garage, {"data": "sample"}),
        (harness.worlds_splits, nq, {"data": "worlds", "n": 8}),
    ],
)
def test_rows_and_prompts_are_those_of_inspect_in_its_order(
    splits: Callable[..., harness.Splits],
    task: Callable[..., Task],
    arguments: dict[str, Any],
) -> None:
    asked = task(**arguments, judge="offline")
    [log] = eval(
        asked,
        model=fake(lambda prompt: "REFUSE_OTHER"),
        limit=8,
        display="none",
    )
    # what else the harness hands over is no argument of ours
    documents = by_id(splits(**arguments, pretrained="gpt2"))
    assert [*documents] == [row.id for row in asked.dataset]
    assert log.samples
    for sample in log.samples:
        document = documents[str(sample.id)]
        assert document["prompt"] == sample.messages[0].text
        assert document["expected"] == sample.target


def by_id(splits: harness.Splits) -> dict[str, Mapping[str, Any]]:
    return {item_of(document).item_id: document for document in splits["test"]}


def item_of(document: Mapping[str, Any]) -> RefusalItem:
    return RefusalItem.model_validate_json(document["item"])


def test_rates_have_their_n_and_a_part_of_the_rows_can_be_asked() -> None:
    documents = harness.nq_splits(data="sample", per_stratum=1)["test"]
    assert len(documents) == 18
    rows = []
    for document in documents:
        reply = "Hmm." if document["expected"] != "ANSWER_CORRECTLY" else "REFUSE_OTHER"
        rows.append(harness.judged_reply(document, [reply])["answerable_n"])
    found = {row["metric"]: row["aggregation"](rows) for row in harness.COUNTS}
    assert found == {"answerable_n": 6, "unanswerable_n": 0}


def test_bad_data_ends_in_one_line() -> None:
    with pytest.raises(DataError, match=r"data: no such file 'nowhere\.jsonl'"):
        harness.nq_splits(data="nowhere.jsonl")


def sample_of(
    document: Mapping[str, Any], replies: Sequence[str] = ("1987",)
) -> dict[str, Any]:
    return {"doc": dict(document), "filtered_resps": list(replies)}


def written(path: Path, samples: Sequence[Mapping[str, Any]]) -> str:
    lines = [json.dumps(sample, default=str) for sample in samples]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    "sample",
    [
        {"id": "r1", "reply": "1987"},
        sample_of({"item": "{}"}),
        sample_of({"item": 3}),
        {"doc": None, "filtered_resps": ["1987"]},
    ],
)
def test_a_line_that_is_no_sample_is_named(
    sample: Mapping[str, Any], tmp_path: Path
) -> None:
    path = written(tmp_path / "samples.jsonl", [sample])
    with pytest.raises(DataError, match="samples.jsonl, line 1, field 'doc': expected"):
        harness.answer_splits(replies=path)


def test_samples_have_to_be_named_and_to_hold_an_answer(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="replies: this is a folder, give a file"):
        harness.answer_splits()
    document = harness.nq_splits(data="sample")["test"][0]
    path = written(tmp_path / "x.jsonl", [sample_of(document, ["REFUSE_OTHER"])])
    with pytest.raises(DataError, match="no answer that is known to be right or wrong"):
        harness.answer_splits(replies=path)


def is_right(document: Mapping[str, Any]) -> bool:
    return bool(document["expected"] == TRUE)


def answers(folder: Path) -> Sequence[Mapping[str, Any]]:
    """Return the questions about what the bundled rows are answered by their gold
    answers, which is right of those that have an answer alone.
    """
    samples = []
    for document in harness.nq_splits(data="sample")["test"]:
        samples.append(sample_of(document, item_of(document).answers[:1]))
    path = written(folder / "samples.jsonl", samples)
    return list(harness.answer_splits(replies=path)["test"])


def test_answers_are_asked_about_behind_their_passages(tmp_path: Path) -> None:
    documents = answers(tmp_path)
    assert {is_right(document) for document in documents} == {True, False}
    for document in documents:
        item = item_of(document)
        assert is_right(document) == item.answerable
        head, _, question = document["prompt"].partition("\nTASK\n")
        assert item.passages[0] in head
        assert item.query in head
        assert document["reply"] in question
        assert question.endswith("\nLETTER:")


def sureness(probability: float, mass: float = 1.0) -> list[tuple[float, bool]]:
    """Return the log-likelihoods of A and B."""
    chances = (probability * mass, (1 - probability) * mass)
    return [(math.log(chance), False) for chance in chances]


def confidence_number(name: str, rows: Sequence[Any]) -> float:
    (metric,) = (row for row in harness.CONFIDENCE if row["metric"] == name)
    number: float = metric["aggregation"](rows)
    return number


def test_ptrue_is_the_level_in_whose_range_it_lies(tmp_path: Path) -> None:
    documents = answers(tmp_path)
    rows = []
    for document in documents:
        told = sureness(0.97 if is_right(document) else 0.35)
        rows.append(harness.confidence_in_answer(document, told)["ece"])
    right = sum(map(is_right, documents))
    wrong = len(documents) - right
    # midpoints of the levels: .95 and .40
    assert confidence_number("ece", rows) == pytest.approx(
        (right * 0.05 + wrong * 0.40) / len(rows)
    )
    assert confidence_number("brier", rows) == pytest.approx(
        (right * 0.05**2 + wrong * 0.40**2) / len(rows)
    )
    assert confidence_number("unscored_rate", rows) == 0


def test_ptrue_is_unscored_where_the_letters_hold_less_than_half(
    tmp_path: Path,
) -> None:
    documents = answers(tmp_path)
    rows = []
    for document in documents:
        told = harness.confidence_in_answer(document, sureness(0.9, mass=0.4))
        rows.append(told["ece"])
    assert confidence_number("unscored_rate", rows) == 1
    assert math.isnan(confidence_number("ece", rows))


# with the harness itself


PROBABILITY = 0.97
"""What p(true) is in a run of the harness."""


def harness_run(
    task: str,
    said: Mapping[str, str],
    **metadata: Any,
) -> dict[str, Any]:
    """Return what the harness makes of a task and of what a model said."""
    lm_eval = pytest.importorskip(
        "lm_eval", reason="the group `lm-eval` is not installed (make test-lm-eval)"
    )
    from lm_eval.api.model import LM
    from lm_eval.tasks import TaskManager

    class Recorded(LM):  # type: ignore[misc]
        def generate_until(self, requests: Any) -> list[str]:
            return [said[request.args[0]] for request in requests]

        def loglikelihood(self, requests: Any) -> list[tuple[float, bool]]:
            letters = dict(zip((TRUE, FALSE), sureness(PROBABILITY), strict=True))
            return [letters[request.args[1].strip()] for request in requests]

        def loglikelihood_rolling(self, requests: Any) -> list[float]:
            raise NotImplementedError

    manager = TaskManager(
        include_path=str(FOLDER),
        include_defaults=False,
        metadata=metadata,
    )
    results: dict[str, Any] = lm_eval.simple_evaluate(
        model=Recorded(), tasks=[task], task_manager=manager
    )
    return results


def replies_by_prompt(name: str, splits: harness.Splits) -> dict[str, str]:
    """Return the recorded replies; one that was cut off is empty, since the harness
    doesn't say why a reply ended.
    """
    documents = by_id(splits)
    replies = {}
    for reply in recording(name).replies:
        whole = reply["stop_reason"] == "stop"
        replies[documents[reply["id"]]["prompt"]] = reply["reply"] if whole else ""
    return replies


def logged(name: str) -> dict[str, float]:
    """Return the metrics in the log of a recording."""
    log = read_eval_log(replayed_log(name), header_only=True)
    assert log.results
    for score in log.results.scores:
        if score.name in ("refusal_scores", "grounded_scores"):
            return {metric: told.value for metric, told in score.metrics.items()}
    raise AssertionError(log.results.scores)


@pytest.mark.parametrize(
    ("name", "task", "splits", "metadata"),
    [
        (ANSWERS, "refusalbench_nq", harness.nq_splits, {"data": "sample"}),
        (CITES, "refusalbench_garage", harness.garage_splits, {"data": "sample"}),
        (SYNTHETIC, "refusalbench_worlds", harness.worlds_splits, {"n": 240}),
    ],
)
def test_the_harness_tells_what_the_log_tells_to_the_digit(
    name: str,
    task: str,
    splits: Callable[..., harness.Splits],
    metadata: Mapping[str, Any],
) -> None:
    replies = replies_by_prompt(name, splits(**metadata))
    results = harness_run(task, replies, **metadata)
    told = results["results"][task]
    expected = logged(name)
    assert results["n-samples"][task]["effective"] == len(replies)
    for metric in harness.REFUSAL:
        column = metric["metric"]
        if metric not in harness.COUNTS:
            assert repr(told[f"{column},none"]) == repr(expected[column]), column
    better = results["higher_is_better"][task]
    assert better["false_refusal_rate"] is False
    assert better["category_accuracy"] is True


def test_the_harness_asks_for_ptrue_of_the_answers_in_its_samples(
    tmp_path: Path,
) -> None:
    replies = replies_by_prompt(ANSWERS, harness.nq_splits(data="sample"))
    first = harness_run("refusalbench_nq", replies, data="sample")
    path = written(tmp_path / "samples.jsonl", first["samples"]["refusalbench_nq"])
    results = harness_run("refusalbench_ptrue", {}, replies=path)
    samples = results["samples"]["refusalbench_ptrue"]
    right = sum(is_right(sample["doc"]) for sample in samples)
    assert 0 < right < len(samples) < len(replies)
    told = results["results"]["refusalbench_ptrue"]
    error = 0.95 - right / len(samples)
    assert told["ece,none"] == pytest.approx(abs(error))
    assert told["unscored_rate,none"] == 0
    assert told["ece_stderr,none"] > 0


def test_the_group_holds_what_asks_for_a_reply() -> None:
    pytest.importorskip("lm_eval")
    from lm_eval.tasks import TaskManager

    manager = TaskManager(include_path=str(FOLDER), include_defaults=False)
    tasks = set(declared("refusalbench")["task"])
    assert tasks | {"refusalbench_ptrue"} == set(manager.all_subtasks)
    assert manager.all_groups == ["refusalbench"]
