"""What a command prints: tables to stdout, remarks beside them."""

import json

import pytest

from refusalbench_tasks.command_output import left_out_lines, output
from refusalbench_tasks.log_reading import CONTINUED
from refusalbench_tasks.tables import Table


def test_tables_of_one_key_are_one_table_in_json(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with output("json") as out:
        out.remark("a remark")
        for name in ("a", "b"):
            out.table(Table("rates", "", [{"rate": 0.5}]), about={"log": name})
    printed = capsys.readouterr()
    assert json.loads(printed.out) == {
        "rates": [{"log": "a", "rate": 0.5}, {"log": "b", "rate": 0.5}]
    }
    assert printed.err == "a remark\n"


def test_the_attempts_of_continued_runs_share_a_line() -> None:
    broken = ("x.eval", "damaged")
    attempts = [("a.eval", CONTINUED), ("b.eval", CONTINUED)]
    assert left_out_lines([broken, *attempts[:1]]) == [
        "left out: x.eval: damaged",
        f"left out: a.eval: {CONTINUED}",
    ]
    assert left_out_lines([*attempts, broken]) == [
        "left out: x.eval: damaged",
        f"left out: 2 logs: {CONTINUED}",
    ]
