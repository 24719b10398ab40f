"""The options that choose levers."""

from typing import Any

import click

_FILTERS = (
    click.option("--classes", help="Comma list of perturbation classes."),
    click.option("--intensities", help="Comma list of LOW, MEDIUM, HIGH."),
    click.option("--levers", "names", help="Comma list of lever names."),
    click.option("--lever-file", type=click.Path(), help="A file with levers beside the bundled ones."),
)


def lever_options(command: Any) -> Any:
    """Return the command with the options that choose levers: `classes`, `intensities`, `names` and `lever_file`."""
    for option in reversed(_FILTERS):
        command = option(command)
    return command
