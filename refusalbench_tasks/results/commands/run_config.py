"""`refusalbench run-config`: where the shipped run configs are."""

from importlib import resources
from pathlib import Path

import click

from refusalbench_tasks.errors import DataError


@click.command("run-config")
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
