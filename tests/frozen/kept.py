"""The replies of the scripted runs as tables, made of the scores that were kept and of what the data says of rows."""

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
from inspect_ai.scorer import Score

import refusalbench_tasks
from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.metrics.hedging_table import hedging_row, hedging_table
from refusalbench_tasks.metrics.reply_table import reply_row, reply_table
from refusalbench_tasks.replies.confidence import MIDPOINTS
from refusalbench_tasks.stats.estimate import Estimate
from tests.frozen.runs import NUMBERS, RUNS, read

KEPT: Mapping[str, Any] = read(NUMBERS)
SCORERS = {"nq": "refusal_scores", "garage": "grounded_scores", "bluff": "hedging_scores"}
_LEVELS = {midpoint: level.value for level, midpoint in MIDPOINTS.items()}
_ENDINGS = ("n", "stderr", "bootstrap_stderr", "low", "high")


def args_of(name: str) -> dict[str, Any]:
    """Return the arguments of a run's task."""
    return {"data": "sample", **RUNS[name].args}


def replies(name: str) -> pd.DataFrame:
    """Return the table of a run, with what was undecided as unscored: so it was counted then, whoever was to blame."""
    task, args = RUNS[name].task, args_of(name)
    rows = list((_hedging_rows if task == "bluff" else _refusal_rows)(name, args))
    table = (hedging_table if task == "bluff" else reply_table)(rows)
    none = table["outcome"] == "no_reply"
    table.loc[none, "outcome"] = "unscored"
    table.loc[none, "unscored" if task == "bluff" else "right"] = True if task == "bluff" else math.nan
    return table


def _scores(name: str, args: Mapping[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any], Score]]:
    """Yield the metadata of each sample, the notes that every score has, and the score without notes."""
    task = RUNS[name].task
    facts = {str(sample.id): sample.metadata or {} for sample in getattr(refusalbench_tasks, task)(**args).dataset}
    for key, sample in KEPT[name]["samples"].items():
        item, _, epoch = key.rpartition("@")
        kept = sample["scores"][SCORERS[task]]
        value = {name: math.nan if one is None else one for name, one in kept["value"].items()}
        notes = {"epoch": int(epoch), "protocol": args.get("protocol"), "cluster": args.get("cluster")}
        yield facts[item], notes, Score(value=value, answer=kept["answer"], reason=kept["reason"])


def _refusal_rows(name: str, args: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    asked = {"confidence_asked": args.get("confidence", False), "codes": args.get("codes", True)}
    for facts, notes, score in _scores(name, args):
        values: Any = score.value
        score.metadata = notes | asked | {"level": _LEVELS.get(values["confidence"])}
        yield reply_row(facts, score)


def _hedging_rows(name: str, args: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for facts, notes, score in _scores(name, args):
        quality = BluffItem.model_validate(facts).quality
        score.metadata = notes | {"judge": args.get("judge", "cascade"), "quality": quality}
        yield hedging_row(facts, score)


def numbers(name: str, one: Estimate) -> dict[str, float]:
    """Return an estimate as a log of then had it."""
    found = {f"{name}_{'ci_' if end in ('low', 'high') else ''}{end}": getattr(one, end) for end in _ENDINGS}
    return {name: one.value, **found}
