"""The table of the logs that a report is made from."""

from pathlib import Path

from tests.report.reporting import report, table


def test_the_log_table_says_which_file_a_name_stands_for_and_what_was_left_out(
    mixed: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.eval"
    broken.write_bytes(b"PK\x03\x04 no archive")
    report(mixed, broken, to=tmp_path / "out")
    rows = {
        one["log"]: (one["shown as"], one["used"])
        for one in table(tmp_path / "out", "report-logs")
    }
    assert (rows["1.eval"], rows["2.eval"]) == (
        ("nq: good", "yes"),
        ("bluff: b", "yes"),
    )
    assert rows["broken.eval"][1].startswith("no: not a readable log")
