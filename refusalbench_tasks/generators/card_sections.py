"""What the data card of a generation run says beside the common template: composition,
yield, what was left out.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from refusalbench_tasks.generators.distinct import DistinctItems
from refusalbench_tasks.generators.generation_logs import Generated, GenerationRun
from refusalbench_tasks.generators.kit.card import agreement_row, markdown_table
from refusalbench_tasks.generators.kit.yields import NAN, ratio
from refusalbench_tasks.generators.perturb_record import SCORER
from refusalbench_tasks.tables import TableRow
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

NAME = "Fresh refusal questions"
YIELD = (
    "A slot is a planned item; each attempt at it is a candidate. `yield` is accepted"
    " slots / slots."
)
EARLY_STOP = (
    "Not measurable: one verifier, or early stop (`verify=all` has every vote)."
)


def card_sections(
    runs: Sequence[GenerationRun],
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
    rows: list[TableRow] = []
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
    return {
        "writer": run.header.eval.model,
        "slots": run.samples,
        "candidates": len(run.items),
        "accepted": len(accepted),
        "accepted slots": len(set(accepted)),
        "undecided": sum(item.accepted is None for item in run.items),
        "yield": ratio(len(set(accepted)), run.samples),
        "calls per accepted": calls,
    }


def verifiers_agree(items: Iterable[Generated]) -> list[TableRow]:
    """Return Cohen's kappa of each two verifiers over first attempts that the whole
    panel judged; [] without any.
    """
    ballots = [item.cast for item in items if item.judged]
    names = sorted({name for votes in ballots for name in votes})
    rows: list[TableRow] = []
    for first, second in combinations(names, 2):
        both = []
        for votes in ballots:
            if first in votes and second in votes:
                both.append((votes[first], votes[second]))
        # verifiers of different runs have no item in common
        if both:
            rows.append({"verifier": first, "other": second, **agreement_row(both)})
    return rows
