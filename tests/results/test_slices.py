"""Rates of parts of the rows: `refusalbench show --by COLUMN`."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import t

from refusalbench_tasks.cli import main
from refusalbench_tasks.results.slices import _difference
from refusalbench_tasks.taxonomy import Intensity, Label
from tests.results.shown import told
from tests.results.synthetic import hedging_sample, row, write_log


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("logs")
    samples = []
    for k in range(48):
        document, missed = ("faq.md", k % 4 == 0) if k < 40 else ("prices.md", True)
        given = Label.ANSWER if missed else Label.MISSING
        facts: dict[str, Any] = {
            "document": document,
            "knobs": {"hops": 1 + k % 2},
            "domain": "",
        }
        samples.append(row(str(k), given, intensity=Intensity.HIGH, **facts))
    write_log(folder, "m", samples)
    return str(folder)


def test_a_document_that_fails_is_seen_and_a_small_part_is_marked(logs: str) -> None:
    found = told(logs, "--by", "document")
    assert found["m, faq.md", "missed_refusal_rate"] == [0.25, 40]
    assert found["m, prices.md (small)", "missed_refusal_rate"] == [1.0, 8]
    assert {run for run, _ in found} == {"m, faq.md", "m, prices.md (small)"}


def test_a_part_is_compared_with_the_rest_where_it_has_questions_enough(
    tmp_path: Path,
) -> None:
    samples = []
    for k in range(46):
        document, missed = (
            ("good.md", k % 5 == 0)
            if k < 30
            else ("bad.md", k % 5 > 0)
            if k < 43
            else ("few.md", True)
        )
        given = Label.ANSWER if missed else Label.MISSING
        samples.append(
            row(str(k), given, intensity=Intensity.HIGH, columns={"document": document})
        )
    write_log(tmp_path, "m", samples)
    done = CliRunner().invoke(
        main, ["show", str(tmp_path), "--by", "document", "--format", "json"]
    )
    found = {
        (one["part"], one["metric"]): one for one in json.loads(done.stdout)["parts"]
    }
    bad = found["bad.md", "missed_refusal_rate"]
    few = found["few.md", "missed_refusal_rate"]
    assert (bad["value"], bad["rest"]) == (10 / 13, 9 / 33)
    assert bad["difference"] == pytest.approx(10 / 13 - 9 / 33)
    assert 0 < bad["95 % low"] < bad["difference"] < bad["95 % high"]
    assert 0 < bad["p (Holm)"] < 0.05
    assert (few["value"], few["95 % low"], few["p (Holm)"]) == (1.0, None, None)


def test_a_part_in_which_all_is_right_is_no_sure_difference() -> None:
    # 0 of 5 against 15 of 25: about the mean of 1/2 each question of the part scatters
    # by 1/2 / 5, of the rest by 1/2 / 25; the error is sqrt((5 / 100 + 25 / 2500) * 30
    # / 29), and Student's t has 4 degrees of freedom
    each = np.array([0.0] * 5 + [1.0] * 15 + [0.0] * 10)
    found = _difference(each, np.arange(30) < 5, np.arange(30))
    assert (found["value"], found["rest"]) == (0.0, 0.6)
    assert found["p"] == pytest.approx(2 * t.sf(0.6 / math.sqrt(0.06 * 30 / 29), 4))
    assert found["95 % low"] == -1.0
    assert 0.05 < found["p"] < 0.1
    assert 0 < found["95 % high"] < 0.1


def test_a_knob_is_a_column_too_and_the_parts_are_the_whole(logs: str) -> None:
    whole = told(logs)
    parts = told(logs, "--by", "hops")
    missed = [
        value * n
        for (_, metric), (value, n) in parts.items()
        if metric == "missed_refusal_rate"
    ]
    value, n = whole["m", "missed_refusal_rate"]
    assert (len(missed), sum(missed)) == (2, pytest.approx(value * n))


def test_runs_of_bluff_have_parts_by_topic(tmp_path: Path) -> None:
    samples = [
        hedging_sample(f"q{k}", arm) for k in range(6) for arm in ("clear", "ambiguous")
    ]
    for sample in samples:
        sample.metadata["topic"] = "law" if sample.id < "q3" else "tax"  # type: ignore[operator]
    write_log(tmp_path, "m", samples, task="bluff", scorer="hedging_scores")
    assert {run for run, _ in told(str(tmp_path), "--by", "topic")} == {
        "m, law (small)",
        "m, tax (small)",
    }
    done = CliRunner().invoke(
        main, ["show", str(tmp_path), "--by", "topic", "--format", "json"]
    )
    parts = {
        (one["part"], one["metric"]): one["n"]
        for one in json.loads(done.stdout)["parts"]
    }
    assert (parts["law", "refusal_rate"], parts["tax", "answer_correctness"]) == (6, 6)


@pytest.mark.parametrize(
    ("column", "why"),
    [("domain", "no row has a value"), ("nonsense", "no row has a value")],
)
def test_a_column_without_values_is_one_line(logs: str, column: str, why: str) -> None:
    done = CliRunner().invoke(main, ["show", logs, "--by", column])
    assert done.exit_code == 1
    assert done.output.startswith(f"Error: --by {column}: {why}")


def test_an_error_names_the_columns_that_rows_have(tmp_path: Path) -> None:
    write_log(
        tmp_path,
        "m",
        [
            row(
                str(k),
                Label.MISSING,
                knobs={"kind": f"k{k % 2}", "support": str(k)},
                domain="law",
            )
            for k in range(70)
        ],
    )
    done = CliRunner().invoke(main, ["show", str(tmp_path), "--by", "kin"])
    named = done.output.strip().partition("; there are: ")[2].split(", ")
    assert {"class", "domain", "intensity", "kind"} <= set(named)
    assert not {"support", "topic", "document"} & set(named)
    for name in named:
        assert (
            CliRunner().invoke(main, ["show", str(tmp_path), "--by", name]).exit_code
            == 0
        )


def test_a_column_that_differs_in_every_row_is_refused(tmp_path: Path) -> None:
    write_log(tmp_path, "m", [row(str(k), Label.MISSING) for k in range(70)])
    assert (
        "70 values are too many"
        in CliRunner().invoke(main, ["show", str(tmp_path), "--by", "sample_id"]).output
    )


@pytest.fixture(scope="module")
def arms(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return a run of bluff: confidence is 0.1 on ambiguous rows, and 0.9 on others."""
    folder = tmp_path_factory.mktemp("arms")
    samples = []
    for k in range(30):
        low = 0.1 if k < 10 else 0.9
        samples.append(hedging_sample(f"q{k}", "clear", confidence=0.9))
        samples.append(hedging_sample(f"q{k}", "ambiguous", confidence=low))
    write_log(folder, "m", samples, task="bluff", scorer="hedging_scores")
    return str(folder)


def test_all_numbers_of_bluff_have_those_by_arm(arms: str) -> None:
    found = {metric: numbers for (_, metric), numbers in told(arms, "--all").items()}
    assert found["confidence_mean_clear"] == [pytest.approx(0.9), 30]
    assert found["confidence_mean_difference"] == [pytest.approx(-8 / 30), 60]
    names = ("hedge_rate", "answer_correctness", "ece", "faithfulness", "refusal_rate")
    for name in names:
        assert {f"{name}_{arm}" for arm in ("clear", "ambiguous", "difference")} <= {
            *found
        }


def test_the_percentile_of_confidence_is_the_runs_in_every_part(tmp_path: Path) -> None:
    samples = []
    for k in range(40):
        samples.append(hedging_sample(f"q{k}", "clear", confidence=0.8 + k / 400))
        samples.append(hedging_sample(f"q{k}", "ambiguous", confidence=k / 400))
    write_log(tmp_path, "m", samples, task="bluff", scorer="hedging_scores")
    name = "refusal_rate_p20"
    whole = told(str(tmp_path), "--all")
    shares = [whole["m", f"{name}{part}"][0] for part in ("", "_clear", "_ambiguous")]
    assert shares == [0.2, 0, 0.4]
    # the 20th percentile of all 80 replies, not that of each arm
    parts = told(str(tmp_path), "--by", "arm", "--all")
    assert parts["m, clear", f"{name}"][0] == 0
    assert parts["m, ambiguous", f"{name}"][0] == 0.4


def languages(folder: Path, undecided: int) -> str:
    """Write a run of 20 rows in each of two languages, of which `de` has undecided
    replies.
    """
    samples = []
    for language, missing in (("de", undecided), ("en", 0)):
        for k in range(20):
            given = Label.ANSWER if k % 2 else Label.MISSING
            label = None if k < missing else given
            columns = {"language": language}
            samples.append(row(f"{language}{k}", label, columns=columns))
    write_log(folder, "m", samples)
    return str(folder)


def test_parts_that_differ_in_what_is_decided_lead_with_their_bounds(
    tmp_path: Path,
) -> None:
    shown = CliRunner().invoke(
        main, ["show", languages(tmp_path, 8), "--by", "language"]
    )
    assert shown.exit_code == 0, shown.output
    # 6 of the 12 decided rows are missed, and 8 are undecided
    assert "0.300 to 0.700 (0.500 [" in shown.output
    assert "differ in how much of them is decided (60 to 100 %)" in shown.output
    paper = CliRunner().invoke(
        main, ["show", str(tmp_path), "--by", "language", "--format", "markdown"]
    )
    assert "0.300 to 0.700 (0.500" in paper.stdout


def test_parts_that_are_alike_in_what_is_decided_do_not(tmp_path: Path) -> None:
    shown = CliRunner().invoke(
        main, ["show", languages(tmp_path, 1), "--by", "language"]
    )
    assert " to 0." not in shown.output.partition("95 % CI in brackets")[0]
    assert "differ in how much" not in shown.output


def test_a_difference_of_parts_has_bounds_where_replies_are_undecided(
    tmp_path: Path,
) -> None:
    words = ["show", languages(tmp_path, 8), "--by", "language", "--format", "json"]
    parts = json.loads(CliRunner().invoke(main, words).stdout)["parts"]
    [german] = [line for line in parts if line["part"] == "de"]
    assert german["metric"] == "missed_refusal_rate"
    assert german["difference"] == 0
    assert german["lowest"] == pytest.approx(0.3 - 0.5)
    assert german["highest"] == pytest.approx(0.7 - 0.5)


def test_a_difference_of_parts_of_which_all_is_known_has_none(logs: str) -> None:
    words = ["show", logs, "--by", "document", "--format", "json"]
    parts = json.loads(CliRunner().invoke(main, words).stdout)["parts"]
    assert {line["lowest"] for line in parts} == {None}


def test_parts_of_bluff_say_that_their_values_are_of_decided_replies(
    tmp_path: Path,
) -> None:
    samples = []
    for k in range(8):
        sample = hedging_sample(f"q{k}", "clear")
        sample.metadata["topic"] = "law" if k < 4 else "tax"
        if k < 4:
            assert sample.scores
            sample.scores["hedging_scores"].reason = "undecided_offline"
        samples.append(sample)
    write_log(tmp_path, "m", samples, task="bluff", scorer="hedging_scores")
    shown = CliRunner().invoke(main, ["show", str(tmp_path), "--by", "topic"])
    assert "(0 to 100 %), and the values are of decided replies alone" in shown.output
