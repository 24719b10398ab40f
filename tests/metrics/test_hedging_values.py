"""The metrics of BLUFF-1000 over rows, worked by hand: what each protocol leaves out, and what is not known."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from refusalbench_tasks.metrics.hedging_arms import arm_values
from refusalbench_tasks.metrics.hedging_calibration import calibration_values
from refusalbench_tasks.metrics.hedging_contrasts import at_equal_length, hedged_against_plain
from refusalbench_tasks.metrics.hedging_counts import counts
from refusalbench_tasks.metrics.hedging_effects import effects
from refusalbench_tasks.metrics.hedging_n import IN_REPORT, IN_SHOW, LISTED, N_OF
from refusalbench_tasks.metrics.hedging_rates import (
    CELLS,
    RATE_TABLE,
    named_cells,
    rate_cells,
    rate_rows,
    rate_statistics,
    without_credit,
)
from refusalbench_tasks.metrics.hedging_row import HedgingRow, hedging_row
from refusalbench_tasks.metrics.hedging_rows import HedgingRows
from refusalbench_tasks.metrics.hedging_selective import selective_values
from refusalbench_tasks.metrics.hedging_values import main_values
from refusalbench_tasks.metrics.scored_row import Scored
from refusalbench_tasks.outcome import Protocol

NUMBERS = {"refused": 0.0, "correctness": 1.0, "confidence": 0.5, "hedges": 0.0, "boosters": 0.0, "words": 10.0}
UNKNOWN = dict.fromkeys(("overlap", "attribution", "hallucination", "grounding", "faithfulness"), math.nan)


def row(question: str, arm: str, about: dict[str, Any] | None = None, **numbers: float) -> HedgingRow:
    facts = {"protocol": "official-code", "judge": "model"} | (about or {})
    value = NUMBERS | UNKNOWN | {"unscored": 0.0} | numbers
    where = {"source_id": question, "arm": arm, "ambiguity": facts.pop("ambiguity", None)}
    return hedging_row(where, Scored(value, notes=facts))


PHRASE = {"refusal_in_text": True}
ROWS = HedgingRows([
    row("a", "clear", hedges=1, correctness=0.2),
    row("a", "ambiguous", hedges=2, correctness=0.9),
    row("b", "clear", hedges=0, correctness=0.1),
    row("b", "ambiguous", PHRASE, hedges=4, correctness=0.0),
    row("c", "clear", hedges=0, correctness=0.8),
    row("c", "ambiguous", PHRASE, refused=1, correctness=math.nan, hedges=5),
])  # fmt: skip


def test_a_phrase_in_the_explanation_leaves_hedging_and_index_and_nothing_else() -> None:
    m = main_values(ROWS)
    # left: a clear (hedged, wrong), a ambiguous (hedged, right), b clear (plain, wrong), c clear (plain, right)
    assert (m["hedge_n"], m["hedged_n"], m["hedge_wrong_n"]) == (4, 2, 2)
    assert m["hedge_precision"] == m["hedge_recall"] == m["vui"] == m["hedge_base_rate"] == 0.5
    assert [pair.dropped for pair in ROWS.pairs] == [None, "refused", "refused"]
    assert (m["refusal_count"], m["refusal_n"]) == (1, 6)
    assert m["refusal_sensitivity"] == pytest.approx(1 / 3)
    assert (m["missed_refusals"], m["missed_refusals_n"]) == (2, 5)
    assert m["answer_correctness"] == pytest.approx((0.2 + 0.9 + 0.1 + 0.0 + 0.8 + 0.4) / 6)
    assert m["source_set_on_hedging"] == pytest.approx((2 + 4 + 5) / 3 - 1 / 3)
    assert counts(ROWS)["n_refused_in_explanation"] == 1


def test_the_strength_of_hedges_is_a_mean_over_replies_in_all_and_by_arm() -> None:
    rows = HedgingRows(
        [
            row("a", "clear", hedges=2, hedge_strength=1.25),
            row("a", "ambiguous", hedges=2, hedge_strength=2.0),
            row("b", "clear", hedges=0, hedge_strength=0.0),
            row("b", "ambiguous", refused=1, correctness=math.nan, hedges=1, hedge_strength=1.0),
            row("c", "clear", hedge_strength=math.nan),
        ]
    )
    m = main_values(rows)
    assert m["hedge_strength"] == pytest.approx((1.25 + 2 + 0 + 1) / 4)
    assert (m["hedge_strength_clear"], m["hedge_strength_ambiguous"]) == (0.625, 1.5)
    assert m["source_set_on_hedge_strength"] == 1.5 - 0.625
    ns = ("hedge_strength_n", "hedge_strength_clear_n", "hedge_strength_ambiguous_n")
    assert [m[n] for n in ns] == [4, 2, 2]


def test_a_log_without_strengths_has_none() -> None:
    m = main_values(ROWS)
    assert math.isnan(m["hedge_strength"])
    assert math.isnan(m["source_set_on_hedge_strength"])
    assert m["hedge_strength_n"] == 0


def test_intervals_are_of_the_same_answers_as_the_rates() -> None:
    cells = rate_cells(ROWS, "official-code").sum(axis=0)
    table = ("hedged_wrong", "hedged_right", "plain_wrong", "plain_right")
    assert [named_cells(cells)[name] for name in table] == [1, 1, 1, 1]
    assert effects(ROWS, 10, 0)["pairs_n"] == 1


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_every_rate_of_sums_is_the_rate_of_the_log_and_has_its_n(protocol: Protocol) -> None:
    rows = HedgingRows(replace(one, protocol=protocol) for one in ROWS)
    m, totals = main_values(rows), rate_cells(rows, protocol).sum(axis=0)
    names = tuple(RATE_TABLE)
    assert rate_statistics(totals, names).tolist() == pytest.approx([m[name] for name in names], nan_ok=True)
    assert rate_rows(totals, names) == [m[N_OF[name]] for name in names]


def test_what_is_listed_for_people_is_computed_with_its_n() -> None:
    m = main_values(ROWS) | calibration_values(ROWS) | counts(ROWS) | effects(ROWS, 10, 0)
    m |= arm_values(ROWS, 10) | at_equal_length(ROWS, 10) | hedged_against_plain(ROWS, 10) | selective_values(ROWS, 10)
    for name, metric in LISTED.items():
        assert {name, metric.n, *metric.beside} <= set(m)
    assert list(IN_SHOW)[:4] == ["asi", "asi_null", "asi_p", "confidence_drop"]
    assert set(IN_REPORT) <= set(LISTED)


def test_a_column_is_made_once_and_pairs_are_too() -> None:
    assert ROWS.column("confidence") is ROWS.column("confidence")
    assert ROWS.pairs is ROWS.pairs
    assert HedgingRows(ROWS).column("hedges").tolist() == [1, 2, 0, 4, 0, 5]


def test_a_row_without_credit_keeps_everything_else() -> None:
    cells = rate_cells(ROWS, "official-code")
    chosen = np.arange(len(ROWS)) % 2 == 1
    changed = without_credit(cells, chosen)
    credit = [CELLS.index("credit"), CELLS.index("credited")]
    assert changed[chosen][:, credit].sum() == 0 < cells[chosen][:, credit].sum()
    np.testing.assert_array_equal(changed[~chosen], cells[~chosen])
    others = [k for k in range(len(CELLS)) if k not in credit]
    np.testing.assert_array_equal(changed[:, others], cells[:, others])


OPEN, INFERABLE = {"ambiguity": "open"}, {"ambiguity": "inferable"}
OF_AMBIGUITY = HedgingRows([
    row("a", "clear", OPEN, refused=1, correctness=math.nan),  # no row of the ambiguous arm, whatever it says
    row("a", "ambiguous", OPEN, refused=1, correctness=math.nan),
    row("b", "ambiguous", OPEN, refused=1, correctness=math.nan),
    row("c", "ambiguous", OPEN, correctness=0.3),
    row("d", "ambiguous", INFERABLE, correctness=0.9),
    row("e", "ambiguous", INFERABLE, correctness=math.nan),
    row("f", "ambiguous", INFERABLE, refused=math.nan, correctness=math.nan, unscored=1),
    row("g", "ambiguous", refused=1, correctness=math.nan),
])  # fmt: skip
BY_AMBIGUITY = ("refusal_rate", "answer_correctness")


@pytest.mark.parametrize(("protocol", "correct", "n"), [("paper", 0.3, 1), ("official-code", (0.3 + 0.4 + 0.4) / 3, 3)])
def test_refusals_and_correctness_by_whether_the_sources_leave_the_answer_open(
    protocol: Protocol, correct: float, n: int
) -> None:
    rows = HedgingRows(replace(one, protocol=protocol) for one in OF_AMBIGUITY)
    m = main_values(rows)
    assert (m["refusal_rate_open"], m["refusal_open_n"]) == (2 / 3, 3)
    assert (m["refusal_rate_inferable"], m["refusal_inferable_n"]) == (0, 2)
    assert m["answer_correctness_open"] == pytest.approx(correct)
    assert m["answer_correctness_open_n"] == n
    assert (m["answer_correctness_inferable"], m["answer_correctness_inferable_n"]) == (0.9, 1)
    names = tuple(f"{name}_{kind}" for name in BY_AMBIGUITY for kind in ("open", "inferable"))
    cells = rate_cells(rows, protocol)
    assert rate_statistics(cells.sum(axis=0), names).tolist() == pytest.approx([m[name] for name in names])
    assert rate_rows(cells.sum(axis=0), names) == [m[N_OF[name]] for name in names]
    without = without_credit(cells, np.ones(len(rows), dtype=bool)).sum(axis=0)
    assert rate_rows(without, names) == [3, 2, 0, 0]


def test_without_a_grader_the_refusals_of_both_kinds_are_unknown() -> None:
    undecided = replace(OF_AMBIGUITY[6], reason="undecided_offline")
    m = main_values(HedgingRows([*OF_AMBIGUITY, undecided]))
    assert math.isnan(m["refusal_rate_open"])
    assert m["refusal_open_n"] == m["refusal_inferable_n"] == 0


def test_data_that_do_not_say_what_is_open_have_neither_kind() -> None:
    m = main_values(ROWS)
    for kind in ("open", "inferable"):
        assert all(math.isnan(m[f"{name}_{kind}"]) for name in BY_AMBIGUITY)
        assert m[f"refusal_{kind}_n"] == m[f"answer_correctness_{kind}_n"] == 0


ARM = ("source_set_on_hedging", "refusal_sensitivity", "refusal_rate_ambiguous")


@pytest.mark.parametrize("protocol", ["paper", "official-code"])
def test_an_absent_arm_is_unknown_and_never_0(protocol: str) -> None:
    rows = HedgingRows(row(name, "clear", {"protocol": protocol}, hedges=2) for name in "abc")
    m = main_values(rows) | effects(rows, 10, 0)
    for name in (*ARM, "asi", "hedging_difference", "confidence_sensitivity"):
        assert math.isnan(m[name]), name
    assert (m["refusal_ambiguous_n"], m["pairs_n"]) == (0, 0)


def test_the_released_zeros_stand_only_where_something_was_graded_or_all_refused() -> None:
    zeros = ("vui", "hedge_precision", "hedge_recall", "lexical_overconfidence")
    right = [row("a", "clear"), row("a", "ambiguous")]
    refused = [row("a", arm, PHRASE, refused=1, correctness=math.nan) for arm in ("clear", "ambiguous")]
    for rows in (right, refused):
        assert [main_values(HedgingRows(rows))[name] for name in zeros] == [0.0] * 4
    offline = {"judge": "offline"}
    ungraded = [row("a", arm, offline, correctness=math.nan, hedges=1) for arm in ("clear", "ambiguous")]
    only_phrases = [row("a", "clear", PHRASE | offline, refused=1, correctness=math.nan)]
    unscored = [row("a", "clear", refused=math.nan, correctness=math.nan, unscored=1)]
    failed = [row("a", "clear", correctness=math.nan), refused[1]]
    for rows in (ungraded, only_phrases, unscored, failed, []):
        assert all(math.isnan(main_values(HedgingRows(rows))[name]) for name in zeros), rows
        assert main_values(HedgingRows(rows))["hedge_n"] == 0


def test_rows_of_older_logs_are_left_out_by_their_answer_alone() -> None:
    old = [row("a", "clear", refused=1, correctness=math.nan), row("a", "ambiguous")]
    assert [r.left_out for r in old] == [True, False]
    assert main_values(HedgingRows(old))["hedge_n"] == 1


def test_without_rows_nothing_is_known_and_nothing_raises() -> None:
    none = HedgingRows()
    for name, value in (main_values(none) | calibration_values(none) | effects(none, 10, 0)).items():
        assert math.isnan(value) or (name.endswith("_n") and value == 0), name
