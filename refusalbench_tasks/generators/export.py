"""Generation logs to a data set in the released layout, with controls, card and a sheet
for people.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.safe_writing import jsonl
from refusalbench_tasks.tables import TableRow
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

from .distinct import (
    DistinctItems,
    balanced,
    distinct_items,
)
from .generation_logs import Generated, GenerationRun
from .kit.bases import base_row
from .kit.card import (
    CardRows,
    DataCard,
    agreement_row,
    markdown_table,
)
from .kit.export import write_set
from .kit.yields import NAN, ratio
from .levers import Lever, bundled_levers
from .perturb_record import SCORER
from .released_rows import released_row
from .validation_sheet import (
    draw_sheet,
    failed_keys,
    people_found,
    row_key,
)

Runs = Sequence[GenerationRun]

OURS = ("controls.jsonl", "README.md", "rows.jsonl")
"""What an export writes: a later one replaces these, and leaves whatever else stands in
the folder.
"""


@dataclass(frozen=True)
class ExportSettings:
    """What is drawn (None draws everything), how it is named, and what people said."""

    per_stratum: int | None = 22
    per_generator: int | None = 400
    seed: int = 42
    per_cell: int = 10
    licence: str | None = None
    language: tuple[str, ...] = ("en",)
    drop: tuple[Path, ...] = ()
    """Filled sheets; the items that one of them fails are left out, whoever wrote them.
    """
    sheets: tuple[Path, ...] = ()
    """Filled sheets whose results stand in the card."""


@dataclass(frozen=True)
class Exported:
    """What was written where, and what was left out."""

    rows: int
    controls: int
    distinct: DistinctItems
    dropped: int
    files: Sequence[Path]


def export_rows(
    runs: Runs,
    folder: Path,
    settings: ExportSettings,
) -> Exported:
    """Write the accepted items of runs to a folder, all files or none, and return what
    was written.

    `rows.jsonl` in the released layout, `controls.jsonl` with the originals,
    `README.md` as data card; a sheet for people and its key go to a folder beside it.
    Raises DataError if no item was accepted, and if one-passage and ten-passage runs
    are mixed.
    """
    accepted = _accepted(runs)
    failed = failed_keys(settings.drop)
    left = [item for item in accepted if row_key(released_row(item)) not in failed]
    dropped = len(accepted) - len(left)
    distinct = distinct_items(left)
    chosen = balanced(
        distinct.items,
        settings.per_stratum,
        settings.per_generator,
        settings.seed,
    )
    rows = list(map(released_row, chosen))
    bases = {item.slot.base.item_id: item.slot.base for item in chosen}
    controls = [base_row(bases[name]) for name in sorted(bases)]
    files = {
        "controls.jsonl": jsonl(controls),
        "README.md": _card(
            runs,
            distinct,
            chosen,
            settings,
            dropped,
        ),
        "rows.jsonl": jsonl(rows),
    }
    sheet = draw_sheet(
        rows,
        _levers(runs),
        settings.per_cell,
        settings.seed,
    )
    written = write_set(
        folder,
        files,
        OURS,
        sheet,
    )
    return Exported(
        len(chosen),
        len(controls),
        distinct,
        dropped,
        written,
    )


def _accepted(runs: Runs) -> list[Generated]:
    accepted = [item for run in runs for item in run.items if item.accepted]
    if not accepted:
        raise DataError("no accepted item in these logs, so there is nothing to export")
    if len({item.slot.multi for item in accepted}) > 1:
        raise DataError(
            "these logs mix one-passage and ten-passage items; export each kind into"
            " its own folder"
        )
    return accepted


def _levers(runs: Runs) -> list[Lever]:
    """Return the bundled levers, and those that the runs noted of lever files."""
    levers = list(bundled_levers())
    for run in runs:
        noted = (run.header.eval.metadata or {}).get("own_levers") or ()
        levers += map(Lever.model_validate, noted)
    return levers


def _card(
    runs: Runs,
    distinct: DistinctItems,
    chosen: Sequence[Generated],
    settings: ExportSettings,
    dropped: int,
) -> str:
    stated = {
        str((run.header.eval.metadata or {}).get("licence") or "not stated")
        for run in runs
    }
    about = (
        f"{len(chosen)} perturbed rows and their unperturbed originals, made with"
        " `refusalbench_tasks/perturb` and exported with `refusalbench export`."
    )
    card = DataCard(
        name=NAME,
        about=about,
        licence=settings.licence or ", ".join(sorted(stated)),
        rows=len(chosen),
        files={
            "rows": "rows.jsonl",
            "controls": "controls.jsonl",
        },
        runs=[run.header for run in runs],
        settings={
            "per stratum and generator": settings.per_stratum,
            "per generator": settings.per_generator,
            "seed of the draw": settings.seed,
            "dropped by people": dropped,
        },
        sections=card_sections(runs, distinct, chosen),
        people=people_found(settings.sheets) if settings.sheets else "",
        language=settings.language,
        limits="Labels follow from class and intensity.",
    )
    return card.markdown()


NAME = "Fresh refusal questions"
YIELD = (
    "A slot is a planned item; each attempt at it is a candidate. `yield` is accepted"
    " slots / slots."
)
EARLY_STOP = (
    "Not measurable: one verifier, or early stop (`verify=all` has every vote)."
)


def card_sections(
    runs: Runs,
    distinct: DistinctItems,
    drawn: Sequence[Generated],
) -> list[tuple[str, list[str]]]:
    """Return the sections of the card, each a heading with its
    paragraphs in Markdown.
    """
    items = [item for run in runs for item in run.items]
    agreement = markdown_table(verifiers_agree(items))
    left_out = (
        f"Of the accepted items {distinct.repeats} repeat another's input and"
        f" {distinct.conflicts} share an input with an item of another label;"
        f" {distinct.unchanged} are to be refused although no word of their original"
        f" changed; {distinct.near} are near-duplicates with different labels. All of"
        " these are left out."
    )
    yields = markdown_table(list(map(yield_row, runs)))
    return [
        ("Composition", [composition_table(drawn)]),
        ("Yield", [YIELD, yields]),
        ("Left out", [left_out]),
        ("Agreement of the verifiers", [agreement or EARLY_STOP]),
    ]


def composition_table(drawn: Sequence[Generated]) -> str:
    """Return how many rows each class and intensity has."""
    counts = Counter((item.slot.perturbation, item.slot.intensity) for item in drawn)
    rows = []
    for perturbation in CLASSES:
        of_class = {level.value: counts[perturbation, level] for level in PERTURBED}
        rows.append({"class": perturbation.value, **of_class})
    return markdown_table(rows)


def yield_row(run: GenerationRun) -> TableRow:
    """Return of a run: writer, slots, candidates, accepted, undecided, yield, and calls
    per accepted item.
    """
    accepted = [item.slot.slot_id for item in run.items if item.accepted]
    calls = NAN
    for scored in run.header.results.scores if run.header.results else []:
        metric = scored.metrics.get("calls_per_accepted")
        if scored.scorer == SCORER and metric:
            calls = metric.value
    distinct = len(set(accepted))
    return {
        "writer": run.header.eval.model,
        "slots": run.samples,
        "candidates": len(run.items),
        "accepted": len(accepted),
        "accepted slots": distinct,
        "undecided": sum(item.accepted is None for item in run.items),
        "yield": ratio(distinct, run.samples),
        "calls per accepted": calls,
    }


def verifiers_agree(items: Iterable[Generated]) -> CardRows:
    """Return Cohen's kappa of each two verifiers over first attempts that the whole
    panel judged; [] without any.
    """
    ballots = [item.cast for item in items if item.judged]
    names = sorted({name for votes in ballots for name in votes})
    rows = []
    for first, second in combinations(names, 2):
        both = []
        for votes in ballots:
            if first in votes and second in votes:
                both.append((votes[first], votes[second]))
        # verifiers of different runs have no item in common
        if both:
            rows.append({"verifier": first, "other": second, **agreement_row(both)})
    return rows
