"""What a run in shards consists of, and the command line of
`inspect` for each shard.
"""

from hashlib import sha256

from pydantic import BaseModel

from refusalbench_tasks.errors import DataError

from .merge import shards_folder
from .shards import ShardLog, shard_logs
from .store import exists

# all that have the argument `shard`
TASKS = (
    "nq",
    "garage",
    "bluff",
    "perturb",
    "question",
    "search",
)
_OF_THE_WHOLE = (
    "--limit",
    "--sample-id",
    "--log-dir",
    "--model",
    "--model-role",
    "-T",
    "--run-config",
)
"""Options that would be applied to every shard, or twice."""


class WorkList(BaseModel, frozen=True):
    """A run in shards: what is asked, of whom, in how many parts, and where the logs
    lie.
    """

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

    def folder(self, shard: int) -> str:
        """Return the folder of the logs of one shard, from 1."""
        return f"{shards_folder(self.merged)}/{shard}"

    def check(self) -> None:
        """Raise DataError for what can't be cut into shards or would be set twice."""
        if self.task not in TASKS:
            raise DataError(
                f"cluster: no task '{self.task}'; known: {', '.join(TASKS)}"
            )
        for word in self.options:
            if word.partition("=")[0] in _OF_THE_WHOLE:
                raise DataError(
                    f"{word}: not after --, where it would be applied to every shard"
                )

    @property
    def key(self) -> str:
        """Return what each shard's log has as `shards_of`: it differs with all that is
        asked.
        """
        content = self.model_dump_json(exclude={"log_dir", "name"})
        return f"run-{sha256(content.encode()).hexdigest()[:16]}"

    def attempts(self, shard: int) -> list[ShardLog]:
        """Return the attempts at a shard, the one that counts last: finished, else with
        the most finished samples.

        Raises DataError for one that asked something else.
        """
        folder = self.folder(shard)
        logs = shard_logs([folder], damaged=True) if exists(folder) else []
        for log in logs:
            if log.facts.get("shards_of") != self.key:
                raise DataError(
                    f"{log.name}: a shard of another run; give what was given then, or"
                    " another --name"
                )
        return sorted(
            logs,
            key=lambda log: (log.finished, log.completed(), log.header.eval.created),
        )

    def finished(self, shard: int) -> bool:
        """Return whether an attempt at a shard ended as it should."""
        return any(log.finished for log in self.attempts(shard))

    def command(self, shard: int) -> list[str]:
        """Return the arguments of `inspect` for a shard that is not finished: it goes
        on from the best attempt.

        A sample is in the log as soon as it is finished (`--log-buffer 1`), so that a
        lost machine costs none.
        """
        ends = [
            "--display",
            "none",
            "--log-buffer",
            "1",
            "--log-dir",
            self.folder(shard),
        ]
        begun = [log for log in self.attempts(shard) if log.completed()]
        if begun:
            return ["eval-retry", begun[-1].name, *ends]
        ends = ["--metadata", f"shards_of={self.key}", *ends]
        roles = [word for role in self.model_roles for word in ("--model-role", role)]
        texts = (*self.task_args, f"shard={shard}/{self.shards}")
        args = [word for text in texts for word in ("-T", text)]
        return [
            "eval",
            f"refusalbench_tasks/{self.task}",
            "--model",
            self.model,
            *roles,
            *args,
            *self.options,
            *ends,
        ]
