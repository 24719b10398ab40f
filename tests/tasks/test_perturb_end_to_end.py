"""Generation end to end: bases, plan, writers, verifiers, export, and the exported set
in `nq` and `garage`.
"""

import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai import eval
from inspect_ai.log import list_eval_logs, read_eval_log
from inspect_ai.model import GenerateConfig, Model, get_model

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.rows import read_rows
from refusalbench_tasks.generators.generation_logs import find_runs
from refusalbench_tasks.solvers.baselines import oracle
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.commands import Fork, start
from tests.generators.panel import add, is_check, named, scripted, verdict, write_well
from tests.provider.call import Call
from tests.provider.reply import Fault, Reply
from tests.provider.server import Server
from tests.tasks.generation import command, draw, few_bases, metrics, run, verifier


def writer_of(name: str) -> Model:
    """Return a writer whose texts differ from every other writer's
    and between slots.
    """

    def write(prompt: str) -> dict[str, Any]:
        return add(write_well(prompt), f" Note {name} {draw(prompt) % 10**6}.")

    return named(name, write)


FEW = {"classes": "Contradiction,FalsePremise"}


@pytest.mark.parametrize(
    ("bases", "task", "scorer"),
    [("nq_sample", nq, "refusal_scores"), ("garage_sample", garage, "grounded_scores")],
    ids=["nq", "garage"],
)
def test_from_bases_to_a_scored_model(
    bases: str, task: Callable[..., Any], scorer: str, tmp_path: Path
) -> None:
    few = few_bases(1, bases)
    panel = [
        verifier("one", 35),
        verifier("two", 10),
        verifier("three"),
        verifier("four"),
    ]
    logs = [
        run(writer_of(name), panel, bases=few, verify="all", **FEW)
        for name in ("x", "y")
    ]
    accepted = sum(metrics(log)["n_accepted"] for log in logs)
    assert 0.3 < metrics(logs[0])["acceptance"] < 0.95

    assert "controls" in command("export", "logs", "-o", "set", "--all")
    rows = read_rows(tmp_path / "set" / "rows.jsonl")
    assert len(rows) == accepted
    assert Counter(row.values["generator_model"] for row in rows).keys() == {
        "mockllm/x",
        "mockllm/y",
    }
    assert all(set(row.values["verifier_votes"].values()) == {"PASS"} for row in rows)
    card = (tmp_path / "set" / "README.md").read_text()
    assert "**Licence: not stated**" in card
    assert "mockllm/four" in card

    (log,) = eval(
        task(data="set/rows.jsonl", judge="offline", controls="add"),
        solver=oracle(),
        model="none/none",
        log_dir="evaluated",
        display="none",
    )
    assert log.results
    numbers = next(s.metrics for s in log.results.scores if s.name == scorer)
    assert numbers["answer_accuracy"].value == numbers["refusal_accuracy"].value == 1.0

    sheet = tmp_path / "set-people" / "validation.csv"
    sheet.write_text(
        sheet.read_text().replace(",,,,,,,,\n", ",yes,yes,yes,yes,yes,yes,yes,\n", 1)
    )
    refused = CliRunner().invoke(main, ["export", "logs", "-o", "set"])
    assert refused.exit_code == 1
    assert "is filled in" in refused.output


def test_through_the_genuine_clients_with_faults() -> None:
    def script(call: Call) -> Reply | Fault:
        if is_check(call.text) and call.wire == "anthropic" and call.digest % 5 == 0:
            return Fault.SERVER_ERROR
        made = scripted(call.text)
        return Reply(arguments=made if isinstance(made, dict) else {})

    with Server(script) as server:
        options: dict[str, Any] = {
            "memoize": False,
            "max_retries": 0,
            "config": GenerateConfig(max_retries=0),
        }
        writer = get_model("openai/gpt-4o", base_url=server.openai_url, **options)
        other = get_model(
            "anthropic/claude-opus-4-1", base_url=server.anthropic_url, **options
        )
        cells: Any = {
            "bases": few_bases(4, "garage_sample"),
            "classes": "Contradiction,MissingInfo",
        }
        m = metrics(run(writer, [writer, other], self_votes=True, **cells))
    assert m["n_candidates"] == 24
    assert 0 < m["n_undecided"] < 12
    assert m["n_accepted"] == 24 - m["n_undecided"]
    assert m["anthropic/claude-opus-4-1/missing"] == m["n_undecided"]


def test_a_killed_run_ends_in_the_same_set_and_pays_for_no_call_twice(
    tmp_path: Path,
) -> None:
    def script(call: Call) -> Reply:
        made = scripted(
            call.text,
            lambda one: (
                verdict(call.digest % 3 > 0) if is_check(one) else write_well(one)
            ),
        )
        return Reply(arguments=made if isinstance(made, dict) else {})

    def outcome(folder: Path) -> dict[str, Any]:
        newest = list_eval_logs(str(folder))[0]
        log = read_eval_log(newest.name)
        assert log.status == "success"
        return {
            f"{s.id} {s.epoch}": s.scores["consensus_scores"].answer
            for s in log.samples or []
            if s.scores
        }

    def started(server: Server, folder: Path, line: str) -> Fork:
        folder.mkdir(exist_ok=True)
        cache = str(folder / "cache")
        return start(
            line,
            folder,
            OPENAI_API_KEY="x",
            OPENAI_BASE_URL=server.openai_url,
            INSPECT_CACHE_DIR=cache,
        )

    rest = "--log-dir logs --display none --max-samples 4"
    line = (
        "inspect eval refusalbench_tasks/perturb --model openai/gpt-4o --model-role"
        " verifier=openai/gpt-4o-mini "
    )
    line += (
        f"-T bases={tmp_path / few_bases(4)} -T classes=Ambiguity -T intensities=LOW -T"
        f" attempts=2 {rest}"
    )
    with Server(script) as server:
        assert started(server, tmp_path / "whole", line).ended()[0] == 0
        needed = len(server.calls)
    with Server(script, latency=0.05) as server:
        process = started(server, tmp_path / "broken", line)
        deadline = time.monotonic() + 300
        while len(server.calls) < needed // 2 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.kill()
        retry = started(
            server, tmp_path / "broken", f"inspect eval-retry logs/*.eval {rest}"
        )
        assert retry.ended() == (0, "")
        spent = len(server.calls)
    assert outcome(tmp_path / "broken" / "logs") == outcome(tmp_path / "whole" / "logs")
    assert "rows" in command(
        "export", str(tmp_path / "broken" / "logs"), "-o", "set", "--all"
    )
    read = find_runs([str(tmp_path / "broken" / "logs")])
    newest = read_eval_log(
        list_eval_logs(str(tmp_path / "broken" / "logs"))[0].name, header_only=True
    )
    assert (
        sum(bool(item.accepted) for item in read.items) == metrics(newest)["n_accepted"]
    )
    assert any(item.slot.attempt > 1 for item in read.items)
    assert (
        spent <= needed + 4 + 1
    )  # what was in flight, and the call to the verifier at the start
