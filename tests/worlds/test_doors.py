"""What keeps rows from being made ends in one clear line, not in a traceback."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.worlds import DEFAULT_ROWS, WorldsConfig, made_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds import proof
from refusalbench_tasks.worlds.proof import Disagreement, Unread, proven_quad
from refusalbench_tasks.worlds.quad import Quad, make_quad
from refusalbench_tasks.worlds.solve import Impure
from refusalbench_tasks.worlds.turn import NoQuad

ERRORS = [
    (Disagreement("quad 0 of seed 3:\nmade as A, read as B"), "please report this row: quad 0 of seed 3: made as A"),
    (Unread("quad 0 of seed 3: unreadable"), "not proven, so not written: quad 0 of seed 3: unreadable; use another"),
    (NoQuad("quad 0 of seed 3: no scene"), "quad 0 of seed 3: no scene; use another seed, or more domains"),
]


@pytest.fixture(autouse=True)
def _nothing_remembered() -> None:
    proven_quad.cache_clear()


def _failing(error: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(quad: Quad) -> None:
        raise error

    monkeypatch.setattr(proof, "prove", fails)


@pytest.mark.parametrize(("error", "line"), ERRORS)
def test_the_command_says_it_in_one_line(
    error: Exception, line: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _failing(error, monkeypatch)
    found = CliRunner().invoke(main, ["worlds", "-n", "4", "--seed", "3", "-o", str(tmp_path / "rows.jsonl")])
    assert found.exit_code == 1
    assert isinstance(found.exception, SystemExit)
    assert found.output.startswith("Error: worlds: ")
    assert line in found.output
    assert found.output.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("error", "line"), ERRORS)
def test_the_task_says_it_in_one_line(error: Exception, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(error, monkeypatch)
    with pytest.raises(DataError, match=line):
        made_rows(WorldsConfig(n=4, seed=3), "context")


def test_a_fault_of_the_program_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    _failing(KeyError("a slot"), monkeypatch)
    with pytest.raises(KeyError, match="a slot"):
        made_rows(WorldsConfig(n=4, seed=3), "context")


def test_no_scene_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    def impure(*given: object) -> Quad:
        raise Impure("never")

    monkeypatch.setattr("refusalbench_tasks.worlds.quad._drawn", impure)
    with pytest.raises(NoQuad, match="quad 0 of seed 3"):
        make_quad(3, 0)


@pytest.mark.parametrize(("layout", "number"), [("context", 1800), ("grounding", 600)])
def test_how_many_rows_are_made_hangs_on_the_layout(layout: str, number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def none(seed: int, start: int, stop: int, *rest: object) -> Iterator[dict[str, Any]]:
        asked.append(stop)
        return iter(())

    monkeypatch.setattr("refusalbench_tasks.worlds.rows.rows", none)
    _, about = made_rows(WorldsConfig(), layout)  # type: ignore[arg-type]
    assert asked == [number] == [about["n"]] == [DEFAULT_ROWS[layout]]  # type: ignore[index]
