"""`refusalbench gate`: logs against rules, for a build that fails when a system gets
worse.
"""

from typing import TYPE_CHECKING, Literal

import click

from refusalbench_tasks.errors import DataError

if TYPE_CHECKING:
    from refusalbench_tasks.results.gate.rules import Rules
    from refusalbench_tasks.results.gate.summary import Form
    from refusalbench_tasks.results.gate.verdict import Verdict


@click.command()
@click.argument(
    "logs",
    nargs=-1,
    required=True,
    type=click.Path(),
)
@click.option(
    "--rules",
    "rules_file",
    metavar="FILE",
    help="A YAML file of rules (docs/compare.md).",
)
@click.option(
    "--max",
    "at_most",
    multiple=True,
    metavar="METRIC=LIMIT",
    help="A metric may be at most this; also no_reply, unscored and errors, each"
    " 0.05 by default.",
)
@click.option(
    "--min",
    "at_least",
    multiple=True,
    metavar="METRIC=LIMIT",
    help="A metric must be at least this.",
)
@click.option(
    "--against",
    metavar="LOG",
    help="The baseline: a log, or a folder with one log for each task.",
)
@click.option(
    "--last",
    type=click.IntRange(1),
    help="The baseline: this many runs in LOGS before the newest.",
)
@click.option(
    "--no-worse-than",
    metavar="LOSS",
    help="Largest loss against the baseline, for every limited rate.",
)
@click.option(
    "--any-data",
    is_flag=True,
    help="Compare with a baseline on other data over the rows that both have.",
)
@click.option(
    "--undecided",
    type=click.Choice(("pass", "fail")),
    help="Count undecided rules as this.",
)
@click.option(
    "-n",
    "--n",
    default=20,
    type=click.IntRange(0),
    help="Failing rows to name for each rule.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "json", "junit", "markdown")),
    default="text",
)
@click.pass_context
def gate(
    context: click.Context,
    logs: tuple[str, ...],
    rules_file: str | None,
    at_most: tuple[str, ...],
    at_least: tuple[str, ...],
    against: str | None,
    last: int | None,
    no_worse_than: str | None,
    any_data: bool,
    undecided: Literal["pass", "fail"] | None,
    n: int,
    form: "Form",
) -> None:
    """Check the newest run of each task, model and data file in LOGS against rules.

    The 95 % CI decides, not the value. Exit status: 0 all rules pass, 1 one fails, 2
    unusable (bad rules, no finished log, no such metric), 3 undecided.

    \b
    Example: refusalbench gate logs --max false_refusal_rate=0.1 --format junit
    """
    from refusalbench_tasks.results.gate.gate_runs import earlier_runs, newest
    from refusalbench_tasks.results.gate.rule_checks import gated
    from refusalbench_tasks.results.gate.summary import (
        STATUS,
        counted,
        written_gate,
        written_problem,
    )

    counts_as: Verdict = undecided or "undecided"
    try:
        rules = _rules(
            rules_file,
            at_most,
            at_least,
            no_worse_than,
        )
        if against is not None and last:
            raise DataError("gate: two baselines; give --against or --last")
        if (against is not None or last) and not rules.need_baseline:
            raise DataError(
                "gate: no rule is about a difference; add --no-worse-than, or"
                " no_worse_than to a rule"
            )
        runs = newest(logs, rules.need_texts)
        baselines = []
        if against:
            baselines = newest((against,), rules.need_texts)
        elif last:
            baselines = earlier_runs(
                logs,
                runs,
                last,
                rules.need_texts,
            )
        gates = gated(
            runs,
            rules,
            baselines,
            any_data,
        )
        text = written_gate(
            gates,
            form,
            counts_as,
            n,
        )
    except DataError as error:
        click.echo(written_problem(error.message, form), nl=False)
        error.show()
        # what is unusable must not look like a rule that failed
        context.exit(2)
    click.echo(text, nl=False)
    context.exit(STATUS[counted(gates, counts_as)])


def _rules(
    file: str | None,
    at_most: tuple[str, ...],
    at_least: tuple[str, ...],
    no_worse_than: str | None,
) -> "Rules":
    from refusalbench_tasks.bounded_reading import file_at, read_text
    from refusalbench_tasks.results.gate.rules import (
        COUNTED,
        Rules,
        number_of,
        read_rules,
        stated_rule,
    )

    rules = Rules()
    if file:
        about = f"--rules {file}"
        rules = read_rules(read_text(file_at(file, "--rules"), about), about)
    changes: dict[str, object] = {}
    stated = [*rules.rules]
    for limit in at_most:
        name, _, share = limit.partition("=")
        if name in COUNTED:
            changes[f"max_{name}"] = number_of(share, f"--max {name}", 1)
        else:
            stated.append(stated_rule(limit, "max"))
    stated += [stated_rule(limit, "min") for limit in at_least]
    if no_worse_than is not None:
        changes["no_worse_than"] = number_of(no_worse_than, "--no-worse-than")
    if not stated:
        raise DataError(
            "gate: no rules; give --rules FILE, --max METRIC=LIMIT or --min"
            " METRIC=LIMIT"
        )
    return rules.model_copy(update={**changes, "rules": tuple(stated)})
