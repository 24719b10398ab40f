"""Published numbers beside those of runs: what decides whether one can reproduce the
other.
"""

import inspect
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from inspect_ai.log import EvalConfig, EvalSample
from inspect_ai.model import GenerateConfig

from refusalbench_tasks.cli import main
from refusalbench_tasks.datasets.bluff import RELEASED
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.prompting.released_files import FILES
from refusalbench_tasks.results.published.papers import published_papers
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
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass
from tests.results.synthetic import hedging_sample, row, run, write_log

PAPERS = published_papers()
NQ_ARGS = {
    name: one.default for name, one in inspect.signature(nq).parameters.items()
} | {"judge": "always"}
BLUFF_ARGS = {
    name: one.default for name, one in inspect.signature(bluff).parameters.items()
}
AS_PUBLISHED = BLUFF_ARGS | {"protocol": "official-code", "official_lists": "hub"}
CLEAR = (PerturbationClass.AMBIGUITY, Intensity.LOW)
SONNET = "anthropic/claude-sonnet-4-20250514"


def samples(false: int = 6, missed: int = 1, n: int = 10) -> list[EvalSample]:
    """Return n answerable rows, of which some are refused, and n others, of which some
    are answered.
    """
    answerable = [
        row(f"a{k}", Label.MISSING if k < false else Label.ANSWER, *CLEAR)
        for k in range(n)
    ]
    return answerable + [
        row(f"u{k}", Label.ANSWER if k < missed else Label.MISSING) for k in range(n)
    ]


def of_nq(
    model: str = "openai/gpt-4o",
    rows: Sequence[EvalSample] = (),
    tokens: int | None = None,
    **given: Any,
) -> Run:
    own = list(rows) or samples()
    facts: dict[str, Any] = {
        "data": "hub",
        "selected_rows": len(own),
        "task_args": NQ_ARGS,
    } | given
    generate = GenerateConfig(temperature=1.0, top_p=1.0, reasoning_tokens=tokens)
    return run(own, model, **({"generate": generate} | facts))


def of_bluff(args: dict[str, Any] | None = None, n: int = 500, **given: Any) -> Run:
    arms = ("clear", "ambiguous")
    own = [
        hedging_sample(f"q{k}", arm, refused=float(k % 3 == 0), hedges=k % 2)
        for k in range(n)
        for arm in arms
    ]
    facts: dict[str, Any] = {"data": "hub", "selected_rows": len(own)} | given
    generate = GenerateConfig(temperature=0.3)
    return run(
        own,
        "x/m",
        "bluff",
        task_args=AS_PUBLISHED if args is None else args,
        generate=generate,
        **facts,
    )


def bluff_rows(of: Run, model: str = "Llama-3.3") -> dict[str, Reproduced]:
    return {
        one.row.metric: one
        for one in beside_published(PAPERS, PublishedLogs([of], names={"x/m": model}))
        if one.row.model == model
    }


def one_row(
    *runs: Run, label: str, model: str = "GPT-4o", names: dict[str, str] | None = None
) -> Reproduced:
    found = [
        one
        for one in beside_published(PAPERS, PublishedLogs(runs, names=names or {}))
        if (one.row.task, one.row.model, one.row.label) == ("nq", model, label)
        and not one.row.read_off
    ]
    return found[0]


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


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"data": "sample"}, "data=sample"),
        ({"task_args": NQ_ARGS | {"codes": False}}, "codes=False"),
        ({"task_args": NQ_ARGS | {"confidence": True}}, "confidence=True"),
        (
            {"task_args": NQ_ARGS | {"protocol": "official-code"}},
            "protocol=official-code",
        ),
        ({"generate": GenerateConfig(temperature=0.0, top_p=1.0)}, "temperature=0.0"),
        ({"generate": GenerateConfig(temperature=1.0, top_p=0.5)}, "top_p=0.5"),
        ({"config": EvalConfig(limit=5)}, "limit=5"),
        ({"selected_rows": 40}, "20 of 40 rows run"),
    ],
)
def test_all_that_changes_numbers_makes_a_run_not_comparable(
    given: dict[str, Any], told: str
) -> None:
    found = one_row(of_nq(**given), label="false_refusal_rate")
    assert (found.reading, found.differences) == ("not comparable", (told,))
    assert one_row(of_nq(), label="false_refusal_rate").differences == ()


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


def test_protocol_lists_and_confidence_decide_what_bluff_can_reproduce() -> None:
    published = bluff_rows(
        of_bluff(AS_PUBLISHED | {"ptrue": "sample", "ptrue_samples": 5})
    )
    assert all(one.differences == () for one in published.values())
    ours = bluff_rows(of_bluff(BLUFF_ARGS))
    assert ours["asi"].differences == (
        "protocol=paper",
        "without official_lists",
        "ptrue=logprob",
        "ptrue_samples=10",
    )
    # refusals rest on no list and on no confidence
    assert ours["refusal_sensitivity"].differences == ("protocol=paper",)


def test_the_paper_s_run_config_of_bluff_is_accepted() -> None:
    import yaml

    path = (
        CliRunner()
        .invoke(main, ["reproduce", "--config", "bluff-paper"])
        .output.strip()
    )
    config = yaml.safe_load(Path(path).read_text())
    found = bluff_rows(of_bluff(BLUFF_ARGS | config["task"]["args"]))
    assert found["vui"].differences == ()
    assert config["generate_config"]["temperature"] == 0.3


def test_a_released_file_at_a_path_counts() -> None:
    assert (
        bluff_rows(of_bluff(data="/x.json", blob=RELEASED.blob))["vui"].differences
        == ()
    )
    assert bluff_rows(of_bluff(data="/x.json", blob="0" * 40))["vui"].differences == (
        "other data",
    )
    own = of_nq(data="/x", fingerprint="f")
    hub = of_nq("openai/o4-mini", fingerprint="f")
    told = ("data unknown: no data=hub log beside it",)
    assert one_row(own, label="false_refusal_rate").differences == told
    assert one_row(own, hub, label="false_refusal_rate").differences == ()


BLUFF_FILES: dict[str, Any] = {
    "prompt_file_blob": FILES["bluff"].blob,
    "ptrue_prompt_file_blob": FILES["bluff p(true)"].blob,
}


def test_a_copy_of_the_released_prompts_is_told_by_its_hashes() -> None:
    args = AS_PUBLISHED | {"prompt": "/home/me/copies"}
    copy = bluff_rows(of_bluff(args, **BLUFF_FILES))
    assert copy["vui"].differences == ()
    # p(true) was asked by another file
    other = bluff_rows(
        of_bluff(args, **BLUFF_FILES | {"ptrue_prompt_file_blob": "0" * 40})
    )
    told = "prompt=/home/me/copies (git blob 2f73c6318506)"
    assert other["vui"].differences == (told,)
    unknown = bluff_rows(of_bluff(args))
    assert unknown["vui"].differences == ("prompt=/home/me/copies",)


@pytest.mark.parametrize("argument", ["prompt", "judge_prompt"])
def test_a_copy_for_nq_is_told_by_a_run_on_the_fetched_file(argument: str) -> None:
    hashes: dict[str, Any] = {f"{argument}_file_blob": "b" * 40}
    path = "/home/me/run_models_all.py"
    copy = of_nq(task_args=NQ_ARGS | {argument: path}, **hashes)
    fetched = of_nq(
        "openai/o4-mini", task_args=NQ_ARGS | {argument: "official"}, **hashes
    )
    [difference] = one_row(copy, label="false_refusal_rate").differences
    assert difference == f"{argument}={path} (git blob {'b' * 12})"
    assert one_row(copy, fetched, label="false_refusal_rate").differences == ()


def shown(folder: Path, **args: Any) -> str:
    """Return what `reproduce` prints of a run of nq with some arguments."""
    task_args = NQ_ARGS | args
    write_log(folder, "openai/gpt-4o", samples(), task_args=task_args)
    return CliRunner().invoke(main, ["reproduce", str(folder)]).output


def test_other_words_are_told_only_of_runs_by_our_prompts(tmp_path: Path) -> None:
    official = shown(tmp_path / "a", prompt="official", judge_prompt="official")
    line = "asked by the authors' prompt, graded by the authors' prompt"
    assert line in official
    assert "other words" not in official
    ours = shown(tmp_path / "b", prompt="official")
    assert "asked by the authors' prompt, graded by this package's prompt" in ours
    assert "other words" in ours


def test_numbers_about_the_rows_need_no_settings() -> None:
    of = of_nq(
        "none/none", task_args=NQ_ARGS | {"judge": "offline", "prompt": "mine.txt"}
    )
    found = one_row(of, label="rows", model="data set")
    assert (found.measured.value, found.reading, found.differences) == (
        20,
        "not consistent",
        (),
    )


def test_numbers_that_follow_from_several() -> None:
    ratio = one_row(of_nq(), label="false_to_missed_ratio")
    assert ratio.measured.value == pytest.approx(6)
    rates = {
        "openai/gpt-4o": (6, 1),
        "openai/o4-mini": (2, 3),
        "openai/gpt-4.1": (4, 2),
    }
    runs = [of_nq(model, samples(x, y)) for model, (x, y) in rates.items()]
    best = one_row(*runs, model="all models", label="highest refusal_accuracy")
    assert (best.measured.value, best.differences[0]) == (0.9, "3 of 9 models")
    r = one_row(
        *runs,
        model="all models",
        label="correlation of false_refusal_rate and missed_refusal_rate",
    )
    assert r.measured.value == pytest.approx(-1)


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


def test_without_logs_it_lists_what_each_number_needs() -> None:
    result = CliRunner().invoke(main, ["reproduce"])
    counts = [
        result.output.count(reading) for reading in ("needs a log", "needs a sheet")
    ]
    assert counts == [sum(len(paper.rows) for paper in PAPERS) - 14, 14]
    assert "no ambiguous arm" in result.output
    assert CliRunner().invoke(main, ["reproduce", "--as", "x"]).exit_code == 1
