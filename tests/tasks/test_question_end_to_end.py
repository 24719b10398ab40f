"""From documents to a scored model: questions, export, bases for `perturb`, and rows for `nq` and `garage`."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval, eval_retry
from inspect_ai.log import read_eval_log
from inspect_ai.model import GenerateConfig, get_model

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.rows import read_rows
from refusalbench_tasks.generators.kit.bases import base_licence, load_bases
from refusalbench_tasks.generators.kit.breaker import PREFLIGHT
from refusalbench_tasks.own.questions.question_logs import find_question_runs
from refusalbench_tasks.own.questions.question_scorer import SCORER
from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from refusalbench_tasks.tasks.perturb import perturb
from refusalbench_tasks.tasks.question import question
from tests.commands import run as typed
from tests.commands import start
from tests.models import metrics_of
from tests.own.questions.panel import GOLD, WRITES, fleet, metrics, read_well, reader, run, write_well, writer
from tests.provider.call import Call
from tests.provider.reply import Fault, Reply
from tests.provider.server import Server
from tests.tasks.generation import command


def answered(task: Any, scorer: str) -> float:
    (log,) = eval(task, solver=oracle(), model="none/none", log_dir="evaluated", display="none")
    return metrics_of(log, scorer)["answer_accuracy"]


def test_one_passage_questions_become_bases_and_rows(tmp_path: Path) -> None:
    run(writer(), [reader("a"), reader("b")], closed_book=True)
    told = command("export", "logs", "-o", "set", "--dev", "0.4")
    assert "3 base questions from 1 documents" in told
    bases = load_bases("set/bases.jsonl")
    assert {one.query: one.answers[0] for one in bases} == GOLD
    assert base_licence("set/bases.jsonl") == "Apache-2.0"
    planned = perturb(bases="set/bases.jsonl", classes="MissingInfo", intensities="HIGH")
    assert len(planned.dataset) == 3
    assert answered(nq(data="set/bases.jsonl", judge="offline"), "refusal_scores") == 1.0
    rows = [row.values for row in read_rows(tmp_path / "set" / "bases.jsonl")]
    assert {row["split"] for row in rows} == {"train"}  # one document is not parted
    assert [row["known"] for row in rows] == [False] * 3
    card = (tmp_path / "set" / "README.md").read_text()
    assert "**Licence: Apache-2.0**" in card
    assert "readers: mockllm/a, mockllm/b" in card
    assert "path: bases.jsonl" in card
    assert "rows.jsonl" not in card


def test_ten_passage_questions_become_bases_and_rows(tmp_path: Path) -> None:
    run(writer(), [reader()], passages=10)
    assert "3 base questions" in command("export", "logs", "-o", "set", "--per-kind", "1")
    assert all(len(one.passages) == 10 and len(one.signal) == 1 for one in load_bases("set/bases.jsonl"))
    assert answered(garage(data="set/bases.jsonl", judge="offline"), "grounded_scores") == 1.0
    assert "with ten passages each" in (tmp_path / "set" / "README.md").read_text()


def test_runs_of_both_kinds_are_not_mixed_and_options_of_the_other_task_are_named() -> None:
    run(writer(), [reader()])
    run(writer(), [reader()], passages=10)
    for options, problem in (
        ([], "mix questions with one and with ten passages"),
        (["--paper"], "export: --paper does nothing for logs of `question`"),
        (["--per-cell", "3"], "export: --per-cell does nothing for logs of `question`"),
    ):
        result = CliRunner().invoke(main, ["export", "logs", "-o", "set", *options])
        assert result.exit_code == 1
        assert problem in result.output


def test_an_unfinished_run_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    eval(question(fleet(), cache=False), model=writer(), log_dir="logs", display="none")  # no reader
    result = CliRunner().invoke(main, ["export", "logs", "-o", "set"])
    assert result.exit_code == 1
    assert "the run is not finished (status: error)" in result.output
    assert not (tmp_path / "set").exists()


def script(call: Call) -> Reply | Fault:
    if call.text == PREFLIGHT:
        return Reply(arguments={"ready": True})
    return Reply(arguments=(write_well if call.text.startswith(WRITES) else read_well)(call.text))


def test_the_command_runs_over_the_genuine_clients(tmp_path: Path) -> None:
    with Server(script) as server:
        typed(
            "inspect eval refusalbench_tasks/question --model openai/gpt-4o "
            "--model-role reader=openai/gpt-4o-mini,anthropic/claude-opus-4-1 -T corpus=sample -T passages=10 "
            "-T closed_book=true -T kinds=who,when --log-dir logs --display none",
            tmp_path, OPENAI_API_KEY="x", ANTHROPIC_API_KEY="x", OPENAI_BASE_URL=server.openai_url,
            ANTHROPIC_BASE_URL=server.anthropic_url,
        )  # fmt: skip
    (found,) = find_question_runs([str(tmp_path / "logs")]).runs
    assert found.header.results
    assert metrics_of(found.header, SCORER)["n_accepted"] == len(found.accepted) == 2
    assert found.accepted[0].readers == ("openai/gpt-4o-mini", "anthropic/claude-opus-4-1")


@pytest.mark.parametrize("arguments", [["-T", "corpus=sample"], []])
def test_what_is_missing_is_one_line_before_anything_starts(arguments: list[str], tmp_path: Path) -> None:
    line = ["inspect", "eval", "refusalbench_tasks/question", "--model", "mockllm/w", *arguments]
    status, printed = start(line, tmp_path).ended()
    assert status == 1
    assert ("Error: no reader is bound" if arguments else "Error: corpus: required") in printed
    assert "Traceback" not in printed


def test_a_broken_run_that_is_retried_pays_for_no_finished_call_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")  # the key of a retried model is not in its log

    def client(name: str, url: str) -> Any:
        return get_model(name, base_url=url, api_key="x", config=GenerateConfig(max_retries=0), memoize=False)

    def whole(url: str, **options: Any) -> Any:
        (log,) = eval(
            question(fleet()), model=client("openai/gpt-4o", url), log_dir="logs", display="none", max_samples=1,
            model_roles={"reader": [client("openai/gpt-4o-mini", url)]}, **options,
        )  # fmt: skip
        return log

    broken: list[bool] = [True]

    def breaks(call: Call) -> Reply | Fault:
        writes = call.text.startswith(WRITES)
        if broken[0] and writes and sum(one.text.startswith(WRITES) for one in server.calls) >= 3:
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
    asked = [text for text in texts if text != PREFLIGHT]
    # three chunks and three readings; of the chunk that failed the call was never finished
    failed = len(asked) - len(set(asked))
    assert len(set(asked)) == 3 + 3
    assert failed >= 1
    assert {text for text in asked if asked.count(text) > 1} == {[text for text in asked if text.startswith(WRITES)][2]}
