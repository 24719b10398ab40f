"""`refusalbench cluster` and `refusalbench merge`: a run in shards on many machines, and one log out of them."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.scale.work_list import WorkList

_STOPPED = 130
"""The exit status of a command that Ctrl-C ended."""


@click.command()
@click.argument("task")
@click.option("--model", required=True, help="The evaluated model, as in `inspect eval`.")
@click.option("--shards", required=True, type=click.IntRange(1), help="In how many parts the run is cut.")
@click.option("--log-dir", required=True, help="Folder or URL (s3://, gcs://) for NAME.eval and NAME.shards/.")
@click.option("--name", help="NAME of the merged log; the task's name without it.")
@click.option("-T", "task_args", multiple=True, metavar="NAME=VALUE", help="An argument of the task.")
@click.option("--model-role", "model_roles", multiple=True, metavar="ROLE=MODEL", help="A model for a role.")
@click.option("--max-connections", type=click.IntRange(1), help="Connections of all shards together to a provider.")
@click.option("--parallel", type=click.IntRange(1), help="Shards at once; default: what there is room for.")
@click.option("--cpus", type=float, default=1.0, show_default=True, help="Processors for each shard.")
@click.option("--gpus", type=float, default=0.0, show_default=True, help="GPUs for each shard.")
@click.option("--env", "variables", multiple=True, metavar="NAME", help="A variable of this environment for the nodes.")
@click.option("--address", help="The Ray cluster; RAY_ADDRESS, one of this machine, or a new one without it.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def cluster(
    task: str, model: str, shards: int, log_dir: str, name: str | None, task_args: tuple[str, ...],
    model_roles: tuple[str, ...], options: tuple[str, ...], **given: Any,
) -> None:  # fmt: skip
    """Run TASK in shards on a Ray cluster, each by `inspect eval` in a process of its own, and merge them.

    Run again, it does only what is missing. OPTIONS of `inspect eval` come last, after `--`.

    \b
    Example: refusalbench cluster nq --model openai/gpt-4o --shards 8 --log-dir logs
    """
    from refusalbench_tasks.scale.store import absolute, exists
    from refusalbench_tasks.scale.work_list import WorkList

    short = task.removeprefix("refusalbench_tasks/")
    work = WorkList(
        task=short, model=model, shards=shards, log_dir=absolute(log_dir), name=name or short, task_args=task_args,
        model_roles=model_roles, options=options,
    )  # fmt: skip
    work.check()
    missing = [one for one in given["variables"] if one not in os.environ]
    if missing:
        raise DataError(f"--env {missing[0]}: there is no such variable in this environment")
    work.claim()
    _run(work, given)
    if exists(work.merged):
        click.echo(f"{work.merged}: done before")
    else:
        # a log that a lost machine left damaged is no shard's: shards are complete, or the merge is refused
        _merge([work.folder()], work.merged, damaged=True)


def _run(work: "WorkList", given: dict[str, Any]) -> None:
    """Work on every shard that is not finished. Raises DataError that names those that are not finished then."""
    from refusalbench_tasks.scale.ray_run import Resources, ShardOutcome, connect, room, run_shards
    from refusalbench_tasks.scale.work_list import divided

    left = [n for n in range(1, work.shards + 1) if not any(log.finished for log in work.attempts(n))]
    if not left:
        return
    connect(given["address"])
    wanted = min(given["parallel"] or room(given["cpus"], given["gpus"]), len(left))
    at_once, connections = divided(given["max_connections"], wanted)
    environment = {name: os.environ[name] for name in given["variables"]}
    resources = Resources(given["cpus"], given["gpus"], connections, os.getcwd(), environment)
    failed: list[int] = []
    finished = work.shards - len(left)
    click.echo(f"{work.shards} shards: {finished} finished before; {at_once} at once", err=True)

    def tell(outcome: ShardOutcome) -> None:
        nonlocal finished
        finished += outcome.finished
        failed.extend([] if outcome.finished else [outcome.shard])
        ended = "finished" if outcome.finished else f"not finished ({outcome.reason})"
        click.echo(
            f"shard {outcome.shard}: {ended}, {outcome.samples} samples, {outcome.seconds:.0f} s | "
            f"{finished} of {work.shards} shards",
            err=True,
        )

    with _clean_end():
        unbegun = run_shards(work, left, resources, at_once, tell)
    if failed or unbegun:
        more = f"; {unbegun} were not begun, as so many failed one after the other" if unbegun else ""
        names = ", ".join(map(str, sorted(failed)[:10]))
        raise DataError(f"{len(failed)} shards are not finished: {names}{more}; run the same command again")


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


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("-o", "--output", "target", required=True, help="NAME.eval to write: a path or a URL (s3://, gcs://).")
@click.option("--partial", is_flag=True, help="Merge what is there, though shards are missing or unfinished.")
def merge(logs: tuple[str, ...], target: str, partial: bool) -> None:
    """Merge the LOGS (files, folders, URLs) of a run's shards into one log, with metrics over all samples.

    \b
    Example: refusalbench merge logs/shards -o logs/nq.eval
    """
    if not target.endswith(".eval"):
        raise DataError(f"{target}: a log's name ends in .eval")
    _merge(list(logs), target, partial, damaged=partial)


def _merge(places: list[str], target: str, partial: bool = False, damaged: bool = False) -> None:
    from refusalbench_tasks.scale.merge import merge as merged
    from refusalbench_tasks.scale.shard_set import shard_logs, shard_set

    found = shard_set(shard_logs(places, damaged), partial)
    log = merged(found, target)
    click.echo(f"{target}: {len(log.samples or [])} samples of {len(found.shards)} of {found.of} shards")
    if found.missing:
        click.echo(f"Warning: missing or unfinished: {', '.join(map(str, found.missing))}", err=True)
