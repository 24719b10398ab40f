"""The `refusalbench` command, with its commands in groups."""

import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from refusalbench_tasks.errors import WriteError
from refusalbench_tasks.generators.commands.plan import plan_command
from refusalbench_tasks.own.commands.documents import documents
from refusalbench_tasks.report.command import report
from refusalbench_tasks.results.commands.audit import audit
from refusalbench_tasks.results.commands.compare import compare
from refusalbench_tasks.results.commands.gate import gate
from refusalbench_tasks.results.commands.reproduce import reproduce
from refusalbench_tasks.results.commands.rows import rows
from refusalbench_tasks.results.commands.score import score
from refusalbench_tasks.results.commands.show import show
from refusalbench_tasks.scale.commands import cluster, merge
from refusalbench_tasks.search.corpus_command import corpus_command
from refusalbench_tasks.task_list import tasks
from refusalbench_tasks.tasks.export_command import export_logs
from refusalbench_tasks.worlds.command import worlds

GROUPS: Mapping[str, tuple[click.Command, ...]] = {
    "Look at logs": (show, report, rows),
    "Compare and gate": (compare, gate),
    "Compare with the papers": (reproduce,),
    "Score and check graders": (score, audit),
    "Create rows": (plan_command, export_logs, documents, worlds, corpus_command),
    "Run in shards": (cluster, merge),
    "Find the tasks": (tasks,),
}
_EXAMPLE = "Example: "


class _Grouped(click.Group):
    """Commands that the help lists by what they are for, each group with the example of
    its first command.
    """

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run a command; where its output can't be written, as on a full disk, that is
        one line and status 2.
        """
        try:
            return super().main(*args, **kwargs)
        except OSError as error:
            click.echo(
                f"Error: the output cannot be written ({error.strerror or error})",
                err=True,
            )
            # what Python still holds of it would fail again at its end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(WriteError.exit_code)

    def format_commands(
        self, context: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the commands of each group."""
        for title, commands in GROUPS.items():
            with formatter.section(title):
                helps = [command.get_short_help_str(300) for command in commands]
                names = [command.name or "" for command in commands]
                formatter.write_dl(list(zip(names, helps, strict=True)))
                formatter.write_text(f"{_EXAMPLE}{example_of(commands[0])}")


def example_of(command: click.Command) -> str:
    """Return the example in a command's help, as it is typed."""
    _, _, behind = (command.help or "").partition(_EXAMPLE)
    return behind.partition("\n")[0].strip()


@click.group(cls=_Grouped)
@click.version_option(package_name="refusalbench-tasks")
def main() -> None:
    """Work with the logs, rows and graders of RefusalBench and BLUFF-1000."""


for group in GROUPS.values():
    for command in group:
        main.add_command(command)
