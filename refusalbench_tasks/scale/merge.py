"""One log out of the logs of a run's shards, in the layout of Inspect's shard sets."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

from inspect_ai.log import (
    EvalLog,
    EvalResults,
    EvalSample,
    EvalShardEntry,
    EvalShards,
    read_eval_log,
    recompute_metrics,
    write_eval_log,
)
from inspect_ai.model import ModelUsage
from pydantic_core import to_json

from refusalbench_tasks.errors import DataError, WriteError
from refusalbench_tasks.log_reading import unreadable
from refusalbench_tasks.scale.shard_set import ShardLog, ShardSet, without_shard
from refusalbench_tasks.scale.store import copy_to, exists, size_and_time

_OF_SHARD = {"shard", "of", "whole_rows", "whole_fingerprint"}


def shards_folder(merged: str) -> str:
    """Return the folder for the shards of a merged log, where Inspect's viewer expects it."""
    return f"{merged.removesuffix('.eval')}.shards"


def merge(found: ShardSet, target: str) -> EvalLog:
    """Write one log of all samples of the shards, and lay the shards beside it in NAME.shards/K/; return it.

    Metrics are computed anew over all samples, which are held in memory meanwhile. Raises DataError for a target that
    exists, a damaged shard, and a sample that its shard does not list.
    """
    if exists(target):
        raise DataError(f"{target}: exists already; choose another name for the merged log")
    parts = [_samples(log) for log in found.shards]
    merged = _header(found, [len(part) for part in parts])
    merged.samples = [sample for part in parts for sample in part]
    total = sum(log.planned for log in found.shards)
    merged.results = (merged.results or EvalResults()).model_copy(
        update={
            "total_samples": total,
            "completed_samples": sum(sample.error is None for sample in merged.samples),
        }
    )
    recompute_metrics(merged)
    try:
        write_eval_log(merged, target)
    except OSError as error:
        raise WriteError(f"{target}: cannot be written ({error.strerror or error})") from None
    for log in found.shards:
        copy_to(log.name, f"{shards_folder(target)}/{log.shard}/{log.file}")
    return merged


def _samples(log: ShardLog) -> list[EvalSample]:
    try:
        samples = read_eval_log(log.name).samples or []
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(log.name, error) from None
    strangers = {sample.id for sample in samples} - set(log.ids)
    if strangers:
        raise DataError(f"{log.name}: its sample {min(map(str, strangers))!r} is none of its rows; run the shard again")
    return samples


def _header(found: ShardSet, numbers: Sequence[int]) -> EvalLog:
    """Return the header of the whole: the first shard's, without what says that it is one."""
    header = found.shards[0].header.model_copy(deep=True)
    spec = header.eval
    ids = [name for log in found.shards for name in log.ids]
    entries = [_entry(log, n) for log, n in zip(found.shards, numbers, strict=True)]
    header.eval = spec.model_copy(
        update={
            "eval_id": _id(found, "eval"),
            "run_id": _id(found, "run"),
            "task_id": _id(found, "task"),
            "created": datetime.now(UTC).isoformat(timespec="seconds"),
            "task_args": without_shard(spec.task_args),
            "task_args_passed": without_shard(spec.task_args_passed),
            "dataset": spec.dataset.model_copy(update={"samples": len(ids), "sample_ids": ids}),
            "metadata": _metadata(found, len(ids)),
            "shards": EvalShards(selection="ids", ledger=entries),
        }
    )
    header.status = "success" if not found.missing else "cancelled"
    header.error = None
    every = [log.header.stats for log in found.shards]
    header.stats = header.stats.model_copy(
        update={
            "started_at": min((one.started_at for one in every if one.started_at), default=""),
            "completed_at": max((one.completed_at for one in every if one.completed_at), default=""),
            "model_usage": _summed(one.model_usage for one in every),
            "role_usage": _summed(one.role_usage for one in every),
        }
    )
    return header


def _metadata(found: ShardSet, rows: int) -> dict[str, Any]:
    """Return what the task noted of its data, as a run that was never cut notes it."""
    about = found.shards[0].facts
    noted = {key: value for key, value in about.items() if key not in _OF_SHARD}
    if "selected_fingerprint" in noted:
        noted |= {"selected_rows": rows, "selected_fingerprint": _fingerprint(found, about)}
    if "planned" in noted:
        noted["planned"] = sum(int(log.facts["planned"]) for log in found.shards)
    return noted


def _fingerprint(found: ShardSet, about: Mapping[str, Any]) -> str:
    """Return the fingerprint of the selected rows as a whole run has it; of a part, one of its own."""
    if not found.missing:
        return str(about["whole_fingerprint"])
    parts = "|".join([str(about["whole_fingerprint"]), *(str(log.shard) for log in found.shards)])
    return sha256(parts.encode()).hexdigest()[:16]


def _summed(usages: Iterable[Mapping[str, ModelUsage]]) -> dict[str, ModelUsage]:
    total: dict[str, ModelUsage] = {}
    for usage in usages:
        for name, one in usage.items():
            total[name] = total[name] + one if name in total else one
    return total


def _entry(log: ShardLog, samples: int) -> EvalShardEntry:
    stats = log.header.stats
    size, changed = size_and_time(log.name)
    return EvalShardEntry(
        shard=str(log.shard),
        log=log.file,
        eval_set_id=log.header.eval.eval_set_id,
        status=log.header.status,
        error=log.header.error,
        samples=samples,
        selected=len(log.ids),
        selection_digest=sha256(to_json(log.ids)).hexdigest(),
        started_at=stats.started_at,
        completed_at=stats.completed_at,
        model_usage=stats.model_usage,
        role_usage=stats.role_usage,
        size=size,
        mtime=changed,
    )


def _id(found: ShardSet, kind: str) -> str:
    """Return an id that follows from the shards, so that merging them again gives the same."""
    text = "|".join([kind, *(log.header.eval.eval_id for log in found.shards)])
    return sha256(text.encode()).hexdigest()[:22]
