"""`refusalbench validation`: what people say of generated items."""

from pathlib import Path

import click

from refusalbench_tasks.command_output import format_option, output
from refusalbench_tasks.tables import Format, Table

_RATES = ("group", "passed", "n", "rate", "95 % low", "95 % high")
_KAPPA = ("about", "n", "agreement", "kappa")


@click.command()
@click.argument("sheet", type=click.Path(path_type=Path))
@click.argument("second", required=False, type=click.Path(path_type=Path))
@format_option
def validation(sheet: Path, second: Path | None, form: Format) -> None:
    """Turn a filled validation SHEET into pass rates with 95 % intervals; with a SECOND, agreement as well."""
    from refusalbench_tasks.generators.annotators import annotator_agreement
    from refusalbench_tasks.generators.validation_sheet import read_sheet

    with output(form) as out:
        for path in (sheet, second):
            if path:
                rows = [
                    dict(zip(_RATES, (r.group, r.passed, r.n, r.rate, *r.interval), strict=True))
                    for r in read_sheet(path)
                ]
                table = Table("validation", "Items that people pass", rows, names=_RATES)
                out.table(table, title=str(path) if second else "", about={"sheet": str(path)} if second else {})
        if second:
            found = annotator_agreement(sheet, second)
            rows = [dict(zip(_KAPPA, (a.about, a.n, a.agreement, a.kappa), strict=True)) for a in found]
            out.table(Table("annotators", "Agreement of the annotators", rows, names=_KAPPA), title="agreement")
