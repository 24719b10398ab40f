"""The replies of the scripted runs as tables, made of the scores that were kept and of
what the data says of rows.
"""

import gzip
import json
import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pandas as pd
from inspect_ai.scorer import Score

import refusalbench_tasks
from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.metrics.hedging_table import hedging_row, hedging_table
from refusalbench_tasks.metrics.reply_table import reply_row, reply_table
from refusalbench_tasks.replies.confidence import MIDPOINTS
from refusalbench_tasks.stats.estimate import Estimate

HERE = Path(__file__).parent
KEPT: Mapping[str, Any] = json.loads(
    gzip.decompress((HERE / "numbers.json.gz").read_bytes())
)
SCORERS = {
    "nq": "refusal_scores",
    "garage": "grounded_scores",
    "bluff": "hedging_scores",
}
_LEVELS = {midpoint: level.value for level, midpoint in MIDPOINTS.items()}
_ENDINGS = ("n", "stderr", "bootstrap_stderr", "low", "high")
FEW = {"per_stratum": 1}
RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    # nq: one passage
    "nq_cascade": ("nq", FEW | {"confidence": True}),
    "nq_cascade_beta": ("nq", FEW | {"confidence": True}),
    "nq_whole": ("nq", {"controls": "add"}),
    "nq_always_row": ("nq", FEW | {"judge": "always", "cluster": "row"}),
    "nq_offline": ("nq", {"judge": "offline", "controls": "add", "cluster": "row"}),
    "nq_controls_only": ("nq", {"controls": "only", "confidence": True}),
    "nq_without_codes": (
        "nq",
        FEW | {"codes": False, "controls": "add", "confidence": True},
    ),
    "nq_official": ("nq", FEW | {"protocol": "official-code", "confidence": True}),
    "nq_panel": ("nq", FEW),
    "nq_self_graded": ("nq", FEW),
    "nq_failing": ("nq", FEW | {"judge": "always"}),
    "nq_worlds": ("nq", {"data": str(HERE / "worlds_nq.jsonl")}),
    # garage: ten passages
    "garage_cascade": ("garage", FEW | {"confidence": True}),
    "garage_cascade_beta": ("garage", FEW | {"confidence": True}),
    "garage_claims": ("garage", {"raf": "claims", "controls": "add"}),
    "garage_always_row": ("garage", {"judge": "always", "cluster": "row"}),
    "garage_offline": ("garage", {"judge": "offline"}),
    "garage_without_codes": (
        "garage",
        FEW | {"codes": False, "controls": "add", "judge": "always"},
    ),
    "garage_official": ("garage", {"protocol": "official-code", "confidence": True}),
    # bluff: two sets of sources, and every way to ask how sure a model is
    "bluff_logprob": ("bluff", {}),
    "bluff_logprob_beta": ("bluff", {}),
    "bluff_votes_epochs": (
        "bluff",
        {"ptrue": "sample", "ptrue_samples": 5, "per_topic": 2},
    ),
    "bluff_verbal_always": (
        "bluff",
        {"ptrue": "verbal", "judge": "always", "cluster": "row", "per_topic": 2},
    ),
    "bluff_orders_judged": ("bluff", {"hedging": "judge"}),
    "bluff_votes_orders_attribution": (
        "bluff",
        {"ptrue": "sample", "attribution": "grader", "per_topic": 2},
    ),
    "bluff_lexicon_v1_offline": (
        "bluff",
        {"lexicon": "v1", "judge": "offline", "ptrue": "none"},
    ),
    "bluff_official": ("bluff", {"protocol": "official-code"}),
    "bluff_arms": ("bluff", {"arms": "clear,ambiguous,none,gold", "per_topic": 2}),
    "bluff_worlds": ("bluff", {"data": str(HERE / "worlds_bluff.jsonl")}),
}
"""The task of each run, with its arguments.

What they gave before the core was written anew is in `KEPT`.
"""


def replies(name: str) -> pd.DataFrame:
    """Return the table of a run, with what was undecided as unscored: so it was counted
    then, whoever was to blame.
    """
    task = RUNS[name][0]
    args = {"data": "sample", **RUNS[name][1]}
    rows = list((_hedging_rows if task == "bluff" else _refusal_rows)(name, args))
    table = (hedging_table if task == "bluff" else reply_table)(rows)
    none = table["outcome"] == "no_reply"
    table.loc[none, "outcome"] = "unscored"
    table.loc[none, "unscored" if task == "bluff" else "right"] = (
        True if task == "bluff" else math.nan
    )
    return table


def _scores(
    name: str, args: Mapping[str, Any]
) -> Iterator[tuple[dict[str, Any], dict[str, Any], Score]]:
    """Yield the metadata of each sample, the notes that every score has, and the score
    without notes.
    """
    task = RUNS[name][0]
    facts = {
        str(sample.id): sample.metadata or {}
        for sample in getattr(refusalbench_tasks, task)(**args).dataset
    }
    for key, sample in KEPT[name]["samples"].items():
        item, _, epoch = key.rpartition("@")
        kept = sample["scores"][SCORERS[task]]
        value = {
            name: math.nan if one is None else one
            for name, one in kept["value"].items()
        }
        notes = {
            "epoch": int(epoch),
            "protocol": args.get("protocol"),
            "cluster": args.get("cluster"),
        }
        yield (
            facts[item],
            notes,
            Score(value=value, answer=kept["answer"], reason=kept["reason"]),
        )


def _refusal_rows(name: str, args: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    asked = {
        "confidence_asked": args.get("confidence", False),
        "codes": args.get("codes", True),
    }
    for facts, notes, score in _scores(name, args):
        values: Any = score.value
        score.metadata = notes | asked | {"level": _LEVELS.get(values["confidence"])}
        yield reply_row(facts, score)


def _hedging_rows(name: str, args: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for facts, notes, score in _scores(name, args):
        quality = BluffItem.model_validate(facts).quality
        score.metadata = notes | {
            "judge": args.get("judge", "cascade"),
            "quality": quality,
        }
        yield hedging_row(facts, score)


def numbers(name: str, one: Estimate) -> dict[str, float]:
    """Return an estimate as a log of then had it."""
    found = {
        f"{name}_{'ci_' if end in ('low', 'high') else ''}{end}": getattr(one, end)
        for end in _ENDINGS
    }
    return {name: one.value, **found}
