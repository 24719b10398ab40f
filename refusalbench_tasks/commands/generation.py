"""Commands around generation: levers, bases, plan, export, validation, agreement."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from refusalbench_tasks.commands.output import Output, format_option, output, write_csv
from refusalbench_tasks.datasets.selection import names_of
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format, Table, TableRow

if TYPE_CHECKING:
    from refusalbench_tasks.generators.levers import Lever

COVERAGE = ("balanced", "all", "model")
_FILTERS = (
    click.option("--classes", help="Comma list of perturbation classes."),
    click.option("--intensities", help="Comma list of LOW, MEDIUM, HIGH."),
    click.option("--levers", "names", help="Comma list of lever names."),
    click.option("--lever-file", type=click.Path(), help="A file with levers beside the bundled ones."),
)


def _filtered(command: Any) -> Any:
    for option in reversed(_FILTERS):
        command = option(command)
    return command


@click.command()
@_filtered
@click.option("--search", default="", help="Show only levers whose name or instruction has this text.")
@click.option("--full", is_flag=True, help="Show instruction and example.")
@click.option("--yaml", "as_yaml", is_flag=True, help="Print them as a lever file: a template for your own.")
@format_option
def levers(
    classes: str | None, intensities: str | None, names: str | None, lever_file: str | None, search: str, full: bool,
    as_yaml: bool, form: Format,
) -> None:  # fmt: skip
    """List the levers by which items are perturbed."""
    from refusalbench_tasks.generators.levers import levers_text, load_levers, select_levers

    if as_yaml and form != "text":
        raise DataError("levers: --yaml and --format are two ways to print the same; give one")
    found = select_levers(load_levers(lever_file), names_of(classes), names_of(intensities), names_of(names))
    found = [lever for lever in found if search.lower() in f"{lever.name} {lever.instruction}".lower()]
    if as_yaml:
        click.echo(levers_text(found), nl=False)
        return
    with output(form) as out:
        if full and form == "text":
            for lever in found:
                out.remark(_lever_text(lever))
        else:
            out.table(Table("levers", "Levers", [_lever_row(lever, full) for lever in found]), head=False)
        out.remark(f"{len(found)} levers")


def _lever_text(lever: "Lever") -> str:
    example = lever.example
    return (f"{lever.name} ({lever.perturbation}, {lever.intensity}; one passage: {lever.single}, ten: "
            f"{lever.multi})\n  {lever.instruction}\n  before: {example.before.query}\n          "
            f"{example.before.context}\n  after:  {example.after.query}\n          {example.after.context}\n"
            f"  why:    {example.why}\n")  # fmt: skip


def _lever_row(lever: "Lever", full: bool) -> TableRow:
    row: TableRow = {
        "class": lever.perturbation.value, "intensity": lever.intensity.value, "lever": lever.name,
    }  # fmt: skip
    example = lever.example
    more = {
        "one passage": lever.single, "ten passages": lever.multi, "instruction": lever.instruction,
        "query before": example.before.query, "context before": example.before.context,
        "query after": example.after.query, "context after": example.after.context, "why": example.why,
    }  # fmt: skip
    return row | more if full else row


@click.command()
@click.argument("source")
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The file to write.")
@click.option("--count", type=click.IntRange(1), help="Draw this many questions.")
@click.option("--per-domain", type=click.IntRange(1), help="Draw this many per domain.")
@click.option("--seed", default=42, show_default=True, help="Seed of the draw.")
@click.option("--licence", help="Licence of the source; written into every row.")
@click.option("--solved-in", multiple=True, type=click.Path(exists=True), help="Keep what every log answers rightly.")
def bases(
    source: str, output: Path, count: int | None, per_domain: int | None, seed: int, licence: str | None,
    solved_in: tuple[str, ...],
) -> None:  # fmt: skip
    """Curate base questions from SOURCE: nq, garage (hub), or a file, and write them for `perturb`."""
    from refusalbench_tasks.files.writing import write_jsonl
    from refusalbench_tasks.generators.bases import base_row
    from refusalbench_tasks.generators.curation import curate
    from refusalbench_tasks.generators.solved import solved_in as solved

    found = curate(source, count, per_domain, seed)
    items = found.items
    if solved_in:
        kept = solved(items, solved_in)
        items = kept.items
        _name_left_out(kept.left_out)
        where = "the log" if kept.logs == 1 else f"all {kept.logs} logs"
        click.echo(f"{len(items)} of {len(found.items)} questions are answered rightly in {where}")
        if not items:
            raise DataError("no question is left; are these runs of `nq` or `garage` over these bases?")
    write_jsonl(output, [base_row(item) | {"licence": licence or found.licence} for item in items])
    for reason, number in found.left_out.items():
        places = found.examples.get(reason, ())
        named = f" ({', '.join(places)}{', ...' if number > len(places) else ''})" if places else ""
        click.echo(f"left out, {reason}: {number}{named}")
    click.echo(f"{len(items)} base questions from {found.rows} rows in {output}")


@click.command()
@click.option("--bases", "bases_file", help="A file of base questions.")
@_filtered
@click.option("--coverage", type=click.Choice(COVERAGE), default="balanced", show_default=True)
@click.option("--writers", default="writer", help="Comma list of writer models.")
@click.option("--verifiers", default="verifier", help="Comma list of verifier models.")
@click.option("--prices", type=click.Path(), help="YAML or JSON: MODEL: {input: X, output: Y} per million tokens.")
@click.option("--seed", default=0, show_default=True)
@click.option("--epsilon", type=float, help="Largest error of an estimate; with --delta, the needed sample sizes.")
@click.option("--delta", type=float, help="Probability that an estimate is further off.")
@click.option("--rounds", type=click.IntRange(1), default=1, show_default=True, help="Rounds of evaluation.")
@click.option(
    "--drift",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="How far a static set may have drifted.",
)
@format_option
def plan(
    bases_file: str | None, classes: str | None, intensities: str | None, names: str | None,
    lever_file: str | None, coverage: str,
    writers: str, verifiers: str, prices: str | None, seed: int, epsilon: float | None, delta: float | None,
    rounds: int, drift: float, form: Format,
) -> None:  # fmt: skip
    """Show counts, calls, tokens and cost of a generation run, and the sample sizes that a precision needs."""
    if bases_file is None and (epsilon is None or delta is None):
        raise DataError("plan: give --bases, or --epsilon and --delta")
    with output(form) as out:
        if bases_file is not None:
            _show_plan(
                out, bases_file, classes, intensities, names, lever_file, coverage, writers, verifiers, prices, seed
            )
        if epsilon is not None and delta is not None:
            _show_sizes(out, epsilon, delta, rounds, drift)


def _show_plan(
    out: Output, bases_file: str, classes: str | None, intensities: str | None, names: str | None,
    lever_file: str | None, mode: Any,
    writers: str, verifiers: str, prices: str | None, seed: int,
) -> None:  # fmt: skip
    from refusalbench_tasks.generators.bases import load_bases
    from refusalbench_tasks.generators.estimate import coverage, estimate, read_prices
    from refusalbench_tasks.generators.levers import load_levers, select_levers
    from refusalbench_tasks.generators.plan import make_plan

    questions = load_bases(bases_file)
    chosen = select_levers(load_levers(lever_file), names_of(classes), names_of(intensities), names_of(names))
    slots = make_plan(questions, chosen, mode, seed)
    out.remark(f"{len(questions)} base questions, {len(chosen)} levers, {len(slots)} items per writer\n")
    cells = [{"class": name, "intensity": level, "items": n} for (name, level), n in coverage(slots).items()]
    out.table(Table("items", "Items per writer", cells))
    usages = estimate(slots, chosen, names_of(writers), names_of(verifiers))
    known = read_prices(prices) if prices else {}
    costs = [u.cost(known) for u in usages]
    rows = [
        {
            "model": u.model, "role": u.role, "calls": u.calls, "input tokens": u.input_tokens,
            "output tokens": u.output_tokens, "cost": cost,
        }
        for u, cost in zip(usages, costs, strict=True)
    ]  # fmt: skip
    out.remark()
    out.table(Table("calls", "Calls of one attempt at each item", rows, formats={"cost": _money}))
    total = "unknown" if None in costs else _money(sum(c for c in costs if c is not None))
    out.remark(f"\nat most {sum(u.calls for u in usages)} calls for one attempt at each item; cost: {total}")


def _show_sizes(out: Output, epsilon: float, delta: float, rounds: int, drift: float) -> None:
    from refusalbench_tasks.stats.sample_size import (
        fresh_samples,
        static_error,
        static_failure_bound,
        static_failure_floor,
        static_samples,
    )

    try:
        fresh, static = fresh_samples(epsilon, delta, rounds), static_samples(epsilon, delta)
    except ValueError as error:
        raise DataError(f"plan: {error}") from None
    except (ZeroDivisionError, OverflowError):
        raise DataError(f"plan: no number of items is that precise; epsilon {epsilon:g} is too small") from None
    low, high = static_failure_floor(epsilon, fresh, drift), static_failure_bound(epsilon, fresh, drift)
    off = static_error(delta, fresh, drift)
    out.remark(f"fresh: {fresh} items in each of {rounds} rounds keep every estimate within {epsilon} (1 - {delta})")
    out.remark(f"static: {static} items once, if the world drifts by at most {epsilon / 2:g}")
    out.remark(
        f"a static set of {fresh} items under a drift of {drift:g}: within {off:.3f} "
        f"(1 - {delta}); it is off by more than {epsilon} with a probability between {low:.3f} and {high:.3f}"
    )
    sizes = {
        "epsilon": epsilon, "delta": delta, "rounds": rounds, "drift": drift, "fresh items a round": fresh,
        "static items": static, "static error": off, "failure low": low, "failure high": high,
    }  # fmt: skip
    out.numbers(Table("sizes", "Items that a precision needs", [sizes]))


def _money(cost: float) -> str:
    return f"{cost:.2f}"


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="The folder to write.")
@click.option("--per-stratum", type=click.IntRange(1), default=22, show_default=True, help="Of each class x intensity.")
@click.option("--per-generator", type=click.IntRange(1), default=400, show_default=True, help="Rows per writer.")
@click.option("--all", "everything", is_flag=True, help="No draw: every accepted item.")
@click.option("--seed", default=42, show_default=True, help="Seed of draw and sheet.")
@click.option("--per-cell", type=click.IntRange(1), default=10, show_default=True, help="Items per cell in the sheet.")
@click.option("--prefix", default="RB-FRESH", show_default=True, help="How row ids begin.")
@click.option("--licence", help="Licence of the set; the default is that of the base questions.")
@click.option("--parquet", is_flag=True, help="Write rows.parquet as well.")
def export(
    logs: tuple[str, ...], output: Path, per_stratum: int, per_generator: int, everything: bool, seed: int,
    per_cell: int, prefix: str, licence: str | None, parquet: bool,
) -> None:  # fmt: skip
    """Merge the accepted items of LOGS into a data set that `nq` or `garage` runs."""
    from refusalbench_tasks.generators.export import export as write
    from refusalbench_tasks.generators.generation_logs import read_runs

    stratum, total = (None, None) if everything else (per_stratum, per_generator)
    found = read_runs(logs)
    _name_left_out(found.left_out)
    done = write(found.runs, output, stratum, total, seed, per_cell, prefix, licence, parquet)
    click.echo(f"{done.rows} rows, {done.controls} controls")
    click.echo(f"left out: {done.repeats} repeats, {done.conflicts} with conflicting labels")
    click.echo("\n".join(str(file) for file in done.files))


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


@click.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True))
@click.option("-o", "--output", "folder", type=click.Path(path_type=Path), help="A folder for the tables as CSV.")
@format_option
def agreement(logs: tuple[str, ...], folder: Path | None, form: Format) -> None:
    """Show how writers and verifiers of generation LOGS agree."""
    from refusalbench_tasks.generators.agreement import panel_tables
    from refusalbench_tasks.generators.generation_logs import read_runs

    found = read_runs(logs)
    _name_left_out(found.left_out)
    panel = panel_tables(found.items)
    with output(form) as out:
        if panel.note:
            out.remark(f"pass rates and agreement: {panel.note}\n")
        for name, rows in panel.tables.items():
            table = Table(name, name.replace("_", " "), rows)
            if folder:
                write_csv(folder / f"{name}.csv", table)
            out.table(table, title=name, end="\n")


def _name_left_out(left_out: Sequence[tuple[str, str]]) -> None:
    for name, reason in left_out:
        click.echo(f"Warning: left out: {name}: {reason}", err=True)
