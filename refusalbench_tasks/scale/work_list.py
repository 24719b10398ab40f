"""What a run in shards consists of, and the command line of `inspect` for each shard."""

import re
from collections.abc import Mapping
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.scale.merge import shards_folder
from refusalbench_tasks.scale.shard_set import ShardLog, shard_logs
from refusalbench_tasks.scale.store import exists, read_text, write_text

TASKS = ("nq", "garage", "bluff", "perturb", "question")
"""The tasks that can be cut into shards."""
_NOT_AFTER: Mapping[str, str] = {
    **dict.fromkeys(("--log-dir", "--max-connections", "--model", "--model-role", "-T"), "give it before --"),
    **dict.fromkeys(("--task-config", "--run-config"), "give the model and -T before --"),
    **dict.fromkeys(("--limit", "--sample-id"), "it would be applied to every shard"),
    **dict.fromkeys(("--detach", "--json"), "shards are waited for"),
    "--log-format": "shards are .eval logs",
}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}")
_QUIET = ("--display", "none")
_AT_ONCE = ("--log-buffer", "1")
"""A sample is in the log as soon as it is finished, so that a lost machine costs none."""


class WorkList(BaseModel):
    """A run in shards: what is asked, of whom, in how many parts, and where the logs lie."""

    model_config = ConfigDict(frozen=True)

    task: str
    model: str
    shards: int = Field(ge=1)
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

    def folder(self, shard: int | Literal[""] = "") -> str:
        """Return the folder of the logs of one shard, from 1, or of all."""
        return f"{shards_folder(self.merged)}/{shard}".rstrip("/")

    def check(self) -> None:
        """Raise DataError for what can't be cut into shards or would be set twice."""
        if self.task not in TASKS:
            raise DataError(f"cluster: no task '{self.task}'; known: {', '.join(TASKS)}")
        if not _NAME.fullmatch(self.name):
            raise DataError(f"--name: expected letters, digits, dots, dashes or underscores, got {self.name!r}")
        for text in self.task_args:
            if "=" not in text or text.startswith("shard="):
                raise DataError(f"-T {text}: expected name=value, and no shard, which every shard gets by itself")
        for word in self.options:
            if why := _NOT_AFTER.get(word.partition("=")[0]):
                raise DataError(f"{word}: not after --; {why}")

    def claim(self) -> None:
        """Note beside the shards what they are of. Raises DataError if they are of another run."""
        place = f"{self.folder()}/work.yaml"
        facts = self.model_dump(mode="json", exclude={"log_dir", "name"})
        text = read_text(place)
        if text is None:
            write_text(place, yaml.safe_dump(facts, sort_keys=False))
            return
        there = yaml.safe_load(text)
        for name, value in facts.items():
            if not isinstance(there, dict) or there.get(name) != value:
                old = there.get(name) if isinstance(there, dict) else None
                raise DataError(
                    f"{self.folder()}: shards of another run: {name} {old!r}, here {value!r}; "
                    "give what was given then, or another --name"
                )

    def attempts(self, shard: int) -> list[ShardLog]:
        """Return the attempts at a shard, the one that counts last: finished, else with the most finished samples."""
        folder = self.folder(shard)
        logs = shard_logs([folder], damaged=True) if exists(folder) else []
        return sorted(logs, key=lambda log: (log.finished, log.completed(), log.header.eval.created))

    def command(self, shard: int, connections: int | None) -> list[str]:
        """Return the arguments of `inspect` for a shard that is not finished: it goes on from the best attempt."""
        limits = ["--max-connections", str(connections)] if connections is not None else []
        ends = [*_QUIET, *_AT_ONCE, *limits, "--log-dir", self.folder(shard)]
        begun = [log for log in self.attempts(shard) if log.completed()]
        if begun:
            return ["eval-retry", begun[-1].name, *ends]
        roles = [word for role in self.model_roles for word in ("--model-role", role)]
        texts = (*self.task_args, f"shard={shard}/{self.shards}")
        args = [word for text in texts for word in ("-T", text)]
        return ["eval", f"refusalbench_tasks/{self.task}", "--model", self.model, *roles, *args, *self.options, *ends]


def divided(limit: int | None, wanted: int) -> tuple[int, int | None]:
    """Return how many shards may run at once, and with how many connections each; None leaves these to Inspect.

    Together they never have more than `limit`, and each has one at least (our definition).
    """
    if limit is None:
        return wanted, None
    at_once = min(wanted, limit)
    return at_once, limit // at_once
