"""One scored reply to BLUFF-1000, as it is read from a log."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from refusalbench_tasks.metrics.scored_row import SCORING, Scored, ScoredRow, scoring

READ = (
    ("source_id", "arm", "ambiguity", "ambiguity_kind", "question_id", "factors", "conflict_about", "topic"),
    (
        "confidence", "epoch", "judge", "refusal_in_text", "quality", "hosts", "terms", "decisiveness", "named",
        "word_lists", *SCORING,
    ),
)  # fmt: skip
"""The names that a row reads in the metadata of its sample, and in those of its score."""


@dataclass(frozen=True, kw_only=True, slots=True)
class HedgingRow(ScoredRow):
    """One scored reply: where it belongs, and what was noted of it beside its numbers."""

    question: str
    arm: str
    epoch: int = 1
    offline: bool = False
    """Whether no grader was to be asked."""
    refusal_in_text: bool = False
    """Whether the released evaluator's phrase of refusal stands in the explanation."""
    quality: float = math.nan
    """Mean quality of the sources."""
    hosts: float = math.nan
    """How many different hosts the sources are from."""
    topic: str = ""
    terms: Mapping[str, int] = field(default_factory=dict)
    """Hedge terms found, with their number."""
    confidence_mass: float = math.nan
    """Probability of both letters together, from which the confidence was read."""
    wording_judged: bool = False
    """Whether a grader was to say how the reply words its answer."""
    decisiveness: float = math.nan
    """How firmly a grader says that the answer is put."""
    named: str | None = None
    """What a grader says that the reply names: CONFLICT, GAP or NEITHER."""
    position_bias: float = math.nan
    """How much more probable "true" is as A than as B, where both were asked."""
    confidence_missing: str | None = None
    """Why there is no confidence."""
    ambiguity: str = ""
    """`open` or `inferable` under ambiguous sources of which the data say so, else empty."""
    kind: str = ""
    """What makes the sources ambiguous, where the data say so."""
    base: str = ""
    """The question, where several rows ask the same one."""
    factors: Mapping[str, str] = field(default_factory=dict)
    """The levels of reliability, conflict and sufficiency of the sources, as far as the data tell."""
    conflict_about: str = ""
    """What the sources disagree about, where they do and the data say so."""
    lexicon: str = ""
    """The list that hedges were counted by; empty where the log names none."""

    @property
    def asked(self) -> str:
        """Return the question that was asked, of which several rows may be."""
        return self.base or self.question

    @property
    def density(self) -> float:
        """Return hedge terms per word."""
        return self.numbers["hedges"] / max(self.numbers["words"], 1.0)

    @property
    def answered(self) -> bool:
        """Whether the reply is known to be an answer."""
        return self.numbers["refused"] == 0

    @property
    def left_out(self) -> bool:
        """Whether the hedging metrics and the index leave the reply out as a refusal.

        The released evaluator does so for its phrase in the explanation as well, whose answer line is no refusal.
        """
        return self.numbers["refused"] == 1 or self.refusal_in_text


def hedging_row(metadata: Mapping[str, Any], scored: Scored) -> HedgingRow:
    """Return the row of one sample's metadata and score. Raises KeyError for what is none of ours."""
    notes, confidence = scored.notes, scored.notes.get("confidence") or {}
    return HedgingRow(
        question=str(metadata["source_id"]),
        arm=str(metadata["arm"]),
        ambiguity=str(metadata.get("ambiguity") or ""),
        kind=str(metadata.get("ambiguity_kind") or ""),
        base=str(metadata.get("question_id") or ""),
        factors=_factors(metadata.get("factors")),
        conflict_about=str(metadata.get("conflict_about") or ""),
        epoch=int(notes.get("epoch", 1)),
        offline=notes.get("judge") == "offline",
        refusal_in_text=bool(notes.get("refusal_in_text")),
        quality=_number(notes.get("quality")),
        hosts=_number(notes.get("hosts")),
        topic=str(metadata.get("topic") or ""),
        terms=notes.get("terms") or {},
        confidence_mass=_number(confidence.get("mass")),
        wording_judged="decisiveness" in notes,
        decisiveness=_number(notes.get("decisiveness")),
        named=notes.get("named"),
        position_bias=_bias(confidence.get("orders") or ()),
        confidence_missing=confidence.get("missing"),
        lexicon=_lexicon(notes.get("word_lists") or {}),
        # earlier logs have no strengths
        **scoring(scored if "hedge_strength" in scored.numbers else replace(scored, numbers=_without_strength(scored))),
    )


def _without_strength(scored: Scored) -> dict[str, float]:
    return {"hedge_strength": math.nan, **scored.numbers}


def _factors(stored: Any) -> dict[str, str]:
    return {str(name): str(level) for name, level in stored.items()} if isinstance(stored, Mapping) else {}


def _lexicon(lists: Mapping[str, Any]) -> str:
    """Return the name of the list of hedges with the start of its file's hash: lists of one name may differ."""
    name, sha256 = str(lists.get("hedges", "")), str(lists.get("hedges_sha256", ""))
    if name in ("bundled", "v1"):
        # before there were versions, the bundled list was the first; it does not change
        return "v1"
    return f"{name} ({sha256[:8]})" if sha256 else name


def _bias(orders: Sequence[float]) -> float:
    return float(orders[0]) - float(orders[1]) if len(orders) == 2 else math.nan


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
