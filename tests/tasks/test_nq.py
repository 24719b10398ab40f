"""RefusalBench-NQ end to end, from `eval()` to the numbers in the log."""

import math
from typing import Any

import pytest
from inspect_ai import Epochs, eval, score
from inspect_ai.analysis import evals_df, samples_df
from inspect_ai.log import EvalLog, EvalSample, read_eval_log_sample_summaries

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal import by_group
from refusalbench_tasks.scorers.refusal import refusal_scores
from refusalbench_tasks.solvers.baselines import always_refuse, extractive, oracle
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import Label
from tests.logged import numbers_of, replies_of
from tests.models import confident_oracle, fake, metrics_of, output, part


def run(**options: Any) -> EvalLog:
    """Run on one row of each stratum, of which there are eighteen, or on as many as are
    asked for.
    """
    task = {"data": "sample", "per_stratum": 1, **options.pop("task", {})}
    (log,) = eval(nq(**task), log_dir="logs", display="none", **options)
    assert log.status == "success", log.error
    return log


def offline(solver: Any, **task: Any) -> EvalLog:
    return run(task={"judge": "offline"} | task, solver=solver, model="none/none")


def graded(grade: Any, reply: Any = lambda _: "It was so.", **options: Any) -> EvalLog:
    """Run with a model and a grader that is one function of its prompt, or several."""
    graders = [fake(one) for one in (grade if isinstance(grade, list) else [grade])]
    return run(model=fake(reply), model_roles={"grader": graders}, **options)


def verdict(
    prompt: str, label: str = "ANSWER_ATTEMPT", grade: int | None = 5
) -> dict[str, Any]:
    """Return a verdict by the schema of the prompt, which asks for a grade beside
    references alone.
    """
    return {"explanation": "It\nanswers.", "label": label} | (
        {"grade": grade} if "REFERENCES" in prompt else {}
    )


def numbers(log: EvalLog, *names: str) -> tuple[float, ...]:
    found = numbers_of(log)
    return tuple(found[name] for name in names)


def samples_of(log: EvalLog) -> list[EvalSample]:
    assert log.samples
    return log.samples


def first_score(sample: EvalSample) -> Any:
    return (sample.scores or {})["refusal_correct"]


def test_the_oracle_is_perfect() -> None:
    m = numbers_of(offline(oracle(), per_stratum=None, controls="add"))
    for name in (
        "answer_accuracy",
        "refusal_accuracy",
        "calibrated_refusal_score",
        "hierarchical_score",
    ):
        assert m[name] == m["control_answer_accuracy"] == 1
    assert m["false_refusal_rate"] == m["missed_refusal_rate"] == m["n_unscored"] == 0
    assert m["n_by_parse"] + m["n_by_alias"] == m["n"]


def test_always_refusing_gives_the_category_accuracy_of_the_mix() -> None:
    log = offline(always_refuse())
    m = numbers_of(log)
    assert (
        m["false_refusal_rate"],
        m["missed_refusal_rate"],
        m["answer_accuracy"],
    ) == (1, 0, 0)
    missing = sum(s.metadata["expected"] == Label.MISSING for s in samples_of(log))
    assert m["category_accuracy"] == pytest.approx(missing / m["refusal_accuracy_n"])
    of_class = by_group(replies_of(log), "class", resamples=0)
    assert of_class["P-MissingInfo"]["refusal_accuracy"].value == 1
    assert of_class["P-Ambiguity"]["refusal_accuracy"].value == 0
    assert m["macro_refusal_accuracy"] == pytest.approx(1 / 6)


def test_cascade_asks_the_judge_only_what_the_form_does_not_tell() -> None:
    asked: list[str] = []

    def grade(prompt: str) -> Any:
        asked.append(prompt)
        assert "REFERENCES" in prompt or '"grade"' not in prompt
        return verdict(prompt)

    m = numbers_of(
        graded(
            grade,
            lambda prompt: "REFUSE_MISSING" if "a" in prompt[-40:] else "It was so.",
        )
    )
    assert m["n_by_judge"] == len(asked) > 0
    assert m["n_by_parse"] == m["n"] - len(asked) > 0
    assert m["n_self_graded"] == 0
    assert m["answer_accuracy"] == pytest.approx(1 - m["false_refusal_rate"])


def test_the_judge_never_sees_the_expected_label_nor_the_passages() -> None:
    seen: list[str] = []

    def grade(prompt: str) -> Any:
        seen.append(prompt)
        return verdict(prompt)

    passages = [s.metadata["passages"][0] for s in samples_of(graded(grade))]
    assert len(seen) == len(passages)
    for prompt in seen:
        assert not any(told in prompt for told in (Label.ANSWER.value, *passages))
        assert part(prompt, "REPLY") == "It was so."


def test_an_unbound_grader_is_the_evaluated_model_and_never_silently(
    caplog: Any,
) -> None:
    """The setup solver `announce_graders` says so at the start."""
    both = fake(
        lambda prompt: verdict(prompt) if "BEGIN REPLY" in prompt else "It was so."
    )
    assert numbers(run(model=both, limit=4), "n_self_graded", "n") == (4, 4)
    assert "grades its own replies" in caplog.text


def test_without_model_and_grader_what_needs_a_judge_is_unscored() -> None:
    m = numbers_of(run(solver=extractive(), model="none/none"))
    assert m["n_no_grader"] == m["n_unscored"] > 0
    assert m["n_by_judge"] == 0


def test_a_failing_judge_is_never_a_verdict_and_another_can_judge_anew() -> None:
    log = graded(lambda _: "I think it is fine, 5/5")
    m = numbers_of(log)
    assert m["n_grader_failed"] == m["n_unscored"] == m["n"]
    assert math.isnan(m["answer_accuracy"])
    assert math.isnan(m["missed_refusal_rate"])
    for sample in samples_of(log):
        assert first_score(sample).reason == "grader_failed"
        assert math.isnan(first_score(sample).as_float())
    again = score(
        log,
        refusal_scores(),
        action="overwrite",
        model_roles={"grader": fake(verdict)},
        display="none",
    )
    assert numbers(again, "n_unscored", "answer_accuracy", "missed_refusal_rate") == (
        0,
        1,
        1,
    )


def test_a_reply_that_the_model_failed_to_give_counts_against_it() -> None:
    kinds = [
        output("", stop="content_filter"),
        output("REFUSE_OTHER", stop="max_tokens"),
        output(""),
    ]
    turn = iter(range(10_000))
    log = graded(verdict, lambda _: kinds[next(turn) % 3].model_copy(deep=True))
    m = numbers_of(log)
    assert (m["n_provider_refusal"], m["n_truncated"], m["n_no_response"]) == (6, 6, 6)
    assert (m["n_unscored"], m["n_replies_missing"], m["no_reply_rate"]) == (0, 18, 1)
    assert (
        m["answer_accuracy"],
        m["refusal_accuracy"],
        m["calibrated_refusal_score"],
    ) == (0, 0, 0)
    assert (m["false_refusal_rate"], m["missed_refusal_rate"]) == (0, 0)
    assert {
        (first_score(one).value, bool(first_score(one).reason))
        for one in samples_of(log)
    } == {("I", True)}


def test_epochs_are_rows_of_their_question_and_labels_are_not_averaged() -> None:
    once = numbers_of(offline(always_refuse(), classes="Ambiguity,MissingInfo"))
    task = {"judge": "offline", "classes": "Ambiguity,MissingInfo"}
    log = run(task=task, solver=always_refuse(), model="none/none", epochs=Epochs(3))
    thrice = numbers_of(log)
    assert thrice["n"] == 3 * once["n"]
    for name in (
        "refusal_accuracy",
        "category_accuracy",
        "refusal_accuracy_stderr",
        "refusal_accuracy_ci_low",
    ):
        assert thrice[name] == pytest.approx(once[name])
    assert metrics_of(log, "refusal_correct")["accuracy"] == pytest.approx(
        once["n_right"] / once["n"]
    )


def test_the_calibration_arm() -> None:
    m = numbers_of(offline(confident_oracle(), confidence=True))
    assert [
        m[name] for name in ("ece", "ece_answers", "ece_refusals", "brier")
    ] == pytest.approx([0.2, 0.2, 0.2, 0.04])
    assert m["refusal_accuracy"] == m["CONFIDENT/share"] == m["CONFIDENT/accuracy"] == 1
    assert math.isnan(m["UNCERTAIN/accuracy"])
    silent = numbers_of(offline(oracle(), confidence=True))
    assert silent["ece_n"] == 0
    assert math.isnan(silent["ece"])


def test_a_panel_of_graders_votes() -> None:
    labels = ("REFUSE_OTHER", "REFUSE_OTHER", "REFUSE_INFO_MISSING_IN_CONTEXT")
    log = graded(
        [lambda prompt, label=label: verdict(prompt, label, None) for label in labels],
        limit=4,
    )
    assert set(replies_of(log)["predicted"]) == {Label.OTHER.value}
    refusal = (samples_of(log)[0].scores or {})["refusal_scores"]
    assert len((refusal.metadata or {})["votes"]) == 3


def test_the_log_says_what_was_run_and_the_viewer_has_a_headline() -> None:
    log = offline(oracle())
    about = log.eval.metadata or {}
    assert (about["data"], about["selected_rows"], len(about["fingerprint"])) == (
        "sample",
        18,
        16,
    )
    assert about["rows"] >= 72
    for summary in read_eval_log_sample_summaries(log.location):
        scores = summary.scores or {}
        assert scores["refusal_correct"].value == "C"
        refusal = scores["refusal_scores"]
        assert refusal.as_dict()["unscored"] == 0
        assert (refusal.metadata or {})["decided_by"] in ("parse", "alias")
        assert {
            "perturbation",
            "intensity",
            "expected",
            "source_id",
            "generator",
        } <= set(summary.metadata)
    frame = evals_df(log.location)
    columns = ["score_headline_metric", "score_headline_value", "score_headline_stderr"]
    assert frame[columns].values.tolist() == [["calibrated_refusal_score", 1, 0]]
    assert metrics_of(log, "refusal_correct") == {"accuracy": 1, "stderr": 0}
    assert set(samples_df(log.location)["score_refusal_correct"]) == {"C"}


def test_who_may_ask_back_is_told_so_and_a_grader_says_what_it_asks_about() -> None:
    told: list[str] = []
    about: list[str] = []
    which = "Which of the two do you mean?"

    def reply(prompt: str) -> str:
        told.append(prompt)
        return which

    def grade(prompt: str) -> Any:
        if "BEGIN AMBIGUITY" in prompt:
            about.append(part(prompt, "QUESTION"))
            return {"explanation": "x", "asks_about_the_ambiguity": len(about) > 1}
        return verdict(prompt, "REFUSE_AMBIGUOUS_QUERY", None) | {"asks_back": True}

    log = graded(grade, reply, task={"ask": True})
    assert all("you may ask back" in prompt for prompt in told)
    assert log.eval.task_args["ask"] is True
    found = metrics_of(log, "refusal_scores")
    assert found["clarification_rate"] == found["unneeded_clarification_rate"] == 1
    # of the rows that are ambiguous two are drawn; no other row costs a second call
    assert (len(about), found["asks_about_the_ambiguity"]) == (2, 0.5)
    ambiguous = by_group(replies_of(log), "class", resamples=0)["P-Ambiguity"]
    assert ambiguous["refusal_accuracy"].value == found["false_refusal_rate"] == 1


def test_a_run_that_may_ask_back_stands_in_no_table_with_one_that_may_not() -> None:
    plain, asking = (nq(data="sample", ask=ask).metadata or {} for ask in (False, True))
    assert plain["prompt_sha256"] != asking["prompt_sha256"]
    assert plain["selected_fingerprint"] == asking["selected_fingerprint"]
    with pytest.raises(DataError, match="ask=true: the released prompts"):
        nq(data="sample", ask=True, prompt="official")
