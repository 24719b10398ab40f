"""`refusalbench score` gives the numbers of the way through Inspect."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.log import read_eval_log

import refusalbench_tasks
from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.solvers.replay import replay
from tests.results.recorded_replies import replies, score


def test_the_table_is_that_of_show(tmp_path: Path) -> None:
    file = replies("nq", tmp_path / "replies.jsonl", per_stratum=1)
    words = (str(file), "--task", "nq", "--data", "sample", "-T", "per_stratum=1")
    said = score(*words, "--log", str(tmp_path / "x.eval"))
    assert said.exit_code == 0, said.output
    shown = CliRunner().invoke(main, ["show", str(tmp_path / "x.eval")])
    assert shown.output == said.output
    assert "not_in_file" in said.output
    rows = json.loads(score(*words, "--format", "json").stdout)
    assert rows


def test_a_system_has_the_name_that_it_is_given_in_every_table(tmp_path: Path) -> None:
    words = ("--task", "nq", "--data", "sample", "-T", "per_stratum=1")
    logs = tmp_path / "logs"
    plain = replies("nq", tmp_path / "replies.jsonl", per_stratum=1)
    rows = [json.loads(line) for line in plain.read_text().splitlines()]
    named = tmp_path / "named.jsonl"
    named.write_text(
        "".join(json.dumps(row | {"model": "helpdesk-v2"}) + "\n" for row in rows)
    )
    # by the file's one model
    assert score(str(named), *words, "--log", str(logs / "a.eval")).exit_code == 0
    assert (
        score(
            str(named), *words, "--name", "helpdesk-v3", "--log", str(logs / "b.eval")
        ).exit_code
        == 0
    )
    task = refusalbench_tasks.nq(data="sample", judge="offline", per_stratum=1)
    eval(
        task,
        solver=replay(str(plain), name="wiki-bot"),
        model="none/none",
        log_dir=str(logs),
        display="none",
    )
    for word in ("show", "compare"):
        told = CliRunner().invoke(main, [word, str(logs), "--format", "csv"])
        assert told.exit_code == 0, told.output
        assert all(
            name in told.output for name in ("helpdesk-v2", "helpdesk-v3", "wiki-bot")
        ), told.output
        assert "replay" not in told.stdout
    held = CliRunner().invoke(
        main,
        ["gate", str(logs), "--max", "false_refusal_rate=1", "--max-unscored", "1"],
    )
    assert held.output.count("nq on sample: ") == 3
    with pytest.raises(
        DataError, match="name: String should have at least 1 character"
    ):
        replay(str(plain), name=" ")


def test_what_is_wrong_ends_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text('{"id": "x", "reply": "so"}\n')
    (tmp_path / "x.eval").write_text("")
    file = str(tmp_path / "r.jsonl")
    for words, told in (
        (
            (file, "--task", "nq", "--data", "sample"),
            "no reply is to a row of this run",
        ),
        ((file, "--task", "nq", "-T", "judge=cascade"), "only judge=offline"),
        ((file, "--task", "nq", "-T", "seed"), "expected NAME=VALUE"),
        ((file, "--task", "nq", "-T", "color=red"), "unknown argument 'color'"),
        (
            (file, "--task", "nq", "--data", "sample", "--log", "x.json"),
            "end it with .eval",
        ),
        ((str(tmp_path / "none.csv"), "--task", "nq"), "no such file"),
        (
            (
                str(tmp_path / "x.eval"),
                "--task",
                "nq",
                "--log",
                str(tmp_path / "x.eval"),
            ),
            "this file is read",
        ),
    ):
        done = score(*words)
        assert done.exit_code == 1, words
        assert told in done.output
        assert "Traceback" not in done.output


def read_lines(file: Path) -> list[dict[str, str]]:
    lines = file.read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_replies_that_were_not_decided_are_written_with_the_reason(
    tmp_path: Path,
) -> None:
    rows = tmp_path / "rows.jsonl"
    row = {"query": "When?", "context": "In 1987.", "answers": ["1987"]}
    ids = ("a", "b", "c", "d")
    rows.write_text("".join(json.dumps(row | {"id": key}) + "\n" for key in ids))
    file = tmp_path / "replies.jsonl"
    given = {"a": "1987", "b": "Hmm. \u202e\x1b", "c": "REFUSE_OTHER REFUSE_MISSING"}
    recorded = [{"id": key, "reply": reply} for key, reply in given.items()]
    file.write_text("".join(json.dumps(reply) + "\n" for reply in recorded))
    undecided = tmp_path / "undecided.jsonl"
    words = (str(file), "--task", "nq", "--data", str(rows))
    done = score(*words, "--undecided", str(undecided))
    assert done.exit_code == 0, done.output
    assert done.output.endswith(f"\n{undecided}: 2 of 3 replies were not decided\n")
    assert read_lines(undecided) == [
        {
            "row": "b",
            "question": "When?",
            "reply": given["b"],
            "why": "the reader is not sure",
        },
        {
            "row": "c",
            "question": "When?",
            "reply": given["c"],
            "why": "neither one answer nor one refusal by its form",
        },
    ]


def test_undecided_replies_from_production_are_written_too(tmp_path: Path) -> None:
    file = tmp_path / "production.csv"
    file.write_text("question,reply\nWho?,Hmm.\nWho?,I do not know.\nWho?,''\n")
    undecided = tmp_path / "undecided.jsonl"
    done = score(str(file), "--undecided", str(undecided))
    assert done.exit_code == 0, done.output
    assert "1 of 3 replies were not decided" in done.output
    [line] = read_lines(undecided)
    assert line["row"].startswith("1-")
    assert (line["question"], line["reply"]) == ("Who?", "Hmm.")
    assert line["why"] == "the reader is not sure"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("--undecided", "x.csv"), "end it with .jsonl"),
        (("--undecided", "r.jsonl"), "this file is read"),
        (("--reader", "x"), "reader: unknown 'x'; known: ngrams"),
        (("--task", "nq", "--reader", "x"), "reader: unknown 'x'; known: ngrams"),
        (("--task", "nq", "--refusals", "no.txt"), "refusals: no such file 'no.txt'"),
    ],
)
def test_what_cannot_be_read_or_written_is_one_line(
    words: tuple[str, ...],
    problem: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.jsonl").write_text('{"id": "x", "reply": "so"}\n')
    done = score("r.jsonl", *words)
    assert done.exit_code == 1
    assert problem in done.output
    assert len(Path("r.jsonl").read_text()) > 0


TRACES = Path(__file__).parents[2] / "solvers" / "traces"


def test_traces_of_production_are_read_with_the_turns_before_the_last(
    tmp_path: Path,
) -> None:
    sheet = tmp_path / "sheet.csv"
    words = ("--map", "langfuse", "--by", "language", "--draw", str(sheet))
    done = score(str(TRACES / "langfuse.jsonl"), *words)
    assert done.exit_code == 0, done.output
    assert "language  en (small)        2" in done.output
    assert "assistant: It opens at 9:00 on Saturdays." in sheet.read_text()


def test_traces_score_against_rows_with_the_same_question(tmp_path: Path) -> None:
    row = {"query": "And what does a lost locker key cost?", "answers": ["15 euros"]}
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps(row | {"context": "Lost keys cost 15 euros."}) + "\n")
    file = str(TRACES / "otel.jsonl")
    words = ("--task", "nq", "--data", str(rows), "-T", "codes=false")
    scored = tmp_path / "scored.eval"
    done = score(file, *words, "--map", "otel", "--log", str(scored))
    assert done.exit_code == 0, done.output
    log = read_eval_log(scored)
    assert log.eval.solver_args_passed == {"replies": file, "map": ["otel"]}
    [sample] = log.samples or []
    assert [message.text for message in sample.messages] == [
        "user: When does the pool open on Saturdays?\n"
        "assistant: It opens at 9:00 on Saturdays.",
        "A lost locker key costs 15 euros.",
    ]
    assert len(sample.store["refusalbench_retrieved"]) == 2
    run = eval(
        refusalbench_tasks.nq(data=str(rows), codes=False, judge="offline"),
        solver=replay(file, map="otel"),
        model="none/none",
        log_dir=str(tmp_path),
        display="none",
    )
    [replayed] = run[0].samples or []
    assert replayed.output.completion == sample.output.completion
