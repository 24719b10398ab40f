"""Published numbers beside those of runs: what decides whether one can reproduce the
other.
"""

import inspect
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import main
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.published.reproduction import (
    PublishedLogs,
    Reproduced,
    beside_published,
    read_published_logs,
)
from refusalbench_tasks.results.table import Run
from refusalbench_tasks.tasks.bluff import bluff
from refusalbench_tasks.tasks.garage import garage
from refusalbench_tasks.tasks.nq import nq
from tests.results.published.published_runs import (
    PAPERS,
    of_nq,
    one_row,
    samples,
)
from tests.results.synthetic import write_log

SONNET = "anthropic/claude-sonnet-4-20250514"


def test_every_setting_is_an_argument_of_the_tasks_or_of_generation() -> None:
    for paper in PAPERS:
        tasks = (bluff,) if paper.paper.startswith("BLUFF") else (nq, garage)
        arguments = {
            name for task in tasks for name in inspect.signature(task).parameters
        }
        assert {setting.name for setting in paper.settings} <= arguments | {
            "official_lists",
            "temperature",
            "top_p",
        }


def test_a_number_is_consistent_if_it_lies_in_the_ci() -> None:
    near = of_nq()
    far = of_nq(rows=samples(false=0, n=60))
    found = [one_row(of, label="false_refusal_rate") for of in (near, far)]
    assert [(one.row.value, one.reading) for one in found] == [
        (0.628, "consistent"),
        (0.628, "not consistent"),
    ]
    assert (found[0].measured.value, found[0].measured.n) == (0.6, 10)
    assert one_row(near, label="category_accuracy").reading == "not consistent"


def test_another_model_is_not_the_published_one_unless_it_is_named() -> None:
    other = of_nq("openai/gpt-4o-mini")
    assert one_row(other, label="false_refusal_rate").reading == "needs a log"
    assert PublishedLogs([other]).unknown(PAPERS) == ["openai/gpt-4o-mini (nq)"]
    names = {"openai/gpt-4o-mini": "GPT-4o"}
    assert one_row(other, label="false_refusal_rate", names=names).measured.value == 0.6
    with pytest.raises(DataError, match="unknown published model 'GPT-9'"):
        beside_published(
            PAPERS, PublishedLogs([other], names={"openai/gpt-4o-mini": "GPT-9"})
        )


@pytest.mark.parametrize(
    ("model", "published"),
    [
        ("bedrock/us.anthropic.claude-sonnet-4-20250514-v1:0", "Claude-4-Sonnet"),
        ("openrouter/anthropic/claude-3-5-sonnet-20240620", "Claude-3.5-Sonnet"),
        ("google/gemini-2.5-pro-001", "Gemini-2.5-Pro"),
        ("openai/azure/gpt-4o-2024-08-06", "GPT-4o"),
        ("vllm/allenai/OLMo-2-0325-32B-SFT", "OLMo-2-32B-SFT"),
        ("hf/Qwen/Qwen1.5-0.5B-Chat", "Qwen1.5-0.5B"),
        ("hf/Qwen/Qwen2.5-7B-Instruct", None),
        ("openai/gpt-4o-mini", None),
    ],
)
def test_an_id_is_recognised_with_any_provider(
    model: str, published: str | None
) -> None:
    (refusalbench,) = (paper for paper in PAPERS if not paper.paper.startswith("BLUFF"))
    assert refusalbench.model_of(model) == published


def test_thinking_tokens_tell_runs_of_one_model_apart() -> None:
    days = iter(range(1, 9))
    every = [
        of_nq(
            SONNET,
            samples(missed=missed),
            tokens,
            created=f"2026-01-0{next(days)}T00:00:00+00:00",
        )
        for tokens, missed in ((None, 3), (1024, 2), (4096, 1))
    ]

    def found(label: str, *runs: Run) -> Reproduced:
        return one_row(*runs, model="Claude-4-Sonnet", label=label)

    # newer runs that think do not take the place of the one that does not
    assert found("refusal_accuracy", *every).measured.value == 0.7
    gain = "gain refusal_accuracy (1024 thinking tokens)"
    assert found(gain, *every).measured.value == pytest.approx(0.1)
    assert found(gain, *every[1:]).reading == "needs a log"
    assert found("refusal_accuracy", every[2]).differences == ("reasoning_tokens=4096",)


def test_what_is_left_out_is_told_and_nothing_that_can_be_read_is_one_line(
    tmp_path: Path,
) -> None:
    result = CliRunner().invoke(main, ["reproduce", str(tmp_path)])
    assert (result.exit_code, len(result.output.splitlines())) == (1, 1)
    write_log(tmp_path, "openai/gpt-4o", samples())
    write_log(tmp_path, "openai/gpt-4.1", samples(), status="error")
    (tmp_path / "x.eval").write_bytes(b"no log")
    found = read_published_logs([str(tmp_path)])
    assert [one.model for one in found.runs] == ["openai/gpt-4o"]
    assert sorted(reason.partition(" (")[0] for _, reason in found.left_out) == [
        "an unfinished run",
        "not a readable log of this suite",
    ]
    result = CliRunner().invoke(main, ["reproduce", str(tmp_path), "--format", "json"])
    rows = json.loads(result.stdout)["reproduction"]
    assert {one["model"] for one in rows} == {"GPT-4o", "data set", "all models"}
    assert "data=sample" in rows[0]["what differs"]
