"""The `refusalbench` command."""

import shutil
from importlib import resources
from pathlib import Path

import click

from refusalbench_tasks.commands.generation import agreement, bases, export, levers, plan, validation
from refusalbench_tasks.commands.logs import audit, compare, report, reproduce
from refusalbench_tasks.commands.output import format_option, output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format


@click.group()
@click.version_option(package_name="refusalbench-tasks")
def main() -> None:
    """Work with RefusalBench and BLUFF-1000 logs and settings."""


@main.command("run-config")
@click.argument("name", required=False)
def run_config(name: str | None) -> None:
    """Print the path of a shipped run config; without NAME, list them."""
    folder = Path(str(resources.files("refusalbench_tasks") / "run_configs"))
    configs = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    if name is None:
        click.echo("\n".join(configs))
    elif name in configs:
        click.echo(configs[name])
    else:
        raise DataError(f"unknown run config '{name}'; known: {', '.join(configs)}")


@main.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@format_option
def show(logs: tuple[str, ...], form: Format) -> None:
    """Print the main metrics of LOGS (files or folders), one table per task and data."""
    from inspect_ai.log import list_eval_logs

    from refusalbench_tasks.logs.parallel import each
    from refusalbench_tasks.logs.show import our_scores, summarise
    from refusalbench_tasks.logs.summary_table import long_table, side_by_side, tables
    from refusalbench_tasks.logs.superseded import superseded
    from refusalbench_tasks.published.runs import header_of
    from refusalbench_tasks.terminal import one_line

    names = [info.name for path in logs for info in list_eval_logs(path, descending=False)]
    if not names:
        raise DataError(f"no logs in {', '.join(logs)}")
    found, left_out = [], []
    headers = list(zip(names, each(header_of, names, "logs"), strict=True))
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
        if form == "text":
            out.remark(tables(found, shutil.get_terminal_size((120, 24)).columns))
        else:
            for table in [long_table(found)] if form in ("csv", "json") else side_by_side(found):
                out.table(table)
    for line in left_out:
        click.echo(f"Warning: left out: {one_line(line)}", err=True)


for command in (agreement, audit, bases, compare, export, levers, plan, report, reproduce, validation):
    main.add_command(command)
