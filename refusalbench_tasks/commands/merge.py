"""`refusalbench merge`: one log out of those of a run's shards."""

from pathlib import Path

import click

from refusalbench_tasks.errors import DataError


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", "target", required=True, type=click.Path(dir_okay=False), help="NAME.eval to write.")
@click.option("--partial", is_flag=True, help="Merge what is there, though shards are missing or unfinished.")
def merge(logs: tuple[str, ...], target: str, partial: bool) -> None:
    """Merge the LOGS (files or folders) of a run's shards into one log, with metrics over all samples."""
    from inspect_ai.log import list_eval_logs

    from refusalbench_tasks.logs.parallel import each
    from refusalbench_tasks.published.runs import header_of
    from refusalbench_tasks.scale.merge import merge as merged
    from refusalbench_tasks.scale.shard_set import shard_set

    path = Path(target)
    if path.suffix != ".eval":
        raise DataError(f"{target}: a log's name ends in .eval")
    names = sorted({info.name for place in logs for info in list_eval_logs(place, descending=False)})
    headers = []
    for name, header in zip(names, each(header_of, names, "logs"), strict=True):
        if isinstance(header, str):
            raise DataError(header)
        headers.append((name, header))
    found = shard_set(headers, partial)
    with click.progressbar(length=len(found.shards), label="shards") as bar:
        header = merged(found, path, lambda _: bar.update(1))
    samples = header.eval.dataset.samples
    click.echo(f"{path}: {samples} samples of {len(found.shards)} of {found.of} shards")
    if found.missing:
        click.echo(f"Warning: missing or unfinished: {', '.join(map(str, found.missing))}", err=True)
