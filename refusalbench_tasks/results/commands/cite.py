"""`refusalbench cite`: BibTeX of the suite, the papers, and the data of logs."""

from importlib.metadata import version

import click


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
def cite(logs: tuple[str, ...]) -> None:
    """Print BibTeX of the suite, of both papers, and of the data that LOGS (files or folders) were run on."""
    from refusalbench_tasks.results.published.citations import data_entry, paper_entries, suite_entry

    entries = [suite_entry(version("refusalbench-tasks")), *paper_entries()]
    known = {entry.key: entry for entry in (data_entry(task, facts) for task, facts in _data_of(logs))}
    click.echo("\n".join(entry.as_bibtex() for entry in [*entries, *known.values()]), nl=False)


def _data_of(logs: tuple[str, ...]) -> list[tuple[str, dict[str, str]]]:
    """Return the task of each log, with what it notes of its rows; what is no log of ours is named."""
    from inspect_ai.log import list_eval_logs

    from refusalbench_tasks.results.logs.parallel import each
    from refusalbench_tasks.results.published.runs import header_of
    from refusalbench_tasks.terminal import one_line

    names = [info.name for path in logs for info in list_eval_logs(path, descending=False)]
    found = []
    for name, header in zip(names, each(header_of, names, "logs") if names else [], strict=True):
        if isinstance(header, str):
            click.echo(one_line(f"Warning: left out: {name}: {header}"), err=True)
            continue
        noted = {key: str(value) for key, value in (header.eval.metadata or {}).items() if value}
        found.append((header.eval.task.rpartition("/")[2], noted))
    return found
