"""What `refusalbench --help` lists."""

import click
import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import GROUPS, example_of, main

COMMANDS = [one for group in GROUPS.values() for one in group]


def test_the_help_lists_the_commands_in_groups_each_with_an_example() -> None:
    said = CliRunner().invoke(main, ["--help"]).output
    places = [said.index(f"{title}:") for title in GROUPS]
    assert places == sorted(places)
    assert said.count("Example: refusalbench ") == len(GROUPS)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda one: one.name)
def test_the_example_of_a_command_has_only_options_that_it_has(
    command: click.Command,
) -> None:
    program, name, *words = example_of(command).split()
    assert (program, name) == ("refusalbench", command.name)
    with click.Context(command, ignore_unknown_options=False) as context:
        known = {
            option
            for one in command.get_params(context)
            for option in (*one.opts, *one.secondary_opts)
        }
    assert {word for word in words if word.startswith("-")} <= known
