"""What a panel of verifiers voted, worked by hand."""

import pytest
from inspect_ai.log import EvalLog

from refusalbench_tasks.results.verifier_panel import (
    Panel,
    gap,
    panel_of,
    rate,
    read_votes,
)
from refusalbench_tasks.taxonomy import Intensity
from tests.results.voted_logs import AMBIGUITY, EPISTEMIC, RUNS, A, B, item, run


@pytest.fixture
def panel() -> Panel:
    return panel_of(RUNS)


def test_kappa_is_of_what_both_verifiers_judged(panel: Panel) -> None:
    # a: T T T F F T, b: T F T T F T, so that 4 of 6 agree, and by chance (4 * 4 + 2 *
    # 2) / 36 would
    agreement = panel.kappa(A, B)
    expected = (4 / 6 - 20 / 36) / (1 - 20 / 36)
    assert agreement.value == pytest.approx(expected)
    assert agreement.n == 6
    assert list(panel.pairs()) == [(B, A)]
    assert panel.kappa(A, "x/other").n == 0


def test_pass_rates_are_of_writers_by_column_and_by_verifier(panel: Panel) -> None:
    by_class = panel.by_writer("class")
    assert by_class[AMBIGUITY.value, A].value == pytest.approx(3 / 4)
    assert (by_class[EPISTEMIC.value, B].value, by_class[EPISTEMIC.value, B].n) == (
        1,
        1,
    )
    assert panel.of_verifier(B, A).value == pytest.approx(1 / 3)
    assert not rate(panel.judged[:0]).known


def test_a_writer_is_kinder_to_itself_by_the_gap(panel: Panel) -> None:
    # a passes 3 of its 3 and b 2 of them; b passes 2 of its 3 and a 1 of them
    by_self, by_others, more = gap(panel.own())
    assert [by_self.value, by_others.value, more.value] == pytest.approx(
        [5 / 6, 3 / 6, 2 / 6]
    )


def test_slots_that_one_writer_lacks_are_judged_and_not_matched() -> None:
    more = run(A, item(A, "4", AMBIGUITY, Intensity.LOW, a=True, b=True))
    panel = panel_of([*RUNS, more])
    assert (len(panel.judged), len(panel.matched)) == (7, 6)


def test_a_log_that_is_unfinished_or_no_log_is_left_out_with_the_reason() -> None:
    logs: list[EvalLog] = []
    for status in ("cancelled", "success"):
        log = RUNS[0].header.model_copy(update={"status": status})
        logs.append(log)
    voted, left_out = read_votes(logs)
    assert voted == []
    reasons = [reason.partition(" (")[0] for _, reason in left_out]
    assert reasons[0] == "an unfinished run"
    assert len(reasons) == 2
