"""What a run in shards consists of: what is asked, of whom, in how many parts, and where its logs lie."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.logs.shard_paths import shards_folder

TASKS = ("nq", "garage", "bluff", "perturb", "question")
"""The tasks that can be cut into shards."""
KEPT = frozenset((
    "--max-samples", "--max-tasks", "--max-subprocesses", "--max-sandboxes", "--fail-on-error", "--no-fail-on-error",
    "--continue-on-fail", "--retry-on-error", "--score-on-error", "--no-log-realtime", "--log-images",
    "--no-log-images", "--log-model-api", "--no-log-model-api", "--log-refusals", "--no-log-refusals", "--log-buffer",
    "--log-shared", "--no-score-display", "--adaptive-connections", "--max-retries", "--timeout", "--attempt-timeout",
    "--stream-idle-timeout", "--log-level", "--log-level-transcript", "--display", "--ctl-server", "--acp-server",
    "--traceback-locals", "--env",
))  # fmt: skip
"""Options of `inspect eval` that say how it runs and not what is asked; `inspect eval-retry` has them as well."""
_OURS = {
    "--log-dir": "give --log-dir before --",
    "--log-format": "shards are .eval logs",
    "--max-connections": "give --max-connections before --, and it is divided over the shards",
    "--model": "give --model before --",
    "--model-role": "give --model-role before --",
    "-T": "give -T before --",
    "--task-config": "give -T before --",
    "--run-config": "give the model and -T before --",
    "--limit": "it would cut every shard; use the task's own arguments, such as -T per_stratum=…",
    "--sample-id": "it would be looked for in every shard",
    "--detach": "shards are waited for",
    "--json": "shards are waited for",
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")


@dataclass(frozen=True)
class WorkList:
    """A run in shards. Build it with `work_list`, which looks at what was given."""

    task: str
    model: str
    shards: int
    log_dir: str
    name: str
    task_args: tuple[str, ...] = ()
    """`name=value` each, without the shard."""
    model_roles: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    """Further options of `inspect eval`."""

    @property
    def merged(self) -> str:
        """Return the name of the log of all shards."""
        return f"{self.log_dir.rstrip('/')}/{self.name}.eval"

    @property
    def folder(self) -> str:
        """Return the folder with a folder for each shard."""
        return shards_folder(self.merged)

    def folder_of(self, shard: int) -> str:
        """Return the folder of the logs of one shard, from 1."""
        return f"{self.folder}/{shard}"

    def facts(self) -> dict[str, object]:
        """Return what must stay the same when the run is continued."""
        return {
            "task": self.task,
            "model": self.model,
            "shards": self.shards,
            "task arguments": sorted(self.task_args),
            "model roles": list(self.model_roles),
            "options": [word for group in grouped(self.options) if group[0] not in KEPT for word in group],
        }


def work_list(
    task: str,
    model: str,
    shards: int,
    log_dir: str,
    name: str | None = None,
    task_args: Sequence[str] = (),
    model_roles: Sequence[str] = (),
    options: Sequence[str] = (),
) -> WorkList:
    """Return the work list of a run. Raises DataError for what can't be cut or would be set twice."""
    short = task.removeprefix("refusalbench_tasks/")
    if short not in TASKS:
        raise DataError(f"cluster: no task '{task}'; known: {', '.join(TASKS)}")
    if shards < 1:
        raise DataError(f"--shards: expected a number from 1 on, got {shards}")
    if not _NAME.fullmatch(name or short):
        raise DataError(f"--name: expected letters, digits, dots, dashes or underscores, got {name!r}")
    for text in task_args:
        if "=" not in text:
            raise DataError(f"-T {text}: expected name=value")
        if text.partition("=")[0] == "shard":
            raise DataError("-T shard: every shard of the run gets its own; leave it out")
    for group in grouped(options):
        reason = _OURS.get(group[0])
        if reason:
            raise DataError(f"{group[0]}: not after --; {reason}")
    return WorkList(
        f"refusalbench_tasks/{short}",
        model,
        shards,
        log_dir,
        name or short,
        tuple(task_args),
        tuple(model_roles),
        tuple(options),
    )


def grouped(options: Sequence[str]) -> list[tuple[str, ...]]:
    """Return options with their values: `--limit 5 --no-score` is two, and `--limit=5` is `--limit` and `5`.

    Raises DataError for a value without an option.
    """
    groups: list[list[str]] = []
    for word in options:
        if re.match(r"--?[A-Za-z]", word):
            name, sign, value = word.partition("=")
            groups.append([name, value] if sign else [name])
        elif groups and len(groups[-1]) == 1:
            groups[-1].append(word)
        else:
            raise DataError(f"'{word}': not an option of `inspect eval`")
    return [tuple(group) for group in groups]


def divided(limit: int | None, wanted: int) -> tuple[int, int | None]:
    """Return how many shards may run at once, and with how many connections each; None leaves these to Inspect.

    Together they never have more than `limit`, and each has one at least: with fewer connections than shards wanted
    at once, fewer run (our definition). Raises DataError for numbers below 1.
    """
    if wanted < 1:
        raise DataError(f"--parallel: expected a number from 1 on, got {wanted}")
    if limit is None:
        return wanted, None
    if limit < 1:
        raise DataError(f"--max-connections: expected a number from 1 on, got {limit}")
    at_once = min(wanted, limit)
    return at_once, limit // at_once
