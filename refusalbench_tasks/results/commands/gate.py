"""`refusalbench gate`: logs against rules, for a build that fails when a system gets worse."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.terminal import printable

if TYPE_CHECKING:
    from refusalbench_tasks.results.gate.rules import Rules
    from refusalbench_tasks.results.gate.verdict import Verdict


class _Unusable(DataError):
    """What a gate cannot be held with, which must not look like a rule that failed."""

    exit_code = 2


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path())
@click.option("--rules", "rules_file", metavar="FILE", help="A YAML file of rules (docs/ci.md).")
@click.option("--max", "at_most", multiple=True, metavar="METRIC=LIMIT", help="A metric may be at most this.")
@click.option("--min", "at_least", multiple=True, metavar="METRIC=LIMIT", help="A metric must be at least this.")
@click.option("--against", metavar="LOG", help="The baseline: a log, or a folder with one of each task.")
@click.option(
    "--no-worse-than", metavar="LOSS", help="The loss against the baseline that every limited metric may have."
)
@click.option("--any-data", is_flag=True, help="Compare with a baseline on other data over the rows that both have.")
@click.option("--max-unscored", metavar="SHARE", help="The share of rows that may be unscored.  [default: 0.05]")
@click.option("--undecided", type=click.Choice(("pass", "fail")), help="What undecided rules count as, instead of 3.")
@click.option(
    "--format", "form", type=click.Choice(("text", "json", "junit", "markdown")), default="text", show_default=True
)
@click.option("-o", "--output", metavar="FILE", help="Write there, and the text to stdout.")
@click.pass_context
def gate(
    context: click.Context, logs: tuple[str, ...], rules_file: str | None, at_most: tuple[str, ...],
    at_least: tuple[str, ...], against: str | None, no_worse_than: str | None, any_data: bool,
    max_unscored: str | None, undecided: Literal["pass", "fail"] | None,
    form: Literal["text", "json", "junit", "markdown"], output: str | None,
) -> None:  # fmt: skip
    """Hold the newest run of each task and model in LOGS against rules.

    The 95 % interval decides, not the value. Exit status: 0 all rules held, 1 one failed, 2 unusable (bad rules, no
    log, no such metric), 3 undecided.
    """
    from refusalbench_tasks.files.log_names import not_a_log

    try:
        if output is not None:
            not_a_log(Path(output), rules_file, against, *logs)
        rules = _rules(rules_file, at_most, at_least, no_worse_than, max_unscored)
        status = _hold(logs, rules, against, any_data, undecided, form, output)
    except DataError as error:
        raise _Unusable(error.message) from None
    context.exit(status)


def _rules(
    file: str | None, at_most: tuple[str, ...], at_least: tuple[str, ...], no_worse_than: str | None,
    max_unscored: str | None,
) -> "Rules":  # fmt: skip
    from refusalbench_tasks.bounded_reading import file_at, read_text
    from refusalbench_tasks.results.gate.rules import Rule, Rules, limit_of, read_rules, stated_limit

    rules = read_rules(read_text(file_at(file, "--rules"), f"--rules {file}"), f"--rules {file}") if file else Rules()
    stated = [Rule(metric=name, max=limit) for name, limit in (stated_limit(one, "--max") for one in at_most)]
    stated += [Rule(metric=name, min=limit) for name, limit in (stated_limit(one, "--min") for one in at_least)]
    rules = rules.model_copy(update={"rules": (*rules.rules, *stated)})
    if not rules.rules:
        raise DataError("gate: no rules; give --rules FILE, --max METRIC=LIMIT or --min METRIC=LIMIT")
    if max_unscored is not None:
        share = limit_of(max_unscored, "--max-unscored")
        if not 0 <= share <= 1:
            raise DataError(f"--max-unscored: {max_unscored} is no share from 0 to 1 (5 % is 0.05)")
        rules = rules.model_copy(update={"max_unscored": share})
    if no_worse_than is None:
        return rules
    loss = limit_of(no_worse_than, "--no-worse-than")
    if loss < 0:
        raise DataError(f"--no-worse-than: {no_worse_than} is below 0; give the loss that is allowed")
    return rules.with_loss(loss)


def _hold(
    logs: tuple[str, ...], rules: "Rules", against: str | None, any_data: bool, undecided: str | None,
    form: Literal["text", "json", "junit", "markdown"], output: str | None,
) -> int:  # fmt: skip
    from refusalbench_tasks.results.gate.checks import gated
    from refusalbench_tasks.results.gate.runs import newest_runs
    from refusalbench_tasks.results.gate.summary import STATUS, counted, written_gate
    from refusalbench_tasks.safe_writing import write_whole

    if against is not None and not rules.need_baseline:
        raise DataError("--against: no rule is about a difference; add --no-worse-than, or no_worse_than to a rule")
    found = newest_runs(_existing(logs, "LOGS"))
    for name in found.older:
        click.echo(printable(f"Note: a newer run of its task and model stands for {name}"), err=True)
    baselines = newest_runs(_existing((against,), "--against")).runs if against is not None else ()
    made = gated(found.runs, rules, baselines, any_data)
    names: dict[str | None, Verdict] = {"pass": "held", "fail": "failed", None: "undecided"}
    counts_as = names[undecided]
    text = written_gate(made, form, counts_as)
    if output is not None:
        write_whole(Path(output), text)
        text = written_gate(made, "text", counts_as)
    click.echo(text, nl=False)
    return STATUS[counted(made, counts_as)]


def _existing(paths: tuple[str, ...], about: str) -> tuple[str, ...]:
    for path in paths:
        if "://" not in path and not Path(path).exists():
            raise DataError(f"{about}: no such file or folder '{path}'")
    return paths
