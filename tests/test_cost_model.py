"""The cost model of very many calls, worked by hand."""

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.cost_model import Measured, Plan, Prices, cost, table

PLAN = Plan(
    calls=12_000, calls_a_sample=1.2, seconds_a_call=3.0, input_tokens=100, output_tokens=10, connections=10,
    connections_a_process=5, samples_a_shard=100, log_buffer=10, cores=4, gigabytes_a_core=1.0, samples_a_log=4_000,
)  # fmt: skip
MEASURED = Measured(cpu_seconds=0.9, log_bytes=2e5, process_gigabytes=0.5, merge_seconds=0.36, rest_of_puts=2, gets=3)
PRICES = Prices(
    node_hour=2.0, thousand_puts=1.0, thousand_gets=0.5, gigabyte_month=0.25, million_input=10.0, million_output=20.0
)


def test_a_plan_by_hand() -> None:
    found = cost(PLAN, MEASURED, PRICES)
    # 12,000 / 1.2 samples; 12,000 calls of 3 s, 10 at once, are an hour
    assert (found.samples, found.shards, found.hours) == (10_000, 100, 1.0)
    # 9,000 s of CPU in 3,600 s are 2.5 processes, and 10 connections at 5 each are 2
    assert (found.processes, found.nodes) == (3, 1)
    # 10,000 x 200 kB; a shard is written 100 / 10 + 2 times and copied once, read 3 times and once more
    assert (found.log_gigabytes, found.puts, found.gets) == (2.0, 1_300, 400)
    assert (found.merged_logs, found.merge_core_hours) == (3, 1.0)
    # an hour of a node and a quarter of one; 1.3 + 0.2; 4 GB; 0.012 x (1,000 + 200)
    assert found.dollars == pytest.approx({"nodes": 2.5, "requests": 1.5, "logs, a month": 1.0, "tokens": 14.4})


def test_connections_and_memory_ask_for_processes_and_nodes_too() -> None:
    # 100 connections: 20 processes of 5; the run takes a tenth of the time
    found = cost(replace(PLAN, connections=100), MEASURED, PRICES)
    assert (found.processes, found.hours) == (25, 0.1)  # 9,000 s of CPU in 360 s
    idle = cost(replace(PLAN, connections=100), replace(MEASURED, cpu_seconds=0.001), PRICES)
    assert (idle.processes, idle.nodes) == (20, 5)
    # 2 GB a process on cores of 1 GB: half of the cores
    wide = cost(replace(PLAN, connections=100), replace(MEASURED, cpu_seconds=0.001, process_gigabytes=2.0), PRICES)
    assert wide.nodes == 10


def test_the_page_has_the_table_of_the_model() -> None:
    page = (Path(__file__).parent.parent / "docs" / "large-logs.md").read_text(encoding="utf-8")
    assert table(Plan(), Measured(), Prices()) in page
