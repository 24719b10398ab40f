"""What the sections of a report hold: which runs stand together, their tables, bounds and warnings."""

import csv
import io
import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.report.absences import absent_figures
from refusalbench_tasks.report.figures.catalogue import CATALOGUES
from refusalbench_tasks.report.section import sections
from refusalbench_tasks.results.logs.find import read_logs
from refusalbench_tasks.solvers.baselines import extractive
from refusalbench_tasks.tables import Table
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.logs.synthetic import hedging_sample, row, write_log


def test_runs_over_other_rows_are_in_a_section_of_their_own(tmp_path: Path) -> None:
    for name, rows in (("a", "f"), ("b", "f"), ("c", "g")):
        write_log(tmp_path, name, [row("1", Label.MISSING)], selected_fingerprint=rows)
    found = sections(read_logs([str(tmp_path)]))
    assert [section.key for section in found] == ["nq.1", "nq.2"]
    assert [len(section.tables[1].rows) for section in found] == [2, 1]


def test_equal_rows_at_other_paths_stand_in_one_section(tmp_path: Path) -> None:
    samples = [hedging_sample("q", "clear"), hedging_sample("q", "ambiguous")]
    for k in range(5):
        for protocol in ("paper", "official-code"):
            for one in samples:
                assert one.scores
                one.scores = {"hedging_scores": next(iter(one.scores.values())).model_copy(deep=True)}
                one.scores["hedging_scores"].metadata["protocol"] = protocol  # type: ignore[index]
            write_log(tmp_path, f"m{k}", samples, "bluff", "hedging_scores", data=f"/{protocol}/{k}.json")
    found = sections(read_logs([str(tmp_path)]))
    assert [section.key for section in found] == ["bluff.1", "bluff.2"]
    assert [len(section.names) for section in found] == [5, 5]
    assert "bluff on /official-code/0.json and 4 other paths (5 runs)" in found[0].title


def test_hedges_counted_by_other_lists_stand_in_sections_of_their_own(tmp_path: Path) -> None:
    lists = (("v1", "0123456789"), ("v2", "89abcdef00"), ("v2", "89abcdef00"), ("v2", "7654321000"))
    for k, (name, sha256) in enumerate(lists):
        samples = [hedging_sample(f"q{n}", arm) for n in range(3) for arm in ("clear", "ambiguous")]
        for one in samples:
            assert one.scores
            one.scores["hedging_scores"].metadata["word_lists"] = {"hedges": name, "hedges_sha256": sha256}  # type: ignore[index]
        write_log(tmp_path, f"m{k}", samples, "bluff", "hedging_scores")
    titles = [section.title for section in sections(read_logs([str(tmp_path)]))]
    assert [title.rpartition(", hedges counted by ")[2] for title in titles] == ["v2 (89abcdef)", "v1", "v2 (76543210)"]


def test_rows_that_are_not_known_stand_side_by_side_by_their_path_only(tmp_path: Path) -> None:
    for name, data in (("a", "x"), ("b", "x"), ("c", "y")):
        write_log(tmp_path, name, [row("1", Label.MISSING)], selected_fingerprint="", data=data)
    assert [len(section.names) for section in sections(read_logs([str(tmp_path)]))] == [2, 1]


def test_controls_are_in_no_rate(tmp_path: Path) -> None:
    clean = row("c", Label.MISSING, PerturbationClass.MISSING_INFO, Intensity.CLEAN)
    write_log(tmp_path, "m", [clean, row("1", Label.MISSING)])
    (section,) = sections(read_logs([str(tmp_path)]))
    assert section.tables[0].rows[0]["false refusal rate n"] == 0
    assert section.tables[1].rows[0]["controls"] == 1


def test_only_controls_are_a_section_without_figures(tmp_path: Path) -> None:
    clean = row("c", Label.ANSWER, PerturbationClass.MISSING_INFO, Intensity.CLEAN)
    write_log(tmp_path, "m", [clean])
    (section,) = sections(read_logs([str(tmp_path)]))
    assert "only unperturbed controls" in section.warnings[0]
    (found,) = section.tables[0].rows
    assert (found["answer accuracy"], found["answer accuracy n"]) == (1, 1)
    assert found["false refusal rate"] == 0
    assert section.tables[1].rows[0]["controls"] == 1


def test_the_figures_that_only_controls_do_not_allow_are_one_line(tmp_path: Path) -> None:
    write_log(tmp_path, "m", [row("c", Label.ANSWER, PerturbationClass.MISSING_INFO, Intensity.CLEAN)])
    rows = absent_figures(sections(read_logs([str(tmp_path)]))).rows
    # 25 is the dashboard of the other data set
    assert [(one["figures"], one["reason"]) for one in rows] == [
        ("2, 5 to 13, 18 to 24, 26 to 32", "nq: there are only unperturbed controls"),
        ("3, 4, 14 to 17", "needs a run of perturb"),
        ("25", "needs a run of garage"),
        ("2 to 6, 13, 14", "needs a run of bluff"),
        ("text of 4.2, F.7 and F.8", "nq: no run of garage beside it"),
    ]


def test_a_figure_stands_in_one_catalogue(tmp_path: Path) -> None:
    needs = [(catalogue.paper, number) for catalogue in CATALOGUES for number in catalogue.needs()]
    assert len(needs) == len(set(needs))
    assert {number for paper, number in needs if paper == "RefusalBench"} == set(range(2, 33))
    assert absent_figures([]).rows[0]["reason"] == "needs a run of nq or garage"


def test_different_graders_are_told(tmp_path: Path) -> None:
    for name in ("a", "b"):
        made = [row("1", Label.MISSING, decided_by="judge")]
        assert made[0].scores
        next(iter(made[0].scores.values())).metadata["graders"] = [f"judge {name}"]  # type: ignore[index]
        write_log(tmp_path, name, made)
    (section,) = sections(read_logs([str(tmp_path)]))
    assert any("different models" in warning for warning in section.warnings)


def test_a_run_that_takes_rows_for_independent_is_reported_so(tmp_path: Path) -> None:
    def widths(name: str, cluster: str) -> tuple[float, tuple[str, ...]]:
        rows = [row(f"{k}", Label.MISSING if k < 10 else Label.ANSWER, source_id=f"s{k // 5}") for k in range(20)]
        for one in rows:
            next(iter((one.scores or {}).values())).metadata["cluster"] = cluster  # type: ignore[index]
        write_log(tmp_path / name, "m", rows)
        (section,) = sections(read_logs([str(tmp_path / name)]))
        first = section.tables[0].rows[0]
        return float(first["refusal accuracy high"]) - float(first["refusal accuracy low"]), section.warnings

    (by_row, warned), (by_question, silent) = widths("r", "row"), widths("q", "question")
    # four questions of five equal rows: errors shrink by about sqrt(5)
    assert by_question > 1.8 * by_row
    assert any("take rows for independent" in warning for warning in warned)
    assert not any("take rows for independent" in warning for warning in silent)


def test_real_logs_of_our_tasks(tmp_path: Path) -> None:
    task = nq(data="sample", judge="offline")
    (log,) = eval(task, model="none", solver=extractive(), log_dir=str(tmp_path), display="none", limit=36)
    assert log.results
    (section,) = sections(read_logs([str(tmp_path)]))
    first = section.tables[0].rows[0]
    metrics = {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}
    for name in ("answer_accuracy", "refusal_accuracy", "detection_f1"):
        assert first[name.replace("_", " ")] == metrics[name]
        assert first[f"{name.replace('_', ' ')} low"] == metrics[f"{name}_ci_low"]
        assert first[f"{name.replace('_', ' ')} n"] == metrics[f"{name}_n"]


def test_tables_as_csv_and_json() -> None:
    made = Table("k", "t", [{"name": "=1+1", "value": math.nan}, {"name": "b,c", "value": -0.5}])
    rows = list(csv.DictReader(io.StringIO(made.as_csv())))
    assert rows == [{"name": "'=1+1", "value": ""}, {"name": "b,c", "value": "-0.5"}]
    assert json.loads(made.as_json()) == [{"name": "=1+1", "value": None}, {"name": "b,c", "value": -0.5}]
    assert Table("k", "t", []).as_csv().strip() == ""


def test_a_killed_run_does_not_stand_for_the_data(tmp_path: Path) -> None:
    rows = [row(f"{k}", Label.MISSING, domain=("Law", "Health")[k % 2], generator="") for k in range(10)]
    write_log(tmp_path, "a", rows[:1], status="cancelled", sample_ids=[str(k) for k in range(10)])
    write_log(tmp_path, "b", rows)
    (section,) = sections(read_logs([str(tmp_path)]))
    coverage = next(figure for figure in section.figures if figure.key == "coverage")
    assert sum(cell["value"] for cell in coverage.chart.table()) == 10
    domains = next(figure for figure in section.figures if figure.key == "domain-shares")
    assert [cell["value"] for cell in domains.chart.table()] == [0.5, 0.5]
    bounds = {(one["model"], one["metric"]): one for one in section.tables[2].rows}
    assert bounds["a", "refusal accuracy"]["lowest"] == 0.1
    assert bounds["a", "refusal accuracy"]["not known"] == 9
    assert "a: 9 of 10 rows are undecided, ungraded or lost; read the bounds." in section.warnings


def test_lost_controls_widen_no_bounds(tmp_path: Path) -> None:
    lost = row("c", Label.ANSWER, PerturbationClass.MISSING_INFO, Intensity.CLEAN)
    lost.scores = None
    write_log(tmp_path, "m", [row("1", Label.MISSING), lost])
    (section,) = sections(read_logs([str(tmp_path)]))
    assert all(one["not known"] == 0 for one in section.tables[2].rows)


def test_ungraded_attempts_are_a_part_of_their_own(tmp_path: Path) -> None:
    graded = [row(f"a{k}", Label.ANSWER, intensity=Intensity.LOW) for k in range(2)]
    ungraded = [row(f"b{k}", Label.ANSWER, intensity=Intensity.LOW, numbers={"right": math.nan}) for k in range(6)]
    refused = [row(f"c{k}", Label.MISSING, intensity=Intensity.LOW) for k in range(2)]
    write_log(tmp_path, "m", [*graded, *ungraded, *refused])
    (section,) = sections(read_logs([str(tmp_path)]))
    parts = {
        one["part"]: one["share"]
        for figure in section.figures
        if figure.key == "distribution"
        for one in figure.chart.table()
    }
    assert (parts["good answer"], parts["ungraded answer"], parts["false refusal"]) == (0.2, 0.6, 0.2)
    (point,) = next(figure for figure in section.figures if figure.key == "operating-points").chart.table()
    assert (point["coverage"], point["risk of the answers"], point["risk of the answers n"]) == (0.8, 0.0, 2)
    assert any("all false refusals, not all attempts" in warning for warning in section.warnings)


def test_official_code_shows_no_zero_for_what_is_not_there(tmp_path: Path) -> None:
    made = [row(f"{k}", Label.MISSING, intensity=Intensity.LOW) for k in range(4)] + [row("h", None)]
    for one in made:
        assert one.scores
        next(iter(one.scores.values())).metadata["protocol"] = "official-code"  # type: ignore[index]
    write_log(tmp_path, "m", made)
    (section,) = sections(read_logs([str(tmp_path)]))
    curve = next(figure for figure in section.figures if figure.key == "intensity").chart.table()
    assert curve[0]["value"] == 1.0
    assert all(math.isnan(point["value"]) for point in curve[1:])
    overview = section.tables[0].rows[0]
    assert (overview["refusal accuracy"], overview["refusal accuracy n"]) == (0.0, 1)


def test_a_model_that_is_there_twice_counts_once(tmp_path: Path) -> None:
    for model, good in (("a", 1), ("b", 2), ("b", 3)):
        answers = [row(f"a{k}", Label.ANSWER if k < good else Label.MISSING, intensity=Intensity.LOW) for k in range(4)]
        write_log(
            tmp_path, model, [*answers, *(row(f"u{k}", Label.MISSING if k < good else Label.ANSWER) for k in range(4))]
        )
    (section,) = sections(read_logs([str(tmp_path)]))
    chart = next(figure for figure in section.figures if figure.key == "error-tradeoff").chart
    assert getattr(chart, "note", "") == "r needs three models or more"
    average = next(figure for figure in section.figures if figure.key == "confusion-average").chart.table()
    cells = {(cell["row"], cell["column"]): cell["value"] for cell in average}
    assert cells["missing", "missing"] == pytest.approx((0.25 + 0.75) / 2)


def test_names_that_look_alike_are_told_apart() -> None:
    from refusalbench_tasks.report.drawing.style import LONGEST, shown, shown_names

    long = "openrouter/deepseek/deepseek-r1-distill-llama-70b-instruct-2025-01-{}"
    assert len(shown(long)) <= LONGEST
    assert shown(long.format("10")) != shown(long.format("20"))
    assert shown_names(["a\x00", "a\x01", "b"]) == ["a [1]", "a [2]", "b"]
    assert shown("") == "(no name)"
    assert shown("_hidden") == "_hidden"
    assert shown("a\nb\nc\nd").count("\n") == 2


def test_bounds_of_hedging_runs(tmp_path: Path) -> None:
    made = [
        hedging_sample("q0", "clear", correctness=1.0),
        hedging_sample("q0", "ambiguous", correctness=math.nan),
        hedging_sample("q1", "clear", refused=1.0),
        hedging_sample("q1", "ambiguous", refused=math.nan, correctness=math.nan, unscored=1.0),
    ]
    write_log(tmp_path, "m", made, task="bluff", scorer="hedging_scores")
    (section,) = sections(read_logs([str(tmp_path)]))
    bounds = {one["metric"]: (one["lowest"], one["highest"], one["not known"]) for one in section.tables[2].rows}
    assert bounds == {"refusal rate": (1 / 4, 2 / 4, 1), "answer correctness": (1 / 3, 1.0, 2)}
    assert "m: 2 of 4 replies are unscored, ungraded or lost." in section.warnings


def test_baselines_are_no_models(tmp_path: Path) -> None:
    made = [row(f"{k}", Label.MISSING, domain=("Law", "Health")[k % 2]) for k in range(4)]
    write_log(tmp_path, "none/none", made, task="garage")
    (section,) = sections(read_logs([str(tmp_path)]))
    assert {8, 30, 31} <= {number for absent in section.absent for number in absent.numbers}
    wrong = [row(f"{k}", Label.ANSWER, domain=("Law", "Health")[k % 2]) for k in range(4)]
    write_log(tmp_path, "m", wrong, task="garage")
    (section,) = sections(read_logs([str(tmp_path)]))
    champions = next(figure for figure in section.figures if figure.key == "domain-champions").chart.table()
    assert {cell["name"].split("\n")[2] for cell in champions} == {"refusals: m"}
    average = next(figure for figure in section.figures if figure.key == "confusion-average").chart.table()
    assert {(c["row"], c["column"]): c["value"] for c in average}["missing", "answer"] == 1.0


def test_different_prompts_and_unreadable_confidence_are_told(tmp_path: Path) -> None:
    plain = row("1", Label.MISSING, level="CONFIDENT")
    assert plain.scores
    next(iter(plain.scores.values())).metadata["level"] = None  # type: ignore[index]
    write_log(tmp_path, "a", [plain], prompt_sha256="one")
    write_log(tmp_path, "b", [row("1", Label.MISSING)], prompt_sha256="two")
    (section,) = sections(read_logs([str(tmp_path)]))
    assert "The runs were given different prompts; a difference may be the prompt's." in section.warnings
    assert "a: 1 of 1 replies state no readable confidence." in section.warnings
    compared = CliRunner().invoke(main, ["compare", str(tmp_path / "0.eval"), str(tmp_path / "1.eval")])
    assert "different prompts" in compared.output
