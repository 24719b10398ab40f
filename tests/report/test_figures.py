"""What figures show of replies that are known by construction."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai.log import EvalSample
from inspect_ai.model import GenerateConfig, ModelConfig, ModelUsage

from refusalbench_tasks.report.charts import Curves, Dots, Grid, Scatter, Stacks
from refusalbench_tasks.report.figures import calibration, confusion, rates, traits
from refusalbench_tasks.report.figures import hedges as hedging
from refusalbench_tasks.report.figures.figure import Figure
from refusalbench_tasks.report.figures.rates import correlation_note
from refusalbench_tasks.report.groups import Group, groups_of
from refusalbench_tasks.report.refusal_tables import more_tables
from refusalbench_tasks.results.table import read_logs
from refusalbench_tasks.stats.estimate import Estimate
from refusalbench_tasks.taxonomy import REFUSAL, Intensity, Label, PerturbationClass
from tests.results.synthetic import hedging_sample, row, write_log

A = Label.ANSWER
M = Label.MISSING
C = Label.CONTRADICTORY
CONTRADICTION = PerturbationClass.CONTRADICTION


def group(folder: Path, runs: dict[str, list[EvalSample]], **facts: Any) -> Group:
    for model, samples in runs.items():
        write_log(folder, model, samples, **facts)
    (found,) = groups_of(read_logs([str(folder)], texts=True).runs)
    return found


def low(key: str, given: Label | None, **more: Any) -> EvalSample:
    return row(key, given, intensity=Intensity.LOW, **more)


def shown(found: Figure | str) -> Any:
    assert isinstance(found, Figure), found
    return found.chart


def test_kinds_of_reply_are_shares_of_what_is_not_unscored(tmp_path: Path) -> None:
    samples = [
        low("0", A),
        low("1", A, correct=False),
        low("2", M),
        row("3", M),
        row("4", C),
        row("5", A),
        row("6", None),
        row("7", None, reason="no_response"),
    ]
    chart = shown(rates.kinds_of_reply(group(tmp_path, {"m": samples})))
    assert isinstance(chart, Stacks)
    assert chart.n == [7]
    assert {
        name: round(7 * part[0]) for name, part in chart.parts.items()
    } == dict.fromkeys(
        (
            "good answer",
            "poor answer",
            "false refusal",
            "correct code refusal",
            "wrong code refusal",
            "missed refusal",
            "no reply",
        ),
        1,
    )


def test_the_two_errors_stand_beside_models_that_treat_all_rows_alike(
    tmp_path: Path,
) -> None:
    samples = [low(str(k), M if k < 1 else A) for k in range(4)] + [
        row(str(k), A if k < 6 else M) for k in range(4, 8)
    ]
    chart = shown(rates.errors(group(tmp_path, {"m": samples})))
    assert isinstance(chart, Scatter)
    point = chart.points["m"]
    assert (point.x.value, point.x.n, point.y.value, point.y.n) == (0.25, 4, 0.5, 4)
    ends = {name: (one.x.value, one.y.value) for name, one in chart.references.items()}
    assert ends == {"always answers": (0, 1), "always refuses": (1, 0)}
    assert chart.note == "r needs three models or more"


def test_controls_alone_give_models_that_treat_all_alike_both_errors(
    tmp_path: Path,
) -> None:
    samples = [
        low("0", A, control=True),
        low("1", M, control=True),
        row("2", A),
        row("3", M),
    ]
    chart = shown(rates.errors(group(tmp_path, {"m": samples})))
    assert isinstance(chart, Scatter)
    assert chart.references["always refuses"].x == Estimate(1.0, n=2)


def test_a_correlation_has_an_interval_from_four_models_on() -> None:
    assert correlation_note([1, 2, 3], [1, 2, 4]) == "r = 0.98 over 3 models"
    assert correlation_note([1, 2, 3, 4], [4, 2, 3, 1]).startswith(
        "r = -0.80 [-1.00, 0."
    )
    assert correlation_note([1, 1, 1], [1, 2, 3]) == "r is undefined: no spread"


def test_a_refusal_whose_code_nobody_read_has_a_column_of_its_own(
    tmp_path: Path,
) -> None:
    in_words = row("0", M)
    assert in_words.scores
    in_words.scores["refusal_scores"].answer = REFUSAL
    chart = shown(
        confusion.of_each_model(group(tmp_path, {"m": [in_words, row("1", M)]}))
    )
    assert isinstance(chart, Grid)
    assert chart.panels["m"]["missing", "no code read"].value == 0.5
    assert chart.panels["m"]["missing", "other"].value == 0


def test_a_confusion_matrix_has_shares_of_each_label(tmp_path: Path) -> None:
    samples = [row(str(k), M if k < 3 else C) for k in range(4)] + [
        row("4", C, CONTRADICTION)
    ]
    of = group(tmp_path, {"m": samples})
    chart = shown(confusion.of_each_model(of))
    assert isinstance(chart, Grid)
    assert (
        chart.panels["m"]["missing", "missing"].value,
        chart.panels["m"]["missing", "missing"].n,
    ) == (0.75, 4)
    assert chart.panels["m"]["missing", "contradictory"].value == 0.25
    assert not chart.panels["m"]["answer", "missing"].known


def test_rows_of_a_confusion_matrix_sum_to_1_with_missing_replies(
    tmp_path: Path,
) -> None:
    samples = [
        row("0", M),
        row("1", None, reason="no_response"),
        row("2", None, reason="truncated"),
        row("3", C),
    ]
    chart = shown(
        confusion.of_each_model(group(tmp_path, {"m": [*samples, row("4", None)]}))
    )
    assert isinstance(chart, Grid)
    shares = [chart.panels["m"]["missing", column] for column in chart.columns]
    assert chart.panels["m"]["missing", "no reply"].value == 0.5
    assert sum(share.value for share in shares) == 1
    assert {share.n for share in shares} == {4}


def test_refusals_by_intensity_and_accuracy_by_class(tmp_path: Path) -> None:
    samples = [
        low("0", A),
        low("1", M),
        row("2", M),
        row("3", A),
        row("4", C, CONTRADICTION),
    ]
    of = group(tmp_path, {"m": samples})
    lines = shown(rates.by_intensity(of)).lines["m"]
    assert [(one.y.value, one.y.n) for one in lines if one.y.known] == [
        (0.5, 2),
        (pytest.approx(2 / 3), 3),
    ]
    cells = shown(rates.by_class(of)).panels[""]
    assert (cells["m", "MissingInfo"].value, cells["m", "Contradiction"].value) == (
        0.5,
        1.0,
    )


def test_a_reliability_point_rests_on_the_number_of_questions(tmp_path: Path) -> None:
    samples = [
        low(str(k), A, correct=k < 3, level="VERY_CONFIDENT", source_id=f"q{k // 2}")
        for k in range(4)
    ]
    of = group(tmp_path, {"m": samples})
    chart = shown(calibration.reliability_diagram(of))
    assert isinstance(chart, Curves)
    (point,) = chart.lines["m"]
    assert (point.y.value, point.y.n) == (0.75, 4)
    assert point.y.low < 0.2  # Wilson's of 1.5 of 2
    errors = shown(calibration.error_by_part(of))
    assert isinstance(errors, Dots)
    assert errors.series["all replies"][0].value == pytest.approx(
        abs(0.75 - point.x.value)
    )


def test_thinking_is_told_by_the_tokens_that_it_took(tmp_path: Path) -> None:
    def thought(tokens: int, right: bool, **asked: Any) -> None:
        samples = [row("1", M if right else A), low("2", A)]
        for sample in samples:
            graded = ModelUsage(input_tokens=5, output_tokens=40, total_tokens=45)
            sample.role_usage = {"grader": graded}
            sample.model_usage = {
                "m": graded + ModelUsage(output_tokens=tokens, total_tokens=tokens)
            }
        roles = {"grader": ModelConfig(model="m")}
        write_log(
            tmp_path, "m", samples, generate=GenerateConfig(**asked), model_roles=roles
        )

    thought(700, True, reasoning_tokens=1024)
    thought(8, False)
    thought(300, False, reasoning_effort="high")
    (of,) = groups_of(read_logs([str(tmp_path)]).runs)
    points = shown(traits.thinking(of)).lines["m: refusal accuracy"]
    assert [(point.x.value, point.y.value) for point in points] == [
        (8, 0),
        (300, 0),
        (700, 1),
    ]
    (table,) = (one for one in more_tables(of) if one.key == "thinking")
    told = {row["thinking"]: row["output tokens per row"] for row in table.rows}
    assert told == {"1024 tokens": 700, "none": 8, "effort high": 300}


def test_figures_of_bluff_show_index_and_hedges_beside_their_baselines(
    tmp_path: Path,
) -> None:
    samples = []
    for k in range(6):
        wrong = {"correctness": 0.0, "hedges": 2.0} if k < 2 else {}
        samples.append(hedging_sample(f"q{k}", "clear", confidence=0.9))
        samples.append(hedging_sample(f"q{k}", "ambiguous", confidence=0.5, **wrong))
    of = group(tmp_path, {"m": samples}, task="bluff", scorer="hedging_scores")
    chart = shown(hedging.index(of))
    assert chart.series["ASI"][0].value > chart.marks["ASI"][0]
    hedges = shown(hedging.hedge_quality(of))
    assert hedges.series["hedge precision"][0].value == 1
    assert hedges.marks["hedge precision"] == [pytest.approx(1 / 6)]
    assert (
        shown(hedging.against("refusal_count", "answer_correctness")(of))
        .points["m"]
        .x.value
        == 0
    )
