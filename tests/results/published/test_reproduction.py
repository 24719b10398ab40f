"""Published numbers beside those of runs: what decides whether one can reproduce the
other.
"""

import inspect
import json
import math
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
from refusalbench_tasks.taxonomy import Label
from tests.results.published.published_runs import (
    BLUFF_ARGS,
    CLEAR,
    NQ_ARGS,
    PAPERS,
    bluff_rows,
    of_bluff,
    of_nq,
    one_row,
    samples,
)
from tests.results.synthetic import row, write_log

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
    official = NQ_ARGS | {"prompt": "official", "judge_prompt": "official"}
    near = of_nq(task_args=official)
    far = of_nq(rows=samples(false=0, n=60), task_args=official)
    found = [one_row(of, label="false_refusal_rate") for of in (near, far)]
    assert [(one.row.value, one.reading) for one in found] == [
        (0.628, "consistent"),
        (0.628, "not consistent"),
    ]
    assert (found[0].measured.value, found[0].measured.n) == (0.6, 10)
    assert one_row(near, label="category_accuracy").reading == "not consistent"


@pytest.mark.parametrize("argument", ["prompt", "judge_prompt"])
def test_consistent_by_our_prompt_is_a_reading_of_its_own(argument: str) -> None:
    args = NQ_ARGS | {"prompt": "official", "judge_prompt": "official", argument: None}
    near = one_row(of_nq(task_args=args), label="false_refusal_rate")
    assert near.reading == "consistent (other prompt)"
    assert near.reasons == (f"{argument}=ours",)
    far = of_nq(rows=samples(false=0, n=60), task_args=args)
    assert one_row(far, label="false_refusal_rate").reading == "not consistent"
    # no prompt changes the rows, and another file is not comparable
    rows = one_row(of_nq(task_args=args), label="rows", model="data set")
    assert rows.reasons == ()
    other = of_nq(task_args=args | {argument: "mine.txt"})
    assert one_row(other, label="false_refusal_rate").reasons == (
        f"{argument}=mine.txt",
    )


def test_what_was_not_asked_is_not_asked_and_not_zero() -> None:
    poor = row("a0", Label.ANSWER, *CLEAR, correct=False)
    right = row("a1", Label.ANSWER, *CLEAR)
    refused = row("u0", Label.MISSING)
    # an answer that no grader saw is neither right nor wrong
    ungraded = row("a2", Label.ANSWER, *CLEAR, numbers={"right": math.nan})
    offline = of_nq(rows=[right, refused, ungraded])
    graded = of_nq(rows=[right, refused, poor])

    def answers_of(run: Run) -> Reproduced:
        return one_row(run, model="all models", label="highest poor_answer")

    assert answers_of(offline).reading == "not asked"
    assert answers_of(offline).reasons[0] == "no grader was asked"
    assert math.isnan(answers_of(offline).measured.value)
    assert answers_of(graded).measured.value == pytest.approx(1 / 3)
    # of several models those count that were asked
    both = one_row(
        offline,
        of_nq("openai/gpt-4.1", [right, refused, poor]),
        model="all models",
        label="highest poor_answer",
    )
    assert both.measured.value == pytest.approx(1 / 3)
    assert both.not_asked == ""
    for label in ("VERY_CONFIDENT/share", "VERY_CONFIDENT/accuracy", "ece_refusals"):
        confidence = one_row(graded, model="all models", label=f"lowest {label}")
        assert confidence.reading == "not asked"
        assert confidence.not_asked == "no confidence was asked for"
    uncoded = of_nq(rows=[right, refused], task_args=NQ_ARGS | {"codes": False})
    uncoded.replies["codes"] = False
    codes = one_row(uncoded, label="category_accuracy")
    assert (codes.reading, codes.not_asked) == ("not asked", "no codes were asked for")
    without = bluff_rows(of_bluff(BLUFF_ARGS | {"ptrue": "none"}))
    assert without["asi"].not_asked == "no confidence was asked for"
    assert without["refusal_sensitivity"].not_asked == ""


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
    assert "data=sample" in rows[0]["why"]
