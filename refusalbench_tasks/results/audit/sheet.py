"""Sheets by which people check how replies were read, and the shares that their reading
corrects.
"""

import random
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import sha256
from pathlib import Path

import pandas as pd

from refusalbench_tasks.datasets.draw import take_turns
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.results.table import Run, read_run
from refusalbench_tasks.sheets import read_sheet_rows, sheet_csv, yes_or_no
from refusalbench_tasks.stats.calibrated import CalibratedShare
from refusalbench_tasks.stats.corrected_mean import Corrected, Stratum, corrected_mean
from refusalbench_tasks.taxonomy import Label, canonical_code

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
    main = log.main
    judged = (main["decided_by"] == "judge") & main["right"].notna()
    rows = main[judged]
    ids = []
    for name, epoch in zip(rows["sample_id"], rows["epoch"], strict=True):
        digest = sha256(f"{name} {epoch}".encode()).hexdigest()
        ids.append(f"r{digest[:10]}")
    return rows.set_index([ids])


def draw_ids(strata: "pd.Series[str]", n: int) -> list[str]:
    """Return the ids of up to n replies, spread over strata and
    shuffled, by one seed.
    """
    rng = random.Random(0)
    groups = [stratum.index.tolist() for _, stratum in strata.groupby(strata)]
    drawn = take_turns([rng.sample(ids, len(ids)) for ids in groups])[:n]
    return rng.sample(drawn, len(drawn))


def judge_sheet(log: Run, n: int) -> str:
    """Return up to n judged replies as CSV, spread over the grader's labels and blind
    to them.

    References are those of answerable rows.
    """
    replies = judged(read_run(log.header, texts=True))
    rows = []
    for key in draw_ids(replies["predicted"], n):
        reply = replies.loc[key]
        answerable = reply["expected"] == Label.ANSWER
        rows.append(
            {
                "id": key,
                "question": reply["question_text"],
                "references": " | ".join(reply["references"]) if answerable else "",
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
    labels = {}
    for number, row in enumerate(read_sheet_rows(path), 1):
        wrong = partial(
            RowError,
            path.name,
            f"row {number}",
        )
        for name in ("id", "label", second):
            if name not in row:
                raise wrong(name, "missing column; keep the sheet's columns and commas")
        key, label, more = (row[name].strip() for name in ("id", "label", second))
        if not label:
            continue
        refused = refuses(label)
        if refused is None:
            known = "answer, refusal or a refusal code"
            raise wrong("label", f"expected {known}, found '{label}'")
        if more and meaning(more) is None:
            words = "yes or no" if meaning is yes_or_no else "answer or refusal"
            raise wrong(second, f"expected {words}, found '{more}'")
        if key in labels:
            raise wrong("id", f"'{key}' is filled in twice; keep one of the rows")
        labels[key] = refused, meaning(more)
    if not labels:
        raise DataError(f"{path.name}: no label is filled in; write answer or refusal")
    return labels


def refuses(word: str) -> bool | None:
    """Return whether a label says that a reply refuses; None for what is no label."""
    if word.lower() in ("answer", Label.ANSWER.value.lower()):
        return False
    if word.lower() == "refusal" or canonical_code(word) is not None:
        return True
    return None


def judged_shares(log: Run) -> "dict[str, pd.Series[float]]":
    """Return which judged replies refuse, and which of those to answerable rows are
    right, as the grader has it.
    """
    rows = judged(log)
    answerable = rows["expected"] == Label.ANSWER
    refused = rows["predicted"] != Label.ANSWER
    return {"refused": refused.astype(float), "correct": rows["right"][answerable]}


def read_shares(people: Labels) -> dict[str, dict[str, float]]:
    """Return the same as people have it; an answer whose correctness nobody filled in
    says nothing about it.
    """
    correct = {
        key: float(not label and right is True)
        for key, (label, right) in people.items()
        if label or right is not None
    }
    refused = {key: float(label) for key, (label, _) in people.items()}
    return {"refused": refused, "correct": correct}


def corrected_rates(log: Run, people: Labels) -> dict[str, Corrected]:
    """Return the shares of `judged_shares`, as the grader has them and as people
    correct them. Strata are the grader's labels, by which the sheet is drawn.
    """
    strata = judged(log)["predicted"]
    read = read_shares(people)
    return {
        name: corrected(strata, judgements, read[name])
        for name, judgements in judged_shares(log).items()
    }


def corrected(
    strata: "pd.Series[str]",
    judgements: "pd.Series[float]",
    people: Mapping[str, float],
) -> Corrected:
    """Return a share of replies as it was judged and as people correct it
    (`corrected_mean`).
    """
    parts = []
    for _, stratum in judgements.groupby(strata.loc[judgements.index]):
        read = stratum[stratum.index.isin(list(people))]
        by_people = read.index.map(people).to_numpy(float)
        parts.append(Stratum(stratum.to_numpy(float), by_people - read.to_numpy(float)))
    return corrected_mean(parts)


def corrected_row(judge: str, rate: CalibratedShare) -> dict[str, float]:
    """Return the cells of a corrected rate, with what the `judge`
    found under its name.
    """
    row = {
        judge: rate.judged,
        "corrected": rate.corrected,
        "95 % low": rate.low,
        "95 % high": rate.high,
        "n": rate.n,
    }
    return row | {"read": rate.n_read} if isinstance(rate, Corrected) else row
