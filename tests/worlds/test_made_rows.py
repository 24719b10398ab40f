"""Rows that are made on the spot: the same ones every time, each on its own, proven."""

import hashlib
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ, Benchmark
from refusalbench_tasks.datasets.loading import load, select
from refusalbench_tasks.datasets.selection import Selection
from refusalbench_tasks.datasets.worlds import WorldsConfig
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds import proof
from refusalbench_tasks.worlds.pack import DOMAINS
from refusalbench_tasks.worlds.production import Range, produce
from refusalbench_tasks.worlds.proof import Disagreement, Unread, proven_quad
from refusalbench_tasks.worlds.quad import Quad, make_quad
from refusalbench_tasks.worlds.rows import VERSION, row, rows

FIRST_ROWS = "79e723300eca0b93"
"""The hash of the first 96 rows of seed 7. If it changes, items change: raise VERSION in worlds/rows.py."""


def test_the_first_rows_are_those_of_this_version() -> None:
    made = json.dumps(list(rows(7, 0, 96)), sort_keys=True)
    assert (VERSION, hashlib.sha256(made.encode()).hexdigest()[:16]) == ("RBW7", FIRST_ROWS)


def test_a_row_needs_no_other_row() -> None:
    many = list(rows(3, 0, 12))
    assert [row(3, index) for index in (11, 2, 7)] == [many[11], many[2], many[7]]


def test_a_quad_is_two_questions_by_two_passages_answerable_on_the_diagonal() -> None:
    four = list(rows(5, 0, 4))
    assert four[0]["perturbed_query"] == four[1]["perturbed_query"] != four[2]["perturbed_query"]
    assert four[0]["perturbed_context"] == four[2]["perturbed_context"] != four[1]["perturbed_context"]
    assert [one["expected_rag_behavior"] == Label.ANSWER for one in four] == [True, False, False, True]
    assert len({one["source_id"] for one in four}) == 1
    assert [one["pair_id"] for one in four] == [f"{VERSION}.5.0.{pair}" for pair in (0, 0, 1, 1)]


@pytest.mark.parametrize("domains", [("clinics", "museums"), ("labs", "inns"), ("inns",), ("scales",), ("chronicles",)])
def test_domains_are_those_that_are_asked_for_and_no_others(domains: tuple[str, ...]) -> None:
    found = list(rows(1, 0, 96, domains))
    assert {one["domain"] for one in found} == {*domains}
    # the quads that can't be hidden are of inns alone
    assert any(one["intrinsic"] for one in found) == ("inns" in domains)


@pytest.mark.parametrize(
    "made, data, problem",
    [
        (WorldsConfig(n=6), "worlds", "rows are made in fours, so n=6 cuts one; use 8"),
        (WorldsConfig(n=8), "sample", "n: only data=worlds is made to measure"),
        (WorldsConfig(n=0), "worlds", "n: expected a whole number of at least 1"),
    ],
)
def test_a_number_of_rows_that_cannot_be_is_one_line(made: WorldsConfig, data: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        made.check(data)


def test_what_is_left_out_is_left_out() -> None:
    found = {one["domain"] for one in rows(1, 0, 192, tuple(name for name in DOMAINS if name != "inns"))}
    assert "inns" not in found
    assert found >= {"scales", "chronicles"}


def test_an_unknown_domain_is_one_line() -> None:
    with pytest.raises(DataError, match="domains: unknown 'zoo'; known: clinics"):
        row(1, 0, ("zoo",))


@pytest.mark.parametrize("benchmark", [NQ, GARAGE], ids=["nq", "garage"])
def test_rows_enter_by_the_door_of_a_benchmark(benchmark: Benchmark) -> None:
    loaded = load(benchmark, Selection(data="worlds", strict=True, n=24, seed=2))
    items = select(loaded, Selection(knobs="words>=1"))
    assert len(items) == 24
    assert all(item.answer_type and item.pair and item.knobs for item in items)
    assert all(len(item.passages) == (10 if benchmark is GARAGE else 1) for item in items)
    assert loaded.provenance["worlds"] == VERSION
    assert loaded.provenance["licence"] == "CC0-1.0"


def test_what_the_reader_cannot_parse_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[Quad] = []

    def first_is_unread(quad: Quad) -> None:
        tried.append(quad)
        if len(tried) == 1:
            raise Unread("cannot be read")

    monkeypatch.setattr(proof, "prove", first_is_unread)
    proven_quad.cache_clear()
    assert proven_quad(9, 4) == make_quad(9, 4, attempt=1) != make_quad(9, 4)
    proven_quad.cache_clear()


def test_a_disagreement_is_an_error_and_no_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def disagrees(quad: Quad) -> None:
        raise Disagreement("made as one thing, read as another")

    monkeypatch.setattr(proof, "prove", disagrees)
    proven_quad.cache_clear()
    found = CliRunner().invoke(main, ["worlds", "-n", "4", "-o", str(tmp_path / "rows.jsonl")])
    proven_quad.cache_clear()
    assert found.exit_code != 0
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("suffix", ["jsonl", "parquet"])
def test_the_command_writes_the_rows_that_the_task_makes(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows.{suffix}"
    found = CliRunner().invoke(main, ["worlds", "-n", "8", "--from", "4", "--seed", "2", "-o", str(path)])
    assert found.exit_code == 0, found.output
    assert f"8 rows in {path}" in found.output
    items = load(NQ, Selection(data=str(path), strict=True))
    made = load(NQ, Selection(data="worlds", strict=True, n=12, seed=2))
    assert items.perturbed == made.perturbed[4:]


def test_a_card_counts_what_the_file_holds(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    found = CliRunner().invoke(main, ["worlds", "-n", "8", "--seed", "2", "--card", "-o", str(path)])
    assert found.exit_code == 0, found.output
    card = (tmp_path / "rows.card.md").read_text(encoding="utf-8")
    assert "# Worlds, seed 2, rows 0 to 7" in card
    assert "8 rows in 2 quads, version RBW7; 4 are answerable" in card
    assert "| ANSWER_CORRECTLY | 4 |" in card


def test_a_range_can_be_cut_into_files(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    found = CliRunner().invoke(main, ["worlds", "--to", "12", "--per-file", "8", "-o", str(path)])
    assert found.exit_code == 0, found.output
    parts = [tmp_path / f"rows-{number:05}.jsonl" for number in (0, 1)]
    lines = [line for part in parts for line in part.read_text(encoding="utf-8").splitlines()]
    assert [json.loads(line)["id"] for line in lines] == [one["id"] for one in rows(0, 0, 12)]


@pytest.mark.parametrize(
    "arguments, problem",
    [
        ([], "give either -n or --to"),
        (["-n", "8", "--to", "8"], "give either -n or --to"),
        (["-n", "6"], "rows come in fours"),
        (["--from", "8", "--to", "8"], "this range is empty"),
    ],
)
def test_a_range_that_cannot_be_is_one_line(arguments: list[str], problem: str, tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["worlds", *arguments, "-o", str(tmp_path / "rows.jsonl")])
    assert found.exit_code != 0
    assert problem in str(found.exception) + found.output


@pytest.mark.slow
def test_rows_do_not_depend_on_the_number_of_processes() -> None:
    wanted = Range(3, 0, 4_000, ("clinics", "shops"))
    assert list(produce(wanted, 1)) == list(produce(wanted, 2))
