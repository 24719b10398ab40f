"""Replies of a system in production: how often it refuses, by slice, without rows or
gold answers.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

import pandas as pd

from refusalbench_tasks.datasets.draw import grouped
from refusalbench_tasks.datasets.rows import Row
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.replies.code import parse_reply
from refusalbench_tasks.replies.decision import no_reply_reason, why_undecided
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.replies.readers import (
    DEFAULT_READER,
    find_reader,
)
from refusalbench_tasks.replies.reading import ReadReply
from refusalbench_tasks.replies.reading_errors import share_bounds
from refusalbench_tasks.sheets import sheet_csv
from refusalbench_tasks.solvers.mapped_replies import Given, mapped_rows
from refusalbench_tasks.solvers.recorded_reply import STOPS
from refusalbench_tasks.stats.corrected_mean import Corrected
from refusalbench_tasks.stats.mcnemar import holm
from refusalbench_tasks.stats.proportion import wilson
from refusalbench_tasks.tables import filled

from .audit.sheet import Labels, corrected, draw_ids
from .coverage import uneven_note

TEXTS = ("reply", "response", "answer", "output")
QUESTIONS = ("question", "query", "input")
FILLED = ("label", "expected")
COLUMNS = ("id", "earlier", "question", "reply", *FILLED)
SMALL = 20
"""A slice of fewer replies is marked."""
REFUSING = ("refusal", "clarification")
"""The kinds of replies that give no answer, on purpose."""
_MOST = 60
"""A column with more values is no slice."""


def read_production(
    name: str,
    phrases: Sequence[str] = (),
    reader: str = DEFAULT_READER,
    mapping: Given = None,
) -> "pd.DataFrame":
    """Return the replies of a file, by a mapping (`mapped_rows`) if one is given, with
    how each reads.

    `kind` is answer, refusal, clarification, undecided or none (empty, nothing but
    citations, or by its `stop_reason` cut off or stopped by the provider).
    Columns are those of the file, and id, question, reply, kind and, in words,
    why_undecided. `phrases` are refusals of the system's own words. Raises DataError
    that names file, row and field, and for an unknown reader.
    """
    read_reply = find_reader(reader)
    replies = []
    for number, row in enumerate(mapped_rows(name, mapping), 1):
        reply = _read(
            number,
            row,
            phrases,
            read_reply,
        )
        replies.append(reply)
    return pd.DataFrame(replies)


def _read(
    number: int,
    row: Row,
    phrases: Sequence[str],
    read_reply: ReadReply,
) -> dict[str, Any]:
    reply = _text(row, TEXTS)
    if reply is None:
        problem = f"no reply; name its column one of {', '.join(TEXTS)}"
        raise row.error("reply", problem)
    question = _text(row, QUESTIONS) or ""
    values = row.values
    stated = values.get("stop_reason") or values.get("finish_reason")
    stop = STOPS.get(str(stated).strip().lower())
    kind = "none"
    why = ""
    if no_reply_reason(stop, parse_reply(reply).form) is None:
        reading = read_reply(
            reply,
            question=question,
            refusals=phrases,
            context=_passages(row),
        )
        kind = reading.kind
        if kind == "undecided":
            why = why_undecided(reading)
    mark = sha256(reply.encode()).hexdigest()[:6]
    return {
        **values,
        "id": f"{number}-{mark}",
        "question": question,
        "earlier": values.get("earlier") or "",
        "reply": reply,
        "kind": kind,
        "why_undecided": why,
    }


def _passages(row: Row) -> list[str]:
    passages = row.values.get("passages")
    if not isinstance(passages, list):
        return []
    texts = [text.get("text") if isinstance(text, dict) else text for text in passages]
    return [text for text in texts if isinstance(text, str)]


def _text(row: Row, names: Sequence[str]) -> str | None:
    for name in names:
        value = row.values.get(name)
        if value is not None and not isinstance(value, str):
            problem = f"expected text, found {type(value).__name__}"
            raise row.error(name, problem)
        if name in row.values:
            return value or ""
    return None


def refusal_rates(
    replies: "pd.DataFrame",
    by: Sequence[str] = (),
    reader: str = DEFAULT_READER,
) -> list[dict[str, Any]]:
    """Return a line for all replies, and for each value of each column of `by`.

    `at least` and `at most` are of all replies, with the undecided ones and the
    reader's own errors (`share_bounds`). `refused` is the share of the decided replies,
    those that ask back included, with its 95 % CI (Wilson, replies taken for
    independent), unknown where fewer than half are decided. `p` is that of a slice
    against all other replies (Fisher's exact test), by Holm for the slices of its
    column. Latency and cost are there if the file has them. Raises DataError for a
    column that is not there or is no slice.
    """
    whole = _line(
        "all",
        "",
        replies,
        reader,
    )
    lines = [whole]
    for column in by:
        values = _values(replies, column)
        names = sorted(set(values) - {""})
        parts = [replies[values == name] for name in names]
        adjusted = holm([_p_against_rest(replies, part) for part in parts])
        for name, part, p in zip(
            names,
            parts,
            adjusted,
            strict=True,
        ):
            small = " (small)" if len(part) < SMALL else ""
            line = _line(
                column,
                one_line(name) + small,
                part,
                reader,
            )
            lines.append(line | {"p": p})
    return filled(lines)


def uneven_slices(lines: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return a sentence for each column of lines of `refusal_rates` whose slices differ
    in how much of them is decided.
    """
    sentences = []
    for column, parts in grouped(lines, lambda line: str(line["slice"])).items():
        shares = [1 - line["undecided"] / line["replies"] for line in parts]
        if note := uneven_note(shares):
            sentences.append(
                f"{one_line(column)}: {note}: compare `at least` and `at most`;"
                " `refused` and p are of decided replies alone."
            )
    return sentences


def _values(replies: "pd.DataFrame", column: str) -> "pd.Series[str]":
    if column not in replies:
        there = ", ".join(map(str, replies.columns))
        raise DataError(f"--by {column}: no such column; there are {there}")
    stated = replies[column]
    values = stated.astype(object).where(stated.notna(), "").map(str)
    if values.nunique() > _MOST:
        raise DataError(
            f"--by {column}: {values.nunique()} values are too many, at most {_MOST}"
        )
    return values


def _p_against_rest(replies: "pd.DataFrame", part: "pd.DataFrame") -> float:
    import numpy as np
    from scipy.stats import fisher_exact

    counts = []
    for side in (part, replies.drop(part.index)):
        kinds = side["kind"]
        counts.append([kinds.isin(REFUSING).sum(), (kinds == "answer").sum()])
    return float(fisher_exact(np.array(counts)).pvalue)


def _line(
    column: str,
    value: str,
    replies: "pd.DataFrame",
    reader: str,
) -> dict[str, Any]:

    n = Counter(replies["kind"])
    refused = sum(n[kind] for kind in REFUSING)
    decided = refused + n["answer"]
    low, high = share_bounds(
        refused,
        n["answer"],
        n["undecided"],
        reader=reader,
    )
    line = {
        "slice": column,
        "value": value,
        "replies": len(replies),
        "at least": low,
        "at most": high,
        "refused": None,
        "95 % low": None,
        "95 % high": None,
        "n": decided,
        "ask back": n["clarification"],
        "undecided": n["undecided"],
        "empty": n["none"],
    }
    # a rate of the few that could be read would be taken for that of all
    if decided and 2 * decided >= len(replies):
        line["refused"] = refused / decided
        line["95 % low"], line["95 % high"] = wilson(refused, decided)
    if "latency" in replies:
        latency = pd.to_numeric(replies["latency"], errors="coerce")
        line["latency p50"] = latency.quantile(0.5)
        line["latency p95"] = latency.quantile(0.95)
    if "cost" in replies:
        line["mean cost"] = pd.to_numeric(replies["cost"], errors="coerce").mean()
    return line


def label_sheet(replies: "pd.DataFrame", n: int) -> str:
    """Return a CSV sheet of up to n replies, spread over how they read and shuffled,
    blind to it.
    """
    texts = replies[replies["kind"] != "none"].set_index("id", drop=False)
    drawn = texts.loc[draw_ids(texts["kind"], n), list(COLUMNS[:4])]
    rows = drawn.to_dict("records")
    return sheet_csv(COLUMNS, rows)


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
    refusals = kinds.isin(REFUSING).astype(float)
    rates = {"refused": corrected(kinds, refusals, refused)}
    if all(due is not None for _, due in known.values()):
        no_errors = refusals * 0.0
        wrongly = {key: float(label and not due) for key, (label, due) in known.items()}
        missed = {
            key: float(bool(due) and not label) for key, (label, due) in known.items()
        }
        rates["refused wrongly"] = corrected(
            kinds,
            no_errors,
            wrongly,
        )
        rates["answered wrongly"] = corrected(
            kinds,
            no_errors,
            missed,
        )
    return rates
