"""The tables of runs of `nq` and `garage`."""

from collections.abc import Sequence

from refusalbench_tasks.metrics.metric_table import label_of
from refusalbench_tasks.metrics.refusal_counts import count_vectors, rate_bounds
from refusalbench_tasks.metrics.refusal_metrics import CONTROL, OF_CONTROLS, RATES
from refusalbench_tasks.report.estimate_cells import row_of, row_of_system
from refusalbench_tasks.report.figures.rates import reference
from refusalbench_tasks.report.figures.traits import thinking_of, thinking_systems
from refusalbench_tasks.report.groups import Group
from refusalbench_tasks.results.run_view import BY_PART
from refusalbench_tasks.tables import Table, TableRow
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED, Label

_MOST_DOCUMENTS = 40
_OF_CONTROLS = [f"{CONTROL}{name}" for name in OF_CONTROLS]
_OF_RETRIEVAL = (
    "hit_at_k",
    "false_refusal_rate_given_hit",
    "false_refusal_rate_given_miss",
)
_OF_GROUPS = ("pair_consistency", "quad_consistency")


def overview(group: Group) -> Table:
    """Return every main metric that any run has, and those of models that treat all
    rows alike.
    """
    every = max((system.main_names for system in group.systems), key=len)
    longest = [name for name in RATES if name in every]
    rows = [row_of_system(system, longest) for system in group.systems]
    for name, label in (
        ("(always answers)", Label.ANSWER),
        ("(always refuses: info missing)", Label.MISSING),
    ):
        alike = reference(group, label)
        rows.append(row_of({"system": name}, {name: alike[name] for name in longest}))
    note = (
        "95 % CIs resample base questions. The last two rows are models that treat"
        " every row alike."
    )
    return Table("overview", "Main metrics", rows, note)


def more_tables(group: Group) -> list[Table]:
    """Return the tables behind the figures: by class, intensity and document, controls,
    retrieval, quads, bounds.
    """
    return [
        *documents(group),
        by_part(group, "class", [one.value for one in CLASSES]),
        by_part(group, "intensity", [level.value for level in PERTURBED]),
        *_where_there(
            group, "controls", "Unperturbed controls", _OF_CONTROLS, _CONTROLS
        ),
        *_where_there(group, "retrieval", "Retrieval", _OF_RETRIEVAL, _RETRIEVAL),
        *_where_there(group, "consistency", "Pairs and quads", _OF_GROUPS, _GROUPS),
        *_thinking(group),
        bounds(group),
    ]


_CONTROLS = "The originals as they were before perturbation: answerable rows."
_GROUPS = (
    "A pair or quad is right if all its replies are; one with a missing or unscored"
    " reply does not count."
)
_RETRIEVAL = (
    "Answerable rows. A false refusal given a hit is the reader's; given a miss it is"
    " the retriever's."
)


def _where_there(
    group: Group, key: str, title: str, names: Sequence[str], note: str
) -> list[Table]:
    """Return a table of metrics of the runs that have them; none without such a run."""
    systems = [system for system in group.systems if names[0] in system.numbers]
    rows = [row_of_system(system, names) for system in systems]
    return [Table(key, title, rows, note)] if rows else []


def _thinking(group: Group) -> list[Table]:
    rows = []
    for system in thinking_systems(group):
        written = "output_tokens_per_row"
        spent = (
            {written: system.spending[written]} if written in system.spending else {}
        )
        values = spent | {name: system.number(name) for name in BY_PART}
        about = {"model": system.run.model, "thinking": thinking_of(system)}
        rows.append(row_of(about, values))
    note = (
        "Output tokens have those of thinking among them. 95 % CIs resample base"
        " questions."
    )
    return [Table("thinking", "Thinking", rows, note)] if rows else []


def by_part(group: Group, column: str, parts: list[str]) -> Table:
    """Return five rates of each system by the parts of a column, those that some row is
    of.
    """
    there = [part for part in parts if (group.rows[column] == part).any()]
    rows: list[TableRow] = []
    for one in group.systems:
        of_each = {name: one.by_group(column, there, name) for name in BY_PART}
        for k, part in enumerate(there):
            values = {name: of_each[name][k] for name in BY_PART}
            rows.append(row_of({"system": one.label, column: part}, values))
    return Table(column, f"By {column}", rows, "95 % CIs resample base questions.")


def documents(group: Group) -> list[Table]:
    """Return how right each system is by source document, the worst first; no table
    where no row names a document.
    """
    rows = []
    for one in group.systems:
        of = one.rows["source_document"].fillna("").to_numpy()
        known = one.rows["right"].notna().to_numpy() & (of != "")
        right = (one.rows["right"] == 1).to_numpy()
        for document in sorted(set(of[known])):
            inside = known & (of == document)
            rows.append((right[inside].mean(), one, document, right, inside))
    worst = sorted(rows, key=lambda row: (row[0], row[1].label, row[2]))[
        :_MOST_DOCUMENTS
    ]
    listed = [
        row_of(
            {"document": document, "system": one.label},
            {"right": one.share(right, inside)},
        )
        for _, one, document, right, inside in worst
    ]
    note = (
        "Share of replies that are right, the lowest first; no more than"
        f" {_MOST_DOCUMENTS} lines."
    )
    return [Table("documents", "By source document", listed, note)] if listed else []


def bounds(group: Group) -> Table:
    """Return what the rates could be over what is not known; rates of which everything
    is known are left out.
    """
    rows: list[TableRow] = []
    for one in group.systems:
        lost = one.run.lost[~one.run.lost["control"]]
        answerable = int((lost["expected"] == Label.ANSWER.value).sum())
        # a row of which nothing is known, not even its label, could be of either side
        either = int((lost["expected"] == "").sum()) + one.run.never_run
        unanswerable = len(lost) - answerable - int((lost["expected"] == "").sum())
        totals = count_vectors(one.rows).sum(axis=0)
        for name, found in rate_bounds(
            totals, answerable + either, unanswerable + either
        ).items():
            if found.unknown and (one.codes or name != "refusal_accuracy"):
                rows.append(
                    {
                        "system": one.label,
                        "metric": label_of(name),
                        "measured": one.number(name).value,
                    }
                    | {
                        "lowest": found.low,
                        "highest": found.high,
                        "not known": found.unknown,
                    }
                )
    note = (
        "What a rate could be if every unscored, ungraded, lost or never run row"
        " counted against it, or for it. Rates of which every row is known are not"
        " listed."
    )
    return Table("bounds", "Bounds over what is not known", rows, note)
