"""The replies of `nq` and `garage` as a table: one row a reply, from which every metric
of them is computed.

docs/report.md (Tidy rows) describes the columns. `predicted` is empty where nothing was
decided, and `REFUSAL` for a refusal whose code nobody read. A number is NaN where it is
unknown.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.outcome import is_right, reply_outcome
from refusalbench_tasks.taxonomy import REFUSAL, Intensity, Label

from .feature_rows import features_in
from .reply_columns import (
    Facts,
    frame_of,
    number,
    numbers_of,
    scored,
    texts_of,
)
from .reply_score import ReplyScore

if TYPE_CHECKING:
    import pandas as pd
    from inspect_ai.scorer import SampleScore, Score


GROUPS = (
    "class",
    "intensity",
    "generator",
    "domain",
    "question_type",
    "question_complexity",
    "lever",
)
"""The columns that rows are grouped by."""
_MEASURED = (
    "grade",
    "eligible",
    "factual_all",
    "factual_relevant",
    "citations",
    "citations_existing",
    "citations_signal",
    "confidence",
    "asks_back",
    "asks_about_the_ambiguity",
)
_TEXTS = (
    "item",
    "cluster",
    "expected",
    "predicted",
    "outcome",
    "reason",
    "level",
    "decided_by",
    "form",
    "protocol",
    "cluster_by",
    "pair",
    "grader_check",
    *GROUPS,
)
_FLAGS = (
    "confidence_asked",
    "codes",
    "grounded",
    "control",
    "intrinsic",
    "self_graded",
)
BLANK = {
    **dict.fromkeys(_TEXTS, ""),
    "epoch": 0,
    **dict.fromkeys(
        ("right", *_MEASURED, "calls", "retrieved_k", "gold_retrieved"), math.nan
    ),
    **dict.fromkeys(_FLAGS, False),
    "accepted": (),
    "graders": (),
    "knobs": {},
}
"""The columns of the table, as they are where nothing is known."""


def reply_row(metadata: Facts, score: "Score | ReplyScore") -> dict[str, Any]:
    """Return one row of the table from a sample's metadata and its `refusal_scores` or
    `grounded_scores` score.

    `epoch` is 0 where the score does not tell. Raises KeyError or ValueError for what
    is none of ours.
    """
    value: Any = score.value
    notes = score.metadata or {}
    expected = Label(metadata["expected"])
    codes = notes.get("codes") is not False
    given = "" if value.get("unscored") else score.answer or ""
    # of a refusal whose code nobody read it is not known whether that is the gold one
    coded = given != REFUSAL
    predicted: Label | None = None
    reason: str | None = score.reason or "unknown"
    if given:
        predicted = Label(given) if coded else Label.OTHER
        reason = None
    outcome = reply_outcome(reason)
    graded = number(value.get("right"))
    is_graded_right = None if math.isnan(graded) else graded == 1
    right = is_right(
        expected,
        predicted,
        is_graded_right,
        codes,
        coded,
    )
    if outcome == "no_reply":
        right = False
    epoch = notes.get("epoch")
    added: dict[str, float] = {}
    for feature in features_in(tuple(value)):
        added |= numbers_of(value, feature.COLUMNS)
    return {
        **_facts(metadata),
        **texts_of(notes, ("level", "decided_by", "form", "grader_check")),
        **numbers_of(value, _MEASURED),
        **numbers_of(notes, ("retrieved_k", "gold_retrieved")),
        "epoch": epoch if isinstance(epoch, int) else 0,
        "expected": expected.value,
        "predicted": given,
        "outcome": outcome,
        "reason": score.reason or "",
        "right": math.nan if right is None else float(right),
        "confidence_asked": bool(notes.get("confidence_asked")),
        "self_graded": bool(notes.get("self_graded")),
        "codes": codes,
        "grounded": "eligible" in value,
        "graders": tuple(map(str, notes.get("graders") or ())),
        "protocol": notes.get("protocol") or "paper",
        "cluster_by": notes.get("cluster") or "question",
        "calls": float(notes.get("calls") or 1),
        **added,
    }


def reply_table(rows: Iterable[Facts]) -> "pd.DataFrame":
    """Return rows of `reply_row` as a frame with the columns of `BLANK`; further
    columns follow as given.

    An epoch of 0 is replaced by the place of the reply among those to its item.
    """
    table = frame_of(rows, BLANK)
    counted = table.groupby("item").cumcount() + 1
    return table.assign(epoch=table["epoch"].where(table["epoch"] > 0, counted))


def of_scores(scores: Sequence["SampleScore"]) -> "pd.DataFrame":
    """Return the table of Inspect's unreduced scores; what has no
    numbers is left out.
    """
    return reply_table(
        reply_row(sample.sample_metadata or {}, sample.score)
        for sample in scores
        if isinstance(sample.score.value, Mapping)
    )


def main_rows(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return the scored replies that the metrics are about: without controls, if there
    are other answerable rows.

    Where there are none, the controls stand for them: what refuses everything must not
    be perfect.
    """
    every = scored(table)
    others = every[~every["control"]]
    return others if (others["expected"] == Label.ANSWER).any() else every


def _facts(metadata: Facts) -> dict[str, Any]:
    """Return what is known of a row of the data, whoever answered it."""
    stated = {**(metadata.get("columns") or {}), **(metadata.get("knobs") or {})}
    knobs = {}
    for name, cell in stated.items():
        if isinstance(cell, int | float | str):
            knobs[name] = cell
    codes = metadata.get("accepted_alternatives") or ()
    # logs that don't tell controls from unperturbed rows of one's own have controls
    # alone
    is_clean = metadata.get("intensity") == Intensity.CLEAN
    return {
        **texts_of(metadata, (*GROUPS[1:], "pair")),
        "item": str(metadata.get("item_id") or ""),
        "cluster": str(metadata["source_id"]),
        "accepted": tuple(Label(code).value for code in codes),
        "control": bool(metadata.get("control", is_clean)),
        "intrinsic": bool(metadata.get("intrinsic")),
        "class": str(metadata.get("perturbation") or ""),
        "knobs": knobs,
    }
