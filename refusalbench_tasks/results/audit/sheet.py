"""The sheet by which people check a judge, and the rates that their reading corrects."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from refusalbench_tasks.datasets.turns import take_turns
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.files.log_members import read_samples
from refusalbench_tasks.results.logs.run import Key, RefusalRun
from refusalbench_tasks.sheets import plain_cell, read_sheet_rows, sheet_csv, yes_or_no
from refusalbench_tasks.stats.corrected_mean import Corrected, Stratum, corrected_mean
from refusalbench_tasks.taxonomy import Label, canonical_code

FILLED = ("label", "correct")
COLUMNS = ("id", "epoch", "question", "references", "reply", *FILLED)
PersonReading = tuple[bool, bool | None]
"""What a person found: whether the reply refuses, and whether an answer is correct (None for a refusal)."""


def draw_replies(log: RefusalRun, n: int, seed: int = 0) -> list[Key]:
    """Return up to n judged replies, spread over the labels that the judge gave, shuffled by seed."""
    groups: dict[str, list[Key]] = defaultdict(list)
    for key in sorted(log.judged):
        groups[str(log.perturbed[key].outcome.predicted)].append(key)
    rng = random.Random(seed)
    mixed = [rng.sample(groups[name], len(groups[name])) for name in sorted(groups)]
    turns = take_turns(mixed)[:n]
    return rng.sample(turns, len(turns))


def judge_sheet(log: RefusalRun, keys: Sequence[Key]) -> tuple[str, list[Key]]:
    """Return the sheet as CSV, and the replies that are left out since their sample can't be read.

    A row has question, references of answerable rows and reply, and is blind to the judge's verdict.
    """
    rows: list[dict[str, str]] = []
    unread: list[Key] = []
    samples = read_samples(log.name, keys)
    for sample_id, epoch in keys:
        sample = samples.get((sample_id, epoch))
        if sample is None:
            unread.append((sample_id, epoch))
            continue
        facts = sample.metadata
        answers = [facts.get("reference") or "", *facts.get("answers", ())]
        answers = [text for text in answers if text] if facts.get("expected") == Label.ANSWER else []
        row = {"id": sample_id, "epoch": str(epoch), "question": str(facts.get("query", ""))}
        rows.append(row | {"references": " | ".join(answers), "reply": sample.output.completion})
    return sheet_csv(COLUMNS, rows), unread


def read_judge_sheet(path: Path) -> dict[Key, PersonReading]:
    """Return what people found. `label` is ANSWER or a refusal code, `correct` yes or no for an answer.

    Rows with an empty label are not read. Ids are as in the sheet (`known_readings`). Raises DataError that names row
    and field, also for the second row of one reply.
    """
    readings: dict[Key, PersonReading] = {}
    rows: dict[Key, int] = {}
    for number, row in enumerate(read_sheet_rows(path), 1):
        for name in ("id", "epoch", "label", "correct"):
            if row.get(name) is None:
                raise RowError(path.name, f"row {number}", name, "missing column; keep the sheet's columns and commas")
        if not row["label"].strip():
            continue
        epoch = row["epoch"].strip().removesuffix(".0")
        if not (epoch.isascii() and epoch.isdigit() and len(epoch) < 10):
            raise RowError(path.name, f"row {number}", "epoch", f"expected a whole number, found '{epoch}'")
        key = row["id"], int(epoch)
        if key in rows:
            problem = f"'{row['id']}' is filled in twice, in row {rows[key]} too; keep one of them"
            raise RowError(path.name, f"row {number}", "id", problem)
        rows[key], readings[key] = number, _reading(path.name, number, row)
    if not readings:
        raise DataError(
            f"{path.name}: no label is filled in; write ANSWER or a refusal code, and yes or no for an answer"
        )
    return readings


def _reading(source: str, number: int, row: Mapping[str, str]) -> PersonReading:
    label, correct = row["label"].strip(), (row.get("correct") or "").strip().lower()
    if label.upper() not in ("ANSWER", Label.ANSWER.value) and canonical_code(label) is None:
        raise RowError(source, f"row {number}", "label", f"expected ANSWER or a refusal code, found '{label}'")
    if canonical_code(label) is not None:
        return True, None
    if row.get("references", "") and yes_or_no(correct) is None:
        raise RowError(source, f"row {number}", "correct", f"expected yes or no for an answer, found '{correct}'")
    return False, yes_or_no(correct) is True if correct else None


def known_readings(
    log: RefusalRun, readings: Mapping[Key, PersonReading]
) -> tuple[dict[Key, PersonReading], list[Key]]:
    """Return the readings by the log's own ids, and the rows that are of no reply of this log.

    A sheet's cell differs from the id where the id begins as a formula does, or where a spreadsheet took an apostrophe.
    """
    cells: dict[Key, Key] = {}
    for sample_id, epoch in log.perturbed:
        cells.setdefault((sample_id.removeprefix("'"), epoch), (sample_id, epoch))
    cells |= {(plain_cell(name), epoch): (name, epoch) for name, epoch in log.perturbed}
    cells |= {key: key for key in log.perturbed}
    known = {cells[key]: reading for key, reading in readings.items() if key in cells}
    return known, [key for key in readings if key not in cells]


def corrected_rates(log: RefusalRun, readings: Mapping[Key, PersonReading]) -> dict[str, Corrected]:
    """Return the share of refusals, and of correct replies to answerable rows, among the judged replies, corrected.

    Strata are the judge's labels, by which the sheet is drawn. Raises DataError if the sheet has no judged reply.
    """
    readings, _ = known_readings(log, readings)
    keys = [key for key in sorted(log.judged) if log.perturbed[key].outcome.right is not None]
    if not set(keys) & set(readings):
        raise DataError("audit: no row of the sheet is a judged reply of this log")
    answerable = [key for key in keys if log.perturbed[key].outcome.expected is Label.ANSWER]
    refused = {key: float(log.perturbed[key].outcome.predicted is not Label.ANSWER) for key in keys}
    right = {key: float(log.perturbed[key].outcome.right is True) for key in answerable}
    people_refused = {key: float(reading[0]) for key, reading in readings.items()}
    # an answer whose correctness nobody filled in says nothing about it
    told = {key: reading for key, reading in readings.items() if reading[0] or reading[1] is not None}
    people_right = {key: float(not reading[0] and reading[1] is True) for key, reading in told.items()}
    return {
        "refused": corrected_mean(_strata(log, refused, people_refused)),
        "correct": corrected_mean(_strata(log, right, people_right)),
    }


def _strata(log: RefusalRun, judged: Mapping[Key, float], people: Mapping[Key, float]) -> list[Stratum]:
    labels: dict[str, list[Key]] = defaultdict(list)
    for key in judged:
        labels[str(log.perturbed[key].outcome.predicted)].append(key)
    strata = []
    for label in sorted(labels):
        own = labels[label]
        read = [key for key in own if key in people]
        strata.append(Stratum([judged[k] for k in own], [people[k] for k in read], [judged[k] for k in read]))
    return strata
