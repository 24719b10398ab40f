"""`refusalbench cluster`: a run in shards on many machines, or on many processes of this one."""

import os
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.scale.shard_run import Outcome, Setting
    from refusalbench_tasks.scale.standing import Standing
    from refusalbench_tasks.scale.work_list import WorkList

_STOPPED = 130
"""The exit status of a command that Ctrl-C ended."""


@click.command(context_settings={"ignore_unknown_options": False})
@click.argument("task")
@click.option("--model", required=True, help="The evaluated model, as in `inspect eval`.")
@click.option("--shards", required=True, type=int, help="In how many parts the run is cut.")
@click.option("--log-dir", required=True, help="Folder or URL (s3://, gcs://) for NAME.eval and NAME.shards/.")
@click.option("--name", help="NAME of the merged log; the task's name without it.")
@click.option("-T", "task_args", multiple=True, metavar="NAME=VALUE", help="An argument of the task.")
@click.option("--model-role", "model_roles", multiple=True, metavar="ROLE=MODEL", help="A model for a role.")
@click.option("--max-connections", type=int, help="Connections of all shards together to a provider.")
@click.option("--parallel", type=int, help="How many shards run at once; as many as the cluster has room for.")
@click.option("--cpus", type=float, default=1.0, show_default=True, help="Processors for each shard.")
@click.option("--gpus", type=float, default=0.0, show_default=True, help="GPUs for each shard.")
@click.option("--retries", type=int, default=3, show_default=True, help="New tries at a shard whose node is lost.")
@click.option("--env", "variables", multiple=True, metavar="NAME", help="A variable of this environment for the nodes.")
@click.option("--address", help="The Ray cluster; RAY_ADDRESS, one of this machine, or a new one without it.")
@click.option("--local-processes", type=int, help="Without Ray: so many shards at once on this machine.")
@click.option("--only", type=int, help="Work on this one shard, here; no merge.")
@click.option("--merge/--no-merge", default=True, help="Merge at the end, once every shard is finished.")
@click.option("--print", "form", type=click.Choice(["slurm", "kubernetes", "flow"]), help="Write the work list only.")
@click.option("--image", help="With --print kubernetes: the image with this package in it.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def cluster(
    task: str, model: str, shards: int, log_dir: str, name: str | None, task_args: tuple[str, ...],
    model_roles: tuple[str, ...], options: tuple[str, ...], merge: bool, form: str | None, **given: Any,
) -> None:  # fmt: skip
    """Run TASK in shards, each by `inspect eval` in a process of its own, and merge them.

    Run again, it does only what is missing. OPTIONS of `inspect eval` come last, after `--`.
    """
    from refusalbench_tasks.scale.manifest import claim
    from refusalbench_tasks.scale.storage import absolute
    from refusalbench_tasks.scale.work_list import work_list

    work = work_list(task, model, shards, absolute(log_dir), name, task_args, model_roles, options)
    if form:
        click.echo(_printed(work, form, given), nl=False)
        return
    environment = _environment(given["variables"])
    claim(work)
    if given["only"] is not None:
        _one(work, environment, given)
        return
    if _all(work, environment, given) and merge:
        _merge(work)


def _printed(work: "WorkList", form: str, given: dict[str, Any]) -> str:
    from refusalbench_tasks.scale.flow import flow_spec
    from refusalbench_tasks.scale.kubernetes import kubernetes_jobs
    from refusalbench_tasks.scale.resources import Resources
    from refusalbench_tasks.scale.slurm import slurm_script
    from refusalbench_tasks.scale.work_list import divided

    limit = given["max_connections"]
    at_once, _ = divided(limit, given["parallel"] or work.shards)
    resources = Resources(given["cpus"], given["gpus"], given["retries"])
    if form == "flow":
        return flow_spec(work, at_once, limit)
    if form == "slurm":
        return slurm_script(work, resources, at_once, limit)
    if not given["image"]:
        raise DataError("--print kubernetes: needs --image, with refusalbench-tasks installed in it")
    return kubernetes_jobs(work, resources, at_once, limit, given["image"], given["variables"])


def _environment(names: Sequence[str]) -> dict[str, str]:
    missing = [name for name in names if name not in os.environ]
    if missing:
        raise DataError(f"--env {missing[0]}: there is no such variable in this environment")
    return {name: os.environ[name] for name in names}


def _one(work: "WorkList", environment: dict[str, str], given: dict[str, Any]) -> None:
    """Work on one shard in this process, as an array of jobs asks for it."""
    from refusalbench_tasks.scale.shard_run import run_shard
    from refusalbench_tasks.scale.work_list import divided

    if not 1 <= given["only"] <= work.shards:
        raise DataError(f"--only: expected a shard from 1 to {work.shards}, got {given['only']}")
    _, connections = divided(given["max_connections"], given["parallel"] or work.shards)
    with _clean_end():
        outcome = run_shard(work, _setting(connections, environment), given["only"])
    click.echo(_line(outcome), err=True)
    if not outcome.finished:
        sys.exit(1)


def _all(work: "WorkList", environment: dict[str, str], given: dict[str, Any]) -> bool:
    """Work on every shard that is not finished; return whether all are."""
    from refusalbench_tasks.scale import ray_run
    from refusalbench_tasks.scale.attempts import attempts_of, shard_logs
    from refusalbench_tasks.scale.drive import Runner, drive
    from refusalbench_tasks.scale.local_run import LocalRunner
    from refusalbench_tasks.scale.resources import Resources
    from refusalbench_tasks.scale.standing import standings
    from refusalbench_tasks.scale.work_list import divided

    there = standings(attempts_of(shard_logs(work.folder)), work.shards)
    missing = [one.shard for one in there if not one.finished]
    progress = _Progress(there)
    if not missing:
        return True
    local, resources = given["local_processes"], Resources(given["cpus"], given["gpus"], given["retries"])
    ours = False if local else ray_run.connect(given["address"])
    try:
        wanted = min(given["parallel"] or local or ray_run.room(resources), len(missing))
        at_once, connections = divided(given["max_connections"], wanted)
        setting = _setting(connections, environment)
        runner: Runner = LocalRunner(work, setting, at_once) if local else ray_run.RayRunner(work, setting, resources)
        progress.begin(at_once, connections)
        with _clean_end():
            outcomes = drive(missing, at_once, runner, progress)
    finally:
        if ours:
            ray_run.disconnect()
    return progress.end(len(missing) - len(outcomes))


class _Progress:
    """A line for each shard that ends, with the total so far."""

    def __init__(self, there: Sequence["Standing"]) -> None:
        self.shards = len(there)
        self.finished = sum(one.finished for one in there)
        self.samples = sum(one.samples for one in there if one.finished)
        self.begun = sum(one.log is not None and not one.finished for one in there)
        self.failed: list[int] = []

    def begin(self, at_once: int, connections: int | None) -> None:
        """Say what is there already and how the rest is done."""
        each = "" if connections is None else f" with {connections} connections each"
        there = f"{self.finished} finished and {self.begun} begun before; " if self.finished or self.begun else ""
        click.echo(f"{self.shards} shards: {there}{at_once} at once{each}", err=True)

    def __call__(self, outcome: "Outcome") -> None:
        """Say what came of a shard."""
        if outcome.finished:
            self.finished += 1
            self.samples += outcome.samples
        else:
            self.failed.append(outcome.shard)
        total = f"{self.finished} of {self.shards} shards, {self.samples:,} samples"
        click.echo(f"{_line(outcome)} | {total}", err=True)

    def end(self, left: int) -> bool:
        """Return whether all is done; end with an error if it is not."""
        if not self.failed and not left:
            return True
        named = ", ".join(map(str, sorted(self.failed)[:10]))
        more = f"; {left} were not begun, as so many failed one after the other" if left else ""
        raise DataError(f"{len(self.failed)} shards are not finished: {named}{more}; run the same command again")


def _line(outcome: "Outcome") -> str:
    ended = "finished" if outcome.finished else f"not finished ({outcome.reason})"
    return f"shard {outcome.shard}: {ended}, {outcome.samples} samples, {outcome.seconds:.0f} s"


def _setting(connections: int | None, environment: dict[str, str]) -> "Setting":
    from refusalbench_tasks.scale.shard_run import Setting

    return Setting(connections, environment, os.getcwd())


@contextmanager
def _clean_end() -> Iterator[None]:
    """End with one line and every log in order on Ctrl-C, and on the signal with which schedulers end a job."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        click.echo("Stopped. Run the same command again: it goes on from what is there.", err=True)
        sys.exit(_STOPPED)
    finally:
        signal.signal(signal.SIGTERM, before)


def _merge(work: "WorkList") -> None:
    from refusalbench_tasks.scale.attempts import shard_logs
    from refusalbench_tasks.scale.merge import merge
    from refusalbench_tasks.scale.shard_set import shard_set
    from refusalbench_tasks.scale.storage import exists

    if exists(work.merged):
        click.echo(f"{work.merged}: done before")
        return
    header = merge(shard_set(shard_logs(work.folder)), work.merged)
    click.echo(f"{work.merged}: {header.eval.dataset.samples} samples of {work.shards} shards")
