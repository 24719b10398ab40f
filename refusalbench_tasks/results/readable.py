"""The runs of the logs that a command is given."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.results.logs.run import AnyRun


def readable_runs(paths: Sequence[str], needed: int) -> "list[AnyRun]":
    """Return the runs that could be read, the others named; the first one, to which the rest relate, must be."""
    from refusalbench_tasks.results.logs.find import newest_run
    from refusalbench_tasks.results.logs.parallel import each

    logs = each(newest_run, paths, "logs")
    runs = [log.run for log in logs if log.run is not None]
    unread = [log.damaged[0] for log in logs if log.run is None]
    if unread and (logs[0].run is None or len(runs) < needed):
        raise DataError(unread[0])
    for problem in (problem for log in logs for problem in log.damaged):
        click.echo(f"Warning: left out: {problem}", err=True)
    return runs
