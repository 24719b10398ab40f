"""Published numbers of writers and verifiers beside generation runs, worked by hand."""

import pytest

from tests.results.voted_logs import AMBIGUITY, found, run


def test_self_and_cross_pass_rates() -> None:
    # A passes its own 3 of 3 and B passes 2 of A's; B passes its own 2 of 3 and A
    # passes 1 of B's
    assert found("GPT-4o", "self_pass_rate").measured.value == pytest.approx(1)
    assert found("GPT-4o", "cross_pass_rate").measured.value == pytest.approx(2 / 3)
    bias = found("Nova-Pro", "self_bias")
    assert bias.measured.value == pytest.approx(1 / 3)
    assert bias.measured.n == 3
    assert bias.measured.low <= 1 / 3 <= bias.measured.high
    assert found("all writers", "self_pass_rate").measured.value == pytest.approx(
        (1 + 2 / 3) / 2
    )


def test_pass_rates_by_class_of_all_votes_and_by_intensity_of_a_writer() -> None:
    # ambiguity: 3 of A's 4 votes and 1 of B's 4; epistemic: 4 of 4
    ambiguity = found("all writers", f"{AMBIGUITY.value}/pass_rate")
    assert ambiguity.measured.value == pytest.approx(4 / 8)
    assert ambiguity.measured.n == 4
    assert found("all writers", "class_range").measured.value == pytest.approx(
        1 - 4 / 8
    )
    assert found("GPT-4o", "HIGH/pass_rate").measured.value == pytest.approx(3 / 4)


def test_what_differs_from_the_published_run_is_said() -> None:
    one = found("GPT-4o", "self_pass_rate")
    assert one.differences == (
        "2 of 4 writers",
        "verify=until_fail",
        "the published base questions are not known",
    )
    assert (one.reading, one.log) == ("not comparable", "gpt-4o.eval")
    assert found("GPT-4o", "self_bias", task="perturb garage").reading == "needs a log"
    assert found("GPT-4o", "self_pass_rate", run("x/other")).reading == "needs a log"
