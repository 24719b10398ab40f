"""The `refusalbench` command, with its commands in groups."""

import os
import sys
from collections import ChainMap
from pkgutil import resolve_name
from typing import Any

import click

from refusalbench_tasks.errors import WriteError

# A command's module is imported when the command is asked for: help and version of the
# others do not wait for it.
GROUPS = {
    "Look at logs": {
        "show": "results.commands.show:show",
        "report": "report.command:report",
        "rows": "results.commands.rows:rows",
    },
    "Compare and gate": {
        "compare": "results.commands.compare:compare",
        "gate": "results.commands.gate:gate",
    },
    "Compare with the papers": {
        "reproduce": "results.commands.reproduce:reproduce",
    },
    "Score and check graders": {
        "score": "results.commands.score:score",
        "audit": "results.commands.audit:audit",
    },
    "Create rows": {
        "plan": "generators.commands.plan:plan_command",
        "export": "tasks.export_command:export_logs",
        "documents": "own.commands.documents:documents",
        "worlds": "worlds.command:worlds",
        "corpus": "search.corpus_command:corpus_command",
    },
    "Before a run": {
        "cost": "results.commands.cost:cost",
    },
    "Run in shards": {
        "cluster": "scale.commands:cluster",
        "merge": "scale.commands:merge",
    },
    "Find the tasks": {
        "tasks": "task_list:tasks",
    },
}
COMMANDS = ChainMap(*GROUPS.values())
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

    def list_commands(self, context: click.Context) -> list[str]:
        """Return the commands' names in alphabetical order."""
        return sorted(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """Return a command by name; None where there is none."""
        return command_of(name) if name in COMMANDS else None

    def format_commands(
        self, context: click.Context, formatter: click.HelpFormatter
    ) -> None:
        """Write the commands of each group."""
        for title, modules in GROUPS.items():
            with formatter.section(title):
                commands = [command_of(name) for name in modules]
                helps = [command.get_short_help_str(300) for command in commands]
                formatter.write_dl(list(zip(modules, helps, strict=True)))
                formatter.write_text(f"{_EXAMPLE}{example_of(commands[0])}")


def command_of(name: str) -> click.Command:
    """Return a command of `COMMANDS`, and import its module."""
    command: click.Command = resolve_name(f"refusalbench_tasks.{COMMANDS[name]}")
    return command


def example_of(command: click.Command) -> str:
    """Return the example in a command's help, as it is typed."""
    _, _, behind = (command.help or "").partition(_EXAMPLE)
    return behind.partition("\n")[0].strip()


@click.group(cls=_Grouped, context_settings={"show_default": True})
@click.version_option(package_name="refusalbench-tasks")
def main() -> None:
    """Work with the logs, rows and graders of RefusalBench and BLUFF-1000."""


if __name__ == "__main__":
    main()
