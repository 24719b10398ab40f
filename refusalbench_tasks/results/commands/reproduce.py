"""`refusalbench reproduce`: published numbers beside measured ones."""

import math
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import format_option, output, write_csv
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.results.commands.reproduction_in_print import tables_in_print
from refusalbench_tasks.tables import Format, Table, TableRow

if TYPE_CHECKING:
    from refusalbench_tasks.results.published.reproduction import Reproduced

_REPRODUCTION = "Published and measured numbers"


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
@click.option(
    "--as", "names", multiple=True, metavar="MODEL=PUBLISHED", help="Which published model a log's stands for."
)
@click.option("--csv", "csv_file", type=click.Path(path_type=Path), help="Write the table to a CSV file as well.")
@click.option("--available", "--measured", is_flag=True, help="Hide the numbers that LOGS say nothing about.")
@format_option
def reproduce(
    logs: tuple[str, ...], names: tuple[str, ...], csv_file: Path | None, available: bool, form: Format
) -> None:
    """Show the papers' numbers beside those of LOGS; without LOGS, what each published number needs."""
    from refusalbench_tasks.files.log_names import not_a_log
    from refusalbench_tasks.results.published.papers import published_papers
    from refusalbench_tasks.results.published.reproduction import WITHOUT, without_a_place
    from refusalbench_tasks.results.published.reproduction import reproduce as side_by_side
    from refusalbench_tasks.results.published.runs import read_headers

    if any("=" not in name for name in names):
        raise DataError("reproduce: --as needs MODEL=PUBLISHED, for instance --as vllm/my-llama=Llama-3.3")
    if csv_file:
        not_a_log(csv_file, *logs)
    papers = published_papers()
    stands_for, headers = dict(name.split("=", 1) for name in names), read_headers(logs)
    for name, reason in headers.left_out:
        click.echo(f"Warning: left out: {name.rpartition('/')[2]}: {reason}", err=True)
    for model in without_a_place(papers, headers.used, stands_for):
        click.echo(f"Warning: no published number is taken to be of {model}; --as MODEL=PUBLISHED names it", err=True)
    rows = side_by_side(papers, headers.used, stands_for, headers.generation)
    kept = [one for one in rows if one.reading not in WITHOUT or not available]
    cells = list(map(_published_cells, kept))
    if csv_file:
        write_csv(csv_file, Table("reproduction", _REPRODUCTION, cells))
    hidden = {"paper", "published low", "published high"}
    hidden |= set() if any(row["log"] for row in cells) else {"what differs", "log"}
    shown = [name for name in cells[0] if name not in hidden] if cells and form == "text" else ()
    with output(form) as out:
        if form == "latex":
            for table in tables_in_print(kept, _REPRODUCTION):
                out.table(table)
        else:
            out.table(Table("reproduction", _REPRODUCTION, cells, names=shown))
        for paper in papers:
            out.remark(f"\n{paper.paper}: {paper.notes['all']}")
            out.remark("\n".join(f"  {model}: {note}" for model, note in paper.notes.items() if model != "all"))
        out.remark(
            "\nA number needs a finished run of its task by its model on the released data, with the published "
            "settings; --as names another model."
        )


def _published_cells(one: "Reproduced") -> TableRow:
    row = one.row
    return {
        "paper": one.paper, "task": row.task, "model": row.model, "metric": row.label, "where": row.where,
        "sign": "" if row.sign == "=" else row.sign, "published": row.value, "published low": row.low,
        "published high": row.high, "measured": one.measured, "n": None if math.isnan(one.n) else int(one.n),
        "95 % low": one.low, "95 % high": one.high, "reading": one.reading,
        "what differs": "; ".join(one.differences), "log": one.log.rpartition("/")[2],
    }  # fmt: skip
