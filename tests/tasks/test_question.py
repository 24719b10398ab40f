"""The task `question` on the command line, over genuine clients and through faults."""

from pathlib import Path
from typing import Any

import pytest
from inspect_ai import eval, eval_retry
from inspect_ai.log import read_eval_log
from inspect_ai.model import GenerateConfig, get_model

from refusalbench_tasks.generators.kit.panel import PREFLIGHT
from refusalbench_tasks.own.questions.export_questions import (
    find_question_runs,
)
from refusalbench_tasks.own.questions.question_settings import SCORER
from refusalbench_tasks.tasks.question import question
from tests.commands import run as typed
from tests.commands import start
from tests.models import metrics_of
from tests.own.questions.panel import (
    READS,
    REVIEWS,
    WRITES,
    fleet,
    metrics,
    read_well,
    right_reading,
    write_well,
)
from tests.provider.call import Call
from tests.provider.reply import Fault, Reply
from tests.provider.server import Server


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
