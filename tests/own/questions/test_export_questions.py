"""From questions to a set: repeats and clashes, rows with and without a passage, and
what runs on them.
"""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval, eval_retry
from inspect_ai.log import read_eval_log
from inspect_ai.model import GenerateConfig, get_model

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.rows import read_rows
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.curation import curate
from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.generators.kit.runs import TaskRuns
from refusalbench_tasks.own.documents.corpus import Chunk, document_id
from refusalbench_tasks.own.questions.draft import Question
from refusalbench_tasks.own.questions.export_questions import (
    AcceptedQuestion,
    distinct_questions,
    export_questions,
    find_question_runs,
    outside_row,
    question_row,
)
from refusalbench_tasks.own.questions.question_scoring import NotedQuestions
from refusalbench_tasks.own.questions.question_settings import SCORER
from refusalbench_tasks.solvers.baselines import always_refuse, oracle
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.tasks.perturb import perturb
from refusalbench_tasks.tasks.question import question
from refusalbench_tasks.taxonomy import Label
from tests.commands import run as typed
from tests.commands import start
from tests.logged import numbers_of
from tests.models import metrics_of
from tests.own.questions.panel import (
    GOLD,
    READS,
    REVIEWS,
    WRITES,
    fleet,
    metrics,
    read_well,
    reader,
    right_reading,
    rivals,
    run,
    write_well,
    writer,
)
from tests.provider.call import Call
from tests.provider.reply import Fault, Reply
from tests.provider.server import Server
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


def script(call: Call) -> Reply | Fault:
    if call.text == PREFLIGHT:
        return Reply(arguments={"ready": True})
    if call.text.startswith(WRITES):
        return Reply(arguments=write_well(call.text))
    return Reply(arguments=right_reading(call.text) or read_well(call.text))


def test_the_command_runs_over_the_genuine_clients(tmp_path: Path) -> None:
    with Server(script) as server:
        typed(
            "inspect eval refusalbench_tasks/question --model openai/gpt-4o"
            " --model-role reader=openai/gpt-4o-mini,anthropic/claude-opus-4-1 -T"
            " corpus=sample -T outside=1 --log-dir logs --display none",
            tmp_path,
            OPENAI_API_KEY="x",
            ANTHROPIC_API_KEY="x",
            OPENAI_BASE_URL=server.openai_url,
            ANTHROPIC_BASE_URL=server.anthropic_url,
        )
        starts = [one.text for one in server.calls]
    assert all(
        any(text.startswith(begin) for text in starts)
        for begin in (WRITES, READS, REVIEWS)
    )
    (found,) = find_question_runs([str(tmp_path / "logs")]).runs
    assert found.header.results
    accepted = [
        one for chunk in found.items for one in chunk.noted.questions if one.accepted
    ]
    assert metrics_of(found.header, SCORER)["n_accepted"] == len(accepted) == 4
    assert found.items[0].noted.readers == (
        "openai/gpt-4o-mini",
        "anthropic/claude-opus-4-1",
    )


@pytest.mark.parametrize("arguments", [["-T", "corpus=sample"], []])
def test_what_is_missing_is_one_line_before_anything_starts(
    arguments: list[str], tmp_path: Path
) -> None:
    line = [
        "inspect",
        "eval",
        "refusalbench_tasks/question",
        "--model",
        "mockllm/w",
        *arguments,
    ]
    status, printed = start(line, tmp_path).ended()
    assert status == 1
    assert (
        "Error: no reader is bound" if arguments else "Error: corpus: required"
    ) in printed
    assert "Traceback" not in printed


def test_one_model_as_writer_and_reader_is_one_line_before_anything_starts(
    tmp_path: Path,
) -> None:
    line = (
        "inspect eval refusalbench_tasks/question --model mockllm/w --model-role"
        " reader=mockllm/w -T corpus=sample"
    )
    status, printed = start(line, tmp_path).ended()
    assert status == 1
    error = " ".join(printed.split())
    assert (
        "Error: the writer mockllm/w is the only reader, and it can't judge what it"
        " wrote; bind another" in error
    )
    assert "--model-role reader=PROVIDER/MODEL" in error
    assert "self_votes" not in error
    assert "Traceback" not in error


def test_a_broken_run_that_is_retried_pays_for_no_finished_call_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # the key of a retried model is not in its log
    monkeypatch.setenv("OPENAI_API_KEY", "x")

    def client(name: str, url: str) -> Any:
        return get_model(
            name,
            base_url=url,
            api_key="x",
            config=GenerateConfig(max_retries=0),
            memoize=False,
        )

    def whole(url: str) -> Any:
        (log,) = eval(
            question(fleet(), rivals=0),
            model=client("openai/gpt-4o", url),
            log_dir="logs",
            display="none",
            max_samples=1,
            model_roles={"reader": [client("openai/gpt-4o-mini", url)]},
        )
        return log

    broken: list[bool] = [True]

    def breaks(call: Call) -> Reply | Fault:
        writes = call.text.startswith(WRITES)
        if (
            broken[0]
            and writes
            and sum(one.text.startswith(WRITES) for one in server.calls) >= 3
        ):
            return Fault.SERVER_ERROR
        return script(call)

    with Server(breaks) as server:
        log = whole(server.openai_url)
        assert log.status == "error"
        broken[0] = False
        (again,) = eval_retry(log, log_dir="logs", display="none", max_samples=1)
        texts = [call.text for call in server.calls]
    assert again.status == "success", again.error
    assert metrics(read_eval_log(again.location))["n_accepted"] == 3
    asked = [text for text in texts if text != PREFLIGHT and not right_reading(text)]
    assert len(set(asked)) == 3 + 3
    # three chunks and three readings; of the chunk that failed the call was never
    # finished
    assert {text for text in asked if asked.count(text) > 1} == {
        [text for text in asked if text.startswith(WRITES)][2]
    }


def test_what_conflicts_is_marked_in_its_row_where_it_is_kept(tmp_path: Path) -> None:
    run(writer(), [reader("a", rivals("Morwen"))], rivals=5, conflicts="keep")
    exported()
    rows = [row.values for row in read_rows(tmp_path / "set" / "bases.jsonl")]
    assert sorted(row.get("conflicts", []) for row in rows) == [
        [],
        ["fleet.md"],
        ["fleet.md"],
    ]
