"""A log that is scored again is scored as its run was, unless told otherwise."""

import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval, score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.scorer import Score

from refusalbench_tasks.scorers.hedging import hedging_scores
from refusalbench_tasks.scorers.refusal import (
    grounded_scores,
    refusal_correct,
    refusal_scores,
)
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.commands import run
from tests.logged import numbers_of, replies_of
from tests.models import confident_oracle, fake, metrics_of
from tests.provider import Server
from tests.provider.plausible import plausible
from tests.tasks.hedging import metrics as hedging

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = (ROOT / "docs" / "copy.md").read_text(encoding="utf-8")


def metrics(log: EvalLog, scorer: str) -> dict[str, Any]:
    # as text, because undefined values are not equal to themselves
    return {name: str(value) for name, value in metrics_of(log, scorer).items()}


def confident() -> EvalLog:
    task = nq(
        data="sample",
        per_stratum=1,
        confidence=True,
        judge="offline",
        protocol="official-code",
    )
    (log,) = eval(
        task, model="none", solver=confident_oracle(), log_dir="logs", display="none"
    )
    return log


def test_the_command_to_copy_keeps_confidence_and_parsing(tmp_path: Path) -> None:
    (command,) = re.findall(
        r"^inspect score .*--scorer refusalbench_tasks/refusal_scores .*$",
        COMMANDS,
        re.MULTILINE,
    )
    script = plausible(bare=0.9)

    def reply(call: Any) -> Any:
        made = script(call)
        return (
            replace(made, text=f"{made.text}\nCONFIDENCE: CONFIDENT")
            if "CONFIDENCE: LEVEL" in call.text
            else made
        )

    with Server(reply) as server:
        setting = {
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": server.openai_url,
            "INSPECT_DISPLAY": "none",
        }
        line = (
            "inspect eval refusalbench_tasks/nq --model openai/gpt-4o --model-role"
            " grader=openai/gpt-4o-mini "
        )
        line += (
            "-T data=sample -T per_stratum=1 -T confidence=true --log-dir logs/short"
        )
        run(line, tmp_path, **setting)
        (log,) = (tmp_path / "logs" / "short").glob("*.eval")
        # the command as printed, with the run's own judge and without another way to
        # judge
        again = command.replace("logs/short/*.eval", str(log)).replace(
            "-S judge=always ", ""
        )
        again = again.replace("anthropic/claude-opus-4-1", "openai/gpt-4o-mini")
        run(again, tmp_path, **setting)
    scored = read_eval_log(str(tmp_path / "logs" / "rejudged.eval"))
    first = metrics(read_eval_log(str(log)), "refusal_scores")
    assert float(first["ece"]) > 0
    assert numbers_of(scored)["n_by_parse"] > 0
    assert metrics(scored, "refusal_scores") == first


def test_what_is_given_goes_before_what_the_run_had_with_a_warning(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log = confident()
    again = score(log, refusal_scores(), action="overwrite", display="none")
    assert metrics(again, "refusal_scores") == metrics(log, "refusal_scores")
    assert "is given" not in caplog.text
    assert "is taken" not in caplog.text
    other = score(
        log,
        refusal_scores(confidence=False, protocol="paper"),
        action="overwrite",
        display="none",
    )
    assert "ece" not in metrics(other, "refusal_scores")
    assert (
        caplog.text.count("confidence=False is given, but the run had confidence=True")
        == 1
    )
    assert (
        caplog.text.count(
            "protocol=paper is given, but the run had protocol=official-code"
        )
        == 1
    )


def offline(**settings: Any) -> EvalLog:
    task = nq(data="sample", per_stratum=1, judge="offline", codes=False, **settings)
    model = fake(lambda _: "That is one for the front desk.")
    (log,) = eval(task, model=model, log_dir="logs", display="none")
    return log


def test_phrases_of_refusal_can_be_given_anew_and_are_remembered(
    tmp_path: Path,
) -> None:
    file = tmp_path / "phrases.txt"
    file.write_text("one for the front desk\n")
    without, with_phrases = offline(), offline(refusals=str(file))
    assert numbers_of(with_phrases)["missed_refusal_rate"] == 0
    scorer = refusal_scores(refusals=str(file))
    given = score(without, scorer, action="overwrite", display="none")
    assert metrics(given, "refusal_scores") == metrics(with_phrases, "refusal_scores")
    assert metrics(given, "refusal_scores") != metrics(without, "refusal_scores")
    file.unlink()
    again = score(with_phrases, refusal_scores(), action="overwrite", display="none")
    assert metrics(again, "refusal_scores") == metrics(with_phrases, "refusal_scores")


def test_garage_is_scored_again_as_it_was(caplog: pytest.LogCaptureFixture) -> None:
    def grade(prompt: str) -> Any:
        flags = {
            "eligible": True,
            "supported_all": [True],
            "supported_relevant": [False],
        }
        return {"explanation": "x", "label": "ANSWER_ATTEMPT"} | (
            flags if "BEGIN CLAIMS" in prompt else {}
        )

    task = garage(data="sample", intensities="LOW", raf="claims", confidence=True)
    replies = fake(lambda _: "It was so [1].\nCONFIDENCE: CONFIDENT")
    roles = {"grader": fake(grade)}
    (log,) = eval(
        task, model=replies, model_roles=roles, log_dir="logs", display="none"
    )
    first = metrics(log, "grounded_scores")
    assert numbers_of(log, "grounded_scores")["n_by_judge"] > 0
    scorers = [refusal_correct(), grounded_scores()]
    again = score(log, scorers, action="overwrite", model_roles=roles, display="none")
    assert metrics(again, "grounded_scores") == first
    assert "is given" not in caplog.text
    assert "is taken" not in caplog.text


def test_appended_scores_are_by_the_new_judge_and_not_by_earlier_scores() -> None:
    def says(label: str) -> Any:
        return fake(
            lambda p: (
                {"explanation": "x", "label": label}
                | ({"grade": None} if "REFERENCES" in p else {})
            )
        )

    task = nq(data="sample", per_stratum=1)
    replies = fake(lambda _: "Who can say?")
    (log,) = eval(
        task,
        model=replies,
        model_roles={"grader": says("REFUSE_OTHER")},
        log_dir="logs",
        display="none",
    )
    new = {"grader": says("REFUSE_AMBIGUOUS_QUERY")}
    again = score(
        log, [refusal_scores()], action="append", model_roles=new, display="none"
    )
    given = {
        name: set(replies_of(again, name)["predicted"])
        for name in ("refusal_scores", "refusal_scores1")
    }
    assert given == {
        "refusal_scores": {"REFUSE_OTHER"},
        "refusal_scores1": {"REFUSE_AMBIGUOUS_QUERY"},
    }


GRADER = {
    "grader": fake(
        lambda _: {"explanation": "x", "behaviour": "ANSWER", "correctness": 0.5}
    )
}


def hedged(reply: str, **settings: Any) -> EvalLog:
    task = bluff(data="sample", topics="law", per_topic=2, ptrue="none", **settings)
    (log,) = eval(
        task,
        model=fake(lambda _: reply),
        model_roles=GRADER,
        log_dir="logs",
        display="none",
    )
    return log


def again(log: EvalLog, roles: Any = GRADER, **settings: Any) -> EvalLog:
    return score(
        log,
        hedging_scores(**settings),
        action="overwrite",
        model_roles=roles,
        display="none",
    )


def scores_of(log: EvalLog) -> list[Score]:
    return [s.scores["hedging_scores"] for s in log.samples or [] if s.scores]


def test_bluff_is_scored_again_as_it_was_and_by_another_grader() -> None:
    Path("mine.txt").write_text("so\n")
    log = hedged(
        "It was so.\nFour pages agree.", protocol="official-code", lexicon="mine.txt"
    )
    # means are summed in the order in which samples end, so their last digit may differ
    assert hedging(again(log)) == pytest.approx(hedging(log), rel=1e-12, nan_ok=True)
    assert {scored.as_dict()["hedges"] for scored in scores_of(log)} == {1.0}
    strict = again(
        log, {"grader": fake(lambda _: {"explanation": "no", "correctness": 0.0})}
    )
    assert hedging(strict)["answer_correctness"] == 0.0


def test_a_run_is_counted_by_the_list_of_its_protocol_and_again_by_it() -> None:
    log = hedged("It was perhaps so.\nThe sources do not say why.")
    first = hedging(log)
    # perhaps 0.75, do not say 1
    assert (first["hedge_strength"], first["hedge_strength_n"]) == (1.75, 4)
    assert log.eval.metadata
    assert log.eval.metadata["word_lists"]["hedges"] == "v2"
    assert hedging(again(log)) == pytest.approx(first, nan_ok=True)
    assert math.isnan(hedging(again(log, lexicon="v1"))["hedge_strength"])
    official = again(log, protocol="official-code")
    word_lists = [
        (scored.metadata or {})["word_lists"] for scored in scores_of(official)
    ]
    assert {lists["hedges"] for lists in word_lists} == {"v1"}
