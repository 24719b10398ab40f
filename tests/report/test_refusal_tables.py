"""The tables of runs of `nq` and `garage`."""

from pathlib import Path

from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.report.reporting import report, table
from tests.results.synthetic import row, write_log


def test_the_overview_has_intervals_n_and_the_models_that_treat_all_alike(
    written: tuple[Path, str],
) -> None:
    rows = {one["system"]: one for one in table(written[0], "nq-overview")}
    assert (rows["good"]["refusal accuracy"], rows["good"]["refusal accuracy n"]) == (
        "1.0",
        "10",
    )
    # ten questions that are all right: Wilson's interval, not a point
    assert 0.6 < float(rows["good"]["refusal accuracy low"]) < 0.8
    assert rows["(always answers)"]["missed refusal rate"] == "1.0"
    assert rows["(always refuses: info missing)"]["refusal accuracy"] == "1.0"
    assert rows["(always answers)"]["answer accuracy"] == ""


def test_what_is_not_known_is_bounded(written: tuple[Path, str]) -> None:
    bounds = {one["metric"]: one for one in table(written[0], "nq-bounds")}
    missed = bounds["missed refusal rate"]
    assert [
        missed[name] for name in ("measured", "lowest", "highest", "not known")
    ] == ["1.0", "0.7", "1.0", "3"]


def test_questions_back_have_a_table_where_there_are_any(
    tmp_path: Path, written: tuple[Path, str]
) -> None:
    assert not (written[0] / "tables" / "nq-clarifications.csv").exists()
    ambiguous = (PerturbationClass.AMBIGUITY, Intensity.HIGH)
    asking = [
        row(str(k), Label.OTHER, *ambiguous, numbers={"asks_back": float(k < 5)})
        for k in range(10)
    ]
    write_log(tmp_path, "asks", asking)
    write_log(tmp_path, "silent", [row(str(k), Label.OTHER) for k in range(10)])
    result = report(tmp_path, to=tmp_path / "out")
    assert result.exit_code == 0, result.output
    [line] = table(tmp_path / "out", "nq-clarifications")
    assert (line["system"], line["clarification rate"]) == ("asks", "0.5")
    assert line["clarification rate n"] == "10"
    assert line["unneeded clarification rate"] == ""
