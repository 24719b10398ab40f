"""Clean originals of made rows: one is given only where it answers the row's question with the row's gold."""

import json
import logging
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.benchmarks import GARAGE, NQ, Benchmark
from refusalbench_tasks.datasets.loading import load, select
from refusalbench_tasks.datasets.selection import Selection
from refusalbench_tasks.generators.kit.bases import load_bases
from refusalbench_tasks.taxonomy import CLASSES, Intensity, Label
from refusalbench_tasks.worlds import ten
from refusalbench_tasks.worlds.lever import LEVERS
from refusalbench_tasks.worlds.pack import pack
from refusalbench_tasks.worlds.quad import Quad
from refusalbench_tasks.worlds.query import Ask
from refusalbench_tasks.worlds.reader import Unreadable, derive
from refusalbench_tasks.worlds.rows import Layout, as_row, rows
from refusalbench_tasks.worlds.solve import Impure, solve
from refusalbench_tasks.worlds.statement import Statement
from refusalbench_tasks.worlds.values import written
from tests.worlds.quads import hard_levers, quads_of

FIELDS = {"context": ("original_query", "original_context"), "grounding": ("original_query", "original_grounding")}


def _by_lever(of: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[Quad, int]]:
    """Return the rows of a quad of each lever of a class."""
    hard = hard_levers(of)
    quads = [quads_of(one, 1, monkeypatch)[0] for one in hard]
    met = {cell.lever.name for quad in quads for cell in quad.cells}
    low = [one for one in LEVERS if one.perturbation.value == of and one.intensity is Intensity.LOW]
    pairs = [(one, soft) for soft in low for one in hard if one.scenario == soft.scenario]
    for one, soft in pairs:
        # not every pair of levers has a quad
        with suppress(LookupError):
            quads += quads_of(one, 1, monkeypatch, soft) if soft.name not in met else []
            met.add(soft.name)
    return [(quad, place) for quad in quads for place in range(4)]


def _ask(quad: Quad, place: int) -> Ask:
    """Return what the question asks that stands with a row's original."""
    plain = quad.cells[place].plain
    return next(one.question.ask for one in quad.cells if one.plain == plain and one.solved.label is Label.ANSWER)


def _solved(quad: Quad, place: int, said: Sequence[Statement]) -> str:
    """Return what an original answers to that question; empty if nothing."""
    try:
        found = solve(said, _ask(quad, place), pack(quad.domain).ontology)
    except Impure:
        return ""
    return written(found.answer) if found.answer is not None else ""


@pytest.mark.parametrize("of", CLASSES)
def test_of_every_lever_an_original_that_is_given_solves_to_the_gold(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given, levers = 0, set()
    for quad, place in _by_lever(of, monkeypatch):
        row = as_row(quad, place)
        held = [row[name] is not None for name in FIELDS["context"]]
        right = _solved(quad, place, quad.cells[place].original.statements) == row["original_answers"][0]
        # neither too many nor too few
        assert held == [right, right], (quad.cells[place].lever.name, place)
        given += right
        levers.add(quad.cells[place].lever.name)
    assert levers == {one.name for one in LEVERS if one.perturbation.value == of}
    assert given > 20


@pytest.mark.parametrize("of", CLASSES)
def test_the_reader_finds_the_gold_in_the_text_of_an_original(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read = unread = 0
    for hard in hard_levers(of)[::2]:
        [quad] = quads_of(hard, 1, monkeypatch)
        for row in (as_row(quad, 0), as_row(quad, 1)):
            if row["original_query"] is None:
                continue
            try:
                found = derive(quad.domain, (row["original_context"],), row["original_query"])
            except (Unreadable, Impure):
                # the reader was made for rows, and not every original is in its grammar
                unread += 1
                continue
            assert found.answer is not None, hard.name
            assert written(found.answer) == row["original_answers"][0], hard.name
            read += 1
    assert read >= 5 * unread
    assert read > 4


@pytest.mark.parametrize("of", CLASSES)
def test_ten_passages_have_an_original_of_the_same_draw_or_none(of: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ten, "prove_row", lambda quad, place, passages: None)
    given = 0
    for hard in hard_levers(of)[::3]:
        [quad] = quads_of(hard, 1, monkeypatch)
        for place in range(4):
            row = as_row(quad, place, "grounding")
            held = [row[name] is not None for name in FIELDS["grounding"]]
            assert held in ([True, True], [False, False])
            if all(held):
                shown = [one["text"] for one in row["grounding"]]
                changed = {at for at, text in enumerate(row["original_grounding"]) if text != shown[at]}
                assert changed <= set(row["signal_indices"])
                said = ten.ten_passages(quad, place).original.statements
                assert _solved(quad, place, said) == row["original_answers"][0], hard.name
                given += 1
    assert given > 3


@pytest.mark.parametrize(("benchmark", "layout"), [(NQ, "context"), (GARAGE, "grounding")], ids=["nq", "garage"])
def test_controls_leave_out_rows_without_an_original_and_say_how_many(
    benchmark: Benchmark, layout: Layout, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    made = list(rows(61, 112, 120, layout=layout))
    without = sum(one["original_query"] is None for one in made)
    assert 0 < without < len(made)
    monkeypatch.setattr("refusalbench_tasks.worlds.rows.rows", lambda *wanted: iter(made))
    loaded = load(benchmark, Selection(data="worlds", strict=True, n=8, seed=61))
    with caplog.at_level(logging.WARNING):
        chosen = select(loaded, Selection(controls="only"))
    assert f"{without} of 8 rows hold no unperturbed original" in caplog.text
    golds = {(one["original_query"], tuple(one["original_answers"])) for one in made if one["original_query"]}
    assert {(one.query, one.answers) for one in chosen} == golds


def test_without_controls_nothing_is_said_of_originals(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        select(load(NQ, Selection(data="worlds", strict=True, n=8)), Selection())
        select(load(NQ, Selection(data="sample", strict=True)), Selection(controls="add"))
    assert "original" not in caplog.text


def test_bases_leave_out_rows_without_an_original_and_say_how_many(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = list(rows(61, 112, 120))
    path, out = tmp_path / "rows.jsonl", tmp_path / "bases.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in made), encoding="utf-8")
    without = sum(one["original_query"] is None for one in made)
    found = CliRunner().invoke(main, ["bases", str(path), "-o", str(out)])
    assert found.exit_code == 0, found.output
    assert f"left out, no unperturbed original in the row: {without} (line" in found.output
    kept = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    golds = {one["original_query"]: one["original_answers"] for one in made if one["original_query"]}
    assert {one["query"]: one["answers"] for one in kept} == golds
    with caplog.at_level(logging.WARNING):
        assert len(load_bases(str(path))) == len(kept)
    assert f"{without} of 8 rows left out: no unperturbed original in the row" in caplog.text
