"""`refusalbench reproduce`: published numbers beside measured ones; run configs."""

import math
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.command_output import (
    Output,
    format_option,
    output,
    tell_left_out,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format, Table, TableRow

if TYPE_CHECKING:
    from refusalbench_tasks.results.published.papers import PublishedRow
    from refusalbench_tasks.results.published.reproduction import Reproduced
    from refusalbench_tasks.stats.estimate import Estimate

_TITLE = "Published and measured numbers"
_SIGNS = {"=": "", "~": "about "}


@click.command()
@click.argument(
    "logs",
    nargs=-1,
    type=click.Path(exists=True),
)
@click.option(
    "--as",
    "names",
    multiple=True,
    metavar="MODEL=PUBLISHED",
    help="Published model that a log's model stands for.",
)
@click.option(
    "--config",
    metavar="NAME",
    help="Print the path of a run config of a paper instead; `list` lists them.",
)
@format_option
def reproduce(
    logs: tuple[str, ...],
    names: tuple[str, ...],
    config: str | None,
    form: Format,
) -> None:
    """Show the papers' numbers beside those of LOGS; without LOGS, what each number
    needs.

    \b
    Example: refusalbench reproduce logs --format latex
             inspect eval refusalbench_tasks/nq \\
               --run-config "$(refusalbench reproduce --config nq-paper)"
    """
    folder = Path(str(resources.files("refusalbench_tasks") / "run_configs"))
    configs = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    if config == "list":
        click.echo("\n".join(configs))
    elif config in configs:
        click.echo(configs[config])
    elif config is not None:
        raise DataError(f"unknown run config '{config}'; known: {', '.join(configs)}")
    elif any("=" not in name for name in names):
        raise DataError(
            "reproduce: --as needs MODEL=PUBLISHED, for instance --as"
            " vllm/my-llama=Llama-3.3"
        )
    else:
        with output(form) as out:
            _show(
                out,
                logs,
                dict(name.split("=", 1) for name in names),
            )


def _show(out: Output, paths: tuple[str, ...], names: dict[str, str]) -> None:
    from refusalbench_tasks.results.published.papers import published_papers
    from refusalbench_tasks.results.published.reproduction import (
        WITHOUT,
        beside_published,
        read_published_logs,
    )

    papers = published_papers()
    logs = read_published_logs(paths, names)
    tell_left_out(logs.left_out)
    for model in logs.unknown(papers):
        click.echo(
            f"Warning: no published number is taken to be of {model}; --as"
            " MODEL=PUBLISHED names it",
            err=True,
        )
    kept = [
        number
        for number in beside_published(papers, logs)
        if number.reading not in WITHOUT or not paths
    ]
    if out.form in ("csv", "json"):
        out.table(
            Table(
                "reproduction",
                _TITLE,
                list(map(_cells, kept)),
            )
        )
    else:
        for table in _in_print(kept):
            out.table(
                table,
                f"{table.caption}\n",
                end="\n",
            )
    for paper in papers:
        notes = dict(paper.notes)
        out.remark(f"\n{paper.paper}: {notes.pop('all')}")
        out.remark("\n".join(f"  {model}: {note}" for model, note in notes.items()))
    out.remark(
        "\nA number needs a finished run of its task by its model on the released data,"
        " with the published settings; --as names another model."
    )


def _cells(number: "Reproduced") -> TableRow:
    from refusalbench_tasks.results.interval_rules import interval_cells

    row = number.row
    return {
        "paper": number.paper,
        "task": row.task,
        "model": row.model,
        "metric": row.label,
        "where": row.where,
        "sign": "" if row.sign == "=" else row.sign,
        "published": row.value,
        "published low": row.low,
        "published high": row.high,
        "measured": number.measured.value,
        "n": _n(number),
        **interval_cells(number.measured),
        "reading": number.reading,
        "why": "; ".join(number.reasons),
        "log": number.log,
    }


def _in_print(numbers: "Sequence[Reproduced]") -> list[Table]:
    """Return a table for each task of a paper that fits a page; a CI stands behind its
    number.

    The caption has the logs that numbers are from, and the reasons that all rows of a
    log share; each row has its others.
    """
    from refusalbench_tasks.datasets.draw import grouped

    groups = grouped(
        numbers, lambda number: f"{_TITLE}: {number.paper}, {number.row.task}"
    )
    tables = []
    for title, group in groups.items():
        shared: dict[str, list[str]] = {}
        for number in filter(lambda number: number.log, group):
            common = shared.get(number.log, number.reasons)
            kept = [reason for reason in common if reason in number.reasons]
            shared[number.log] = kept
        rows = [_row_in_print(number, shared) for number in group]
        logs = []
        for log, reasons in shared.items():
            logs.append(f"{log} ({'; '.join(reasons)})" if reasons else log)
        measured = f" Measured in: {'; '.join(logs)}." if logs else ""
        tables.append(
            Table(
                title,
                title,
                rows,
                caption=f"{title}.{measured}",
            )
        )
    return tables


def _row_in_print(
    number: "Reproduced", shared: Mapping[str, Sequence[str]]
) -> TableRow:
    row = number.row
    sign = _SIGNS.get(row.sign, f"{row.sign} ")
    cells: TableRow = {
        "model": row.model,
        "metric": row.label,
        "where": row.where,
        "published": sign + _number(number, row),
    }
    reading = {"reading": number.reading}
    if not shared:
        return cells | reading
    cells["measured"] = _number(number, number.measured) or None
    cells["n"] = _n(number)
    own = [reason for reason in number.reasons if reason not in shared[number.log]]
    return cells | reading | {"why": "; ".join(own)}


def _n(number: "Reproduced") -> int | None:
    return int(number.measured.n) or None


def _number(reproduced: "Reproduced", number: "PublishedRow | Estimate") -> str:
    """Return a number, published or measured, with its CI."""
    low = number.low
    high = number.high
    if math.isnan(number.value):
        return ""
    text = f"{number.value:.3f}"
    if reproduced.row.is_count:
        text = f"{number.value:,.0f}"
    known = low is not None and high is not None and not math.isnan(low)
    return f"{text} [{low:.3f}, {high:.3f}]" if known else text
