"""What agents without a model come to on the bundled rows."""

from pathlib import Path

from inspect_ai.solver import Solver

from refusalbench_tasks.search.search_baselines import (
    search_endless,
    search_guess,
    search_once,
    search_oracle,
)
from refusalbench_tasks.solvers.baselines import always_refuse
from tests.logged import numbers_of
from tests.search.searching import searched


def numbers(solver: Solver, folder: Path) -> dict[str, float]:
    return numbers_of(searched(folder, solver=solver), "search_scores")


def test_one_that_refuses_at_once_gives_up_early_on_every_answerable_row(
    tmp_path: Path,
) -> None:
    m = numbers(always_refuse(), tmp_path)
    assert m["premature_refusal"] == m["false_refusal_rate"] == 1
    assert m["refusal_despite_evidence"] == m["unsupported_answer"] == 0
    assert (m["searches"], m["evidence_found"], m["pair_accuracy"]) == (0, 0, 0)


def test_a_guess_is_an_answer_without_evidence_and_unsupported(tmp_path: Path) -> None:
    m = numbers(search_guess(), tmp_path)
    assert m["answer_without_evidence"] == m["right_without_evidence"] == 1
    assert m["unsupported_answer"] == m["missed_refusal_rate"] == 1
    assert (m["wrong_without_evidence"], m["premature_refusal"]) == (0, 0)


def test_one_that_never_stops_searching_has_given_no_reply(tmp_path: Path) -> None:
    m = numbers(search_endless(), tmp_path)
    assert m["limit_rate"] == m["no_reply_rate"] == 1
    assert (m["searches"], m["repeated_queries"]) == (8, 7)
    assert (m["answer_accuracy"], m["refusal_accuracy"]) == (0, 0)
    assert m["unscored_rate"] == m["premature_refusal"] == 0


def test_the_first_search_finds_part_of_the_evidence_only(tmp_path: Path) -> None:
    m = numbers(search_once(), tmp_path)
    assert 0.4 <= m["evidence_found"] <= 0.8
    assert m["searches"] == 1


def test_the_oracle_finds_all_evidence_within_two_searches(tmp_path: Path) -> None:
    m = numbers(search_oracle(), tmp_path)
    assert m["evidence_found"] == m["answer_accuracy"] == m["refusal_accuracy"] == 1
    assert m["pair_accuracy"] == 1
    assert 1 < m["searches"] < 2
    assert m["searches_after_evidence"] == 0
    # 18 questions of four rows, one to three of them answerable
    # each answerable row of a question with each of its others
    assert m["pair_accuracy_n"] == 56
