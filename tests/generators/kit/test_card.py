"""The data card."""

from typing import Any

import yaml
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSpec, EvalStats
from inspect_ai.model import ModelConfig, ModelUsage

from refusalbench_tasks.generators.kit.card import DataCard


def header(**usage: Any) -> EvalLog:
    spec = EvalSpec(
        created="2026-11-23T12:00:00+00:00",
        task="perturb",
        dataset=EvalDataset(),
        model="openai/w",
        config=EvalConfig(),
        task_args={"seed": 3},
        packages={"inspect_ai": "0.3"},
        metadata={
            "prompts": {"writer.txt": "abc"},
            "licence": "CC0-1.0",
            "own_levers": ["x" * 999],
        },
        model_roles={"verifier": [ModelConfig(model="openai/v")]},
    )
    return EvalLog(
        eval=spec, stats=EvalStats(model_usage={"openai/w": ModelUsage(**usage)})
    )


def card(**changes: Any) -> str:
    given: dict[str, Any] = {
        "name": "Rows",
        "about": "Ten rows.",
        "licence": "CC0-1.0",
        "rows": 10,
        "files": {"rows": "rows.jsonl"},
        "runs": [
            header(input_tokens=1, output_tokens=2, input_tokens_cache_write=5000)
        ],
        "settings": {"seed": 42},
        "sections": [("Yield", ["All of it.", ""])],
    }
    return DataCard(**(given | changes)).markdown()


def test_the_card_says_where_rows_are_from_and_what_they_cost() -> None:
    text = card()
    front = yaml.safe_load(text.split("---")[1])
    assert (front["license"], front["language"], front["writers"]) == (
        "cc0-1.0",
        ["en"],
        ["openai/w"],
    )
    assert front["configs"][0]["data_files"] == [
        {"split": "test", "path": "rows.jsonl"}
    ]
    for said in (
        "verifier: `openai/v`",
        "seed 3",
        "writer.txt `abc`",
        "## Yield\n\nAll of it.\n\n## Checked",
        "seed: 42",
    ):
        assert said in text
    assert (
        "| openai/w | 1 | 0 | 5,000 | 2 |" in text
        or "| openai/w | 1 | 0 | 5000 | 2 |" in text
    )
    assert "xxx" not in text


def test_the_card_holds_what_people_found_or_says_that_nobody_looked() -> None:
    assert "Nobody has checked these rows" in card()
    assert "Nobody has checked" not in card(people="Of 10 items 9 pass.")
    assert yaml.safe_load(card(licence="own").split("---")[1])["license_name"] == "own"
