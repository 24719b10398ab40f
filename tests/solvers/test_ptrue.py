"""How a confidence is asked for, and what is taken for one."""

import json
import logging
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

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.graders import greedy
from refusalbench_tasks.results.show import shown_runs, text_tables
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.tasks.bluff import bluff
from tests.tasks.hedging import metrics

Position = Sequence[tuple[str, float]]
SURE: Position = (("A", 0.9), ("B", 0.1))


class Rejected(Exception):
    def __init__(self, status: int = 400) -> None:
        super().__init__(f"status {status}")
        self.status_code = status


def says(text: str, *positions: Position, stop: StopReason = "unknown") -> ModelOutput:
    """Return an output with the alternatives of each token; the first of a position is the emitted one."""
    content = []
    for position in positions:
        top = [TopLogprob(token=token, logprob=math.log(share)) for token, share in position]
        content.append(Logprob(token=top[0].token, logprob=top[0].logprob, top_logprobs=top))
    choice = ChatCompletionChoice(
        message=ChatMessageAssistant(content=text), stop_reason=stop, logprobs=Logprobs(content=content) or None
    )
    return ModelOutput(model="fake", choices=[choice], usage=ModelUsage(input_tokens=1, output_tokens=1))


def run(
    folder: Path,
    asked: Callable[[GenerateConfig], ModelOutput],
    answer: ModelOutput | None = None,
    **task: Any,
) -> EvalLog:
    def reply(messages: Any, tools: Any, choice: Any, config: GenerateConfig) -> ModelOutput:
        if any(cue in messages[-1].text for cue in ("LETTER:", "PROBABILITY:")):
            return asked(config)
        return answer or says("It was so.")

    model = get_model("mockllm/fake", custom_outputs=reply, memoize=False)
    samples = task.pop("max_samples", None)
    arguments: dict[str, Any] = {"data": "sample", "topics": "law", "per_topic": 2, "judge": "offline"} | task
    (log,) = eval(bluff(**arguments), model=model, max_samples=samples, log_dir=str(folder), display="none")
    return log


def confidences(log: EvalLog) -> list[dict[str, Any]]:
    assert log.status == "success", log.error
    scores = [s.scores["hedging_scores"] for s in log.samples or [] if s.scores]
    return [(s.metadata or {})["confidence"] | {"value": s.value["confidence"]} for s in scores]  # type: ignore[index,call-overload]


@pytest.mark.parametrize(("method", "reply"), [("logprob", "A"), ("sample", "A"), ("verbal", "0.9")])
def test_a_reply_that_ended_for_no_known_reason_is_asked_about(tmp_path: Path, method: str, reply: str) -> None:
    found = confidences(run(tmp_path, lambda _: says(reply, SURE), ptrue=method, ptrue_samples=2))
    assert [one["missing"] for one in found] == [None] * 4
    assert [one["value"] for one in found] == [pytest.approx(1.0 if method == "sample" else 0.9)] * 4


@pytest.mark.parametrize("stop", ["max_tokens", "model_length", "content_filter"])
def test_a_reply_that_is_not_whole_is_not_asked_about(tmp_path: Path, stop: StopReason) -> None:
    asked: list[GenerateConfig] = []
    log = run(tmp_path, lambda c: asked.append(c) or says("A", SURE), answer=says("It was", stop=stop))  # type: ignore[func-returns-value]
    assert [one["missing"] for one in confidences(log)] == ["nothing_to_judge"] * 4
    assert not asked
    released = run(tmp_path, lambda _: says("A", SURE), says("It was", stop=stop), protocol="official-code")
    missing = "nothing_to_judge" if stop == "content_filter" else None
    assert [one["missing"] for one in confidences(released)] == [missing] * 4


def test_the_letter_is_looked_for_behind_white_space(tmp_path: Path) -> None:
    noise: Position = (("\n", 0.995), ("A", 0.001), ("B", 0.004))
    log = run(tmp_path, lambda _: says("\nA", noise, (("A", 0.95), ("B", 0.05))))
    assert [one["value"] for one in confidences(log)] == [pytest.approx(0.95)] * 4
    assert metrics(log)["confidence_mass"] == pytest.approx(1.0)


def test_letters_of_little_mass_are_no_confidence(tmp_path: Path) -> None:
    log = run(tmp_path, lambda _: says("The", (("The", 0.86), ("a", 0.139), ("B", 0.001))))
    found = confidences(log)
    assert [(one["missing"], one["mass"]) for one in found] == [("low_mass", pytest.approx(0.14))] * 4
    assert all(math.isnan(one["value"]) for one in found)
    m = metrics(log)
    assert m["n_confidence_low_mass"] == 4
    assert m["confidence_mass"] == pytest.approx(0.14)


def test_few_letters_among_the_votes_are_no_confidence(tmp_path: Path) -> None:
    votes = iter(["A", "hm", "A", "well"] + ["A", "hm", "no", "well"] * 3)
    found = confidences(run(tmp_path, lambda _: says(next(votes)), ptrue="sample", ptrue_samples=4, max_samples=1))
    assert sorted(str(one["missing"]) for one in found) == ["None", "low_mass", "low_mass", "low_mass"]


def test_official_code_reads_the_first_token_as_released(tmp_path: Path) -> None:
    asked: list[GenerateConfig] = []

    def reply(config: GenerateConfig) -> ModelOutput:
        asked.append(config)
        return says("\nA", (("\n", 0.6), ("A", 0.3), (" B", 0.03), ("a", 0.01)), (("A", 1.0),))

    found = confidences(run(tmp_path, reply, protocol="official-code"))
    assert [one["value"] for one in found] == [pytest.approx(0.25)] * 4
    assert {config.top_logprobs for config in asked} == {5}


def test_a_provider_with_fewer_alternatives_gives_what_it_has(tmp_path: Path) -> None:
    asked: list[int] = []

    def reply(config: GenerateConfig) -> ModelOutput:
        assert config.top_logprobs
        asked.append(config.top_logprobs)
        if config.top_logprobs > 5:
            raise Rejected
        return says("A", SURE)

    found = confidences(run(tmp_path, reply, max_samples=1))
    assert [one["value"] for one in found] == [pytest.approx(0.9)] * 4
    assert asked == [20, 8, 5, 5, 5, 5]  # what was learnt is kept


@pytest.mark.parametrize("error", [Rejected(422), ValueError("temperature has to be a strictly positive float")])
def test_a_provider_that_takes_no_temperature_is_asked_without(tmp_path: Path, error: Exception) -> None:
    def reply(config: GenerateConfig) -> ModelOutput:
        if config.temperature is not None:
            raise error
        return says("A", SURE)

    for method in ("logprob", "sample"):
        found = confidences(run(tmp_path, reply, ptrue=method, ptrue_samples=2))
        assert [one["missing"] for one in found] == [None] * 4


def test_a_question_that_is_rejected_in_every_way_costs_the_confidence_only(tmp_path: Path) -> None:
    def reply(config: GenerateConfig) -> ModelOutput:
        raise Rejected

    for method in ("logprob", "sample", "verbal"):
        log = run(tmp_path, reply, ptrue=method, ptrue_samples=2)
        assert [one["missing"] for one in confidences(log)] == ["rejected"] * 4


def test_any_other_error_is_the_runs(tmp_path: Path) -> None:
    def reply(config: GenerateConfig) -> ModelOutput:
        raise Rejected(401)

    assert run(tmp_path, reply).status == "error"


def unreadable(text: str) -> Exception:
    try:
        return ModelOutput.model_validate_json(text)  # type: ignore[return-value]
    except ValueError as error:
        return error


@pytest.mark.parametrize("error", [unreadable("{"), json.JSONDecodeError("no JSON", "<html>", 0)])
def test_a_reply_that_could_not_be_read_is_no_rejection_of_the_request(tmp_path: Path, error: Exception) -> None:
    asked: list[int | None] = []

    def reply(config: GenerateConfig) -> ModelOutput:
        asked.append(config.top_logprobs)
        raise error

    assert run(tmp_path, reply, max_samples=1).status == "error"
    assert set(asked) == {20}


def test_what_is_asked_for_has_a_limit_that_thinking_lifts(tmp_path: Path) -> None:
    asked: list[int | None] = []

    def reply(config: GenerateConfig) -> ModelOutput:
        asked.append(config.max_tokens)
        return says("", stop="max_tokens") if config.max_tokens == 16 else says("A")

    found = confidences(run(tmp_path, reply, ptrue="sample", ptrue_samples=2, max_samples=1))
    assert [one["value"] for one in found] == [1.0] * 4
    assert asked[0] == 16
    assert asked.count(16) <= 2


def test_greedy_decoding_is_asked_for_as_the_provider_takes_it() -> None:
    assert greedy("openai/gpt-4o") == {"temperature": 0.0}
    assert greedy("hf/local") == greedy("nnterp/gpt2") == {"top_k": 1}


def shown(log: EvalLog) -> str:
    return text_tables(shown_runs(read_logs([log.location]).runs))


def test_a_run_without_confidences_is_warned_about(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        log = run(tmp_path, lambda _: says("A"), topics="law,history,finance")
    (told,) = [r.message for r in caplog.records if "no confidence for" in r.message]
    assert "mockllm/fake gave no confidence for 10 of 10 replies so far (no_logprobs 10)." in told
    assert "12 of 12 replies have no confidence (no logprobs 12)." in shown(log)


def test_a_run_with_confidences_or_without_the_question_is_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        measured = run(tmp_path, lambda _: says("A", SURE), topics="law,history,finance")
        unasked = run(tmp_path, lambda _: says("A"), topics="law,history,finance", ptrue="none")
    assert not [r for r in caplog.records if "no confidence" in r.message]
    assert "no confidence" not in shown(measured) + shown(unasked)


def by_order(first: Position, second: Position) -> Callable[[str], ModelOutput]:
    return lambda text: says("x", second if "A: false" in text else first)


def run_both(folder: Path, reply: Callable[[str], ModelOutput], **task: Any) -> EvalLog:
    def answer(messages: Any, tools: Any, choice: Any, config: GenerateConfig) -> ModelOutput:
        text = messages[-1].text
        return reply(text) if "LETTER:" in text else says("It was so.")

    model = get_model("mockllm/fake", custom_outputs=answer, memoize=False)
    arguments: dict[str, Any] = {"data": "sample", "topics": "law", "per_topic": 1, "judge": "offline"} | task
    (log,) = eval(bluff(**arguments, ptrue_orders=2), model=model, log_dir=str(folder), display="none")
    return log


def test_both_orders_are_averaged_and_their_difference_is_the_bias(tmp_path: Path) -> None:
    # "true" has .9 as A, and .4 as B: A is favoured by .5
    m = metrics(run_both(tmp_path, by_order((("A", 0.9), ("B", 0.1)), (("A", 0.6), ("B", 0.4)))))
    assert (m["confidence_mean"], m["position_bias"], m["position_bias_n"]) == pytest.approx((0.65, 0.5, 2))


def test_without_a_letter_in_one_order_there_is_no_confidence(tmp_path: Path) -> None:
    m = metrics(run_both(tmp_path, by_order(SURE, (("The", 0.9), ("It", 0.1)))))
    assert (m["n_confidence_no_letter"], m["confidence_mean_n"], m["position_bias_n"]) == (2, 0, 0)


def test_votes_are_read_by_the_words_of_their_order(tmp_path: Path) -> None:
    def reply(text: str) -> ModelOutput:
        return says("B: true" if "A: false" in text else "A: true")

    m = metrics(run_both(tmp_path, reply, ptrue="sample", ptrue_samples=2))
    assert (m["confidence_mean"], m["position_bias"]) == (1.0, 0.0)


@pytest.mark.parametrize("task", [{"ptrue": "verbal"}, {"ptrue": "none"}, {"protocol": "official-code"}])
def test_two_orders_need_letters(task: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="ptrue_orders=2 needs letters"):
        bluff(data="sample", ptrue_orders=2, **task)
    with pytest.raises(DataError, match="expected 1 or 2, got 3"):
        bluff(data="sample", ptrue_orders=3)
