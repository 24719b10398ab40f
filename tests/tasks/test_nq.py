"""RefusalBench-NQ end to end, from `eval()` to the numbers in the log."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Epochs, eval, score
from inspect_ai.analysis import evals_df, samples_df
from inspect_ai.log import EvalLog, read_eval_log, read_eval_log_sample_summaries
from inspect_ai.model import ModelOutput, get_model

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.refusal_groups import by_group
from refusalbench_tasks.scorers.refusal import refusal_scores
from refusalbench_tasks.solvers.baselines import always_refuse, extractive, oracle
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import CLASSES, Label
from tests.logged import numbers_of, replies_of
from tests.models import fake, metrics_of, output, part

GOOD = {"explanation": "it answers", "label": "ANSWER_ATTEMPT", "grade": 5}


def run(**options: Any) -> EvalLog:
    """Run on one row of each stratum, of which there are eighteen, or on as many as are asked for."""
    task = {"data": "sample", "per_stratum": 1, **options.pop("task", {})}
    (log,) = eval(nq(**task), log_dir="logs", display="none", **options)
    assert log.status == "success", log.error
    return log


def metrics(log: EvalLog) -> dict[str, float]:
    return numbers_of(log)


def answers_of(prompt: str) -> str:
    """Return a short answer for any prompt."""
    return "It was so."


def test_the_oracle_is_perfect() -> None:
    log = run(task={"per_stratum": None, "judge": "offline", "controls": "add"}, solver=oracle(), model="none/none")
    m = metrics(log)
    assert m["answer_accuracy"] == 1
    assert m["refusal_accuracy"] == 1
    assert m["false_refusal_rate"] == 0
    assert m["missed_refusal_rate"] == 0
    assert m["calibrated_refusal_score"] == 1
    assert m["hierarchical_score"] == 1
    assert m["control_answer_accuracy"] == 1
    assert m["n_unscored"] == 0
    assert m["n_by_parse"] + m["n_by_alias"] == m["n"]


def test_always_refusing_gives_the_category_accuracy_of_the_mix() -> None:
    log = run(task={"judge": "offline"}, solver=always_refuse(), model="none/none")
    m = metrics(log)
    assert (m["false_refusal_rate"], m["missed_refusal_rate"], m["answer_accuracy"]) == (1, 0, 0)
    missing = sum(s.metadata["expected"] == Label.MISSING for s in log.samples or [])
    assert m["category_accuracy"] == pytest.approx(missing / m["refusal_accuracy_n"])
    of_class = by_group(replies_of(log), "class", resamples=0)
    assert of_class["P-MissingInfo"]["refusal_accuracy"].value == 1
    assert of_class["P-Ambiguity"]["refusal_accuracy"].value == 0
    assert m["macro_refusal_accuracy"] == pytest.approx(1 / 6)


def test_the_extractive_baseline_is_always_decided_and_is_graded_where_it_plainly_gives_the_gold_answer() -> None:
    m = metrics(run(task={"judge": "offline"}, solver=extractive(), model="none/none"))
    assert m["n_unscored"] == 0
    assert m["n_by_parse"] + m["n_by_reading"] + m["n_by_alias"] == m["n"]
    assert 0 <= m["answer_accuracy_coverage"] < 1


def test_cascade_asks_the_judge_only_what_the_form_does_not_tell() -> None:
    asked: list[str] = []

    def grade(prompt: str) -> Any:
        asked.append(prompt)
        if "REFERENCES" not in prompt:
            assert '"grade"' not in prompt
            return {"explanation": "it answers", "label": "ANSWER_ATTEMPT"}
        return GOOD

    def reply(prompt: str) -> str:
        return "REFUSE_MISSING" if "a" in prompt[-40:] else "It was so."

    log = run(model=fake(reply), model_roles={"grader": fake(grade)})
    m = metrics(log)
    assert m["n_by_judge"] == len(asked) > 0
    assert m["n_by_parse"] == m["n"] - len(asked) > 0
    assert m["n_self_graded"] == 0
    assert m["answer_accuracy"] == pytest.approx(1 - m["false_refusal_rate"])


def test_always_judges_every_reply_once() -> None:
    asked: list[str] = []

    def grade(prompt: str) -> Any:
        asked.append(prompt)
        return {"explanation": "x", "label": "REFUSE_OTHER", "grade": None}

    m = metrics(
        run(task={"judge": "always"}, model=fake(lambda _: "REFUSE_MISSING"), model_roles={"grader": fake(grade)})
    )
    assert len(asked) == m["n"] == m["n_by_judge"]
    assert m["refusal_accuracy"] == 0


def test_the_judge_never_sees_the_expected_label_nor_the_passages() -> None:
    seen: list[str] = []

    def grade(prompt: str) -> Any:
        seen.append(prompt)
        return GOOD if "REFERENCES" in prompt else {"explanation": "x", "label": "ANSWER_ATTEMPT"}

    log = run(model=fake(answers_of), model_roles={"grader": fake(grade)})
    passages = [s.metadata["passages"][0] for s in log.samples or []]
    assert len(seen) == len(passages)
    for prompt in seen:
        assert Label.ANSWER.value not in prompt
        assert not any(passage in prompt for passage in passages)
        assert part(prompt, "REPLY") == "It was so."


def test_an_unbound_grader_is_the_evaluated_model_and_never_silently(caplog: Any) -> None:
    """The setup solver `announce_graders` says so at the start."""

    def both(prompt: str) -> Any:
        return (
            {"explanation": "x", "label": "ANSWER_ATTEMPT"} | ({"grade": 4} if "REFERENCES" in prompt else {})
            if ("BEGIN REPLY" in prompt)
            else "It was so."
        )

    log = run(model=fake(both))
    m = metrics(log)
    assert m["n_self_graded"] == m["n"]
    assert "grades its own replies" in caplog.text


def test_without_model_and_grader_what_needs_a_judge_is_unscored() -> None:
    m = metrics(run(solver=extractive(), model="none/none"))
    assert m["n_no_grader"] == m["n_unscored"] > 0
    assert m["n_by_judge"] == 0


def test_a_failing_judge_is_never_a_verdict() -> None:
    log = run(model=fake(answers_of), model_roles={"grader": fake(lambda _: "I think it is fine, 5/5")})
    m = metrics(log)
    assert m["n_grader_failed"] == m["n"]
    assert math.isnan(m["answer_accuracy"])
    assert math.isnan(m["missed_refusal_rate"])
    for sample in log.samples or []:
        assert sample.scores
        assert sample.scores["refusal_correct"].reason == "grader_failed"
        assert math.isnan(sample.scores["refusal_correct"].as_float())


def test_a_reply_that_the_model_failed_to_give_counts_against_it() -> None:
    kinds = [output("", stop="content_filter"), output("REFUSE_OTHER", stop="max_tokens"), output("")]
    turn = iter(range(10_000))

    def reply(_: str) -> ModelOutput:
        return kinds[next(turn) % 3].model_copy(deep=True)

    log = run(model=fake(reply), model_roles={"grader": fake(lambda _: GOOD)})
    m = metrics(log)
    assert (m["n_provider_refusal"], m["n_truncated"], m["n_no_response"]) == (6, 6, 6)
    assert (m["n_unscored"], m["n_replies_missing"], m["no_reply_rate"]) == (0, 18, 1)
    assert (m["answer_accuracy"], m["refusal_accuracy"], m["calibrated_refusal_score"]) == (0, 0, 0)
    assert (m["false_refusal_rate"], m["missed_refusal_rate"]) == (0, 0)
    for sample in log.samples or []:
        assert sample.scores
        assert (sample.scores["refusal_correct"].value, bool(sample.scores["refusal_correct"].reason)) == ("I", True)


def test_epochs_are_rows_of_their_question_and_labels_are_not_averaged() -> None:
    once = metrics(run(task={"judge": "offline"}, solver=always_refuse(), model="none/none"))
    log = run(task={"judge": "offline"}, solver=always_refuse(), model="none/none", epochs=Epochs(3))
    thrice = metrics(log)
    assert thrice["n"] == 3 * once["n"]
    for name in ("refusal_accuracy", "category_accuracy", "refusal_accuracy_stderr", "refusal_accuracy_ci_low"):
        assert thrice[name] == pytest.approx(once[name])
    assert metrics_of(log, "refusal_correct")["accuracy"] == pytest.approx(once["n_right"] / once["n"])


def test_the_calibration_arm() -> None:
    log = run(task={"judge": "offline", "confidence": True}, solver=oracle("CONFIDENT"), model="none/none")
    m = metrics(log)
    assert m["refusal_accuracy"] == 1
    assert m["ece"] == pytest.approx(0.2)
    assert m["brier"] == pytest.approx(0.04)
    assert m["ece_answers"] == m["ece_refusals"] == pytest.approx(0.2)
    assert m["CONFIDENT/share"] == 1
    assert m["CONFIDENT/accuracy"] == 1
    assert math.isnan(m["UNCERTAIN/accuracy"])
    silent = metrics(run(task={"judge": "offline", "confidence": True}, solver=oracle(), model="none/none"))
    assert silent["ece_n"] == 0
    assert math.isnan(silent["ece"])


def test_rows_can_be_taken_for_independent() -> None:
    def stderr(log: EvalLog) -> list[float]:
        m = metrics(log)
        return [m[f"refusal_accuracy_{name}"] for name in ("stderr", "bootstrap_stderr")]

    def always(**given: Any) -> EvalLog:
        return run(task={"judge": "offline"} | given, solver=always_refuse(), model="none/none")

    by_row, by_question = always(cluster="row"), always()
    n = metrics(by_row)["refusal_accuracy_n"]
    p = metrics(by_row)["refusal_accuracy"]
    # the rows of both sides are resampled, so that the n of a draw moves, and the error of a share stays about the same
    assert stderr(by_row) == pytest.approx([math.sqrt(p * (1 - p) / n)] * 2, rel=0.15)
    assert stderr(by_question) != stderr(by_row)
    again = score(by_question, refusal_scores(cluster="row"), action="overwrite", display="none")
    assert stderr(again) == stderr(by_row)


def test_the_log_says_what_was_run_and_summaries_hold_what_a_report_needs() -> None:
    log = run(task={"judge": "offline"}, solver=oracle(), model="none/none")
    about = log.eval.metadata or {}
    assert about["data"] == "sample"
    assert about["selected_rows"] == 18
    assert len(about["fingerprint"]) == 16
    assert about["rows"] >= 72
    for summary in read_eval_log_sample_summaries(log.location):
        assert summary.scores
        assert summary.scores["refusal_correct"].value == "C"
        assert summary.scores["refusal_scores"].value["unscored"] == 0  # type: ignore[call-overload, index]
        assert summary.scores["refusal_scores"].metadata["decided_by"] in ("parse", "alias")  # type: ignore[index]
        assert {"perturbation", "intensity", "expected", "source_id", "generator"} <= set(summary.metadata)


def test_a_log_is_rescored_by_another_judge_without_the_old_verdict() -> None:
    log = run(model=fake(answers_of), model_roles={"grader": fake(lambda _: "garbage")})
    assert metrics(log)["n_grader_failed"] == metrics(log)["n_unscored"] > 0

    def grade(prompt: str) -> Any:
        return GOOD if "REFERENCES" in prompt else {"explanation": "x", "label": "ANSWER_ATTEMPT"}

    again = score(log, refusal_scores(), action="overwrite", model_roles={"grader": fake(grade)}, display="none")
    m = metrics(again)
    assert m["n_unscored"] == 0
    assert m["answer_accuracy"] == 1
    assert m["missed_refusal_rate"] == 1


def test_a_panel_of_graders_votes() -> None:
    def says(label: str) -> Any:
        return fake(lambda p: {"explanation": "x", "label": label} | ({"grade": None} if "REFERENCES" in p else {}))

    roles = {"grader": [says("REFUSE_OTHER"), says("REFUSE_OTHER"), says("REFUSE_INFO_MISSING_IN_CONTEXT")]}
    log = run(model=fake(answers_of), model_roles=roles)
    assert set(replies_of(log)["predicted"]) == {Label.OTHER.value}
    first = (log.samples or [])[0]
    assert first.scores
    assert len((first.scores["refusal_scores"].metadata or {})["votes"]) == 3


def test_bad_arguments_end_in_one_line() -> None:
    for options, problem in (
        ({"judge": "maybe"}, "judge: unknown value 'maybe'; known: cascade, always, offline"),
        ({"protocol": "mine"}, "protocol: unknown value"),
        ({"cluster": "source"}, "cluster: unknown value 'source'; known: question, row"),
        ({"classes": "Doubt"}, "classes: unknown name 'Doubt'"),
        ({"data": "nowhere.jsonl"}, "no such file"),
        ({"prompt": "nowhere.txt"}, "prompt: no such file"),
    ):
        with pytest.raises(DataError, match=problem):
            nq(**{"data": "sample", **options})  # type: ignore[arg-type]


def test_filters_reach_the_data() -> None:
    task = nq(data="sample", classes="ambiguity,P-Contradiction", intensities=["HIGH"], judge="offline")  # type: ignore[arg-type]
    kinds = {(s.metadata["perturbation"], s.metadata["intensity"]) for s in task.dataset if s.metadata}
    assert kinds == {(CLASSES[0].value, "HIGH"), (CLASSES[1].value, "HIGH")}


def test_what_refuses_everything_is_no_perfect_detector_where_controls_are_its_answerable_rows() -> None:
    task = {"judge": "offline", "codes": False, "intensities": "MEDIUM,HIGH", "controls": "add"}
    held = metrics_of(run(task=task, solver=always_refuse(), model="none/none"), "refusal_scores")
    assert (held["false_refusal_rate"], held["missed_refusal_rate"]) == (1, 0)
    assert held["detection_f1"] == pytest.approx(2 * 12 / (12 + 12 + held_controls(task)))
    alone = metrics_of(
        run(task=task | {"controls": "none"}, solver=always_refuse(), model="none/none"), "refusal_scores"
    )
    assert math.isnan(alone["detection_f1"])


def held_controls(task: dict[str, Any]) -> int:
    return sum(bool((one.metadata or {})["control"]) for one in nq(data="sample", per_stratum=1, **task).dataset)


def test_a_log_holds_the_main_metrics_with_their_errors_and_little_else() -> None:
    log = run(task={"judge": "offline", "controls": "add", "confidence": True}, solver=always_refuse(),
              model="none/none")  # fmt: skip
    held, due = metrics_of(log, "refusal_scores"), metrics(log)
    assert 20 <= len(held) <= 40
    for name, value in held.items():
        assert value == pytest.approx(due[name] if name != "stderr" else due["calibrated_refusal_score_stderr"],
                                      nan_ok=True)  # fmt: skip


def test_data_frames_and_the_viewer_have_a_headline_with_its_error_and_right_or_wrong() -> None:
    log = run(task={"judge": "offline"}, solver=oracle(), model="none/none")
    frame = evals_df(log.location)
    assert frame["score_headline_metric"].tolist() == ["calibrated_refusal_score"]
    assert frame["score_headline_value"].tolist() == [1]
    assert frame["score_headline_stderr"].tolist() == [0]
    assert log.results
    assert log.results.scores[0].name == "refusal_correct"
    assert metrics_of(log, "refusal_correct") == {"accuracy": 1, "stderr": 0}
    samples = samples_df(log.location)
    assert set(samples["score_refusal_correct"]) == {"C"}


def test_the_first_score_says_in_one_line_what_was_expected_and_given_and_who_decided_why() -> None:
    def judge(prompt: str) -> Any:
        grade = {"grade": 2} if "REFERENCES" in prompt else {}
        return {"explanation": "It\nanswers.", "label": "ANSWER_ATTEMPT"} | grade

    log = run(model=fake(answers_of), model_roles={"grader": fake(judge)})
    told = {sample.scores["refusal_correct"].explanation for sample in log.samples or [] if sample.scores}
    assert f"expected {Label.MISSING}, given {Label.ANSWER} (judge: It answers.)" in told
    assert f"expected {Label.ANSWER}, given {Label.ANSWER} (judge: It answers.)" in told
    silent = run(model=fake(lambda _: ""), model_roles={"grader": fake(judge)}, limit=1)
    (sample,) = silent.samples or []
    assert sample.scores
    assert sample.scores["refusal_correct"].explanation == (
        f"expected {sample.metadata['expected']}, given nothing (no_response)"
    )


def test_the_log_reads_back_as_json(tmp_path: Path) -> None:
    log = run(task={"judge": "offline"}, solver=always_refuse(), model="none/none")
    again = read_eval_log(log.location)
    json.loads(again.model_dump_json())
    assert metrics(again)["false_refusal_rate"] == 1


def test_one_row_from_reply_to_metric() -> None:
    model = get_model("mockllm/model", custom_outputs=[output("REFUSE_AMBIGUOUS_QUERY")], memoize=False)
    task = nq(data="sample", classes="Ambiguity", intensities="HIGH", judge="offline")
    (log,) = eval(task, model=model, limit=1, log_dir="logs", display="none")
    assert log.status == "success"
    assert metrics(log)["refusal_accuracy"] == 1
