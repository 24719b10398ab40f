"""`refusalbench show`: the main metrics of logs."""

import shutil

import click

from refusalbench_tasks.command_output import format_option, output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format
from refusalbench_tasks.terminal import one_line


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--all", "whole", is_flag=True, help="Print every number of the logs: also those by class and intensity.")
@format_option
def show(logs: tuple[str, ...], whole: bool, form: Format) -> None:
    """Print the main metrics of LOGS (files or folders), one table per task and data."""
    from refusalbench_tasks.files.log_header import header_or_why
    from refusalbench_tasks.files.log_names import log_names
    from refusalbench_tasks.results.logs.every_number import every_number
    from refusalbench_tasks.results.logs.parallel import each
    from refusalbench_tasks.results.logs.shard_paths import without_merged
    from refusalbench_tasks.results.logs.show import our_scores, summarise
    from refusalbench_tasks.results.logs.summary_table import long_table, side_by_side, tables
    from refusalbench_tasks.results.logs.superseded import superseded

    names = without_merged(name for path in logs for name in log_names(path, descending=False))
    if not names:
        raise DataError(f"no logs in {', '.join(logs)}")
    found, left_out = [], []
    headers = list(zip(names, each(header_or_why, names, "logs"), strict=True))
    ours = [(name, one) for name, one in headers if not isinstance(one, str) and our_scores(one)]
    continued = superseded((name, one.eval.task_id, one.status, one.eval.created) for name, one in ours)
    for name, header in headers:
        if isinstance(header, str):
            left_out.append(f"{name}: {header}")
        elif name in continued:
            left_out.append(f"{name}: a later log continues this run")
        elif our_scores(header):
            found += summarise(header)
        else:
            left_out.append(f"{name}: no scores of ours (task: {header.eval.task}, status: {header.status})")
    if not found:
        raise DataError(left_out[0])
    with output(form) as out:
        if whole:
            out.table(every_number(found))
        elif form == "text":
            out.remark(tables(found, shutil.get_terminal_size((120, 24)).columns))
        else:
            for table in [long_table(found)] if form in ("csv", "json") else side_by_side(found):
                out.table(table)
    for line in left_out:
        click.echo(f"Warning: left out: {one_line(line)}", err=True)
