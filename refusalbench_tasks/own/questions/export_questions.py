"""Logs of `question` to a folder: base questions, a card, and their description."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.kit.croissant import croissant, sha256_of
from refusalbench_tasks.own.questions.distinct import balanced_kinds, distinct_questions
from refusalbench_tasks.own.questions.question_card import NAME, question_card
from refusalbench_tasks.own.questions.question_logs import Accepted, QuestionRun
from refusalbench_tasks.own.questions.question_rows import question_row
from refusalbench_tasks.own.questions.splits import splits_of, strangers
from refusalbench_tasks.safe_writing import jsonl, write_folder

OURS = ("bases.jsonl", "README.md", "croissant.json")
"""What an export writes: a later one replaces these, and leaves whatever else stands in the folder."""
ABOUT = "Questions that passages of documents answer, with the answers as they stand there."


@dataclass(frozen=True)
class QuestionExport:
    """What was written where, and what was left out."""

    rows: int
    repeats: int
    conflicts: int
    over_quota: int
    documents: int
    files: tuple[Path, ...]


def export_questions(
    runs: Sequence[QuestionRun],
    folder: Path,
    per_kind: int | None = None,
    dev: float = 0.2,
    seed: int = 42,
    licence: str | None = None,
) -> QuestionExport:
    """Write the accepted questions of runs to a folder, all files or none, and return what was written.

    Raises DataError if no question was accepted, and if runs with one and with ten passages are mixed.
    """
    accepted = _accepted(runs)
    distinct = distinct_questions(accepted)
    chosen = balanced_kinds(distinct.items, per_kind, seed)
    if not chosen:
        raise DataError("every accepted question has another answer elsewhere, so there is nothing to export")
    parts = splits_of(chosen, dev, seed)
    rows = [question_row(item, parts[item.question.id], licence) for item in chosen]
    stated = licence or ", ".join(sorted({one for row in rows for one in row["licence"].split(", ")}))
    settings = {"per kind": per_kind, "share of dev": dev, "seed": seed}
    text = jsonl(rows)
    published = max(run.header.eval.created for run in runs)[:10]
    files = {
        "README.md": question_card(runs, distinct, rows, settings, stated, strangers(chosen, parts)),
        "croissant.json": croissant(NAME, ABOUT, stated, published, {"bases.jsonl": (sha256_of(text), rows)}),
        "bases.jsonl": text,
    }
    write_folder(folder, files, OURS)
    documents = len({item.chunk.doc_id for item in chosen})
    over = len(distinct.items) - len(chosen)
    written = tuple(folder / name for name in files)
    return QuestionExport(len(rows), distinct.repeats, distinct.conflicts, over, documents, written)


def _accepted(runs: Sequence[QuestionRun]) -> list[Accepted]:
    accepted = [item for run in runs for item in run.accepted]
    if not accepted:
        raise DataError("no accepted question in these logs, so there is nothing to export")
    if len({item.shown is None for item in accepted}) > 1:
        raise DataError("these logs mix questions with one and with ten passages; export each kind to its own folder")
    return accepted
