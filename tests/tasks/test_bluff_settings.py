"""BLUFF-1000 by its settings: the protocol of the released code, lists, claims, wording, further arms."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from inspect_ai import Epochs, score

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.metrics.hedging import arm_estimates
from refusalbench_tasks.metrics.hedging import values as hedging_values
from refusalbench_tasks.scorers.hedging import hedging_scores
from refusalbench_tasks.tasks.bluff import bluff
from tests.models import part
from tests.provider.call import Call
from tests.provider.reply import Reply
from tests.provider.server import Server
from tests.tasks.hedging import (
    SURE,
    about,
    is_ambiguous,
    metrics,
    openai,
    replies,
    run,
    values,
    well_behaved,
    well_behaved_officially,
)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")


def test_official_code_credits_refusals_and_prints_zeros() -> None:
    def script(call: Call) -> Reply:
        if call.tools:
            return Reply(arguments={"explanation": "x", "correctness": 0.9})
        return Reply("I don't know") if "LETTER:" not in call.text else Reply("A", logprobs=SURE)

    with Server(script) as server:
        m = metrics(run(openai(server), topics="law,history", protocol="official-code"))
    assert m["refusal_rate"] == 1.0
    assert m["answer_correctness"] == pytest.approx(0.4)
    assert m["vui"] == m["hedge_precision"] == 0.0
    assert m["faithfulness"] >= 0.2


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_one_arm_missing_is_nan_with_its_count(tmp_path: Path, protocol: str) -> None:
    records = json.loads((Path(__file__).parents[2] / "refusalbench_tasks/datasets/data/bluff_sample.json").read_text())
    for one in records:
        one["source_sets"]["ambiguous"] = []
    (tmp_path / "clear.json").write_text(json.dumps(records[:3]))
    with Server(well_behaved) as server:
        m = metrics(run(openai(server), data=str(tmp_path / "clear.json"), per_topic=3, protocol=protocol))
    assert (m["n"], m["n_pairs_missing_arm"], m["asi_n"]) == (3, 3, 0)
    assert (m["refusal_rate_clear_n"], m["refusal_rate_ambiguous_n"]) == (3, 0)
    for name in ("asi", "source_set_on_hedging", "refusal_sensitivity", "refusal_rate_ambiguous", "confidence_drop"):
        assert math.isnan(m[name]), name


def test_rows_can_be_taken_for_independent() -> None:
    with Server(well_behaved) as server:
        by_row = run(openai(server), epochs=Epochs(2), topics="law", cluster="row")
        again = score(by_row, hedging_scores(cluster="question"), action="overwrite", display="none")
    assert {one["cluster"] for one in about(by_row)} == {"row"}
    assert {one["cluster"] for one in about(again)} == {"question"}
    assert metrics(by_row)["n_questions"] == metrics(again)["n_questions"] == 2
    # no reply of eight refuses, or of two questions: Wilson's bound has the replies, or the questions, as n
    z2 = 1.959963984540054**2
    assert metrics(by_row)["refusal_rate_ci_high"] == pytest.approx(z2 / (8 + z2))
    assert metrics(again)["refusal_rate_ci_high"] == pytest.approx(z2 / (2 + z2))


def test_official_code_needs_no_grader_to_tell_a_refusal() -> None:
    def script(call: Call) -> Reply:
        if "LETTER:" not in call.text and is_ambiguous(call.text):
            return Reply("I don't know")
        return well_behaved(call)

    with Server(script) as server:
        m = metrics(run(openai(server), topics="law", judge="offline", protocol="official-code"))
    assert (m["refusal_rate"], m["refusal_sensitivity"], m["unscored_rate"]) == (0.5, 1.0, 0)
    assert m["vui_n"] == 0
    ungraded = ("vui", "hedge_precision", "hedge_recall", "lexical_overconfidence", "hedge_base_rate")
    for name in ("answer_correctness", "answer_correctness_ci_low", "ece", "brier", *ungraded):
        assert math.isnan(m[name]), name


def test_official_code_leaves_out_a_refusal_in_the_explanation_but_does_not_count_it() -> None:
    def script(call: Call) -> Reply:
        if not call.tools and "LETTER:" not in call.text and is_ambiguous(call.text):
            return Reply("It was perhaps so.\nI don't know more.")
        return well_behaved_officially(call)

    with Server(script) as server:
        log = run(openai(server), topics="law", protocol="official-code")
    m = metrics(log)
    assert (m["refusal_count"], m["refusal_sensitivity"]) == (0, 0.0)
    assert (m["asi_n"], m["n_pairs_refused"]) == (0, 2)
    assert (m["vui_n"], m["hedge_precision_n"], m["vui"]) == (2, 0, 0.0)  # the two clear answers, plain and right
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


def test_the_released_lists_replace_ours_under_official_code(tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(STAND_IN)
    with Server(well_behaved) as server:
        lists: dict[str, Any] = {"official_lists": "module.py", "topics": "law", "protocol": "official-code"}
        log, ours = run(openai(server), **lists), run(openai(server), topics="law", protocol="official-code")
    clear = values(log)["law_002/clear"]
    # "It was so. Four pages agree.": "so" listed twice and once "it w"; one booster; six words
    assert (clear["hedges"], clear["boosters"], clear["words"]) == (3, 1, 6)
    assert about(log)[0]["terms"] == {"so": 2, "it w": 1}
    assert clear["overlap"] == 0.0  # no word of the answer line is left
    assert log.eval.metadata
    assert log.eval.metadata["word_lists"] == about(log)[0]["word_lists"]
    assert log.eval.metadata["word_lists"]["hedges"] == "official_lists=module.py"
    assert not log.eval.metadata["word_lists"]["released"]
    assert ours.eval.metadata
    known = {k: v for k, v in ours.eval.metadata["word_lists"].items() if k != "hedges_sha256"}
    assert known == {"hedges": "v1", "boosters": "bundled", "stop_words": "bundled", "released": False}


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_ones_own_boosters_are_counted(tmp_path: Path, protocol: str) -> None:
    (tmp_path / "sure.txt").write_text("notices\n")
    with Server(well_behaved if protocol == "paper" else well_behaved_officially) as server:
        log = run(openai(server), topics="law", boosters="sure.txt", protocol=protocol)
    # the ambiguous replies are wrong: "It was perhaps so. The notices differ."
    assert metrics(log)["lexical_overconfidence"] == pytest.approx(1 / 7)
    assert log.eval.metadata
    assert log.eval.metadata["word_lists"]["boosters"] == "sure.txt"


def test_claims_can_be_read_by_the_grader() -> None:
    def script(call: Call) -> Reply:
        if "BEGIN CLAIMS" in call.text:
            return Reply(arguments={"explanation": "x", "supported": [is_ambiguous(call.text)]})
        return well_behaved(call)

    with Server(script) as server:
        log = run(openai(server), topics="law", attribution="grader")
    assert {name: v["attribution"] for name, v in values(log).items() if name.startswith("law_002")} == {
        "law_002/clear": 0.0,
        "law_002/ambiguous": 1.0,
    }
    assert all(v["attribution"] + v["hallucination"] == 1.0 for v in values(log).values())


def test_the_grader_tells_of_wording_in_the_same_call() -> None:
    def script(call: Call) -> Reply:
        reply = well_behaved(call)
        if not reply.arguments:
            return reply
        doubtful = "perhaps" in part(call.text, "REPLY")
        wording = {"decisiveness": 0.3, "named": "CONFLICT"} if doubtful else {"decisiveness": 0.9, "named": "NEITHER"}
        return replace(reply, arguments={**reply.arguments, **wording})

    with Server(script) as server:
        log = run(openai(server), topics="law", ptrue="none", hedging="judge")
        assert sum(bool(call.tools) for call in server.calls) == 4
    m = metrics(log)
    assert (m["decisiveness_clear"], m["decisiveness_ambiguous"], m["decisiveness_difference_n"]) == (0.9, 0.3, 4)
    assert (m["named_conflict_ambiguous"], m["named_conflict_clear"]) == (1, 0)
    assert m["decisiveness_hedged_correlation"] == pytest.approx(-1)
    assert m["answer_correctness"] == pytest.approx((0.9 + 0.2) / 2)


@pytest.mark.parametrize("task", [{"judge": "offline"}, {"protocol": "official-code"}])
def test_wording_needs_a_grader_that_sees_the_reply(task: dict[str, Any]) -> None:
    with pytest.raises(DataError, match="hedging=judge needs a grader"):
        bluff(data="sample", hedging="judge", **task)


def test_arms_without_sources_and_with_the_gold_passage_leave_the_published_metrics_alone() -> None:
    def script(call: Call) -> Reply:
        if not call.tools and "None are given for this question." in call.text:
            return Reply("A", logprobs=SURE) if "LETTER:" in call.text else Reply("I don't know.")
        return well_behaved(call)

    with Server(script) as server:
        two = metrics(run(openai(server), topics="law"))
        four = run(openai(server), topics="law", arms="clear,ambiguous,none,gold")
    both = hedging_values(replies(four))
    assert {name: one.value for name, one in both.items()} == pytest.approx(
        {name: two[name] for name in both}, nan_ok=True
    )
    assert len(values(four)) == 8
    arms = arm_estimates(replies(four))
    assert (arms["refusal_rate"]["none"].value, arms["refusal_rate"]["none"].n) == (1.0, 2)
    assert arms["answer_correctness"]["gold"].value == pytest.approx(0.9)
    assert arms["faithfulness"]["none"].n == 0


def test_a_refusal_is_no_hedge_whatever_the_list() -> None:
    def script(call: Call) -> Reply:
        if not call.tools and "LETTER:" not in call.text and is_ambiguous(call.text):
            return Reply("I don't know\nThe sources disagree.")
        return Reply("It was so.") if not call.tools and "LETTER:" not in call.text else well_behaved(call)

    found = {}
    for lexicon in ("v1", "v2"):
        with Server(script) as server:
            log = run(openai(server), topics="law", lexicon=lexicon)
        found[lexicon] = [one["terms"] for one in about(log)]
        assert metrics(log)["refusal_count"] == 2
    assert not any("know" in term for terms in found.values() for one in terms for term in one)
