"""One log out of the logs of a run's shards, in the layout of Inspect's shard sets."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from secrets import token_hex

from inspect_ai.log import (
    EvalLog,
    EvalResults,
    EvalSample,
    EvalShardEntry,
    EvalShards,
    read_eval_log,
    recompute_metrics,
)
from inspect_ai.model import ModelUsage
from pydantic_core import to_json

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.log_reading import unreadable
from refusalbench_tasks.safe_writing import write_log

from .shards import ShardLog, without_shard
from .store import copy_to, exists

# what only the log of a part has
_OF_SHARD = {
    "shard",
    "of",
    "whole_rows",
    "whole_fingerprint",
    "shards_of",
}


def shards_folder(merged: str) -> str:
    """Return the folder for the shards of a merged log, where Inspect's viewer expects
    it.
    """
    return f"{merged.removesuffix('.eval')}.shards"


def merge_shards(
    shards: Sequence[ShardLog],
    target: str,
) -> EvalLog:
    """Write one log of all samples of the shards, and lay the shards beside it in
    NAME.shards/K/; return it.

    Metrics are computed anew over all samples, which are held in memory meanwhile.
    Raises DataError for a target that exists, a damaged shard, and a shard whose
    samples are not those that it says it has.
    """
    if not target.endswith(".eval"):
        raise DataError(f"{target}: a log's name ends in .eval")
    if exists(target):
        raise DataError(
            f"{target}: exists already; choose another name for the merged log"
        )
    merged = _header(shards)
    merged.samples = []
    for log in shards:
        merged.samples += _samples(log)
    errors = sum(sample.error is not None for sample in merged.samples)
    total = len(merged.samples)
    results = merged.results or EvalResults()
    results.total_samples = total
    results.completed_samples = total - errors
    merged.results = results
    recompute_metrics(merged)
    write_log(merged, target)
    for log in shards:
        copy_to(log.name, f"{shards_folder(target)}/{log.facts['shard']}/{log.file}")
    return merged


def _samples(log: ShardLog) -> list[EvalSample]:
    name = log.name
    try:
        samples = read_eval_log(name).samples or []
    except Exception as error:  # anything can be wrong with a file
        raise unreadable(name, error) from None
    strangers = {sample.id for sample in samples} - set(log.ids)
    if strangers:
        raise DataError(
            f"{name}: its sample {min(map(str, strangers))!r} is none of its rows;"
            " run the shard again"
        )
    distinct = {(sample.id, sample.epoch) for sample in samples}
    if not len(distinct) == len(samples) == log.planned:
        raise DataError(
            f"{name}: holds {len(samples)} of its {log.planned} samples; run the"
            " shard again"
        )
    return samples


def _header(shards: Sequence[ShardLog]) -> EvalLog:
    """Return the header of the whole: the first shard's, without what says that it is
    one.
    """
    first = shards[0]
    header = first.header.model_copy(deep=True)
    spec = header.eval
    ids = [name for log in shards for name in log.ids]
    facts = {name: fact for name, fact in first.facts.items() if name not in _OF_SHARD}
    if "selected_fingerprint" in facts:
        facts["selected_rows"] = len(ids)
        facts["selected_fingerprint"] = first.facts["whole_fingerprint"]
    if "planned" in facts:
        facts["planned"] = sum(int(log.facts["planned"]) for log in shards)
    spec.eval_id = token_hex(11)
    spec.run_id = token_hex(11)
    spec.task_id = token_hex(11)
    spec.created = datetime.now(UTC).isoformat(timespec="seconds")
    spec.task_args = without_shard(spec.task_args)
    spec.task_args_passed = without_shard(spec.task_args_passed)
    spec.dataset.samples = len(ids)
    spec.dataset.sample_ids = ids
    spec.metadata = facts
    ledger = [_entry(log) for log in shards]
    spec.shards = EvalShards(selection="ids", ledger=ledger)
    stats = [log.header.stats for log in shards]
    started = [each.started_at for each in stats if each.started_at]
    completed = [each.completed_at for each in stats if each.completed_at]
    total = header.stats
    total.started_at = min(started, default="")
    total.completed_at = max(completed, default="")
    total.model_usage = _summed(each.model_usage for each in stats)
    total.role_usage = _summed(each.role_usage for each in stats)
    return header


def _summed(usages: Iterable[Mapping[str, ModelUsage]]) -> dict[str, ModelUsage]:
    total: dict[str, ModelUsage] = {}
    for usage in usages:
        for name, tokens in usage.items():
            total[name] = total[name] + tokens if name in total else tokens
    return total


def _entry(log: ShardLog) -> EvalShardEntry:
    stats = log.header.stats
    return EvalShardEntry(
        shard=str(log.facts["shard"]),
        log=log.file,
        eval_set_id=log.header.eval.eval_set_id,
        status=log.header.status,
        samples=log.planned,
        selected=len(log.ids),
        selection_digest=sha256(to_json(log.ids)).hexdigest(),
        started_at=stats.started_at,
        completed_at=stats.completed_at,
        model_usage=stats.model_usage,
        role_usage=stats.role_usage,
        size=log.size,
    )
