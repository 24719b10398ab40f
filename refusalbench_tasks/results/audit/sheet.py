"""Sheets by which people check how replies were read, and the shares that their reading
corrects.
"""

import random
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from refusalbench_tasks.datasets.draw import take_turns
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.results.table import Run, read_run
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv, yes_or_no
from refusalbench_tasks.stats.corrected_mean import Corrected, Stratum, corrected_mean
from refusalbench_tasks.taxonomy import Label, canonical_code

if TYPE_CHECKING:
    import pandas as pd

FILLED = ("label", "correct")
COLUMNS = ("id", "question", "references", "reply", *FILLED)
Labels = Mapping[str, tuple[bool, bool | None]]
"""What people found by id: whether the reply refuses, and what they wrote into the
second column (None: nothing).
"""


def judged(log: Run) -> "pd.DataFrame":
    """Return the replies that a grader decided and graded, by an id for sheets that no
    spreadsheet changes.
    """
    rows = log.main[(log.main["decided_by"] == "judge") & log.main["right"].notna()]
    keys = zip(rows["sample_id"], rows["epoch"], strict=True)
    ids = [
        f"r{sha256(f'{name} {epoch}'.encode()).hexdigest()[:10]}"
        for name, epoch in keys
    ]
    return rows.set_index([ids])


def draw(strata: "pd.Series[str]", n: int) -> list[str]:
    """Return the ids of up to n replies, spread over strata and
    shuffled, by one seed.
    """
    rng = random.Random(0)
    groups = [own.index.tolist() for _, own in strata.groupby(strata)]
    drawn = take_turns([rng.sample(own, len(own)) for own in groups])[:n]
    return rng.sample(drawn, len(drawn))


def judge_sheet(log: Run, n: int) -> str:
    """Return up to n judged replies as CSV, spread over the grader's labels and blind
    to them.

    References are those of answerable rows.
    """
    whole = judged(read_run(log.header, texts=True))
    rows = []
    for key in draw(whole["predicted"], n):
        reply = whole.loc[key]
        answers = (
            " | ".join(reply["references"])
            if reply["expected"] == Label.ANSWER.value
            else ""
        )
        rows.append(
            {
                "id": key,
                "question": reply["question_text"],
                "references": answers,
                "reply": reply["reply"],
            }
        )
    return sheet_csv(COLUMNS, rows)


def read_labels(
    path: Path,
    second: str = "correct",
    meaning: Callable[[str], bool | None] = yes_or_no,
) -> Labels:
    """Return what people found.

    `label` is answer, refusal or a refusal code; `meaning` is that of the second
    column.

    Rows with an empty label are not read. Raises DataError that names row and field,
    also for the second row of one reply.
    """
    found: dict[str, tuple[bool, bool | None]] = {}
    for number, row in enumerate(read_sheet_rows(path), 1):
        cells = {
            name: row[name].strip() for name in ("id", "label", second) if name in row
        }
        for name in ("id", "label", second):
            if name not in cells:
                raise RowError(
                    path.name,
                    f"row {number}",
                    name,
                    "missing column; keep the sheet's columns and commas",
                )
        if not cells["label"]:
            continue
        found_refusal = refuses(cells["label"])
        other = meaning(cells[second])
        if found_refusal is None:
            problem = (
                f"expected answer, refusal or a refusal code, found '{cells['label']}'"
            )
            raise RowError(path.name, f"row {number}", "label", problem)
        if other is None and cells[second]:
            words = "yes or no" if meaning is yes_or_no else "answer or refusal"
            raise RowError(
                path.name,
                f"row {number}",
                second,
                f"expected {words}, found '{cells[second]}'",
            )
        if cells["id"] in found:
            problem = f"'{cells['id']}' is filled in twice; keep one of the rows"
            raise RowError(path.name, f"row {number}", "id", problem)
        found[cells["id"]] = found_refusal, other
    if not found:
        raise DataError(f"{path.name}: no label is filled in; write answer or refusal")
    return found


def refuses(word: str) -> bool | None:
    """Return whether a label says that a reply refuses; None for what is no label."""
    if word.lower() in ("answer", Label.ANSWER.value.lower()):
        return False
    return (
        True if word.lower() == "refusal" or canonical_code(word) is not None else None
    )


def judged_shares(log: Run) -> "dict[str, pd.Series[float]]":
    """Return which judged replies refuse, and which of those to answerable rows are
    right, as the grader has it.
    """
    rows = judged(log)
    return {
        "refused": (rows["predicted"] != Label.ANSWER.value).astype(float),
        "correct": rows["right"][rows["expected"] == Label.ANSWER.value],
    }


def read_shares(people: Labels) -> dict[str, dict[str, float]]:
    """Return the same as people have it; an answer whose correctness nobody filled in
    says nothing about it.
    """
    return {
        "refused": {key: float(refused) for key, (refused, _) in people.items()},
        "correct": {
            key: float(not refused and correct is True)
            for key, (refused, correct) in people.items()
            if refused or correct is not None
        },
    }


def corrected_rates(log: Run, people: Labels) -> dict[str, Corrected]:
    """Return the shares of `judged_shares`, corrected; strata are the grader's labels,
    by which the sheet is drawn.
    """
    strata = judged(log)["predicted"]
    read = read_shares(people)
    return {
        name: corrected(strata, own, read[name])
        for name, own in judged_shares(log).items()
    }


def corrected(
    strata: "pd.Series[str]", read: "pd.Series[float]", people: Mapping[str, float]
) -> Corrected:
    """Return a share of replies as it was read and as people correct it
    (`corrected_mean`).
    """
    parts = []
    for _, own in read.groupby(strata.loc[read.index]):
        keys = [key for key in own.index if key in people]
        parts.append(Stratum(list(own), [people[key] for key in keys], list(own[keys])))
    return corrected_mean(parts)


def corrected_row(judge: str, rate: Corrected) -> dict[str, float]:
    """Return the cells of a corrected rate, with what the `judge`
    found under its name.
    """
    return {
        judge: rate.judged,
        "corrected": rate.corrected,
        "95 % low": rate.low,
        "95 % high": rate.high,
        "n": rate.n,
        "read": rate.n_read,
    }
