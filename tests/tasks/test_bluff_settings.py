"""BLUFF-1000 by its settings: the protocol of the released code, lists, claims,
wording, further arms.
"""

from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai import Epochs, score

from refusalbench_tasks.metrics.hedging import arm_estimates, hedging_values
from refusalbench_tasks.scorers.hedging import hedging_scores
from tests.models import part
from tests.provider import Call, Reply, Server
from tests.tasks.hedging import (
    SURE,
    about,
    is_ambiguous,
    metrics,
    openai,
    otherwise,
    replies,
    run,
    served,
    values,
    well_behaved,
)


def declining(text: str, call: Call) -> Reply | None:
    return Reply(text) if is_ambiguous(call.text) else None


def test_official_code_counts_empty_and_cut_replies_as_the_released_evaluator() -> None:
    cut = otherwise(lambda call: declining("", call) or Reply("It was", stop="length"))
    log, calls = served(cut, protocol="official-code")
    m = metrics(log)
    # it asks about an empty line, too
    assert sum("LETTER:" in call.text for call in calls) == 4
    # and grades it without a grader
    assert sum(bool(call.tools) for call in calls) == 2
    assert (m["n_outcome_decided"], m["asi_n"], m["refusal_rate"]) == (4, 2, 0)
    assert m["answer_correctness"] == pytest.approx((0.9 + 0.5) / 2)
    stopped = metrics(
        served(lambda call: Reply("", stop="filter"), protocol="official-code")[0]
    )
    assert (
        stopped["n_provider_refusal"],
        stopped["answer_correctness_n"],
        stopped["refusal_rate_n"],
    ) == (4, 0, 0)


def test_rows_can_be_taken_for_independent() -> None:
    with Server(well_behaved) as server:
        by_row = run(openai(server), epochs=Epochs(2), topics="law", cluster="row")
        again = score(
            by_row,
            hedging_scores(cluster="question"),
            action="overwrite",
            display="none",
        )
    assert {one["cluster"] for one in about(by_row)} == {"row"}
    assert {one["cluster"] for one in about(again)} == {"question"}
    # no reply of eight refuses, or of two questions: Wilson's bound has the replies, or
    # the questions, as n
    z2 = 1.959963984540054**2
    for log, n in ((by_row, 8), (again, 2)):
        m = metrics(log)
        assert m["n_questions"] == 2
        assert m["refusal_rate_ci_high"] == pytest.approx(z2 / (n + z2))


def test_official_code_drops_a_refusal_in_the_explanation_without_counting_it() -> None:
    decline = otherwise(
        lambda call: declining("It was perhaps so.\nI don't know more.", call)
    )
    log, _ = served(decline, protocol="official-code")
    m = metrics(log)
    assert (m["refusal_count"], m["refusal_sensitivity"]) == (0, 0.0)
    assert (m["asi_n"], m["n_pairs_refused"]) == (0, 2)
    # the two clear answers, plain and right
    assert (m["vui_n"], m["hedge_precision_n"], m["vui"]) == (
        2,
        0,
        0.0,
    )
    assert m["answer_correctness_n"] == m["missed_refusals_n"] == 4
    assert [a["refusal_in_text"] for a in about(log)].count(True) == 2


STAND_IN = """
HEDGE_TERMS = ["so", "so", "it w", "Perhaps"]
def a(text):
    confident_terms = ["four"]
def b(text):
    stop_words = {"it", "was"}
def c(text):
    stop_words = {"it", "was", "perhaps", "so"}
"""


def test_the_released_lists_replace_ours_under_official_code() -> None:
    Path("module.py").write_text(STAND_IN)
    log, _ = served(official_lists="module.py", protocol="official-code")
    clear = values(log)["law_002/clear"]
    # "It was so. Four pages agree.": "so" listed twice and once "it w"; one booster;
    # six words
    assert (clear["hedges"], clear["boosters"], clear["words"]) == (3, 1, 6)
    assert about(log)[0]["terms"] == {"so": 2, "it w": 1}
    assert clear["overlap"] == 0.0  # no word of the answer line is left
    lists = (log.eval.metadata or {})["word_lists"]
    assert lists == about(log)[0]["word_lists"]
    assert (lists["hedges"], lists["released"]) == ("official_lists=module.py", False)


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_ones_own_boosters_are_counted(protocol: str) -> None:
    Path("sure.txt").write_text("notices\n")
    log, _ = served(boosters="sure.txt", protocol=protocol)
    # the ambiguous replies are wrong: "It was perhaps so. The notices differ."
    assert metrics(log)["lexical_overconfidence"] == pytest.approx(1 / 7)
    assert (log.eval.metadata or {})["word_lists"]["boosters"] == "sure.txt"


def test_claims_can_be_read_by_the_grader() -> None:
    def verdict(call: Call) -> Reply | None:
        supported = Reply(
            arguments={"explanation": "x", "supported": [is_ambiguous(call.text)]}
        )
        return supported if "BEGIN CLAIMS" in call.text else None

    found = values(served(otherwise(verdict=verdict), attribution="grader")[0])
    assert (
        found["law_002/clear"]["attribution"],
        found["law_002/ambiguous"]["attribution"],
    ) == (0.0, 1.0)
    assert all(v["attribution"] + v["hallucination"] == 1.0 for v in found.values())


def test_the_grader_tells_of_wording_in_the_same_call() -> None:
    def verdict(call: Call) -> Reply:
        doubtful = "perhaps" in part(call.text, "REPLY")
        wording = (
            {"decisiveness": 0.3, "named": "CONFLICT"}
            if doubtful
            else {"decisiveness": 0.9, "named": "NEITHER"}
        )
        reply = well_behaved(call)
        return replace(reply, arguments={**(reply.arguments or {}), **wording})

    log, calls = served(otherwise(verdict=verdict), ptrue="none", hedging="judge")
    assert sum(bool(call.tools) for call in calls) == 4
    m = metrics(log)
    assert (
        m["decisiveness_clear"],
        m["decisiveness_ambiguous"],
        m["decisiveness_difference_n"],
    ) == (0.9, 0.3, 4)
    assert (m["named_conflict_ambiguous"], m["named_conflict_clear"]) == (1, 0)


def test_arms_of_no_sources_and_of_gold_leave_the_published_metrics_alone() -> None:
    def bare(call: Call) -> bool:
        return "None are given for this question." in call.text

    script = otherwise(
        lambda call: Reply("I don't know.") if bare(call) else None,
        lambda call: Reply("A", logprobs=SURE) if bare(call) else None,
    )
    two = served(script)[0]
    four = served(script, arms="clear,ambiguous,none,gold")[0]
    found, due = (
        {name: one.value for name, one in hedging_values(replies(log)).items()}
        for log in (four, two)
    )
    assert found == pytest.approx(due, nan_ok=True)
    assert len(values(four)) == 8
    arms = arm_estimates(replies(four))
    assert (arms["refusal_rate"]["none"].value, arms["refusal_rate"]["none"].n) == (
        1.0,
        2,
    )
    assert arms["answer_correctness"]["gold"].value == pytest.approx(0.9)
    assert arms["faithfulness"]["none"].n == 0


@pytest.mark.parametrize("lexicon", ["v1", "v2"])
def test_a_refusal_is_no_hedge_whatever_the_list(lexicon: str) -> None:
    decline = otherwise(
        lambda call: (
            declining("I don't know\nThe sources disagree.", call)
            or Reply("It was so.")
        )
    )
    log, _ = served(decline, lexicon=lexicon)
    assert metrics(log)["refusal_count"] == 2
    assert not any("know" in term for one in about(log) for term in one["terms"])
