"""`refusalbench cluster` and `refusalbench merge`: a run in shards on many machines,
and one log out of them.
"""

import os
import sys
from collections.abc import Iterable
from typing import Any

import click

from refusalbench_tasks.command_output import task_args_option
from refusalbench_tasks.errors import DataError

_STOPPED = 130
"""The exit status of a command that Ctrl-C ended."""
_ASKED = ("model", "shards", "task_args", "model_roles", "options")


@click.command()
@click.argument("task")
@click.option(
    "--model", required=True, help="The evaluated model, as in `inspect eval`."
)
@click.option(
    "--shards",
    required=True,
    type=click.IntRange(1),
    help="Number of parts of the run.",
)
@click.option(
    "--log-dir",
    required=True,
    help="Folder or URL (s3://, gcs://) for NAME.eval and NAME.shards/.",
)
@click.option("--name", help="NAME of the merged log; the task's name without it.")
@task_args_option
@click.option(
    "--model-role",
    "model_roles",
    multiple=True,
    metavar="ROLE=MODEL",
    help="A model for a role.",
)
@click.option(
    "--cpus",
    "num_cpus",
    type=float,
    default=1.0,
    show_default=True,
    help="Processors for each shard.",
)
@click.option(
    "--gpus",
    "num_gpus",
    type=float,
    default=0.0,
    show_default=True,
    help="GPUs for each shard.",
)
@click.option(
    "--env",
    "variables",
    multiple=True,
    metavar="NAME",
    help="An environment variable to pass to the nodes.",
)
@click.option(
    "--address",
    help="The Ray cluster; by default RAY_ADDRESS, one on this machine, or a new one.",
)
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def cluster(
    task: str,
    log_dir: str,
    name: str | None,
    address: str | None,
    variables: tuple[str, ...],
    **given: Any,
) -> None:
    """Run TASK in shards on a Ray cluster, each by `inspect eval` in a process of its
    own, and merge them.

    Run again, it does only what is missing. OPTIONS of `inspect eval` come last, after
    `--`.

    \b
    Example: refusalbench cluster nq --model openai/gpt-4o --shards 8 --log-dir logs
    """
    from .ray_run import connected, run_shards
    from .store import absolute, exists
    from .work_list import WorkList

    short = task.removeprefix("refusalbench_tasks/")
    work = WorkList(
        task=short,
        log_dir=absolute(log_dir),
        name=name or short,
        **{field: given[field] for field in _ASKED},
    )
    work.check()
    environment = {"PWD": os.getcwd()}
    for variable in variables:
        if variable not in os.environ:
            raise DataError(
                f"--env {variable}: there is no such variable in this environment"
            )
        environment[variable] = os.environ[variable]
    shards = range(1, work.shards + 1)
    # before anything else: logs of another run are refused here
    left = [number for number in shards if not work.finished(number)]
    if exists(work.merged):
        click.echo(f"{work.merged}: done before")
        return
    needs = {"num_cpus": given["num_cpus"], "num_gpus": given["num_gpus"]}
    failed = []
    try:
        if left:
            failed = run_shards(
                connected(address),
                work,
                left,
                needs,
                environment,
            )
    except KeyboardInterrupt:
        click.echo(
            "Stopped. Run the same command again: it goes on from what is there.",
            err=True,
        )
        sys.exit(_STOPPED)
    if failed:
        names = ", ".join(map(str, failed[:10]))
        raise DataError(
            f"{len(failed)} of {work.shards} shards are not finished: {names}; run the"
            " same command again"
        )
    # a log that a lost machine left damaged is no shard's: shards are complete, or the
    # merge is refused
    _merge(
        map(work.folder, shards),
        work.merged,
        damaged=True,
    )


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option(
    "-o",
    "--output",
    "target",
    required=True,
    help="NAME.eval to write: a path or a URL (s3://, gcs://).",
)
def merge(logs: tuple[str, ...], target: str) -> None:
    """Merge the LOGS (files, folders, URLs) of a run's shards into one log, with
    metrics over all samples.

    \b
    Example: refusalbench merge logs/shards -o logs/nq.eval
    """
    _merge(logs, target)


def _merge(
    locations: Iterable[str],
    target: str,
    damaged: bool = False,
) -> None:
    from .merge import merge_shards
    from .shards import shard_logs, shards_of_a_run

    shards = shards_of_a_run(shard_logs(locations, damaged))
    log = merge_shards(shards, target)
    click.echo(f"{target}: {len(log.samples or [])} samples of {len(shards)} shards")
