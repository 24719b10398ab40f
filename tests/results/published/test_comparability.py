"""What keeps a run from reproducing a published number."""

from typing import Any

import pytest
from inspect_ai.log import EvalConfig
from inspect_ai.model import GenerateConfig

from refusalbench_tasks.datasets.bluff import RELEASED
from refusalbench_tasks.prompting.released_files import FILES
from tests.results.published.published_runs import (
    AS_PUBLISHED,
    BLUFF_ARGS,
    NQ_ARGS,
    bluff_rows,
    of_bluff,
    of_nq,
    one_row,
)


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
