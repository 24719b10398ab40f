"""What `refusalbench --help` lists, and what a command loads."""

import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from refusalbench_tasks.cli import COMMANDS, GROUPS, command_of, example_of, main

LOADED = """
import sys
from refusalbench_tasks.cli import main
try:
    main(["--version"])
except SystemExit:
    print(*sorted(sys.modules))
"""


def test_the_help_lists_the_commands_in_groups_each_with_an_example() -> None:
    help_text = CliRunner().invoke(main, ["--help"]).output
    titles = [help_text.index(f"{title}:") for title in GROUPS]
    assert titles == sorted(titles)
    assert help_text.count("Example: refusalbench ") == len(GROUPS)


def test_the_version_loads_no_command_and_no_library_but_click() -> None:
    code = [sys.executable, "-c", LOADED]
    output = subprocess.run(code, capture_output=True, text=True, check=True).stdout
    version, modules = output.splitlines()
    assert ", version " in version
    heavy = {"inspect_ai", "numpy", "pandas", "pydantic", "rich", "yaml"}
    ours = {f"refusalbench_tasks.{path.split(':')[0]}" for path in COMMANDS.values()}
    assert not {*heavy, *ours} & {*modules.split()}


def test_the_module_runs_as_the_command() -> None:
    code = [sys.executable, "-m", "refusalbench_tasks.cli", "--version"]
    output = subprocess.run(code, capture_output=True, text=True, check=True).stdout
    assert ", version " in output


def test_an_unknown_command_is_named() -> None:
    result = CliRunner().invoke(main, ["shwo"])
    assert result.exit_code == 2
    assert "No such command 'shwo'" in result.output


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_of_a_command_has_only_options_that_it_has(name: str) -> None:
    command = command_of(name)
    program, first_word, *words = example_of(command).split()
    assert (program, first_word) == ("refusalbench", command.name)
    assert command.name == name
    with click.Context(command, ignore_unknown_options=False) as context:
        options = {
            option
            for parameter in command.get_params(context)
            for option in (*parameter.opts, *parameter.secondary_opts)
        }
    assert {word for word in words if word.startswith("-")} <= options
