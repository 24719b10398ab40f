"""Rows to train on and to test with, and what replies to them did."""

import json
from collections import defaultdict
from collections.abc import Mapping
from importlib import resources
from itertools import chain, count
from pathlib import Path
from typing import Any

from refusalbench_tasks.taxonomy import Label
from refusalbench_tasks.worlds.quad_rows import CELLS, row
from refusalbench_tasks.worlds.reply import due_label, reply_verdict
from refusalbench_tasks.worlds.reward import reward

Row = dict[str, Any]
HELD_OUT = 9_000
"""The seed of the rows to test with."""
RELATIONS = ("unicycles", "tandems")
"""What rows ask for: until when a workshop takes these in."""
BATCH = 8
WORDS = 150
"""Words of the longest document."""
DATA = resources.files("refusalbench_tasks.datasets") / "data" / "nq_sample.jsonl"
PLAIN = Path(__file__).parent / "plain_questions.jsonl"


def batches(seed: int, relations: int, quads: int) -> list[list[Row]]:
    """Return the rows of quads that ask for the first so many relations, in batches."""
    rows: list[Row] = []
    for start in count(0, CELLS):
        if len(rows) >= CELLS * quads:
            break
        quad = [row(seed, start + place, ("repairs",)) for place in range(CELLS)]
        form = quad[0]["logical_form"]
        is_asked = any(f"relation='{name}'" in form for name in RELATIONS[:relations])
        is_short = max(item["knobs"]["words"] for item in quad) <= WORDS
        if is_asked and is_short and quad[0]["knobs"]["hops"] == 1:
            rows += quad
    return [rows[first : first + BATCH] for first in range(0, len(rows), BATCH)]


def gold(item: Row) -> str:
    """Return the right reply to a row: the answer or the code."""
    due = due_label(item)
    return str(item["original_answers"][0]) if due is Label.ANSWER else due.value


def tests(quads: int) -> Mapping[str, list[Row]]:
    """Return held-out rows of quads, the bundled rows of nq that have an answer, and
    questions without a passage.
    """
    nq, plain = (
        [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        for file in (DATA, PLAIN)
    )
    return {
        "worlds": list(chain(*batches(HELD_OUT, len(RELATIONS), quads))),
        "nq": [item for item in nq if due_label(item) is Label.ANSWER],
        "plain": plain[::2],
    }


def outcomes(rows: list[Row], replies: list[str]) -> dict[str, list[Any]]:
    """Return what replies to rows did, a value a row."""
    columns: dict[str, list[Any]] = defaultdict(list)
    for item, reply in zip(rows, replies, strict=True):
        verdict = reply_verdict(item, reply)
        text = reply.lower()
        words = item.get("answers") or item["original_answers"]
        columns["id"].append(item.get("id", item.get("query")))
        columns["answerable"].append(int(due_label(item) is Label.ANSWER))
        columns["right"].append(int(verdict == "right answer"))
        # a code counts wherever it stands
        columns["refuses"].append(int("REFUSE_" in reply or "refusal" in verdict))
        columns["gives"].append(int(any(word.lower() in text for word in words)))
        columns["earned"].append(reward(item, reply))
        columns["reply"].append(reply)
    return columns
