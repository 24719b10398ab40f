"""Sections of logs that made data."""

from refusalbench_tasks.report.generation_sections import generation_sections
from tests.own.questions.panel import metrics, reader, run, writer


def test_the_yield_of_a_limited_run_is_over_the_chunks_of_its_limit() -> None:
    log = run(writer(), [reader()], limit=2)
    assert metrics(log)["yield_n"] == 3
    [section] = generation_sections([log])
    [row] = section.tables[0].rows
    assert (row["yield n"], row["yield"]) == (2, metrics(log)["n_accepted"] / 2)
