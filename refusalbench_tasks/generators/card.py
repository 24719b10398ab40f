"""The data card of an exported set."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from refusalbench_tasks.generators.agreement import verifiers_agree
from refusalbench_tasks.generators.balance import Distinct
from refusalbench_tasks.generators.card_provenance import price, run_lines, usage
from refusalbench_tasks.generators.card_yields import (
    coverage,
    in_order,
    skipped,
    without_verdict,
    yields,
    yields_by_cell,
)
from refusalbench_tasks.generators.counted import Counted, CountedRun
from refusalbench_tasks.generators.judged import Row
from refusalbench_tasks.generators.kit.card_front import front_matter
from refusalbench_tasks.generators.kit.card_parts import bullets, markdown
from refusalbench_tasks.taxonomy import CLASSES, PERTURBED

NAME = "Fresh refusal questions"


def data_card(
    runs: Sequence[CountedRun],
    distinct: Distinct[Any],
    drawn: Sequence[Counted],
    settings: Mapping[str, Any],
    licence: str,
) -> str:
    """Return the card in Markdown: front matter, licence, provenance, composition, yields, price, agreement."""
    items = [item for run in runs for item in run.items]
    writers = sorted({run.header.eval.model for run in runs})
    parts = [
        front_matter(NAME, licence, len(drawn), writers),
        "# Data card",
        f"{len(drawn)} perturbed rows and their unperturbed originals, made with `refusalbench_tasks/perturb` and "
        "exported with `refusalbench export`.",
        f"**Licence: {licence}** (inherited from the base questions).",
        "## Provenance",
        "What each run noted when it started.",
        *(bullets(run_lines(run)) for run in runs),
        "The draw:",
        bullets([f"{name}: {value}" for name, value in settings.items()]),
        "## Composition",
        _composition(drawn),
        bullets(coverage(runs, drawn)),
        *_came_of_it(runs, items, distinct),
        "## Price",
        "Calls of writer and verifiers, rejected candidates included; a call that came from the cache counts.",
        markdown(price(runs)),
        "Tokens as billed, and their cost where the run knew prices:",
        markdown(usage(runs)) or "Not noted.",
        "## Agreement of the verifiers",
        _agreement(items),
        "## Limits",
        "Labels follow from class and intensity. Items were written and verified by models; the sheet in this folder "
        "is for validation by people, whose result is not part of this card.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _came_of_it(runs: Sequence[CountedRun], items: Sequence[Counted], distinct: Distinct[Any]) -> list[str]:
    """Return what came of the plan: yields, missing verdicts, and what was left out of the accepted."""
    return [
        "## Yield",
        "A slot is a planned item; each attempt at it is a candidate. `yield` is accepted slots / slots, `broken` the "
        "share of the written first attempts that a rule rejected.",
        markdown(yields(runs)),
        markdown(yields_by_cell(items)),
        "Candidates without a verdict:",
        markdown(without_verdict(items)) or "None.",
        *_titled("Levers that were skipped, as the writer was hardly ever accepted with them:", skipped(items)),
        *_titled("Siblings, ranked by a model that did not know which intensity each was to have:", in_order(items)),
        "## Left out",
        f"Of the accepted items {distinct.repeats} repeat another's input and {distinct.conflicts} share an input with "
        f"an item of another label; {distinct.unchanged} are to be refused although no word of their original changed; "
        f"{distinct.near_items} are near-duplicates with different labels. All of these are left out.",
        _near(distinct),
    ]


def _titled(title: str, rows: Sequence[Row]) -> list[str]:
    return [title, markdown(rows)] if rows else []


def _agreement(items: Sequence[Counted]) -> str:
    kappa, note = verifiers_agree(items)
    if note:
        return f"{note[:1].upper()}{note[1:]}."
    return markdown(kappa) or "One verifier only."


def _near(distinct: Distinct[Any]) -> str:
    return markdown(
        [
            {
                "near-duplicate": one.one.sample_id,
                "writer": one.one.writer,
                "of": one.other.sample_id,
                "its writer": one.other.writer,
                "similarity": one.similarity,
            }
            for one in distinct.near
        ]
    )


def _composition(drawn: Sequence[Counted]) -> str:
    counts = Counter((item.perturbation, item.intensity) for item in drawn)
    table: list[Row] = [
        {"class": name.value, **{level.value: counts[name, level] for level in PERTURBED}} for name in CLASSES
    ]
    return markdown(table)
