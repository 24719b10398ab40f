"""Replies of a system in production: how often it refuses, by slice, without rows or
gold answers.
"""

from collections.abc import Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.datasets.rows import Row, reply_rows
from refusalbench_tasks.errors import DataError, RowError
from refusalbench_tasks.replies.code import parse_reply
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.replies.reading import read_reply
from refusalbench_tasks.replies.reading_errors import share_bounds
from refusalbench_tasks.results.audit.sheet import Labels, corrected, draw
from refusalbench_tasks.sheets import sheet_csv
from refusalbench_tasks.solvers.recorded_reply import STOPS, UNUSABLE_STOPS
from refusalbench_tasks.stats.corrected_mean import Corrected
from refusalbench_tasks.stats.mcnemar import holm
from refusalbench_tasks.stats.proportion import wilson

if TYPE_CHECKING:
    import pandas as pd

TEXTS = ("reply", "response", "answer", "output")
QUESTIONS = ("question", "query", "input")
FILLED = ("label", "expected")
COLUMNS = ("id", "question", "reply", *FILLED)
NONE = (None, None, None)
SMALL = 20
_MOST = 60
"""A slice of fewer replies is marked; a column with more values than the second is no
slice.
"""


def read_production(name: str, phrases: Sequence[str] = ()) -> "pd.DataFrame":
    """Return the replies of a file with how each reads.

    `kind` is answer, refusal, undecided or none (empty, nothing but citations, or by
    its `stop_reason` cut off or stopped by the provider).
    Columns are those of the file, and id, question, reply and kind. `phrases` are
    refusals of the system's own words. Raises DataError that names file, row and field.
    """
    import pandas as pd

    return pd.DataFrame(
        [_read(number, row, phrases) for number, row in enumerate(reply_rows(name), 1)]
    )


def _read(number: int, row: Row, phrases: Sequence[str]) -> dict[str, Any]:
    reply = _text(row, TEXTS)
    question = _text(row, QUESTIONS) or ""
    if reply is None:
        raise RowError(
            row.source,
            row.place,
            "reply",
            f"no reply; name its column one of {', '.join(TEXTS)}",
        )
    passages = row.values.get("passages")
    context = (
        [one for one in passages if isinstance(one, str)]
        if isinstance(passages, list)
        else []
    )
    kind: str = "none"
    if parse_reply(reply).form != "empty" and not _is_broken_off(row):
        kind = read_reply(
            reply, question=question, refusals=phrases, context=context
        ).kind
    mark = sha256(reply.encode()).hexdigest()[:6]
    return {
        **row.values,
        "id": f"{number}-{mark}",
        "question": question,
        "reply": reply,
        "kind": kind,
    }


def _is_broken_off(row: Row) -> bool:
    """Return whether a row says that its reply was cut off or stopped."""
    stated = row.values.get("stop_reason") or row.values.get("finish_reason")
    return STOPS.get(str(stated).strip().lower()) in UNUSABLE_STOPS


def _text(row: Row, names: Sequence[str]) -> str | None:
    for name in names:
        value = row.values.get(name)
        if value is not None and not isinstance(value, str):
            raise RowError(
                row.source,
                row.place,
                name,
                f"expected text, found {type(value).__name__}",
            )
        if name in row.values:
            return value or ""
    return None


def refusal_rates(
    replies: "pd.DataFrame", by: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """Return a line for all replies, and for each value of each column of `by`.

    `refused` is the share of the decided replies with its 95 % CI (Wilson, replies
    taken for independent), unknown where fewer than half are decided; `at least` and
    `at most` are of all replies, with the undecided ones and the errors of the reading
    (`share_bounds`). `p` is that of a slice against all other replies (Fisher's exact
    test), by Holm for the slices of its column. Latency and cost are there if the file
    has them. Raises DataError for a column that is not there or is no slice.
    """
    lines = [_line("all", "", replies)]
    for column in by:
        values = _values(replies, column)
        parts = {
            value: replies[values == value] for value in sorted(set(values) - {""})
        }
        apart = holm([_difference(replies, part) for part in parts.values()])
        for (value, part), p in zip(parts.items(), apart, strict=True):
            small = " (small)" if len(part) < SMALL else ""
            lines.append(_line(column, one_line(value) + small, part) | {"p": p})
    names = dict.fromkeys(name for line in lines for name in line)
    return [{name: line.get(name) for name in names} for line in lines]


def _values(replies: "pd.DataFrame", column: str) -> "pd.Series[str]":
    if column not in replies:
        raise DataError(
            f"--by {column}: no such column; there are"
            f" {', '.join(map(str, replies.columns))}"
        )
    values = replies[column].map(
        lambda value: "" if value is None or value != value else str(value)
    )
    if values.nunique() > _MOST:
        raise DataError(
            f"--by {column}: {values.nunique()} values are too many, at most {_MOST}"
        )
    return values


def _difference(replies: "pd.DataFrame", part: "pd.DataFrame") -> float:
    import numpy as np
    from scipy.stats import fisher_exact

    rest = replies.drop(part.index)
    table = [
        [int((own["kind"] == kind).sum()) for kind in ("refusal", "answer")]
        for own in (part, rest)
    ]
    return float(fisher_exact(np.array(table)).pvalue)


def _line(column: str, value: str, replies: "pd.DataFrame") -> dict[str, Any]:
    import pandas as pd

    n = replies["kind"].value_counts()
    refusals, answers, undecided = (
        int(n.get(kind, 0)) for kind in ("refusal", "answer", "undecided")
    )
    decided = refusals + answers
    # a rate of the few that could be read would be taken for that of all
    rate, low, high = (
        (refusals / decided, *wilson(refusals, decided))
        if 2 * decided >= max(len(replies), 1)
        else NONE
    )
    least, most = share_bounds(refusals, answers, undecided)
    line: dict[str, Any] = {
        "slice": column,
        "value": value,
        "replies": len(replies),
        "refused": rate,
        "95 % low": low,
        "95 % high": high,
        "n": decided,
        "undecided": undecided,
        "empty": int(n.get("none", 0)),
        "at least": least,
        "at most": most,
    }
    if "latency" in replies:
        latency = pd.to_numeric(replies["latency"], errors="coerce")
        line |= {
            "latency p50": latency.quantile(0.5),
            "latency p95": latency.quantile(0.95),
        }
    if "cost" in replies:
        line["mean cost"] = pd.to_numeric(replies["cost"], errors="coerce").mean()
    return line


def label_sheet(replies: "pd.DataFrame", n: int) -> str:
    """Return a CSV sheet of up to n replies, spread over how they read and shuffled,
    blind to it.
    """
    texts = replies[replies["kind"] != "none"].set_index("id", drop=False)
    rows = texts.loc[draw(texts["kind"], n), ["id", "question", "reply"]]
    return sheet_csv(
        COLUMNS,
        [
            {str(name): cell for name, cell in row.items()}
            for row in rows.to_dict("records")
        ],
    )


def labelled_rates(replies: "pd.DataFrame", labels: Labels) -> dict[str, Corrected]:
    """Return the shares of replies that refuse, that refuse wrongly and that answer
    wrongly, as people's labels correct the reading (`corrected_mean`; strata are how
    replies read).

    Labels say whether a reply refuses, and whether it should have. The last two shares
    are there only if every labelled row says so. Raises DataError if no label is of a
    reply of these.
    """
    kinds = replies[replies["kind"] != "none"].set_index("id")["kind"]
    known = {key: label for key, label in labels.items() if key in kinds.index}
    if not known:
        raise DataError(
            "--sheet: no row of the sheet is one of these replies; give the file that"
            " it was drawn from"
        )
    refused = {key: float(label) for key, (label, _) in known.items()}
    found = {"refused": corrected(kinds, (kinds == "refusal").astype(float), refused)}
    due = {
        key: float(expected)
        for key, (_, expected) in known.items()
        if expected is not None
    }
    if len(due) == len(known):
        nobody = kinds.map(lambda _: 0.0)
        found["refused wrongly"] = corrected(
            kinds, nobody, {key: float(refused[key] > due[key]) for key in due}
        )
        found["answered wrongly"] = corrected(
            kinds, nobody, {key: float(refused[key] < due[key]) for key in due}
        )
    return found
