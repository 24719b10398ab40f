"""Retrieved passages from the solver to the judge, the score and a log that is scored
again.
"""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import EvalLog, read_eval_log
from inspect_ai.model import Model, ModelOutput
from inspect_ai.solver import Generate, Solver, TaskState, solver

from refusalbench_tasks.cli import main
from refusalbench_tasks.report.groups import groups_of
from refusalbench_tasks.report.refusal_tables import more_tables
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.scorers.refusal import grounded_scores, refusal_correct
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.solvers.retrieved import passages_in, record_retrieved
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.logged import numbers_of
from tests.models import fake, metrics_of, part

LONG = (
    "A retrieved passage about lighthouses and nothing else that was asked for in any"
    " way. " * 30
)


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@solver
def retrieving(
    reply: str, passages: Sequence[object] | None, own: bool = False
) -> Solver:
    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.output = ModelOutput.from_content("app", reply)
        if passages is not None:
            record_retrieved(
                state, [*passages, *(state.metadata["passages"] if own else ())]
            )
        return state

    return solve


def judge(seen: list[str]) -> Model:
    """Return a grader that takes all for good answers, and keeps the prompts that it
    was given.
    """

    def verdict(prompt: str) -> dict[str, object]:
        seen.append(prompt)
        flags = {"eligible": True, "factual_all": True, "factual_relevant": True}
        return {
            "explanation": "x",
            "label": "ANSWER_ATTEMPT",
            **(flags if "BEGIN PASSAGES" in prompt else {}),
        }

    return fake(verdict)


def run(passages: Sequence[str] | None) -> tuple[EvalLog, list[str]]:
    """Return a log and the prompts of its grader."""
    seen: list[str] = []
    task = garage(data="sample", per_stratum=1, intensities="LOW")
    solver = retrieving("It is so [1].", passages)
    (log,) = eval(
        task,
        solver=solver,
        model="none/none",
        model_roles={"grader": judge(seen)},
        display="none",
    )
    assert log.status == "success", log.error
    return log, seen


def test_the_judge_sees_what_the_application_retrieved_and_the_log_says_so() -> None:
    log, seen = run([LONG, "\ud800 broken"])
    assert seen
    for prompt in seen:
        assert part(prompt, "PASSAGES") == f"[1] {LONG}\n\n[2] \ufffd broken"
        assert part(prompt, "RELEVANT PASSAGES") == "(none)"
    for sample in log.samples or []:
        noted = (sample.scores or {})["grounded_scores"].metadata or {}
        assert (
            noted["passages_seen"],
            noted["retrieved_k"],
            noted["gold_retrieved"],
        ) == ("retrieved", 2, False)
        assert (sample.scores or {})["grounded_scores"].as_dict()[
            "citations_signal"
        ] == 0


def test_a_passage_is_a_text_or_an_object_that_names_its_document() -> None:
    assert passages_in(["One.", " "]) == [{"text": "One."}]
    told = {"text": "Two.", "id": 7, "source": None, "valid_until": "2026-12-31T23:59"}
    assert passages_in([told | {"score": 0.5}]) == [
        {"text": "Two.", "id": "7", "valid_until": "2026-12-31T23:59"}
    ]
    assert passages_in("One.") == [{"text": "One."}]


@pytest.mark.parametrize(
    "passages", [{"a": 1}, [3], 5, [["x"]], [{"text": "x", "valid_until": "soon"}]]
)
def test_what_is_no_passage_is_an_error(passages: Any) -> None:
    with pytest.raises(ValueError, match="expected passages|'soon'"):
        passages_in(passages)


def test_what_passages_tell_of_their_documents_is_in_the_log_and_in_its_replay() -> (
    None
):
    old = {"text": LONG, "source": "old.md", "valid_until": "2025-12-31"}

    def replayed(chosen: Solver) -> EvalLog:
        task = nq(data="sample", per_stratum=1, judge="offline")
        (log,) = eval(task, solver=chosen, model="none/none", limit=1, display="none")
        return log

    log = replayed(retrieving("It is so.", [old, "Two."]))
    for again in (log, replayed(replay(log.location))):
        [sample] = again.samples or []
        assert sample.store["refusalbench_retrieved"] == [old, "Two."]
    [run] = read_logs([log.location], texts=True).runs
    assert run.replies["retrieved"][0] == [old, {"text": "Two."}]
    assert run.replies["outdated"][0] == "2025-12-31"


def test_a_log_that_is_scored_again_shows_the_judge_the_same() -> None:
    log, seen = run([LONG, "Two."])
    stored = read_eval_log(log.location)
    again = list[str]()
    scorers = [refusal_correct(), grounded_scores()]
    roles = {"grader": judge(again)}
    scored = score(
        stored, scorers, model_roles=roles, action="overwrite", display="none"
    )
    assert sorted(again) == sorted(seen)
    assert {k: str(v) for k, v in metrics_of(scored, "grounded_scores").items()} == {
        k: str(v) for k, v in metrics_of(log, "grounded_scores").items()
    }


def test_faithfulness_of_bluff_is_measured_against_what_was_retrieved() -> None:
    def shares(passages: Sequence[str] | None) -> tuple[float, bool]:
        (log,) = eval(
            bluff(data="sample", per_topic=1, judge="cascade", ptrue="none"),
            solver=retrieving(
                "Lighthouses stand by the sea.\nThe passages say so.", passages
            ),
            model="none/none",
            model_roles={
                "grader": fake(
                    lambda _: {
                        "explanation": "x",
                        "behaviour": "ANSWER",
                        "correctness": 1.0,
                    }
                )
            },
            log_dir="logs",
            display="none",
        )
        scores = [(s.scores or {})["hedging_scores"] for s in log.samples or []]
        overlaps: list[Any] = [hedging.as_dict()["overlap"] for hedging in scores]
        noted = all("passages_seen" in (hedging.metadata or {}) for hedging in scores)
        return fmean(overlaps), noted

    assert shares(["Lighthouses stand by the sea."]) == (1.0, True)
    overlap, noted = shares(None)
    assert overlap < 1
    assert not noted


def test_show_report_and_gate_have_retrieval_of_runs_that_record_it() -> None:
    told, silent = (
        eval(
            nq(data="sample", per_stratum=1, judge="offline"),
            solver=retrieving("REFUSE_OTHER", passages, own=True),
            model="none/none",
            log_dir=folder,
            display="none",
        )[0]
        for folder, passages in (("told", [LONG]), ("silent", None))
    )
    answerable = sum(
        s.metadata["expected"] == "ANSWER_CORRECTLY" for s in told.samples or []
    )
    found = numbers_of(told)
    for sample in told.samples or []:
        refusal = (sample.scores or {})["refusal_scores"]
        assert (refusal.metadata or {})["gold_retrieved"]
    assert (found["hit_at_k"], found["hit_at_k_n"], found["retrieved_k"]) == (
        1,
        answerable,
        2,
    )
    assert (
        found["false_refusal_rate_given_hit"],
        found["false_refusal_rate_given_miss_n"],
    ) == (1, 0)
    assert found["hit_at_k_ci_high"] == 1
    assert metrics_of(told, "refusal_scores")["hit_at_k"] == 1
    assert "hit_at_k" not in metrics_of(silent, "refusal_scores")
    shown = CliRunner().invoke(main, ["show", "told", "--all"]).output
    assert "false_refusal_rate_given_hit" in shown
    assert (
        "hit_at_k" not in CliRunner().invoke(main, ["show", "silent", "--all"]).output
    )
    gated = CliRunner().invoke(
        main, ["gate", "told", "--max", "false_refusal_rate_given_hit=0.1"]
    )
    assert gated.exit_code == 1, gated.output
    (group,) = groups_of(read_logs(["told", "silent"]).runs)
    (table,) = (one for one in more_tables(group) if one.key == "retrieval")
    assert [row["hit at k"] for row in table.rows] == [1]
