"""`refusalbench validation`: what people say of generated items."""

from pathlib import Path

import click

from refusalbench_tasks.commands.output import format_option, output
from refusalbench_tasks.tables import Format, Table


@click.command()
@click.argument("sheet", type=click.Path(path_type=Path))
@format_option
def validation(sheet: Path, form: Format) -> None:
    """Turn a filled validation SHEET into pass rates with 95 % intervals."""
    from refusalbench_tasks.generators.validation_sheet import read_sheet

    names = ("group", "passed", "n", "rate", "95 % low", "95 % high")
    rows = [dict(zip(names, (r.group, r.passed, r.n, r.rate, *r.interval), strict=True)) for r in read_sheet(sheet)]
    with output(form) as out:
        out.table(Table("validation", "Items that people pass", rows, names=names))
