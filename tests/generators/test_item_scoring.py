"""How candidates are read and voted on, and what is accepted."""

from collections.abc import Iterator
from typing import Any

import pytest
from inspect_ai.model import Model

from tests.generators.panel import named, verdict, write_well
from tests.tasks.generation import (
    anew,
    few_bases,
    metrics,
    noting,
    run,
    verifier,
)

pytestmark = pytest.mark.usefixtures("_elsewhere")
FEW: dict[str, Any] = {"classes": "Ambiguity", "intensities": "LOW"}


def test_until_fail_asks_nobody_after_the_first_fail() -> None:
    asked: dict[str, list[str]] = {"a": [], "b": [], "c": []}
    panel = [
        noting(asked["a"], name="a"),
        noting(asked["b"], lambda _: verdict(False), "b"),
        noting(asked["c"], name="c"),
    ]
    m = metrics(run(write_well, panel, classes="MissingInfo", intensities="LOW"))
    assert [len(one) for one in asked.values()] == [3, 3, 0]
    # a reader's call is the fourth
    assert (m["acceptance"], m["calls"], m["n_accepted"]) == (
        0.0,
        3 * 4,
        0,
    )
    run(write_well, panel, classes="MissingInfo", intensities="LOW", verify="all")
    assert [len(one) for one in asked.values()] == [6, 6, 3]


def test_a_run_is_judged_anew_as_it_was() -> None:
    log = run(write_well, [verifier("v")], reading="off", **FEW)
    again = anew(log, verifier=[verifier("v")])
    scores = [sample.scores or {} for sample in again.samples or []]
    noted = [score["consensus_scores"].metadata or {} for score in scores]
    assert [note["reading"] for note in noted] == [None] * 3


def test_scoring_anew_keeps_what_the_whole_panel_judged() -> None:
    panel = [verifier("a", 30), verifier("b", 30)]
    log = run(write_well, panel, classes="Ambiguity", verify="all")
    m = metrics(anew(log, verifier=panel))
    assert m == metrics(log)
    assert m["n_accepted"] > 0
    assert m["mockllm/b/n"] == 9


def test_a_broken_rule_costs_no_verifier() -> None:
    asked: list[str] = []
    m = metrics(
        run(
            lambda prompt: write_well(prompt) | {"edits": []},
            [noting(asked)],
            classes="MissingInfo",
        )
    )
    assert asked == []
    assert (m["check/nothing_changed"], m["acceptance"]) == (9, 0.0)


def test_pass_needs_the_verdict_and_every_criterion() -> None:
    changes: Iterator[dict[str, Any]] = iter(
        [
            {"verdict": "FAIL"},
            {"target": False},
            {"behaviour": False},
            {"intensity": False},
            {},
            {},
        ]
    )
    log = run(
        write_well,
        [named("v", lambda _: verdict() | next(changes))],
        **FEW,
        intensity="veto",
        bases=few_bases(6),
    )
    assert metrics(log)["n_accepted"] == 2


def test_a_failed_verifier_leaves_items_undecided_and_is_asked_again_alone() -> None:
    log = run(
        write_well,
        [verifier("a"), named("b", lambda _: "I would rather not say.")],
        **FEW,
    )
    m = metrics(log)
    assert (
        m["n_undecided"],
        m["n_unscored"],
        m["acceptance_n"],
        m["mockllm/b/missing"],
    ) == (3, 3, 0, 3)
    asked: dict[str, list[str]] = {"a": [], "b": []}
    again = anew(log, verifier=[noting(asked[name], name=name) for name in asked])
    assert [len(one) for one in asked.values()] == [0, 3]
    assert metrics(again)["n_accepted"] == 3


def test_the_writers_own_vote_counts_only_if_it_is_asked_for() -> None:
    panel = [named("w", lambda _: verdict(False)), verifier("v")]
    m = metrics(run(write_well, panel, **FEW))
    assert m["n_accepted"] == 3
    assert "mockllm/w/n" not in m
    assert metrics(run(write_well, panel, self_votes=True, **FEW))["n_accepted"] == 0


def reader(answer: str, label: str = "ANSWER_CORRECTLY") -> Model:
    return named(
        "r",
        lambda _: "",
        lambda _: {"why": "So.", "label": label, "answer": answer, "quotes": []},
    )


def read(panel: list[Model], **task: Any) -> Any:
    """Run on two base questions, an item that must be answered and one that must not be
    of each.
    """
    return run(
        write_well,
        panel,
        bases=few_bases(2),
        classes="MissingInfo",
        intensities="LOW,HIGH",
        **task,
    )


def test_an_item_that_must_be_answered_and_is_not_costs_no_vote() -> None:
    asked: list[str] = []
    m = metrics(read([noting(asked)], reader=reader("", "REFUSE_OTHER")))
    # one verifier is always the whole panel, so its votes are asked for; the reading
    # decides all the same
    assert (m["LOW/acceptance"], m["HIGH/acceptance"], m["reading/answered_low"]) == (
        0.0,
        1.0,
        0.0,
    )
    asked.clear()
    m = metrics(
        read(
            [noting(asked), noting(asked, name="u")], reader=reader("", "REFUSE_OTHER")
        )
    )
    assert (m["LOW/acceptance"], m["HIGH/acceptance"], len(asked)) == (0.0, 1.0, 2 * 2)
    assert m["reading/expected_code"] == 0.0


def test_any_answer_to_an_item_that_is_to_be_refused_is_an_objection() -> None:
    m = metrics(read([verifier("v")], reader=reader("the mayor of the town")))
    assert (m["LOW/acceptance"], m["HIGH/acceptance"], m["reading/still_answered"]) == (
        1.0,
        0.0,
        1.0,
    )


def test_a_reading_can_be_recorded_only_or_left_out() -> None:
    m = metrics(
        read([verifier("v")], reader=reader("", "REFUSE_OTHER"), reading="record")
    )
    assert (m["acceptance"], m["reading/answered_low_n"], m["calls"]) == (1.0, 2, 4 * 3)
    m = metrics(read([verifier("v")], reading="off"))
    assert (m["acceptance"], m["calls"]) == (1.0, 4 * 2)
    assert not any(name.startswith("reading/") for name in m)


def test_a_missing_reading_leaves_undecided_and_is_asked_for_again_alone() -> None:
    def lost(_: str) -> Any:
        raise ConnectionError("502")

    asked: list[str] = []
    log = read([noting(asked)], reader=named("r", lambda _: "", lost), max_failures=0)
    assert (
        metrics(log)["n_undecided"],
        metrics(log)["reading/missing"],
        len(asked),
    ) == (4, 4, 4)
    m = metrics(
        anew(
            log,
            verifier=[noting(asked)],
            reader=reader("", "REFUSE_INFO_MISSING_IN_CONTEXT"),
        )
    )
    assert (m["n_accepted"], m["reading/expected_code"], len(asked)) == (2, 1.0, 4)
