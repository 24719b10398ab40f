"""The command line that works on a shard: `inspect eval`, or `inspect eval-retry` from the attempt that is there."""

from collections.abc import Sequence

from refusalbench_tasks.scale.standing import Standing
from refusalbench_tasks.scale.work_list import KEPT, WorkList, grouped

_QUIET = ("--display", "none")
# a sample is in the log as soon as it is finished, so that a lost machine costs none
_AT_ONCE = ("--log-buffer", "1")


def shard_command(work: WorkList, standing: Standing, connections: int | None) -> list[str]:
    """Return the arguments of `inspect` for a shard that is not finished; its log goes to the shard's folder."""
    folder = work.folder_of(standing.shard)
    limits = ["--max-connections", str(connections)] if connections is not None else []
    if standing.log:
        kept = [word for group in grouped(work.options) if group[0] in KEPT for word in group]
        return ["eval-retry", standing.log, *_defaults(kept), *kept, *limits, "--log-dir", folder]
    asked = ["--model", work.model]
    for role in work.model_roles:
        asked += ["--model-role", role]
    for text in (*work.task_args, f"shard={standing.shard}/{work.shards}"):
        asked += ["-T", text]
    return ["eval", work.task, *asked, *_defaults(work.options), *work.options, *limits, "--log-dir", folder]


def _defaults(options: Sequence[str]) -> list[str]:
    given = {group[0] for group in grouped(options)}
    return [word for default in (_QUIET, _AT_ONCE) if default[0] not in given for word in default]


def cluster_command(work: WorkList, parallel: int, max_connections: int | None) -> list[str]:
    """Return the words of `refusalbench cluster` for the run, up to what says which part of it; options come after."""
    words = ["refusalbench", "cluster", work.task.rpartition("/")[2], "--model", work.model]
    words += ["--shards", str(work.shards), "--log-dir", work.log_dir, "--name", work.name]
    for text in work.task_args:
        words += ["-T", text]
    for role in work.model_roles:
        words += ["--model-role", role]
    if max_connections is not None:
        words += ["--parallel", str(parallel), "--max-connections", str(max_connections)]
    return words
