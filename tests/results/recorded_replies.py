"""Replies of many kinds to the bundled rows, as a file."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

import refusalbench_tasks
from refusalbench_tasks.cli import main

SAID = (
    "REFUSE_INFO_MISSING_IN_CONTEXT",
    "{gold}",
    "I don't know.",
    "It was perhaps {gold} [1].\nThe sources differ.",
    "",
    "refuse_ambiguous",
    "{gold}\nCONFIDENCE: CONFIDENT",
    "\u202e<b>{gold}</b>\x00 {{query}} {0}",
)


STOPS = ("stop", "length", "content_filter", "unknown", "stop", "stop", "stop")


def replies(name: str, path: Path, epochs: int = 1, **arguments: Any) -> Path:
    """Write replies of many kinds to most of a task's rows, and some to none."""
    task = getattr(refusalbench_tasks, name)(
        data="sample", judge="offline", **arguments
    )
    rows: list[dict[str, Any]] = []
    for epoch in range(1, epochs + 1):
        for k, sample in enumerate(task.dataset):
            gold = [
                *sample.metadata.get("answers", []),
                sample.metadata.get("answer"),
                "gold",
            ][0]
            text = SAID[(k + epoch) % len(SAID)].replace("{gold}", gold or "so")
            row = {
                "id": sample.id,
                "epoch": epoch,
                "reply": text,
                "stop_reason": STOPS[k % len(STOPS)],
            }
            row |= (
                {"confidence": (k % 11) / 10}
                if k % 3
                else {"logprobs": {"A": -0.2, "B": -1.9}}
            )
            row |= {"passages": ["One [1] of two.", gold]} if k % 5 == 0 else {}
            rows += [row] if k % 7 else []
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def score(*words: str) -> Result:
    return CliRunner().invoke(main, ["score", *words])
