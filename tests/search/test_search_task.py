"""The task from its arguments to its log: layouts, corpora, what scores rest on."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval, score
from inspect_ai.log import EvalLog

from refusalbench_tasks.cli import main
from refusalbench_tasks.search.search_agents import search_lines
from refusalbench_tasks.search.search_baselines import search_once, search_oracle
from refusalbench_tasks.search.search_scorer import search_scores
from refusalbench_tasks.solvers.replay import replay
from refusalbench_tasks.tasks.search import search
from tests.logged import numbers_of
from tests.models import fake
from tests.search.searching import acting, in_turn, says, searched

GARAGE = "refusalbench_tasks/datasets/data/garage_sample.jsonl"


def corpus_facts(log: EvalLog) -> dict[str, Any]:
    assert log.eval.metadata
    facts: dict[str, Any] = log.eval.metadata["corpus"]
    return facts


def test_rows_of_worlds_are_searched_among_near_twins(tmp_path: Path) -> None:
    log = searched(tmp_path, solver=search_oracle(), data="worlds", n=24)
    m = numbers_of(log, "search_scores")
    assert m["evidence_found"] == m["answer_accuracy"] == m["refusal_accuracy"] == 1
    assert m["pair_accuracy_n"] == 12
    facts = corpus_facts(log)
    assert facts["passages"] >= 1000
    assert facts["origins"].keys() == {"worlds", "samples"}
    assert log.eval.metadata
    assert log.eval.metadata["worlds"]


def test_rows_with_ten_passages_are_found_by_any_of_the_signal(tmp_path: Path) -> None:
    log = searched(tmp_path, solver=search_oracle(), data=GARAGE, limit=6)
    for sample in log.samples or ():
        assert sample.scores
        value: Any = sample.scores["search_scores"].value
        assert (value["evidence_shown"], "eligible" in value) == (1, True)


def test_a_file_of_passages_is_what_is_searched(tmp_path: Path) -> None:
    path = tmp_path / "passages.jsonl"
    texts = [f"The Harrowmouth lighthouse, note {n}." for n in range(9)]
    path.write_text("".join(json.dumps({"text": text}) + "\n" for text in texts))
    log = searched(tmp_path, solver=search_once(), corpus=str(path), limit=1)
    assert corpus_facts(log)["origins"] == {"rows": 18, "near twins": 180, "file": 9}


def test_rows_alone_are_searched_if_asked_for(tmp_path: Path) -> None:
    log = searched(tmp_path, solver=search_once(), corpus="rows", limit=1)
    assert corpus_facts(log)["passages"] == 198


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"confidence": True}, "confidence: an agent is not asked for it"),
        ({"k": 0}, "k: Input should be greater than"),
        ({"corpus": "nowhere.jsonl"}, "nowhere.jsonl"),
        ({"colour": "red"}, "search: unknown argument 'colour'"),
    ],
)
def test_a_bad_argument_is_one_line(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        search(**{"data": "sample", **arguments})


def test_a_log_that_is_scored_again_has_the_same_numbers(tmp_path: Path) -> None:
    agent = acting(in_turn(says("Hello."), says("SEARCH: mine"), says("no")))
    log = searched(tmp_path, agent, solver=search_lines(), limit=3)
    again = score(log, search_scores(), action="overwrite", display="none")
    both = [numbers_of(one, "search_scores") for one in (log, again)]
    assert both[0]["malformed_calls"] == 11
    assert both[1] == pytest.approx(both[0], nan_ok=True)


def test_without_codes_any_refusal_is_one(tmp_path: Path) -> None:
    agent = acting(in_turn(says("REFUSE: the documents do not say it")))
    log = searched(tmp_path, agent, solver=search_lines(), codes=False, limit=8)
    m = numbers_of(log, "search_scores")
    assert m["refusal_rate"] == 1
    assert "detection_f1" in m


def test_an_application_that_tells_its_passages_is_told_whether_it_found_the_evidence(
    tmp_path: Path,
) -> None:
    rows = [sample.metadata or {} for sample in search(data="sample").dataset]
    replies = tmp_path / "replies.jsonl"
    lines = []
    for number, row in enumerate(rows):
        shown = row["passages"] if number % 2 else ["Nothing of the kind."]
        reply = {"id": row["item_id"], "reply": "REFUSE_OTHER", "passages": shown}
        lines.append(json.dumps(reply))
    replies.write_text("\n".join(lines))
    log = searched(tmp_path, solver=replay(str(replies)))
    m = numbers_of(log, "search_scores")
    assert m["evidence_found"] == 0.5
    assert m["premature_refusal"] + m["refusal_despite_evidence"] == 1


def test_a_grader_sees_what_the_agent_was_shown(tmp_path: Path) -> None:
    prompts: list[str] = []

    def grade(prompt: str) -> dict[str, Any]:
        prompts.append(prompt)
        return {"explanation": "so", "label": "ANSWER_ATTEMPT", "correctness": 0.0}

    agent = acting(
        in_turn(says("SEARCH: sponge barnacles"), says("ANSWER: It is [1]."))
    )
    (log,) = eval(
        search(data=GARAGE, grader_check="off"),
        model=agent,
        model_roles={"grader": fake(grade, checked=False)},
        solver=search_lines(),
        limit=1,
        log_dir=str(tmp_path),
        display="none",
    )
    assert log.samples
    shown = log.samples[0].store["refusalbench_retrieved"]
    assert shown
    assert all(text[:60] in prompts[0] for text in shown)


def test_a_report_of_runs_that_searched_has_their_figures(tmp_path: Path) -> None:
    searched(tmp_path / "logs", solver=search_once())
    out = tmp_path / "report"
    done = CliRunner().invoke(main, ["report", str(tmp_path / "logs"), "-o", str(out)])
    assert done.exit_code == 0, done.output
    page = (out / "index.html").read_text(encoding="utf-8")
    assert "What happened to the answerable rows" in page
    assert "Right replies by the searches that they took" in page
