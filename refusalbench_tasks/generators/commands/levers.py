"""`refusalbench levers`: what items can be perturbed by."""

from typing import TYPE_CHECKING

import click

from refusalbench_tasks.arguments import names_of
from refusalbench_tasks.command_output import format_option, output
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.commands.lever_options import lever_options
from refusalbench_tasks.tables import Format, Table, TableRow

if TYPE_CHECKING:
    from refusalbench_tasks.generators.levers import Lever


@click.command()
@lever_options
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
