"""`refusalbench show`: the main metrics of logs."""

import shutil

import click

from refusalbench_tasks.command_output import format_option, output, tell_left_out
from refusalbench_tasks.tables import Format


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("--all", "every", is_flag=True, help="Every number of the logs, one a line: also by class and intensity.")
@click.option("--by", "column", help="A line for each value of a column: document, topic, domain, class, a knob, …")
@format_option
def show(logs: tuple[str, ...], every: bool, column: str | None, form: Format) -> None:
    """Print the main metrics of LOGS (files or folders) with 95 % CIs: models down, metrics across.

    CSV and JSON have one number a line. Logs of perturb, question and collect have the numbers of what they made.

    \b
    Example: refusalbench show logs --format latex
    """
    from refusalbench_tasks.results.read_offline import told_bounds
    from refusalbench_tasks.results.show import (
        apart_table,
        long_table,
        made_table,
        paper_tables,
        shown_runs,
        sliced,
        text_tables,
    )
    from refusalbench_tasks.results.table import read_logs

    found = read_logs(logs, texts=every)
    whole = shown_runs(found.runs)
    groups = whole if column is None else [sliced(group, column) for group in whole]
    with output(form) as out:
        if groups and (every or form in ("csv", "json")):
            out.table(long_table(groups, every))
        elif groups and form == "text":
            out.remark(text_tables(groups, shutil.get_terminal_size((120, 24)).columns))
        else:
            for table in paper_tables(groups):
                out.table(table)
        if column is not None:
            out.table(apart := apart_table(whole, column), f"\n{apart.title}\n")
        for one in (one for group in groups for one in group):
            if told := told_bounds(one.run):
                out.remark(f"\n{one.name}: {told}")
        if found.makers:
            out.table(made_table(found.makers))
    tell_left_out(found.left_out)
