"""The sheet by which people check a judge, and the rates that their reading corrects."""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from refusalbench_tasks.datasets.draw import take_turns
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.results.table import Run, read_run
from refusalbench_tasks.sheets import plain_cell, read_sheet_rows, sheet_csv, yes_or_no
from refusalbench_tasks.stats.corrected_mean import Corrected, Stratum, corrected_mean
from refusalbench_tasks.taxonomy import Label, canonical_code

if TYPE_CHECKING:
    import pandas as pd

Key = tuple[str, int]
"""The id of a sample and the number of its reply."""
FILLED = ("label", "correct")
COLUMNS = ("id", "epoch", "question", "references", "reply", *FILLED)
PersonReading = tuple[bool, bool | None]
"""What a person found: whether the reply refuses, and whether an answer is correct (None for a refusal)."""


def judged(log: Run) -> "pd.DataFrame":
    """Return the replies that a grader decided, in the order of their keys."""
    rows = log.main[log.main["decided_by"] == "judge"]
    return rows.set_index(["sample_id", "epoch"], drop=False).sort_index()


def draw_replies(log: Run, n: int, seed: int = 0) -> list[Key]:
    """Return up to n judged replies, spread over the labels that the grader gave, shuffled by seed."""
    groups: dict[str, list[Key]] = defaultdict(list)
    for key, label in judged(log)["predicted"].items():
        groups[str(label)].append(key)
    rng = random.Random(seed)
    mixed = [rng.sample(groups[name], len(groups[name])) for name in sorted(groups)]
    turns = take_turns(mixed)[:n]
    return rng.sample(turns, len(turns))


def judge_sheet(log: Run, keys: Sequence[Key]) -> str:
    """Return the sheet as CSV: question, references of answerable rows and reply, blind to the grader's verdict."""
    whole = read_run(log.header, texts=True).replies.set_index(["sample_id", "epoch"])
    rows: list[dict[str, str]] = []
    for sample_id, epoch in keys:
        reply = whole.loc[sample_id, epoch]
        answers = " | ".join(reply["references"]) if reply["expected"] == Label.ANSWER.value else ""
        rows.append({
            "id": sample_id, "epoch": str(epoch), "question": reply["question_text"], "references": answers,
            "reply": reply["reply"],
        })  # fmt: skip
    return sheet_csv(COLUMNS, rows)


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


def known_readings(log: Run, readings: Mapping[Key, PersonReading]) -> tuple[dict[Key, PersonReading], list[Key]]:
    """Return the readings by the log's own ids, and the rows that are of no reply of this log.

    A sheet's cell differs from the id where the id begins as a formula does, or where a spreadsheet took an apostrophe.
    """
    keys: list[Key] = list(zip(log.main["sample_id"], log.main["epoch"], strict=True))
    cells: dict[Key, Key] = {}
    for sample_id, epoch in keys:
        cells.setdefault((sample_id.removeprefix("'"), epoch), (sample_id, epoch))
    cells |= {(plain_cell(name), epoch): (name, epoch) for name, epoch in keys}
    cells |= {key: key for key in keys}
    known = {cells[key]: reading for key, reading in readings.items() if key in cells}
    return known, [key for key in readings if key not in cells]


def corrected_rates(log: Run, readings: Mapping[Key, PersonReading]) -> dict[str, Corrected]:
    """Return the share of refusals, and of correct replies to answerable rows, among the judged replies, corrected.

    Strata are the grader's labels, by which the sheet is drawn. Raises DataError if the sheet has no judged reply.
    """
    readings, _ = known_readings(log, readings)
    rows = judged(log)
    rows = rows[rows["right"].notna()]
    if not set(rows.index) & set(readings):
        raise DataError("audit: no row of the sheet is a judged reply of this log")
    refused = (rows["predicted"] != Label.ANSWER.value).astype(float)
    right = rows["right"][rows["expected"] == Label.ANSWER.value]
    people_refused = {key: float(reading[0]) for key, reading in readings.items()}
    # an answer whose correctness nobody filled in says nothing about it
    told = {key: reading for key, reading in readings.items() if reading[0] or reading[1] is not None}
    people_right = {key: float(not reading[0] and reading[1] is True) for key, reading in told.items()}
    return {
        "refused": corrected_mean(_strata(rows, refused, people_refused)),
        "correct": corrected_mean(_strata(rows, right, people_right)),
    }


def corrected_row(judge: str, rate: Corrected) -> dict[str, float]:
    """Return the cells of a corrected rate, with what the `judge` found under its name."""
    return {
        judge: rate.judged, "corrected": rate.corrected, "95 % low": rate.low, "95 % high": rate.high,
        "n": rate.n, "read": rate.n_read,
    }  # fmt: skip


def _strata(rows: "pd.DataFrame", of_grader: "pd.Series[float]", people: Mapping[Key, float]) -> list[Stratum]:
    strata = []
    for _, own in of_grader.groupby(rows["predicted"].loc[of_grader.index]):
        read = [key for key in own.index if key in people]
        strata.append(Stratum(list(own), [people[key] for key in read], [float(own[key]) for key in read]))
    return strata
