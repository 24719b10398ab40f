"""`refusalbench reproduce`: published numbers beside measured ones; run configs."""

import math
from collections import defaultdict
from collections.abc import Sequence
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
    from refusalbench_tasks.results.published.comparability import Released
    from refusalbench_tasks.results.published.papers import PublishedRow
    from refusalbench_tasks.results.published.reproduction import Reproduced
    from refusalbench_tasks.results.table import Run
    from refusalbench_tasks.stats.estimate import Estimate

_TITLE = "Published and measured numbers"
_OUR_PROMPT = "this package's prompt"
_SIGNS = {"=": "", "~": "about "}


@click.command()
@click.argument("logs", nargs=-1, type=click.Path(exists=True))
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
    logs: tuple[str, ...], names: tuple[str, ...], config: str | None, form: Format
) -> None:
    """Show the papers' numbers beside those of LOGS; without LOGS, what each number
    needs.

    \b
    Example: refusalbench reproduce logs --format latex
             inspect eval refusalbench_tasks/nq \\
               --run-config "$(refusalbench reproduce --config nq-paper)"
    """
    if config is not None:
        _print_config(config)
    else:
        if any("=" not in name for name in names):
            raise DataError(
                "reproduce: --as needs MODEL=PUBLISHED, for instance --as"
                " vllm/my-llama=Llama-3.3"
            )
        with output(form) as out:
            _show(out, logs, dict(name.split("=", 1) for name in names))


def _show(out: Output, paths: tuple[str, ...], names: dict[str, str]) -> None:
    from refusalbench_tasks.results.published.comparability import released_by
    from refusalbench_tasks.results.published.papers import published_papers
    from refusalbench_tasks.results.published.reproduction import (
        WITHOUT,
        read_published_logs,
    )
    from refusalbench_tasks.results.published.reproduction import (
        reproduce as side_by_side,
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
        one
        for one in side_by_side(papers, logs)
        if one.reading not in WITHOUT or not paths
    ]
    if out.form in ("csv", "json"):
        out.table(Table("reproduction", _TITLE, list(map(_cells, kept))))
    else:
        for table in _in_print(kept):
            out.table(table, f"{table.caption}\n", end="\n")
    for paper in papers:
        out.remark(f"\n{paper.paper}: {paper.notes['all']}")
        out.remark(
            "\n".join(
                f"  {model}: {note}"
                for model, note in paper.notes.items()
                if model != "all"
            )
        )
    released = released_by(logs.runs)
    prompts = dict.fromkeys(_prompts(run, released) for run in logs.runs)
    out.remark("\n".join(prompts))
    if any(_OUR_PROMPT in line for line in prompts):
        out.remark(
            "This package's prompts say the same as the authors' in other words."
        )
    out.remark(
        "\nA number needs a finished run of its task by its model on the released data,"
        " with the published settings; --as names another model."
    )


def _prompts(run: "Run", released: "Released") -> str:
    """Return whose prompts a run was asked and graded by, in a line."""
    asked = _author(run, "prompt", released)
    graded = ""
    if run.task != "bluff":
        graded = f", graded by {_author(run, 'judge_prompt', released)}"
    return f"{run.model}, {run.task}: asked by {asked}{graded}"


def _author(run: "Run", argument: str, released: "Released") -> str:
    from refusalbench_tasks.replies.outside_text import one_line
    from refusalbench_tasks.results.published.comparability import has_released_prompt

    if has_released_prompt(run, argument, released):
        return "the authors' prompt"
    path = run.arguments.get(argument)
    if path in (None, "ours"):
        return _OUR_PROMPT
    return f"the prompt of {one_line(str(path))}"


def _cells(one: "Reproduced") -> TableRow:
    row = one.row
    found = one.measured
    return {
        "paper": one.paper,
        "task": row.task,
        "model": row.model,
        "metric": row.label,
        "where": row.where,
        "sign": "" if row.sign == "=" else row.sign,
        "published": row.value,
        "published low": row.low,
        "published high": row.high,
        "measured": found.value,
        "n": _n(one),
        "95 % low": found.low,
        "95 % high": found.high,
        "reading": one.reading,
        "what differs": "; ".join(one.differences),
        "log": one.log,
    }


def _in_print(found: "Sequence[Reproduced]") -> list[Table]:
    """Return a table for each task of a paper that fits a page; a CI stands behind its
    number.

    The caption has the logs that numbers are from, and what keeps each from reproducing
    them.
    """
    groups: dict[str, list[Reproduced]] = defaultdict(list)
    for one in found:
        groups[f"{_TITLE}: {one.paper}, {one.row.task}"].append(one)
    made = []
    for title, own in groups.items():
        differing = defaultdict[str, dict[str, None]](dict)
        for one in own:
            if one.log:
                differing[one.log] |= dict.fromkeys(one.differences)
        logs = "; ".join(
            f"{log} ({'; '.join(told)})" if told else log
            for log, told in differing.items()
        )
        measured = f" Measured in: {logs}." if logs else ""
        rows: list[TableRow] = [
            {
                "model": one.row.model,
                "metric": one.row.label,
                "where": one.row.where,
                "published": (
                    _SIGNS.get(one.row.sign, f"{one.row.sign} ") + _number(one, one.row)
                ),
                **(
                    {"measured": _number(one, one.measured) or None, "n": _n(one)}
                    if logs
                    else {}
                ),
                "reading": one.reading,
            }
            for one in own
        ]
        made.append(Table(title, title, rows, caption=f"{title}.{measured}"))
    return made


def _n(one: "Reproduced") -> int | None:
    return int(one.measured.n) or None


def _number(one: "Reproduced", of: "PublishedRow | Estimate") -> str:
    """Return a number, published or measured, with its CI."""
    if math.isnan(of.value):
        return ""
    text = f"{of.value:,.0f}" if one.row.is_count else f"{of.value:.3f}"
    known = of.low is not None and of.high is not None and not math.isnan(of.low)
    return f"{text} [{of.low:.3f}, {of.high:.3f}]" if known else text


def _print_config(name: str) -> None:
    folder = Path(str(resources.files("refusalbench_tasks") / "run_configs"))
    configs = {path.stem: path for path in sorted(folder.glob("*.yaml"))}
    if name == "list":
        click.echo("\n".join(configs))
    elif name in configs:
        click.echo(configs[name])
    else:
        raise DataError(f"unknown run config '{name}'; known: {', '.join(configs)}")
