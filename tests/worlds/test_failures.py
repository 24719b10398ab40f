"""A quad that can't be proven is left out and named, and the rows of the others are written."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from refusalbench_tasks.cli import main
from refusalbench_tasks.worlds import proof
from refusalbench_tasks.worlds.failures import Failures
from refusalbench_tasks.worlds.production import Range, produce
from refusalbench_tasks.worlds.proof import Disagreement, Unread, proven_quad
from refusalbench_tasks.worlds.quad import Quad

Fail = Callable[[Exception, int], None]


@pytest.fixture(name="fail")
def _fail(monkeypatch: pytest.MonkeyPatch) -> Iterator[Fail]:
    """Give a function that makes the proof of one quad fail; the others are not read."""
    proven_quad.cache_clear()

    def failing(error: Exception, index: int) -> None:
        def prove(quad: Quad) -> None:
            if quad.index == index:
                raise error

        monkeypatch.setattr(proof, "prove", prove)

    yield failing
    proven_quad.cache_clear()


def run(path: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["worlds", "--seed", "3", "-o", str(path), *arguments])


def quads(path: Path) -> list[str]:
    ids = [json.loads(line)["source_id"] for line in path.read_text(encoding="utf-8").splitlines()]
    assert all(ids.count(one) == 4 for one in ids)
    return [one.rpartition(".")[2] for one in dict.fromkeys(ids)]


@pytest.mark.parametrize(
    ("error", "layout"),
    [(Disagreement("quad 1 of seed 3:\nmade as A"), "nq"), (Unread("quad 1 of seed 3: made as A"), "garage")],
    ids=["disagreement-nq", "unread-garage"],
)
def test_the_rows_of_the_others_are_kept(error: Exception, layout: str, fail: Fail, tmp_path: Path) -> None:
    fail(error, 1)
    path = tmp_path / "rows.jsonl"
    found = run(path, "-n", "12", "--layout", layout, "--card")
    assert found.exit_code == 1
    assert quads(path) == ["0", "2"]
    first, second, last = found.output.splitlines()
    assert first == "left out: quad 1 of seed 3: made as A"
    assert second == f"8 rows in {path}"
    assert last.startswith("Error: worlds: 1 of 3 quads could not be proven: each is named above and left out")
    card = (tmp_path / "rows.card.md").read_text(encoding="utf-8")
    assert "# Worlds, seed 3, rows 0 to 11\n" in card
    assert "Quads that could not be proven, and are left out: 1." in card


def test_preference_pairs_leave_it_out_too(fail: Fail, tmp_path: Path) -> None:
    fail(Disagreement("quad 0 of seed 3: made as A"), 0)
    found = run(tmp_path / "pairs.jsonl", "-n", "8", "--preferences")
    assert found.exit_code == 1
    assert f"6 preference pairs in {tmp_path / 'pairs.jsonl'}" in found.output


def test_every_file_of_a_range_is_written_before_the_command_ends(fail: Fail, tmp_path: Path) -> None:
    fail(Disagreement("quad 1 of seed 3: made as A"), 1)
    found = run(tmp_path / "rows.jsonl", "-n", "16", "--per-file", "8")
    assert found.exit_code == 1
    assert "1 of 4 quads" in found.output
    assert [quads(tmp_path / f"rows-0000{number}.jsonl") for number in (0, 1)] == [["0"], ["2", "3"]]


def test_a_range_goes_on_in_the_files_behind_those_of_another(tmp_path: Path) -> None:
    for words in (["--to", "8"], ["--from", "8", "--to", "16"]):
        assert run(tmp_path / "rows.jsonl", *words, "--per-file", "8").exit_code == 0
    assert [quads(tmp_path / f"rows-0000{number}.jsonl") for number in (0, 1)] == [["0", "1"], ["2", "3"]]


def test_without_a_place_for_failures_the_first_is_raised(fail: Fail) -> None:
    fail(Disagreement("quad 2 of seed 3: made as A"), 2)
    with pytest.raises(Disagreement, match="quad 2"):
        list(produce(Range(3, 0, 16, ("clinics",))))


def test_a_few_failures_are_borne_and_one_in_a_hundred_quads() -> None:
    failures = Failures()
    failures.take(11, [Unread(str(number)) for number in range(10)])
    with pytest.raises(Unread, match="0"):
        failures.take(1, [Unread("the eleventh of twelve")])
    # 20 of 2,000 are one in a hundred, 21 are more
    many = Failures()
    many.take(2_000, [Unread(str(number)) for number in range(20)])
    with pytest.raises(Unread, match="0"):
        many.take(0, [Unread("one more")])
