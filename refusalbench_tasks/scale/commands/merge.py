"""`refusalbench merge`: one log out of those of a run's shards."""

import click

from refusalbench_tasks.errors import DataError


@click.command()
@click.argument("logs", nargs=-1, required=True)
@click.option("-o", "--output", "target", required=True, help="NAME.eval to write: a path or a URL (s3://, gcs://).")
@click.option("--partial", is_flag=True, help="Merge what is there, though shards are missing or unfinished.")
def merge(logs: tuple[str, ...], target: str, partial: bool) -> None:
    """Merge the LOGS (files, folders, URLs) of a run's shards into one log, with metrics over all samples."""
    from inspect_ai.log import list_eval_logs

    from refusalbench_tasks.results.logs.parallel import each
    from refusalbench_tasks.scale.merge import merge as merged
    from refusalbench_tasks.scale.shard_set import shard_of, shard_set
    from refusalbench_tasks.scale.storage import exists

    if not target.endswith(".eval"):
        raise DataError(f"{target}: a log's name ends in .eval")
    for place in logs:
        if not exists(place):
            raise DataError(f"{place}: there is no such file or folder")
    names = sorted({info.name for place in logs for info in list_eval_logs(place, descending=False)})
    shards = []
    for log in each(shard_of, names, "logs"):
        if isinstance(log, str):
            raise DataError(log)
        shards.append(log)
    found = shard_set(shards, partial)
    with click.progressbar(length=len(found.shards), label="shards") as bar:
        header = merged(found, target, lambda _: bar.update(1))
    samples = header.eval.dataset.samples
    click.echo(f"{target}: {samples} samples of {len(found.shards)} of {found.of} shards")
    if found.missing:
        click.echo(f"Warning: missing or unfinished: {', '.join(map(str, found.missing))}", err=True)
