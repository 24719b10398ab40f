"""The attempts at the shards of a run, as their logs lie in its folder."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from inspect_ai.log import list_eval_logs, read_eval_log_sample_summaries

from refusalbench_tasks.files.log_members import read_header
from refusalbench_tasks.scale.shard_set import ShardLog
from refusalbench_tasks.scale.standing import Attempt
from refusalbench_tasks.scale.storage import exists

_READERS = 8


def shard_logs(folder: str) -> list[ShardLog]:
    """Return the logs of shards below a folder; one that can't be read is left out: its process was killed."""
    if not exists(folder):
        return []
    names = sorted(info.name for info in list_eval_logs(folder, descending=False))
    with ThreadPoolExecutor(_READERS) as pool:
        read = list(pool.map(_log, names))
    return [log for log in read if log is not None and "shard" in (log.header.eval.metadata or {})]


def attempts_of(logs: Sequence[ShardLog]) -> list[Attempt]:
    """Return the attempts that the logs are of."""
    return [Attempt(log.shard, log.name, log.finished, _samples(log), log.header.eval.created) for log in logs]


def _log(name: str) -> ShardLog | None:
    try:
        return ShardLog.of_header(name, read_header(name))
    except Exception:  # anything can be wrong with a file that was not finished
        return None


def _samples(log: ShardLog) -> int:
    if log.finished:
        results = log.header.results
        return results.completed_samples if results else 0
    try:
        return sum(one.completed and not one.error for one in read_eval_log_sample_summaries(log.name))
    except Exception:  # as above: then there is nothing to go on from
        return 0
