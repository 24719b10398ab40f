"""The replies of `nq` and `garage` as a table: one row a reply, from which every metric of them is computed.

- item, epoch, cluster: the row of the data, which reply to it (from 1), and the base question, whose rows are dependent
- expected, predicted: the codes that are right and that were given; `predicted` is empty where nothing was decided
- accepted: other codes that a careful reader may give, as a tuple
- outcome, reason: `decided`, `no_reply` (the model's fault) or `unscored` (ours), and why it is not the first
- right: 1 for a right answer or the gold code (any refusal without codes), 0 for others, NaN if unknown
- grade, eligible, factual_all, factual_relevant, citations, citations_existing, citations_signal: NaN if unknown
- confidence, level, confidence_asked: the stated confidence in [0, 1] (NaN: none), its level, and if one was asked for
- codes, grounded: whether codes were asked for, and whether answers are graded against ten passages
- control, intrinsic: an unperturbed original beside the run's rows; the question alone tells that there is no answer
- decided_by, form, self_graded, graders: who decided; `graders` is a tuple
- protocol, cluster_by: how the run was to be scored, and what its standard errors resample
- calls: how often the evaluated model was asked for it, 1 where nothing is noted
- retrieved_k, gold_retrieved: what an application retrieved: number of passages, 1 or 0 for the gold (NaN: unknown)
- class, intensity, generator, domain, question_type, question_complexity, lever, pair: facts of the row
- knobs: how hard it is, and what other columns the data has, by name
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from refusalbench_tasks.metrics.frame import frame_of, number, scored
from refusalbench_tasks.outcome import is_right, reply_outcome
from refusalbench_tasks.taxonomy import Intensity, Label

if TYPE_CHECKING:
    import pandas as pd
    from inspect_ai.scorer import SampleScore, Score

GROUPS = ("class", "intensity", "generator", "domain", "question_type", "question_complexity", "lever")
"""The columns that rows are grouped by."""
_MEASURED = (
    "grade", "eligible", "factual_all", "factual_relevant", "citations", "citations_existing", "citations_signal",
    "confidence",
)  # fmt: skip
_TEXTS = ("item", "cluster", "expected", "predicted", "outcome", "reason", "level", "decided_by", "form", "protocol",
          "cluster_by", "pair", *GROUPS)  # fmt: skip
_FLAGS = ("confidence_asked", "codes", "grounded", "control", "intrinsic", "self_graded")
BLANK: Mapping[str, Any] = {
    **dict.fromkeys(_TEXTS, ""), "epoch": 0,
    **dict.fromkeys(("right", *_MEASURED, "calls", "retrieved_k", "gold_retrieved"), math.nan),
    **dict.fromkeys(_FLAGS, False), "accepted": (), "graders": (), "knobs": {},
}  # fmt: skip
"""The columns of the table, as they are where nothing is known."""


def reply_row(metadata: Mapping[str, Any], score: "Score") -> dict[str, Any]:
    """Return one row of the table from a sample's metadata and its `refusal_scores` or `grounded_scores` score.

    `epoch` is 0 where the score does not tell. Raises KeyError or ValueError for what is none of ours.
    """
    value: Any = score.value
    notes = score.metadata or {}
    expected = Label(metadata["expected"])
    codes = notes.get("codes") is not False
    predicted = Label(score.answer) if score.answer and not value.get("unscored") else None
    outcome = reply_outcome(None if predicted else score.reason or "unknown")
    graded = number(value.get("right"))
    # a refusal in words that no grader read: whether its code is the gold one is not known
    coded = notes.get("decided_by") != "reading"
    right = is_right(expected, predicted, None if math.isnan(graded) else graded == 1, codes, coded)
    return {
        **_facts(metadata),
        "epoch": notes["epoch"] if isinstance(notes.get("epoch"), int) else 0,
        "expected": expected.value,
        "predicted": predicted.value if predicted else "",
        "outcome": outcome,
        "reason": score.reason or "",
        "right": 0.0 if outcome == "no_reply" else math.nan if right is None else float(right),
        **{name: number(value.get(name)) for name in _MEASURED},
        "level": notes.get("level") or "",
        "confidence_asked": bool(notes.get("confidence_asked")),
        "codes": codes,
        "grounded": "eligible" in value,
        "decided_by": notes.get("decided_by") or "",
        "form": notes.get("form") or "",
        "self_graded": bool(notes.get("self_graded")),
        "graders": tuple(map(str, notes.get("graders") or ())),
        "protocol": notes.get("protocol") or "paper",
        "cluster_by": notes.get("cluster") or "question",
        "calls": float(notes.get("calls") or 1),
        "retrieved_k": number(notes.get("retrieved_k")),
        "gold_retrieved": number(notes.get("gold_retrieved")),
    }


def reply_table(rows: Iterable[Mapping[str, Any]]) -> "pd.DataFrame":
    """Return rows of `reply_row` as a frame with the columns of `BLANK`; further columns follow as given.

    An epoch of 0 is replaced by the place of the reply among those to its item.
    """
    table = frame_of(rows, BLANK)
    counted = table.groupby("item").cumcount() + 1
    return table.assign(epoch=table["epoch"].where(table["epoch"] > 0, counted))


def of_scores(scores: Sequence["SampleScore"]) -> "pd.DataFrame":
    """Return the table of Inspect's unreduced scores; what has no numbers is left out."""
    rows = (reply_row(one.sample_metadata or {}, one.score) for one in scores if isinstance(one.score.value, Mapping))
    return reply_table(rows)


def main_rows(table: "pd.DataFrame") -> "pd.DataFrame":
    """Return the scored replies that the metrics are about: without controls, if there are other answerable rows.

    Where there are none, the controls stand for them: what refuses everything must not be perfect.
    """
    every = scored(table)
    others = every[~every["control"]]
    return others if (others["expected"] == Label.ANSWER.value).any() else every


def _facts(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is known of a row of the data, whoever answered it."""
    stated = {**(metadata.get("columns") or {}), **(metadata.get("knobs") or {})}
    return {
        "item": str(metadata.get("item_id") or ""),
        "cluster": str(metadata["source_id"]),
        "accepted": tuple(Label(name).value for name in metadata.get("accepted_alternatives") or ()),
        # logs that don't tell controls from unperturbed rows of one's own have controls alone
        "control": bool(metadata.get("control", metadata.get("intensity") == Intensity.CLEAN)),
        "intrinsic": bool(metadata.get("intrinsic")),
        "class": str(metadata.get("perturbation") or ""),
        **{name: str(metadata.get(name) or "") for name in (*GROUPS[1:], "pair")},
        "knobs": {name: one for name, one in stated.items() if isinstance(one, int | float | str)},
    }
