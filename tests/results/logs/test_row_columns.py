"""Rows go from process to process as columns, and are what they were."""

import math
import pickle
from dataclasses import fields
from pathlib import Path

from refusalbench_tasks.metrics.hedging_row import HedgingRow
from refusalbench_tasks.metrics.refusal_rows import RefusalRow
from refusalbench_tasks.outcome import Outcome
from refusalbench_tasks.results.logs.keyed_rows import KeyedRows
from refusalbench_tasks.results.logs.row_columns import RowColumns, columns_of
from refusalbench_tasks.results.logs.run import read_run
from refusalbench_tasks.taxonomy import Label
from tests.results.logs.synthetic import hedging_sample, row, write_log


def outcome(k: int) -> Outcome:
    return Outcome(Label.ANSWER, None if k % 2 else Label.MISSING, None, f"s{k}")


def test_objects_within_objects_are_columns_too() -> None:
    rows = [RefusalRow(outcome=outcome(k), facts=None, numbers={"grade": float(k)}) for k in range(3)]  # type: ignore[arg-type]
    found = columns_of(rows)
    assert isinstance(found, RowColumns)
    assert set(found.columns) == {one.name for one in fields(RefusalRow)}
    assert isinstance(inner := found.columns["outcome"], RowColumns)
    assert inner.columns["cluster"] == ["s0", "s1", "s2"]
    assert found.columns["numbers"] == [{"grade": 0.0}, {"grade": 1.0}, {"grade": 2.0}]
    assert found.rows() == rows


def test_what_has_no_columns_stays_a_list() -> None:
    mixed = [outcome(0), HedgingRow(question="q", arm="clear")]
    assert columns_of(mixed) == mixed
    assert columns_of([]) == []
    assert columns_of(["a", "b"]) == ["a", "b"]


def test_rows_of_logs_come_back_equal(tmp_path: Path) -> None:
    refusal = [row(str(k), Label.MISSING, lever=f"lever {k % 2}") for k in range(6)]
    hedging = [hedging_sample(f"q{k}", "clear", correctness=1.0) for k in range(3)]
    for log in (
        write_log(tmp_path, "m", refusal),
        write_log(tmp_path, "h", hedging, task="bluff", scorer="hedging_scores"),
    ):
        run = read_run(str(log))
        assert run is not None
        assert isinstance(run.rows, KeyedRows)
        again = pickle.loads(pickle.dumps(run.rows))
        # NaN equals nothing, so what is written of both is compared
        assert list(map(repr, again.items())) == list(map(repr, run.rows.items()))
        assert repr(again[next(iter(again))]) == repr(next(iter(again.values())))


def test_rows_of_no_log_come_back_equal() -> None:
    again = pickle.loads(pickle.dumps(KeyedRows([("a", 1, math.pi), ("b", 2, math.e)])))
    assert dict(again) == {("a", 1): math.pi, ("b", 2): math.e}
