"""`codes=false`: answers are told from refusals, by a judge or offline, and nothing is
said of categories.
"""

import math
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import EvalLog
from inspect_ai.model import get_model

from refusalbench_tasks.cli import main
from refusalbench_tasks.report.build import write_report
from refusalbench_tasks.results.comparison import compare_pairs
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.scorers.refusal import refusal_scores
from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import REFUSALS, Label
from tests.logged import numbers_of
from tests.models import fake, part

ANSWER = Label.ANSWER
MISSING = Label.MISSING
OTHER = Label.OTHER
CODED = (
    "refusal_accuracy",
    "calibrated_refusal_score",
    "category_accuracy",
    "hierarchical_score",
    "macro_refusal_accuracy",
)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def run(reply: Any, grader: Any = None, task: Any = nq, **arguments: Any) -> EvalLog:
    (log,) = eval(
        task(**{"data": "sample", "per_stratum": 1, "codes": False} | arguments),
        model=get_model("none/none") if reply is None else fake(reply),
        solver=oracle() if reply is None else None,
        model_roles={"grader": fake(grader)} if grader else None,
        log_dir="logs",
        display="none",
    )
    assert log.status == "success", log.error
    return log


def test_offline_phrases_decide_refusals_and_aliases_decide_answers() -> None:
    m = numbers_of(
        run(
            lambda prompt: "I don't know." if len(prompt) % 2 else "Hm.",
            judge="offline",
        )
    )
    assert m["n_by_reading"] > 0
    assert m["n_undecided_offline"] == m["n_unscored"] == m["n"] - m["n_by_reading"]
    perfect = numbers_of(run(None, judge="offline"))
    assert (
        perfect["detection_f1"],
        perfect["answer_accuracy"],
        perfect["n_unscored"],
    ) == (1, 1, 0)


def test_the_judge_sorts_answers_and_refusals_and_hears_of_no_code() -> None:
    seen: list[str] = []

    def grader(prompt: str) -> dict[str, object]:
        seen.append(prompt)
        if part(prompt, "REPLY").startswith("Sorry"):
            return {"explanation": "declines", "label": "REFUSAL"}
        grade = {"grade": 5} if "BEGIN REFERENCES" in prompt else {}
        return {"explanation": "answers", "label": "ANSWER_ATTEMPT", **grade}

    prompts: list[str] = []

    def reply(prompt: str) -> str:
        prompts.append(prompt)
        return "Sorry, the text leaves that open." if len(prompt) % 2 else "It was so."

    log = run(reply, grader)
    m = numbers_of(log)
    assert not any(
        code.value in text for text in (*seen, *prompts) for code in REFUSALS
    )
    assert m["n_by_judge"] == m["n"] == len(seen)
    assert not [name for name in m if name.split("/")[-1].startswith(CODED)]
    assert not [name for name in m if "code_refusal" in name]
    assert 0 < m["detection_precision"] < 1
    assert m["detection_precision_n"] == sum(
        part(p, "REPLY").startswith("Sorry") for p in seen
    )
    assert list(m).index("detection_f1") < list(m).index("answer_accuracy")
    values = [(s.scores or {})["refusal_scores"].as_dict() for s in log.samples or []]
    assert all(math.isnan(float(value["hit"])) for value in values)  # type: ignore[arg-type]


def test_a_verdict_with_a_code_is_invalid_where_none_was_asked_for() -> None:
    m = numbers_of(
        run(lambda _: "Hm.", lambda _: {"explanation": "x", "label": "REFUSE_OTHER"})
    )
    assert m["n_grader_failed"] == m["n"]


def test_a_log_that_is_scored_again_stays_without_codes() -> None:
    log = run(lambda _: "I don't know.", judge="offline")
    again = score(log, refusal_scores(), action="overwrite", display="none")
    first, second = (numbers_of(one) for one in (log, again))
    assert {name: str(value) for name, value in first.items()} == {
        name: str(value) for name, value in second.items()
    }
    assert first["missed_refusal_rate"] == 0


def test_the_headline_is_detection_without_codes() -> None:
    headlines = [
        nq(data="sample", codes=codes).headline_metric for codes in (True, False)
    ]
    assert [getattr(one, "metric", None) for one in headlines] == [
        "calibrated_refusal_score",
        "detection_f1",
    ]


def test_nothing_of_categories_is_drawn_or_compared_where_none_was_asked_for(
    tmp_path: Path,
) -> None:
    # a refusal that is due is right in both runs, so that no pair of replies differs in
    # that
    without = run(lambda _: "I don't know.", judge="offline")
    coded = run(lambda _: "REFUSE_INFO_MISSING_IN_CONTEXT", judge="offline", codes=True)
    a, b = (read_logs([log.location]).runs[0] for log in (coded, without))
    (made,) = compare_pairs([(a, b)])
    (right,) = (test for test in made.tests if test.name == "right")
    assert (right.only_a, right.only_b, right.n) == (0, 0, len(a.main))
    assert not {one.metric for one in made.differences} & set(CODED)
    assert {"false_refusal_rate", "missed_refusal_rate", "detection_f1"} <= {
        one.metric for one in made.differences
    }
    assert "only one of the two runs was asked for refusal codes" in made.note
    assert compare_pairs([(a, a)])[0].note == ""
    told = CliRunner().invoke(main, ["compare", coded.location, without.location])
    assert "categories are not compared" in told.stderr
    rule = [
        "--min",
        "refusal_accuracy=0.1",
        "--against",
        without.location,
        "--no-worse-than",
        "0.5",
    ]
    gated = CliRunner().invoke(main, ["gate", coded.location, *rule])
    assert "logs are not compared by it (" in gated.stdout


def test_a_page_of_runs_without_codes_has_no_code_on_it(tmp_path: Path) -> None:
    log = run(lambda _: "I don't know.", judge="offline")
    page = write_report([log.location], tmp_path / "page").page.read_text()
    assert not [code.value for code in Label if code.value in page]
    assert "declined rightly" in page
    drawn = {figure.stem.removeprefix("nq-") for figure in tmp_path.rglob("*.svg")}
    assert "error-tradeoff" in drawn
    assert not drawn & {"ranking", "confusion", "classes"}


def test_garage_is_graded_for_grounding_without_codes_too() -> None:
    flags: dict[str, object] = {
        "eligible": True,
        "factual_all": True,
        "factual_relevant": True,
    }

    def grader(prompt: str) -> dict[str, object]:
        verdict: dict[str, object] = {"explanation": "x", "label": "ANSWER_ATTEMPT"}
        return verdict | flags if "BEGIN PASSAGES" in prompt else verdict

    m = numbers_of(run(lambda _: "It is so [1].", grader, garage), "grounded_scores")
    assert (m["answer_accuracy"], m["missed_refusal_rate"]) == (1, 1)
    assert "hybrid_score" not in m
