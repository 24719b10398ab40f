"""Base questions: from every source, curated by the rules, and runnable as they are."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.base_sources import SOURCES
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.bases import base_row
from refusalbench_tasks.generators.solved_filter import solved_in
from refusalbench_tasks.safe_writing import write_rows
from refusalbench_tasks.solvers.baselines import always_refuse, oracle
from refusalbench_tasks.tasks.nq import nq

OWN = {
    "question": "Who built it?",
    "answer": "Ole Brandt",
    "context": "It was built by Ole Brandt.",
}


def saved(path: Path, *rows: dict[str, Any]) -> str:
    (path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path / "rows.jsonl")


def test_own_documents_become_bases_that_nq_runs(tmp_path: Path) -> None:
    found = curate(
        saved(
            tmp_path,
            OWN,
            OWN
            | {
                "question": "Where?",
                "contexts": ["Nothing.", "Ole Brandt lives there."],
            },
        )
    )
    write_rows(
        tmp_path / "bases.jsonl",
        [base_row(item) | {"licence": "CC0"} for item in found.items],
    )
    bases = curate(str(tmp_path / "bases.jsonl")).items
    assert [one.model_copy(update={"columns": {}}) for one in bases] == found.items
    assert {item.passages[0] for item in bases} == {
        "It was built by Ole Brandt.",
        "Ole Brandt lives there.",
    }
    assert curate(str(tmp_path / "bases.jsonl")).licence == "CC0"
    task = nq(data=str(tmp_path / "bases.jsonl"), controls="only", judge="offline")
    (log,) = eval(
        task,
        solver=oracle(),
        model="none/none",
        log_dir=str(tmp_path / "logs"),
        display="none",
    )
    assert log.results
    assert log.results.scores[1].metrics["control_answer_accuracy"].value == 1.0


def test_a_question_whose_answer_stands_nowhere_is_left_out_and_counted(
    tmp_path: Path,
) -> None:
    found = curate(
        saved(tmp_path, OWN, OWN | {"question": "When?", "answer": "In 1820"})
    )
    assert (len(found.items), found.left_out) == (
        1,
        {"no answer stands in a context": ["line 2"]},
    )


@pytest.mark.parametrize("field", ["question", "answer", "context"])
def test_a_row_that_lacks_a_field_is_named(tmp_path: Path, field: str) -> None:
    broken = {k: v for k, v in OWN.items() if k != field}
    with pytest.raises(DataError, match="rows.jsonl, line 2, field"):
        curate(saved(tmp_path, OWN, broken))


def test_a_draw_goes_by_seed_and_an_id_that_is_there_twice_is_named(
    tmp_path: Path,
) -> None:
    rows = [OWN | {"question": f"Who built {k}?", "id": f"q{k}"} for k in range(25)]
    first = curate(saved(tmp_path, *rows, OWN | {"id": "q3"}), count=7)
    assert len(first.items) == 7
    assert {reason: len(places) for reason, places in first.left_out.items()} == {
        "its id occurs twice": 1,
        "not drawn": 18,
    }
    assert first.items == curate(saved(tmp_path, *rows[::-1]), count=7).items


def test_perturbed_rows_give_their_distinct_originals() -> None:
    assert len(curate("nq_sample").items) == 18
    assert len(curate("garage_sample").items) == 12
    assert all(item.is_clean for item in curate("nq_sample").items)


def test_nothing_left_is_an_error_that_says_why(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no answer stands in a context"):
        curate(saved(tmp_path, OWN | {"answer": "In 1820"}))


def test_only_what_every_log_answers_rightly_is_kept(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    path = saved(tmp_path, OWN, OWN | {"question": "And who paid?"})
    items = curate(path).items
    write_rows(tmp_path / "bases.jsonl", map(base_row, items))
    for name, solver in (("right", oracle()), ("refusing", always_refuse())):
        task = nq(data=str(tmp_path / "bases.jsonl"), controls="only", judge="offline")
        eval(
            task,
            solver=solver,
            model="none/none",
            log_dir=str(tmp_path / name),
            display="none",
        )
    assert solved_in(items, [str(tmp_path / "right")])[0] == items
    assert (
        solved_in(items, [str(tmp_path / "right"), str(tmp_path / "refusing")])[0] == []
    )
    (tmp_path / "right/2020-01-01_nq_x.eval").write_bytes(b"no archive")
    found, counted = solved_in(items, [str(tmp_path / "right")])
    assert (found, len(counted.logs)) == (items, 1)
    assert ["not a readable log" in why for _, why in counted.left_out] == [True]
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no log of a run of nq or garage"):
        solved_in(items, [str(tmp_path / "empty")])


def test_solved_questions_are_drawn_from_on_the_command_line(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    path = saved(
        tmp_path,
        *[OWN | {"question": f"Who built {k}?", "id": f"q{k}"} for k in range(6)],
    )
    run = [
        str(tmp_path / "pool.jsonl"),
        str(tmp_path / "drawn.jsonl"),
        str(tmp_path / "logs"),
    ]
    assert (
        CliRunner().invoke(main, ["plan", "--bases", path, "-o", run[0]]).exit_code == 0
    )
    task = nq(data=run[0], controls="only", judge="offline")
    # the run holds four of the six
    eval(
        task,
        solver=oracle(),
        model="none/none",
        limit=4,
        log_dir=run[2],
        display="none",
    )
    result = CliRunner().invoke(
        main, ["plan", "--bases", path, "-o", run[1], "--solved-in", run[2], "-n", "3"]
    )
    assert result.exit_code == 0, result.output
    assert "4 of 6 questions are answered rightly in the log" in result.output
    assert "left out, not kept: 2" in result.output
    assert len(curate(run[1]).items) == 3


def hub_folder(path: Path, split: str, *rows: dict[str, Any]) -> str:
    """Return a folder in the layout of a repository on the hub, read by the hub's own
    client.
    """
    (path / "data").mkdir(parents=True)
    pa_table = pytest.importorskip("pyarrow").Table.from_pylist(list(rows))
    pytest.importorskip("pyarrow.parquet").write_table(
        pa_table, path / "data" / f"{split}-00000-of-00001.parquet"
    )
    return str(path)


@pytest.fixture(name="cache")
def _cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", str(tmp_path / "cache"))


@pytest.mark.usefixtures("cache")
def test_natural_questions_come_from_the_hub_without_tags(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = {
        "subset": "NaturalQuestionsShort",
        "qid": "q1",
        "question": "Who built it?",
        "answers": ["Ole Brandt"],
    }
    rows = [
        row | {"context": "<P> It was built by Ole Brandt . </P>"},
        row | {"subset": "SQuAD", "context": "x"},
    ]
    # nobody's own row, so that it ends no run
    rows.append(rows[0] | {"qid": "q2", "answers": []})
    repo = hub_folder(tmp_path / "repo", "validation", *rows)
    monkeypatch.setitem(
        SOURCES, "nq-upstream", SOURCES["nq-upstream"]._replace(repo=repo)
    )
    found = curate("nq-upstream")
    (item,) = found.items
    assert list(found.left_out.values()) == [["row 3"]]
    assert (item.item_id, item.passages, item.answers) == (
        "q1",
        ("It was built by Ole Brandt .",),
        ("Ole Brandt",),
    )
