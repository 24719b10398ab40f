"""What a command tells of logs that it could not take."""

from collections.abc import Sequence

import click


def tell_left_out(left_out: Sequence[tuple[str, str]]) -> None:
    """Name the logs that are left out, each with the reason, on stderr."""
    for name, reason in left_out:
        click.echo(f"Warning: left out: {name}: {reason}", err=True)
