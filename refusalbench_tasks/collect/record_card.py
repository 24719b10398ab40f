"""The data card of collected records."""

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from refusalbench_tasks.collect.collected_rows import Distinct
from refusalbench_tasks.collect.collection_logs import CollectionRun
from refusalbench_tasks.collect.reading import Reading
from refusalbench_tasks.collect.sizes import ARMS
from refusalbench_tasks.generators.kit.card_front import front_matter
from refusalbench_tasks.generators.kit.card_parts import bullets, markdown
from refusalbench_tasks.stats.agreement import krippendorff_alpha

NAME = "Questions with clear and ambiguous sources"
WEB_LICENCE = "unknown"
_SETTINGS = ("sources", "search", "reddit", "trust", "trust_columns", "unknown", "topics", "clear", "ambiguous",
             "relevance", "threshold", "planned", "weak", "self_reads", "seed")  # fmt: skip


def record_card(
    runs: Sequence[CollectionRun],
    distinct: Distinct,
    rows: Sequence[Mapping[str, Any]],
    licence: str,
    with_text: bool,
) -> str:
    """Return the card in Markdown: licences, provenance, composition, agreement, yield, what was left out, limits."""
    writers = sorted({run.header.eval.model for run in runs})
    parts = [
        front_matter(NAME, licence, len(rows), writers, {"records": "records.jsonl"}),
        "# Data card",
        f"{len(rows)} questions, each with a clear and an ambiguous set of sources, collected with "
        "`refusalbench_tasks/collect` and exported with `refusalbench export`. They have the released layout of "
        "BLUFF-1000 and run as `inspect eval refusalbench_tasks/bluff -T data=records.jsonl`.",
        _licences(rows, with_text, licence),
        "## Provenance",
        *(bullets(_run_lines(run)) for run in runs),
        "## Composition",
        composition_table(rows),
        _counts(rows, "topic"),
        "## Ambiguity",
        "What readers without the gold answer made of the ambiguous sets.",
        _kinds(rows),
        "## Agreement of the panel",
        agreement_table(runs),
        "## Yield",
        "Where every planned record ended, and why.",
        _reasons(runs),
        "## Left out",
        f"Of the accepted records {distinct.same_question} repeat a question, {distinct.same_gold_page} a gold page.",
        "## Limits",
        "Questions were written and both sets were read by models. Readers of one family share blind spots, and no "
        "person has checked these rows: `validation.csv` is for that. Reliability is that of hosts, by lists, not "
        "of pages. Dates are those that pages state.",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def composition_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return, by arm and category, sources, those that state the answer, dated ones, mean length, distinct hosts."""
    table = []
    for arm in ARMS:
        sources = [one for row in rows for one in row["source_sets"][arm]]
        for category in sorted({one["category"] for one in sources}):
            own = [one for one in sources if one["category"] == category]
            lengths = [len(one["text"]) for one in own if "text" in one]
            table.append(
                {
                    "arm": arm,
                    "category": category,
                    "sources": len(own),
                    "a record": round(len(own) / len(rows), 2),
                    "state the answer": sum(one.get("stance") == "states" for one in own),
                    "dated": sum(bool(one.get("date")) for one in own),
                    "hosts": len({one["domain"] for one in own}),
                    "mean characters": round(fmean(lengths)) if lengths else None,
                }
            )
    return markdown(table)


def agreement_table(runs: Sequence[CollectionRun]) -> str:
    """Return Krippendorff's alpha of the readers' verdicts by arm, over all records that two or more read.

    In a set that should settle the question readers stop at the first objection, so its alpha is over fewer. Undefined
    where all verdicts are equal.
    """
    table = []
    for arm in ARMS:
        items = [
            labels
            for run in runs
            for noted in run.records
            if len(labels := [_label(one) for one in noted.readings if one.arm == arm]) > 1
        ]
        read = [[label for label in item if label is not None] for item in items]
        whole = [item for item in read if len(item) > 1]
        agreed = sum(len(set(item)) == 1 for item in whole)
        alpha = krippendorff_alpha(items)
        table.append(
            {
                "arm": arm,
                "records": len(whole),
                "unanimous": agreed,
                "alpha": round(alpha, 3) if alpha == alpha else "undefined",
            }
        )
    return markdown(table)


def _label(reading: Reading) -> str | None:
    if reading.verdict != "answer":
        return reading.verdict
    return "gold" if reading.gold else "other answer"


def _licences(rows: Sequence[Mapping[str, Any]], with_text: bool, licence: str) -> str:
    if licence != WEB_LICENCE:
        return f"**Licence: {licence}.**"
    quoted = (
        "Their text is quoted for research." if with_text else "No text of theirs is in this set, only hashes of it."
    )
    hosts = len({one["domain"] for row in rows for arm in ARMS for one in row["source_sets"][arm]})
    return (
        f"**Licences of the sources: unknown.** They are pages of {hosts} hosts, whose rights are their owners'. "
        f"{quoted} Ask before you publish a copy."
    )


def _run_lines(run: CollectionRun) -> list[str]:
    noted = run.header.eval.metadata or {}
    readers = sorted({name for one in run.records for name in one.readers})
    lines = [f"writer: {run.header.eval.model}", f"readers: {', '.join(readers) or 'not noted'}"]
    lines.append(f"run: {run.header.eval.run_id}, {run.header.eval.created}, records with a score: {len(run.records)}")
    lines += [f"{name}: {noted[name]}" for name in _SETTINGS if noted.get(name) not in (None, "")]
    prompts = noted.get("prompts") or {}
    return [*lines, *([f"prompts: {', '.join(f'{k} {v}' for k, v in prompts.items())}"] if prompts else [])]


def _reasons(runs: Sequence[CollectionRun]) -> str:
    names = {True: "accepted", False: "rejected", None: "undecided"}
    every = [one for run in runs for one in run.records]
    counts = Counter((names[one.accepted], one.stage if one.reason else "", one.reason or "") for one in every)
    rows = [{"outcome": a, "stage": b, "reason": c, "records": n} for (a, b, c), n in sorted(counts.items())]
    return markdown(rows) or "Nothing was collected."


def _kinds(rows: Sequence[Mapping[str, Any]]) -> str:
    found = [(row.get("ambiguity") or {}, (row["panel"].get("ambiguous") or {}).get("entropy")) for row in rows]
    kinds = sorted({(bool(one.get("open")), str(one.get("kind", ""))) for one, _ in found})
    table = []
    for open_, kind in kinds:
        bits = [e for one, e in found if (bool(one.get("open")), str(one.get("kind", ""))) == (open_, kind)]
        told = [e for e in bits if e is not None]
        mean = round(fmean(told), 2) if told else "undefined"
        table.append({"open": "yes" if open_ else "no", "kind": kind, "records": len(bits), "mean entropy": mean})
    return markdown(table)


def _counts(rows: Sequence[Mapping[str, Any]], column: str) -> str:
    counts = Counter(str(row[column]) for row in rows)
    return markdown([{column: value, "records": n} for value, n in sorted(counts.items())])
