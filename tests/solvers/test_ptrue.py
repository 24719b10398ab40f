"""How a confidence is asked for, and what is taken for one."""

import asyncio
import json
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import (
    ChatCompletionChoice,
    ChatMessageAssistant,
    GenerateConfig,
    Logprob,
    Logprobs,
    ModelOutput,
    ModelUsage,
    StopReason,
    TopLogprob,
    get_model,
)

from refusalbench_tasks.results.show import shown_runs, text_tables
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.solvers.ptrue import (
    ConfidenceJudge,
    is_rejection,
    ways_of_asking,
)
from refusalbench_tasks.tasks.bluff import bluff
from tests.models import output

Position = Sequence[tuple[str, float]]
SURE: Position = (("A", 0.9), ("B", 0.1))


class Rejected(Exception):
    def __init__(self, status: int = 400) -> None:
        super().__init__(f"status {status}")
        self.status_code = status


def says(text: str, *positions: Position, stop: StopReason = "unknown") -> ModelOutput:
    """Return an output with the alternatives of each token; the first of a position is
    the emitted one.
    """
    content = []
    for position in positions:
        top = [
            TopLogprob(token=token, logprob=math.log(share))
            for token, share in position
        ]
        content.append(
            Logprob(token=top[0].token, logprob=top[0].logprob, top_logprobs=top)
        )
    choice = ChatCompletionChoice(
        message=ChatMessageAssistant(content=text),
        stop_reason=stop,
        logprobs=Logprobs(content=content) or None,
    )
    return ModelOutput(
        model="fake",
        choices=[choice],
        usage=ModelUsage(input_tokens=1, output_tokens=1),
    )


def run(
    folder: Path,
    reply: Callable[[str, GenerateConfig], ModelOutput],
    answer: ModelOutput | None = None,
    **task: Any,
) -> EvalLog:
    """Return the log of two replies, the confidence in which is asked for one after the
    other.
    """

    def said(
        messages: Any, tools: Any, choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        text = messages[-1].text
        asked = "LETTER:" in text or "PROBABILITY:" in text
        return reply(text, config) if asked else answer or says("It was so.")

    model = get_model("mockllm/fake", custom_outputs=said, memoize=False)
    arguments: dict[str, Any] = {
        "data": "sample",
        "topics": "law",
        "per_topic": 1,
        "judge": "offline",
    } | task
    (log,) = eval(
        bluff(**arguments),
        model=model,
        max_samples=1,
        log_dir=str(folder),
        display="none",
    )
    return log


def confidences(log: EvalLog) -> list[dict[str, Any]]:
    assert log.status == "success", log.error
    scores = [s.scores["hedging_scores"] for s in log.samples or [] if s.scores]
    return [
        (s.metadata or {})["confidence"] | {"value": s.as_dict()["confidence"]}
        for s in scores
    ]


@pytest.mark.parametrize(
    ("given", "value", "task"),
    [
        # no provider need say why a reply ended
        (says("A", SURE), 0.9, {}),
        (says("A", SURE), 1.0, {"ptrue": "sample", "ptrue_samples": 2}),
        (says("0.9"), 0.9, {"ptrue": "verbal"}),
        # the letter is looked for behind white space
        (
            says(
                "\nA",
                (("\n", 0.995), ("A", 0.001), ("B", 0.004)),
                (("A", 0.95), ("B", 0.05)),
            ),
            0.95,
            {},
        ),
        # the released evaluator reads the first token
        (
            says(
                "\nA",
                (("\n", 0.6), ("A", 0.3), (" B", 0.03), ("a", 0.01)),
                (("A", 1.0),),
            ),
            0.25,
            {"protocol": "official-code"},
        ),
        # letters of little mass are no confidence
        (says("The", (("The", 0.86), ("a", 0.139), ("B", 0.001))), "low_mass", {}),
        (says("hm"), "no_letter", {"ptrue": "sample", "ptrue_samples": 2}),
    ],
)
def test_a_confidence_is_read_from_letters_votes_or_words(
    given: ModelOutput, value: float | str, task: dict[str, Any], tmp_path: Path
) -> None:
    asked: list[GenerateConfig] = []

    def reply(_: Any, config: GenerateConfig) -> ModelOutput:
        asked.append(config)
        return given

    first, second = confidences(run(tmp_path, reply, **task))
    for confidence in (first, second):
        if isinstance(value, str):
            assert confidence["missing"] == value
            assert math.isnan(confidence["value"])
        else:
            assert confidence["missing"] is None
            assert confidence["value"] == pytest.approx(value)
    if task.get("protocol") == "official-code":
        assert {config.top_logprobs for config in asked} == {5}


@pytest.mark.parametrize("stop", ["max_tokens", "content_filter"])
def test_a_reply_that_is_not_whole_is_not_asked_about(
    tmp_path: Path, stop: StopReason
) -> None:
    def reply(text: str, config: GenerateConfig) -> ModelOutput:
        return says("A", SURE)

    cut = says("It was", stop=stop)
    assert [one["missing"] for one in confidences(run(tmp_path, reply, cut))] == [
        "nothing_to_judge"
    ] * 2
    released = confidences(run(tmp_path, reply, cut, protocol="official-code"))
    assert [one["missing"] for one in released] == [
        "nothing_to_judge" if stop == "content_filter" else None
    ] * 2


def test_few_letters_among_the_votes_are_no_confidence(tmp_path: Path) -> None:
    votes = iter(["A", "hm", "A", "well", "A", "hm", "no", "well"])
    found = confidences(
        run(tmp_path, lambda *_: says(next(votes)), ptrue="sample", ptrue_samples=4)
    )
    assert sorted(str(one["missing"]) for one in found) == ["None", "low_mass"]


def test_a_provider_with_fewer_alternatives_gives_what_it_has(tmp_path: Path) -> None:
    asked: list[int] = []

    def reply(text: str, config: GenerateConfig) -> ModelOutput:
        assert config.top_logprobs
        asked.append(config.top_logprobs)
        if config.top_logprobs > 5:
            raise Rejected
        return says("A", SURE)

    assert [one["value"] for one in confidences(run(tmp_path, reply))] == [
        pytest.approx(0.9)
    ] * 2
    assert asked == [20, 5, 5]  # what was learnt is kept


@pytest.mark.parametrize(
    ("method", "error"),
    [
        ("logprob", ValueError("temperature has to be a positive float")),
        ("sample", Rejected(422)),
    ],
)
def test_a_provider_that_takes_no_temperature_is_asked_without(
    tmp_path: Path, method: str, error: Exception
) -> None:
    def reply(text: str, config: GenerateConfig) -> ModelOutput:
        if config.temperature is not None:
            raise error
        return says("A", SURE)

    found = confidences(run(tmp_path, reply, ptrue=method, ptrue_samples=2))
    assert [one["missing"] for one in found] == [None] * 2


def unreadable(text: str) -> Exception:
    try:
        return ModelOutput.model_validate_json(text)  # type: ignore[return-value]
    except ValueError as error:
        return error


@pytest.mark.parametrize("method", ["logprob", "sample", "verbal"])
def test_a_question_that_is_rejected_in_every_way_costs_the_confidence_only(
    tmp_path: Path, method: str
) -> None:
    def reply(text: str, config: GenerateConfig) -> ModelOutput:
        raise Rejected

    found = confidences(run(tmp_path, reply, ptrue=method, ptrue_samples=2))
    assert [one["missing"] for one in found] == ["rejected"] * 2


@pytest.mark.parametrize(
    "error",
    [Rejected(401), unreadable("{"), json.JSONDecodeError("no JSON", "<html>", 0)],
)
def test_any_other_error_is_the_runs_and_no_rejection(
    tmp_path: Path, error: Exception
) -> None:
    asked: list[int | None] = []

    def reply(text: str, config: GenerateConfig) -> ModelOutput:
        asked.append(config.top_logprobs)
        raise error

    assert run(tmp_path, reply).status == "error"
    assert set(asked) == {20}


@pytest.mark.parametrize(
    ("reply", "task", "told"),
    [
        (says("A"), {}, True),
        (says("A", SURE), {}, False),
        (says("A"), {"ptrue": "none"}, False),
    ],
)
def test_a_run_that_lacks_confidences_says_so(
    reply: ModelOutput, task: dict[str, Any], told: bool, tmp_path: Path
) -> None:
    log = run(
        tmp_path, lambda *_: reply, topics="law,history,finance", per_topic=2, **task
    )
    shown = text_tables(shown_runs(read_logs([log.location]).runs))
    assert ("12 of 12 replies have no confidence (no logprobs 12)." in shown) is told
    assert ("no confidence" in shown) is told


def test_what_is_asked_for_has_a_limit_that_thinking_lifts(tmp_path: Path) -> None:
    asked: list[int | None] = []

    def reply(text: str, config: GenerateConfig) -> ModelOutput:
        asked.append(config.max_tokens)
        return says("", stop="max_tokens") if config.max_tokens == 16 else says("A")

    found = confidences(run(tmp_path, reply, ptrue="sample", ptrue_samples=2))
    assert [one["value"] for one in found] == [1.0] * 2
    assert asked[0] == 16
    assert asked.count(16) <= 2


NUMBER = GenerateConfig(max_tokens=16)


class RejectedError(Exception):
    def __init__(self, status: int = 400) -> None:
        super().__init__(f"status {status}")
        self.status_code = status


def judge(ways: list[GenerateConfig], reply: Any) -> ConfidenceJudge:
    def answer(
        messages: Any, tools: Any, choice: Any, config: GenerateConfig
    ) -> ModelOutput:
        return output(reply(config))

    return ConfidenceJudge(
        get_model("mockllm/fake", custom_outputs=answer, memoize=False), ways
    )


@pytest.mark.parametrize(
    ("official", "alternatives"), [(False, [20, 5, 5]), (True, [5, 5])]
)
def test_a_letter_is_asked_for_with_fewer_alternatives_and_then_without_temperature(
    official: bool, alternatives: list[int]
) -> None:
    ways = ways_of_asking("openai/x", "logprob", 1, official)
    assert [way.top_logprobs for way in ways] == alternatives
    assert [way.temperature for way in ways][-2:] == [0.0, None]


def test_votes_are_asked_for_at_once_and_never_taken_from_the_cache() -> None:
    ways = ways_of_asking("openai/x", "sample", 10, False)
    assert [way.num_choices for way in ways] == [10, None, None, None]
    assert {way.cache for way in ways} == {False}
    assert len(ways_of_asking("openai/x", "sample", 1, False)) == 3


def test_a_way_that_works_is_kept_and_one_that_is_rejected_not_tried_again() -> None:
    asked: list[int | None] = []

    def reply(config: GenerateConfig) -> str:
        asked.append(config.max_tokens)
        if config.max_tokens:
            raise RejectedError
        return "0.5"

    asking = judge([NUMBER, GenerateConfig()], reply)
    assert asyncio.run(asking.ask("How sure?")).completion == "0.5"
    assert asyncio.run(asking.ask("How sure?")).completion == "0.5"
    assert asked == [16, None, None]


def test_as_many_replies_as_votes_are_brought() -> None:
    asking = judge([NUMBER], lambda _: "A")
    assert asyncio.run(asking.votes("A or B?", 3)) == ["A"] * 3


@pytest.mark.parametrize(
    ("error", "rejected"),
    [
        (RejectedError(400), True),
        (RejectedError(422), True),
        (RejectedError(401), False),
        (ValueError("temperature"), True),
        (UnicodeError("x"), False),
        (KeyError("x"), False),
    ],
)
def test_a_request_that_is_not_taken_as_it_is_is_told_from_other_errors(
    error: Exception, rejected: bool
) -> None:
    assert is_rejection(error) is rejected
