"""RefusalBench-GaRAGe end to end, from `eval()` to the numbers in the log."""

import math
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, get_model

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal_groups import by_group
from refusalbench_tasks.metrics.refusal_shares import KINDS
from refusalbench_tasks.solvers.baselines import always_refuse, oracle
from refusalbench_tasks.solvers.refusal_prompt import prompt_text
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.taxonomy import REFUSALS, Label
from tests.logged import numbers_of, replies_of
from tests.models import fake
from tests.provider import Reply, Server

GOOD: dict[str, Any] = {
    "explanation": "x",
    "label": "ANSWER_ATTEMPT",
    "eligible": True,
    "factual_all": True,
    "factual_relevant": True,
}


def run(**options: Any) -> EvalLog:
    """Run on one row of each stratum, of which there are eighteen, or on as many as are asked for."""
    task = {"data": "sample", "per_stratum": 1, **options.pop("task", {})}
    (log,) = eval(garage(**task), log_dir="logs", display="none", **options)
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    return numbers_of(log, "grounded_scores")


def judge(prompt: str) -> dict[str, Any]:
    """Return a good verdict for answerable rows, the label alone for the others."""
    return GOOD if "BEGIN PASSAGES" in prompt else {"explanation": "x", "label": "ANSWER_ATTEMPT"}


def test_the_prompt_has_the_elements_of_the_protocol() -> None:

    text = prompt_text(base="garage.txt")
    assert all(text.count(label.value) == 1 for label in REFUSALS)
    assert "every one of the search results" in text
    assert "cite what it rests on inline" in text
    assert "Refuse even if one reading is likelier" in text
    assert text.endswith("QUESTION\n{{query}}\n\nSEARCH RESULTS\n{{context}}\n\nANSWER:")


def test_the_oracle_is_perfect_and_every_reply_is_of_one_kind() -> None:
    m = metrics(
        run(task={"per_stratum": None, "judge": "offline", "controls": "add"}, solver=oracle(), model="none/none")
    )
    for name in ("answer_accuracy", "answer_quality", "refusal_accuracy", "calibrated_refusal_score", "hybrid_score"):
        assert m[name] == 1
    assert (m["false_refusal_rate"], m["missed_refusal_rate"], m["n_unscored"]) == (0, 0, 0)
    assert m["control_answer_accuracy"] == 1
    assert sum(m[kind] for kind in KINDS) == pytest.approx(1)
    assert math.isnan(m["eligibility"])  # no judge was asked
    assert math.isnan(m["unadjusted_factuality_attempts"])
    assert m["good_answer"] == pytest.approx(m["answer_accuracy_n"] / m["hybrid_score_n"])


def test_always_refusing() -> None:
    m = metrics(run(task={"per_stratum": None, "judge": "offline"}, solver=always_refuse(), model="none/none"))
    assert (m["false_refusal_rate"], m["missed_refusal_rate"], m["answer_quality"]) == (1, 0, 0)
    assert m["category_accuracy"] == pytest.approx(1 / 6)
    assert m["hybrid_score"] == pytest.approx(4 / 36)
    assert math.isnan(m["raf_attempts"])
    assert math.isnan(m["citation_existence"])


def test_the_model_sees_ten_numbered_results_and_the_judge_sees_them_too_without_the_label() -> None:
    prompts: list[str] = []

    def grade(prompt: str) -> Any:
        prompts.append(prompt)
        return judge(prompt)

    log = run(model=fake(lambda _: "So it is [1]."), model_roles={"grader": fake(grade)})
    for sample in log.samples or []:
        text = sample.messages[0].text
        for k, passage in enumerate(sample.metadata["passages"], 1):
            assert f"\n[{k}] {passage}" in text
    assert len(prompts) == 18
    assert not any(Label.ANSWER.value in prompt for prompt in prompts)
    answerable = [p for p in prompts if "BEGIN PASSAGES" in p]
    assert len(answerable) == 6
    assert all("[10] " in p for p in answerable)


def test_raf_needs_eligibility_in_the_paper_and_not_in_the_released_code() -> None:
    def grade(prompt: str) -> Any:
        verdict = judge(prompt)
        return verdict | {"eligible": False} if "eligible" in verdict else verdict

    options: dict[str, Any] = {"model": fake(lambda _: "So it is [1] [99]."), "model_roles": {"grader": fake(grade)}}
    paper, code = (metrics(run(task={"protocol": p}, **options)) for p in ("paper", "official-code"))
    assert (paper["answer_quality"], code["answer_quality"]) == (0, 1)
    assert (paper["eligibility_attempts"], paper["unadjusted_factuality_attempts"]) == (0, 1)
    assert paper["citation_existence"] == pytest.approx(0.5)
    assert paper["missed_refusal_rate"] == 1


def test_claims_mode_asks_about_each_sentence() -> None:
    def grade(prompt: str) -> Any:
        if "BEGIN CLAIMS" not in prompt:
            return judge(prompt)
        flags = {"supported_all": [True, True], "supported_relevant": [True, False]}
        return {"explanation": "x", "label": "ANSWER_ATTEMPT", "eligible": True} | flags

    log = run(task={"raf": "claims"}, model=fake(lambda _: "One [1]. Two [2]."), model_roles={"grader": fake(grade)})
    m = metrics(log)
    assert (m["answer_quality"], m["unadjusted_factuality"], m["eligibility"]) == (0, 1, 1)


def test_a_failing_judge_is_never_a_verdict() -> None:
    m = metrics(run(model=fake(lambda _: "So it is."), model_roles={"grader": fake(lambda _: "1 1 1")}))
    assert m["n_grader_failed"] == 18
    assert all(
        math.isnan(m[name]) for name in ("answer_quality", "missed_refusal_rate", "good_answer", "uncited_answers")
    )


def test_breakdowns_by_domain_and_complexity_and_filters() -> None:
    task = {"per_stratum": None, "judge": "offline", "domains": "Finance,Science"}
    replies = replies_of(run(task=task, solver=oracle(), model="none/none"), "grounded_scores")
    assert set(by_group(replies, "domain", resamples=0)) == {"Finance", "Science"}
    assert by_group(replies, "question_complexity", resamples=0)["Simple"]["answer_accuracy"].n > 0
    with pytest.raises(DataError, match="domains: unknown name 'Sport'; known: Business"):
        garage(data="sample", domains="Sport")
    with pytest.raises(DataError, match="raf: unknown value"):
        garage(data="sample", raf="maybe")  # type: ignore[arg-type]


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_with_the_genuine_clients(wire: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "none")

    def script(call: Any) -> Reply:
        if call.tools:
            return Reply(arguments=judge(call.text))
        return Reply("REFUSE_MISSING" if call.digest % 2 else "It is so [2], as [4] says.")

    with Server(script) as server:
        url = server.openai_url if wire == "openai" else server.anthropic_url
        name = "openai/gpt-4o" if wire == "openai" else "anthropic/claude-sonnet-4-20250514"
        model = get_model(name, base_url=url, config=GenerateConfig(max_retries=0, max_tokens=300), memoize=False)
        m = metrics(run(model=model, model_roles={"grader": model}))
    assert m["n_by_parse"] + m["n_by_judge"] == m["n"] == 18
    assert m["answer_quality"] == pytest.approx(1 - m["false_refusal_rate"])
    assert m["raf_attempts"] == 1
    assert m["citation_existence"] == 1
