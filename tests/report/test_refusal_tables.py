"""The tables of runs of `nq` and `garage`."""

from pathlib import Path

from tests.report.reporting import table


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
