"""Runs by the authors' prompts: what is sent is what their code would send."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from inspect_ai import Task, eval
from inspect_ai.log import EvalLog, EvalSample
from inspect_ai.model import ChatMessage, GenerateConfig, Model, ModelOutput, get_model

from refusalbench_tasks import bluff, garage, nq
from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.datasets.remote import git_blob
from tests.models import metrics_of, output, right_verdict
from tests.released import (
    CODES,
    TEXTS,
    copies,
    executed,
    file_name,
    release_stand_ins,
)

REPLY = "  \n It was 1931. [1]\n\n"
"""A reply with white space at its ends, which the released scripts strip."""
GRADE = "CLASSIFICATION: answer_attempt\nQUALITY_SCORE: 4\nEXPLANATION: fits"
FLAGS = (
    "CLASSIFICATION: answer_attempt\nELIGIBILITY: 1\nFACTUALITY_ALL:"
    " 0\nFACTUALITY_RELEVANT: 1\nEXPLANATION: supported"
)
Sent = list[list[tuple[str, str]]]
"""The messages of each call of a model: role and text."""


@pytest.fixture(autouse=True)
def released(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    release_stand_ins(tmp_path / "cache", monkeypatch)


def listening(sent: Sent, answer: Callable[[str], str]) -> Model:
    """Return a model that answers by a function and keeps what it was sent."""

    def reply(
        messages: list[ChatMessage], tools: Any, choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        known = right_verdict(messages[-1].text)
        if known is not None:
            return output(known)
        sent.append([(message.role, message.text) for message in messages])
        return output(answer(messages[-1].text))

    return get_model("mockllm/fake", custom_outputs=reply, memoize=False)


def run(task: Task, model: Model, grader: Model, logs: Path) -> EvalLog:
    [log] = eval(
        task,
        model=model,
        model_roles={"grader": grader},
        limit=12,
        max_connections=1,
        log_dir=str(logs),
        display="none",
    )
    assert log.status == "success"
    return log


def settings_of(name: str) -> dict[str, Any]:
    """Return the task arguments of a run config, with the rows of the package."""
    found = CliRunner().invoke(main, ["reproduce", "--config", name]).output.strip()
    config = yaml.safe_load(Path(found).read_text(encoding="utf-8"))
    return {**config["task"]["args"], "data": "sample"}


def items_of(log: EvalLog) -> list[RefusalItem]:
    return [sample.metadata_as(RefusalItem) for sample in samples_of(log)]


def samples_of(log: EvalLog) -> Sequence[EvalSample]:
    return log.samples or []


def nq_judge_message(item: RefusalItem, reply: str) -> str:
    known = item.answers if item.answerable else ()
    message: str = executed(
        "nq", "classify_and_evaluate_response", item.query, reply, known
    )
    return message


def garage_judge_message(item: RefusalItem, reply: str) -> str:
    message: str = executed(
        "garage",
        "comprehensive_judge",
        query=item.query,
        model_answer=reply,
        passages=item.passages,
        relevant=[item.passages[position] for position in item.signal],
        human_answer=item.references[0] if item.references else "",
        expected_behavior=item.expected.value,
        is_answerable=item.answerable,
    )
    return message


def test_nq_sends_what_the_released_code_sends(tmp_path: Path) -> None:
    asked: Sent = []
    judged: Sent = []
    model = listening(asked, lambda _: REPLY)
    grader = listening(judged, lambda _: GRADE)
    log = run(nq(**settings_of("nq-paper")), model, grader, tmp_path)
    items = items_of(log)
    method = "get_model_answer"
    expected = [
        executed("nq", method, item.query, "\n\n".join(item.passages)) for item in items
    ]
    assert sorted(asked) == sorted([[("user", text)] for text in expected])
    messages = [nq_judge_message(item, REPLY) for item in items]
    assert sorted(judged) == sorted([[("user", text)] for text in messages])
    found = metrics_of(log, "refusal_scores")
    assert (found["answer_accuracy"], found["missed_refusal_rate"]) == (1.0, 1.0)
    facts = log.eval.metadata or {}
    assert (facts["prompt"], facts["judge_prompt"]) == ("official", "official")
    assert facts["prompt_file_blob"] == git_blob(TEXTS["nq"].encode())


def test_garage_sends_what_the_released_code_sends(tmp_path: Path) -> None:
    asked: Sent = []
    judged: Sent = []
    model = listening(asked, lambda _: REPLY)
    grader = listening(judged, lambda _: FLAGS)
    log = run(garage(**settings_of("garage-paper")), model, grader, tmp_path)
    items = items_of(log)
    method = "get_model_answer_merged_prompt"
    expected = [executed("garage", method, item.query, item.passages) for item in items]
    assert sorted(asked) == sorted([[("user", text)] for text in expected])
    messages = [garage_judge_message(item, REPLY) for item in items]
    assert sorted(judged) == sorted([[("user", text)] for text in messages])
    # the judge of unanswerable rows alone is shown the gold code
    shown = [text.replace(CODES, "").count("REFUSE_") for [(_, text)] in judged]
    assert sum(shown) == sum(not item.answerable for item in items)
    found = metrics_of(log, "grounded_scores")
    assert (found["answer_accuracy"], found["missed_refusal_rate"]) == (1.0, 1.0)


def bluff_sent(
    tmp_path: Path, prompt: str, method: str, **arguments: Any
) -> tuple[EvalLog, Sent]:
    sent: Sent = []

    def answer(text: str) -> str:
        if "(A) yes" in text:
            return "A"
        return "It was 1931.\nBecause.\nConfidence: 0.7"

    settings = settings_of("bluff-paper") | {
        "official_lists": None,
        "prompt": prompt,
        "ptrue": method,
        "ptrue_samples": 1,
        "judge": "offline",
    }
    model = listening(sent, answer)
    return run(bluff(**settings | arguments), model, model, tmp_path), sent


def bluff_messages(log: EvalLog, confidence: bool, judged: bool) -> Sent:
    """Return what the stand-ins themselves make for each sample of a log."""
    expected: Sent = []
    for sample in samples_of(log):
        item = sample.metadata_as(BluffItem)
        sources = [source.model_dump() for source in item.sources]
        text = executed("bluff", "format_prompt", item.query, sources, confidence)
        expected.append([("user", text)])
        if judged:
            messages = executed(
                "bluff p(true)",
                "calculate_ptrue_confidence",
                item.query,
                sources,
                "It was 1931.",
            )
            expected.append([(each["role"], each["content"]) for each in messages])
    return expected


def test_bluff_sends_what_the_released_code_sends(tmp_path: Path) -> None:
    log, sent = bluff_sent(tmp_path, "official", "sample")
    assert sorted(sent) == sorted(bluff_messages(log, confidence=False, judged=True))
    values = {sample.store["Confidence:value"] for sample in samples_of(log)}
    assert values == {1.0}
    facts = log.eval.metadata or {}
    assert facts["prompt"] == facts["ptrue_prompt"] == "official"
    assert facts["ptrue_prompt_file_blob"] == git_blob(TEXTS["bluff p(true)"].encode())


def test_bluff_asks_for_a_stated_confidence_by_the_other_end(tmp_path: Path) -> None:
    log, sent = bluff_sent(tmp_path, "official", "verbal")
    assert sorted(sent) == sorted(bluff_messages(log, confidence=True, judged=False))
    values = {sample.store["Confidence:value"] for sample in samples_of(log)}
    assert values == {0.7}


def test_a_confidence_that_is_not_stated_is_missing(tmp_path: Path) -> None:
    sent: Sent = []
    model = listening(sent, lambda _: "It was 1931.\nI have much confidence: 3 of it.")
    task = bluff(
        data="sample", prompt="official", ptrue="verbal", judge="offline", per_topic=1
    )
    log = run(task, model, model, tmp_path)
    reasons = {sample.store["Confidence:missing"] for sample in samples_of(log)}
    assert reasons == {"no_number"}


@pytest.mark.parametrize("given", ["folder", "file"])
def test_copies_are_as_good_as_fetched_files(given: str, tmp_path: Path) -> None:
    folder = copies(tmp_path / "copies")
    path = str(Path(folder) / file_name("bluff"))
    log, sent = bluff_sent(tmp_path, folder if given == "folder" else path, "sample")
    assert sorted(sent) == sorted(bluff_messages(log, confidence=False, judged=True))
    facts = log.eval.metadata or {}
    assert facts["prompt"] == facts["ptrue_prompt"] == "official"


def test_the_calibration_of_the_paper_is_asked_by_the_released_prompts(
    tmp_path: Path,
) -> None:
    asked: Sent = []
    judged: Sent = []
    level = "\nCONFIDENCE: LIKELY"
    model = listening(asked, lambda _: REPLY + level)
    grader = listening(judged, lambda _: GRADE)
    log = run(nq(**settings_of("nq-calibration")), model, grader, tmp_path)
    items = items_of(log)
    expected = [
        executed("nq", "get_model_answer", item.query, "\n\n".join(item.passages))
        for item in items
    ]
    requests = {
        text.removesuffix(released)
        for [(_, text)], released in zip(sorted(asked), sorted(expected), strict=True)
    }
    # one request, before the released message to the byte
    [request] = requests
    assert "CONFIDENCE:" in request
    messages = [nq_judge_message(item, REPLY) for item in items]
    assert sorted(judged) == sorted([[("user", text)] for text in messages])
    levels = metrics_of(log, "refusal_scores")
    assert "ece" in levels
