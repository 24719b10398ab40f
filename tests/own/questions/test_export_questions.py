"""From questions to a set: repeats and clashes, rows with and without a passage, and
what runs on them.
"""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.rows import read_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.runs import TaskRuns
from refusalbench_tasks.own.documents.corpus import Chunk, document_id
from refusalbench_tasks.own.questions.draft import Question
from refusalbench_tasks.own.questions.export_questions import (
    AcceptedQuestion,
    distinct_questions,
    export_questions,
    outside_row,
    question_row,
)
from refusalbench_tasks.own.questions.question_scoring import NotedQuestions
from refusalbench_tasks.solvers.baselines import always_refuse, oracle
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.tasks.perturb import perturb
from refusalbench_tasks.tasks.question import question
from refusalbench_tasks.taxonomy import Label
from tests.logged import numbers_of
from tests.own.questions.panel import (
    GOLD,
    fleet,
    reader,
    rivals,
    run,
    writer,
)
from tests.results.synthetic import row, write_log


def item(
    name: str, text: str, *answers: str, kind: Any = "answerable", **found: Any
) -> AcceptedQuestion:
    chunk = Chunk(
        id="c",
        doc_id=document_id("d"),
        source="d",
        start=10,
        end=16,
        text="It is.",
        sha256="0" * 64,
    )
    asked = Question(
        id=name,
        chunk_id="c",
        question=text,
        kind=kind,
        answers=answers,
        support="It is.",
        start=10,
        end=12,
    )
    noted = NotedQuestions(writer="w", readers=("r",))
    return AcceptedQuestion(asked, found.get("conflicts", ()), chunk, noted)


def test_the_same_question_is_kept_once_and_one_with_two_answers_not_at_all() -> None:
    kept, clashes = distinct_questions(
        [
            item("b", "who built the Sula yard?", "Ole"),
            item("a", "Who built the Sula yard?", "Ole Brandt", "Ole"),
            item("c", "What does a berth at Harrow cost?", "4 crowns"),
            item("d", "What does a berth at Harrow cost?", "5 crowns"),
            item("e", "In which year was the Sula built at the Kessel yard?", "1998"),
            item("f", "In which year, at the Kessel yard, was the Sula built?", "1998"),
            item("g", "When was the Morwen built at the Kessel yard?", "1998"),
            item("h", "When was the Tilda built at the Kessel yard?", kind="near miss"),
            item(
                "i", "When was, at the Kessel yard, the Tilda built?", kind="near miss"
            ),
        ]
    )
    assert [one.question.id for one in kept] == ["a", "e", "g", "h"]
    assert clashes == 2


def test_a_row_says_where_its_answer_stands_and_under_which_licence() -> None:
    row = question_row(item("q", "Who is it?", "It", conflicts=("old.md",)), "MIT")
    assert (row["query"], row["context"], row["answers"]) == (
        "Who is it?",
        "It is.",
        ["It"],
    )
    assert (row["intensity"], row["licence"], row["document"]) == ("CLEAN", "MIT", "d")
    assert (row["question_type"], row["conflicts"]) == ("person", ["old.md"])
    place = {
        "id": "c",
        "doc_id": document_id("d"),
        "source": "d",
        "page": None,
        "start": 10,
        "end": 16,
        "sha256": "0" * 64,
    }
    assert row["provenance"] == place | {"answer_start": 10, "answer_end": 12}
    assert question_row(item("q", "Who is it?", "It"))["licence"] == "not stated"


@pytest.mark.parametrize(
    ("kind", "code", "others"),
    [
        ("near miss", "REFUSE_INFO_MISSING_IN_CONTEXT", []),
        ("plainly outside", "REFUSE_INFO_MISSING_IN_CONTEXT", []),
        (
            "false premise",
            "REFUSE_FALSE_PREMISE_IN_QUERY",
            ["REFUSE_INFO_MISSING_IN_CONTEXT"],
        ),
    ],
)
def test_a_row_that_nothing_answers_has_no_passage_and_the_code_of_its_kind(
    kind: str, code: str, others: list[str]
) -> None:
    row = outside_row(item("q", "Who is it?", kind=kind))
    assert (row["context"], row["answers"], row["expected_rag_behavior"]) == (
        "",
        [],
        code,
    )
    assert (row["accepted_alternatives"], row["kind"], row["lever"]) == (
        others,
        kind,
        f"Out Of Scope: {kind}",
    )
    # a question on another subject is about no document
    assert row["document"] == ("" if kind == "plainly outside" else "d")


def test_nothing_accepted_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no accepted question in these logs"):
        export_questions(TaskRuns((), ()), tmp_path / "set")


def exported(*options: str) -> str:
    result = CliRunner().invoke(main, ["export", "logs", "-o", "set", *options])
    assert result.exit_code == 0, result.output
    return result.output


def numbers(data: str, solver: Any) -> dict[str, float]:
    (log,) = eval(
        nq(data=data, judge="offline"),
        solver=solver,
        model="none/none",
        log_dir="evaluated",
        display="none",
    )
    assert log.status == "success", log.error
    return numbers_of(log)


def test_show_names_the_commands_for_a_log_of_questions_and_a_gate_skips_it(
    tmp_path: Path,
) -> None:
    run(writer(), [reader("a"), reader("b")])
    told = CliRunner().invoke(main, ["show", "logs"])
    assert told.exit_code == 1
    assert "a log of question: use report or export" in told.output
    assert CliRunner().invoke(main, ["report", "logs", "-o", "report"]).exit_code == 0
    write_log(tmp_path, "m", [row("1", Label.MISSING)])
    told = CliRunner().invoke(
        main, ["gate", "logs", str(tmp_path), "--max", "missed_refusal_rate=1"]
    )
    assert "missed_refusal_rate ≤ 1" in told.output


def test_questions_become_bases_rows_for_an_index_and_a_card(tmp_path: Path) -> None:
    run(writer(), [reader("a"), reader("b")], outside=4)
    told = exported()
    assert "3 base questions and 4 questions without an answer from 1 documents" in told
    bases = curate("set/bases.jsonl").items
    assert {one.query: one.answers[0] for one in bases} == GOLD
    assert curate("set/bases.jsonl").licence == "Apache-2.0"
    planned = perturb(
        bases="set/bases.jsonl", classes="MissingInfo", intensities="HIGH"
    )
    assert len(planned.dataset) == 3
    assert numbers("set/bases.jsonl", oracle())["answer_accuracy"] == 1.0
    rows = [row.values for row in read_rows(tmp_path / "set" / "index.jsonl")]
    assert [row["context"] != "" for row in rows] == [True] * 3 + [False] * 4
    assert {row["lever"].rpartition(": ")[2] for row in rows[3:]} == {
        "near miss",
        "missing detail",
        "false premise",
        "plainly outside",
    }
    perfect = numbers("set/index.jsonl", oracle())
    assert (perfect["answer_accuracy"], perfect["refusal_accuracy"], perfect["n"]) == (
        1,
        1,
        7,
    )
    assert numbers("set/index.jsonl", always_refuse())["false_refusal_rate"] == 1
    card = (tmp_path / "set" / "README.md").read_text()
    assert "**Licence: Apache-2.0**" in card
    assert "reader: `mockllm/a` (default settings); `mockllm/b`" in card
    assert "path: bases.jsonl" in card
    assert "| near miss" in card
    run(writer(), [reader()], logs="inside")
    assert CliRunner().invoke(main, ["export", "inside", "-o", "set"]).exit_code == 0
    assert not (tmp_path / "set" / "index.jsonl").exists()


def test_an_unfinished_run_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    # no reader
    eval(question(fleet(), cache=False), model=writer(), log_dir="logs", display="none")
    result = CliRunner().invoke(main, ["export", "logs", "-o", "set"])
    assert result.exit_code == 1
    assert "the run ended in an error (" in result.output
    assert "bind some: --model-role reader=MODEL,MODEL" in result.output
    assert not (tmp_path / "set").exists()


def test_what_conflicts_is_marked_in_its_row_where_it_is_kept(tmp_path: Path) -> None:
    run(writer(), [reader("a", rivals("Morwen"))], rivals=5, conflicts="keep")
    exported()
    rows = [row.values for row in read_rows(tmp_path / "set" / "bases.jsonl")]
    assert sorted(row.get("conflicts", []) for row in rows) == [
        [],
        ["fleet.md"],
        ["fleet.md"],
    ]
