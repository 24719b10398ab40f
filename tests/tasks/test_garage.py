"""RefusalBench-GaRAGe end to end, from `eval()` to the numbers in the log."""

import math
from typing import Any

import pytest
from inspect_ai import eval
from inspect_ai.log import EvalLog
from inspect_ai.model import GenerateConfig, get_model

from refusalbench_tasks.metrics.refusal import by_group
from refusalbench_tasks.metrics.refusal_metrics import KIND, KINDS
from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.taxonomy import Label
from tests.logged import numbers_of, replies_of
from tests.models import fake
from tests.provider import Reply, Server

GOOD = {
    "explanation": "x",
    "label": "ANSWER_ATTEMPT",
    "eligible": True,
    "factual_all": True,
    "factual_relevant": True,
}


def run(**options: Any) -> EvalLog:
    """Run on one row of each stratum, of which there are eighteen, or on as many as are
    asked for.
    """
    task = {"data": "sample", "per_stratum": 1, **options.pop("task", {})}
    (log,) = eval(garage(**task), log_dir="logs", display="none", **options)
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    return numbers_of(log, "grounded_scores")


def judge(prompt: str) -> dict[str, Any]:
    """Return a good verdict for answerable rows, the label alone for the others."""
    return dict(
        GOOD
        if "BEGIN PASSAGES" in prompt
        else {"explanation": "x", "label": "ANSWER_ATTEMPT"}
    )


def test_the_oracle_is_perfect_and_every_reply_is_of_one_kind() -> None:
    task = {"per_stratum": None, "judge": "offline", "controls": "add"}
    log = run(task=task, solver=oracle(), model="none/none")
    m = metrics(log)
    for name in (
        "answer_accuracy",
        "answer_quality",
        "refusal_accuracy",
        "calibrated_refusal_score",
        "hybrid_score",
    ):
        assert m[name] == m["control_answer_accuracy"] == 1
    assert (m["false_refusal_rate"], m["missed_refusal_rate"], m["n_unscored"]) == (
        0,
        0,
        0,
    )
    assert sum(m[f"{KIND}{kind}"] for kind in KINDS) == pytest.approx(1)
    assert math.isnan(m["eligibility"])  # no judge was asked
    assert math.isnan(m["unadjusted_factuality_attempts"])
    assert m["kind_good_answer"] == pytest.approx(
        m["answer_accuracy_n"] / m["hybrid_score_n"]
    )
    replies = replies_of(log, "grounded_scores")
    assert set(by_group(replies, "domain", resamples=0)) > {"Finance", "Science"}
    assert (
        by_group(replies, "question_complexity", resamples=0)["Simple"][
            "answer_accuracy"
        ].n
        > 0
    )


def test_model_and_judge_see_ten_numbered_results_and_the_judge_no_label() -> None:
    prompts: list[str] = []

    def grade(prompt: str) -> Any:
        prompts.append(prompt)
        return judge(prompt)

    log = run(
        model=fake(lambda _: "So it is [1]."), model_roles={"grader": fake(grade)}
    )
    for sample in log.samples or []:
        text = sample.messages[0].text
        for k, passage in enumerate(sample.metadata["passages"], 1):
            assert f"\n[{k}] {passage}" in text
    assert len(prompts) == 18
    assert not any(Label.ANSWER.value in prompt for prompt in prompts)
    assert ["[10] " in p for p in prompts if "BEGIN PASSAGES" in p] == [True] * 6


@pytest.mark.parametrize("judging", ["cascade", "always", "offline"])
def test_citations_alone_are_no_reply_and_no_grader_is_asked(judging: str) -> None:
    grader = fake(lambda _: pytest.fail("the grader was asked"))
    log = run(
        model=fake(lambda _: "[3]"),
        model_roles={"grader": grader},
        task={"judge": judging},
    )
    m = metrics(log)
    assert (m["n"], m["n_unscored"], m["no_reply_rate"]) == (18, 0, 1)
    assert (m["answer_accuracy"], m["refusal_accuracy"], m["false_refusal_rate"]) == (
        0,
        0,
        0,
    )


def test_raf_needs_eligibility_in_the_paper_and_not_in_the_released_code() -> None:
    def grade(prompt: str) -> Any:
        verdict = judge(prompt)
        return verdict | {"eligible": False} if "eligible" in verdict else verdict

    options: dict[str, Any] = {
        "model": fake(lambda _: "So it is [1] [99]."),
        "model_roles": {"grader": fake(grade)},
    }
    paper, code = (
        metrics(run(task={"protocol": p}, **options))
        for p in ("paper", "official-code")
    )
    assert (paper["answer_quality"], code["answer_quality"]) == (0, 1)
    assert (paper["eligibility_attempts"], paper["unadjusted_factuality_attempts"]) == (
        0,
        1,
    )
    assert [paper["citation_existence"], paper["missed_refusal_rate"]] == pytest.approx(
        [0.5, 1]
    )


def test_claims_mode_asks_about_each_sentence() -> None:
    def grade(prompt: str) -> Any:
        if "BEGIN CLAIMS" not in prompt:
            return judge(prompt)
        flags = {"supported_all": [True, True], "supported_relevant": [True, False]}
        return {"explanation": "x", "label": "ANSWER_ATTEMPT", "eligible": True} | flags

    task = {"raf": "claims", "intensities": "LOW"}
    m = metrics(
        run(
            task=task,
            model=fake(lambda _: "One [1]. Two [2]."),
            model_roles={"grader": fake(grade)},
        )
    )
    assert (m["answer_quality"], m["unadjusted_factuality"], m["eligibility"]) == (
        0,
        1,
        1,
    )


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_with_the_genuine_clients(wire: str) -> None:
    def script(call: Any) -> Reply:
        said = Reply(
            "REFUSE_MISSING" if call.digest % 2 else "It is so [2], as [4] says."
        )
        return Reply(arguments=judge(call.text)) if call.tools else said

    with Server(script) as server:
        url = server.openai_url if wire == "openai" else server.anthropic_url
        name = (
            "openai/gpt-4o"
            if wire == "openai"
            else "anthropic/claude-sonnet-4-20250514"
        )
        model = get_model(
            name,
            base_url=url,
            config=GenerateConfig(max_retries=0, max_tokens=300),
            memoize=False,
        )
        m = metrics(run(model=model, model_roles={"grader": model}))
    assert m["n_by_parse"] + m["n_by_judge"] == m["n"] == 18
    assert m["answer_quality"] == pytest.approx(1 - m["false_refusal_rate"])
    assert (m["raf_attempts"], m["citation_existence"]) == (1, 1)
