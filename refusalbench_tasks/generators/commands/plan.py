"""`refusalbench plan`: base questions, levers, and what a generation run of them would
be.
"""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from refusalbench_tasks.arguments import names_of
from refusalbench_tasks.command_output import (
    Output,
    format_option,
    output,
    tell_left_out,
)
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.tables import Format, Table

if TYPE_CHECKING:
    from refusalbench_tasks.datasets.item import RefusalItem
    from refusalbench_tasks.generators.levers import Lever

EVERY = "all"
SHOWN = 3


@click.command("plan")
@click.option(
    "--bases",
    "source",
    help=(
        "A file, nq_sample, garage_sample, nq, garage, nq-upstream, garage-upstream, "
        "hub:REPO or hub:REPO#SPLIT."
    ),
)
@click.option(
    "-o",
    "--output",
    "target",
    type=click.Path(path_type=Path),
    help="Write the base questions to a file.",
)
@click.option(
    "-n",
    "--n",
    "count",
    type=click.IntRange(1),
    help="Draw this many questions.",
)
@click.option(
    "--solved-in",
    multiple=True,
    type=click.Path(exists=True),
    help="Keep what all logs answer correctly.",
)
@click.option("--licence", help="Licence of the source; written into every row.")
@click.option(
    "--levers",
    "names",
    is_flag=False,
    flag_value=EVERY,
    help="Comma list of lever names; alone: list them.",
)
@click.option("--classes", help="Comma list of perturbation classes.")
@click.option(
    "--lever-file",
    type=click.Path(),
    help="A file with levers beside the bundled ones.",
)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    help="Seed of plan and draw.",
)
@format_option
def plan_command(
    source: str | None,
    target: Path | None,
    count: int | None,
    solved_in: tuple[str, ...],
    licence: str | None,
    names: str | None,
    classes: str | None,
    lever_file: str | None,
    seed: int,
    form: Format,
) -> None:
    """Prepare base questions, list perturbation levers, and show what a run of
    `perturb` would plan.

    \b
    Example: refusalbench plan --bases nq-upstream -n 100 -o bases.jsonl
    """
    from refusalbench_tasks.generators.levers import load_levers, select_levers

    if source is None and names is None:
        raise DataError("plan: give --bases or --levers")
    wanted = () if names == EVERY else names_of(names)
    known = load_levers(lever_file)
    levers = select_levers(
        known,
        names_of(classes),
        names=wanted,
    )
    with output(form) as out:
        if source is None:
            _show_levers(out, levers)
        else:
            questions = _bases(
                out,
                source,
                target,
                (count, seed),
                solved_in,
                licence,
            )
            _show_plan(
                out,
                questions,
                levers,
                seed,
            )


def _bases(
    out: Output,
    source: str,
    target: Path | None,
    drawn: tuple[int | None, int],
    solved_in: tuple[str, ...],
    licence: str | None,
) -> "Sequence[RefusalItem]":
    """Return the base questions of a source, written to a file on request."""
    from refusalbench_tasks.generators.curation import curate
    from refusalbench_tasks.generators.kit.bases import base_row
    from refusalbench_tasks.generators.solved_filter import solved_in as solved
    from refusalbench_tasks.safe_writing import not_an_input, write_rows

    def keep(items: "Sequence[RefusalItem]") -> "Sequence[RefusalItem]":
        if not solved_in:
            return items
        kept, logs = solved(items, solved_in)
        tell_left_out(logs.left_out)
        where = "the log" if len(logs.logs) == 1 else f"all {len(logs.logs)} logs"
        out.remark(
            f"{len(kept)} of {len(items)} questions are answered rightly in {where}"
        )
        if not kept:
            raise DataError(
                "no question is left; are these runs of `nq` or `garage` over these"
                " bases?"
            )
        return kept

    if target is not None:
        not_an_input(target, source)
    curated = curate(source, *drawn, keep)
    for reason, places in curated.left_out.items():
        more = ", ..." if len(places) > SHOWN else ""
        named = f"{', '.join(places[:SHOWN])}{more}"
        out.remark(f"left out, {reason}: {len(places)} ({named})")
    if target is not None:
        stated = {"licence": licence or curated.licence}
        write_rows(target, [base_row(item) | stated for item in curated.items])
        out.remark(
            f"{len(curated.items)} base questions from {curated.rows} rows in {target}"
        )
    return curated.items


def _show_plan(
    out: Output,
    questions: "Sequence[RefusalItem]",
    levers: "Sequence[Lever]",
    seed: int,
) -> None:
    """Print the items by cell, and the levers that can't be used: as far as code can
    know, and before any writer declines.
    """
    from refusalbench_tasks.generators.plan import make_plan, never_usable

    slots = make_plan(questions, levers, seed=seed)
    out.remark(
        f"{len(questions)} base questions, {len(levers)} levers, {len(slots)} items per"
        " writer\n"
    )
    cells = Counter((slot.perturbation.value, slot.intensity.value) for slot in slots)
    rows = [
        {
            "class": name,
            "intensity": level,
            "items": n,
        }
        for (name, level), n in cells.items()
    ]
    out.table(Table("items", "Items per writer", rows))
    never = [
        {
            "class": lever.perturbation.value,
            "intensity": lever.intensity.value,
            "lever": lever.name,
            "answers": ", ".join(lever.answers),
        }
        for lever in never_usable(questions, levers)
    ]
    if never:
        about = "Levers that fit none of the base questions"
        out.table(Table("never_usable", about, never), title="\nfitting none:")
    out.remark(
        "\nAn item takes at most one call of the writer, one of the annotator and one"
        " of each verifier; with together=true the items of a base and a class share"
        " the writer's and the verifiers'."
    )


def _show_levers(out: Output, levers: "Sequence[Lever]") -> None:
    rows = []
    for lever in levers:
        row = {
            "class": lever.perturbation.value,
            "intensity": lever.intensity.value,
            "lever": lever.name,
            "one passage": lever.single,
            "ten passages": lever.multi,
            "answers": ", ".join(lever.answers),
        }
        if out.form != "text":
            row["instruction"] = lever.instruction
        rows.append(row)
    out.table(Table("levers", "Levers", rows))
    out.remark(f"{len(levers)} levers")
