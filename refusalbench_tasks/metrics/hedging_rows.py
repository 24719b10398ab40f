"""The replies of BLUFF-1000 as the metrics see them: rows, columns, and pairs of arms."""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np

from refusalbench_tasks.metrics.scored_row import Scored, ScoredRow, protocol_of, scoring
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.stats.cluster import Floats, Mask

Dropped = Literal["missing_arm", "unscored", "refused", "no_confidence"]
DROPPED: tuple[Dropped, ...] = get_args(Dropped)


@dataclass(frozen=True, kw_only=True)
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
    lexicon: str = ""
    """The list that hedges were counted by; empty where the log names none."""

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


@dataclass(frozen=True)
class Pair:
    """The two replies to one question; `dropped` says why the pair does not enter the published figures."""

    question: str
    clear: HedgingRow | None
    ambiguous: HedgingRow | None

    @cached_property
    def dropped(self) -> Dropped | None:
        """Return the first reason that applies, None for a pair that is kept."""
        if self.clear is None or self.ambiguous is None:
            return "missing_arm"
        both = (self.clear.numbers, self.ambiguous.numbers)
        if any(numbers["unscored"] for numbers in both):
            return "unscored"
        if self.clear.left_out or self.ambiguous.left_out:
            return "refused"
        return "no_confidence" if any(math.isnan(numbers["confidence"]) for numbers in both) else None


def hedging_row(metadata: Mapping[str, Any], scored: Scored) -> HedgingRow:
    """Return the row of one sample's metadata and score. Raises KeyError for what is none of ours."""
    notes, confidence = scored.notes, scored.notes.get("confidence") or {}
    return HedgingRow(
        question=str(metadata["source_id"]),
        arm=str(metadata["arm"]),
        ambiguity=str(metadata.get("ambiguity") or ""),
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
        **scoring(replace(scored, numbers={"hedge_strength": math.nan, **scored.numbers})),
    )


def _lexicon(lists: Mapping[str, Any]) -> str:
    """Return the name of the list of hedges; of a file with the start of its hash."""
    name, sha256 = str(lists.get("hedges", "")), str(lists.get("hedges_sha256", ""))
    if name in ("bundled", "v1"):
        # before there were versions, the bundled list was the first
        return "v1"
    return f"{name} ({sha256[:8]})" if sha256 and name != "v2" else name


def _bias(orders: Sequence[float]) -> float:
    return float(orders[0]) - float(orders[1]) if len(orders) == 2 else math.nan


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


class HedgingRows(tuple[HedgingRow, ...]):
    """The rows of a log, from which all its metrics are computed: a column is made once, whatever asks for it."""

    @cached_property
    def _columns(self) -> dict[str, Floats]:
        return {}

    def column(self, name: str) -> Floats:
        """Return one number of each row, shape (n,), NaN where it is unknown. Raises KeyError if a row has none."""
        if name not in self._columns:
            self._columns[name] = np.array([row.numbers[name] for row in self], dtype=float)
        return self._columns[name]

    @cached_property
    def published(self) -> "HedgingRows":
        """Return the rows under clear or ambiguous sources, of which alone the paper's metrics are."""
        both = self.clear | self.ambiguous
        return self if both.all() else HedgingRows(row for row, inside in zip(self, both, strict=True) if inside)

    @cached_property
    def density(self) -> Floats:
        """Return hedge terms per word of each row, shape (n,)."""
        density: Floats = self.column("hedges") / np.maximum(self.column("words"), 1)
        return density

    @cached_property
    def clear(self) -> Mask:
        """Return which rows are under clear sources, shape (n,)."""
        return np.array([row.arm == "clear" for row in self], dtype=bool)

    @cached_property
    def ambiguous(self) -> Mask:
        """Return which rows are under ambiguous sources, shape (n,)."""
        return np.array([row.arm == "ambiguous" for row in self], dtype=bool)

    def of_ambiguity(self, name: str) -> Mask:
        """Return which rows are under ambiguous sources of the kind, `open` or `inferable`, shape (n,)."""
        chosen: Mask = self.ambiguous & np.array([row.ambiguity == name for row in self], dtype=bool)
        return chosen

    @cached_property
    def left_out(self) -> Mask:
        """Return which rows the hedging metrics and the index leave out as refusals, shape (n,)."""
        in_text = np.array([row.refusal_in_text for row in self], dtype=bool)
        left_out: Mask = (self.column("refused") == 1) | in_text
        return left_out

    @cached_property
    def answered(self) -> Mask:
        """Return which replies are known to be answers, shape (n,)."""
        answered: Mask = self.column("refused") == 0
        return answered

    @cached_property
    def graded(self) -> Mask:
        """Return which replies are known to be answers and have a grade, shape (n,)."""
        return self.answered & ~np.isnan(self.column("correctness"))

    @cached_property
    def undecided_offline(self) -> bool:
        """Whether some reply is undecided for want of a grader: then plain refusals alone are known."""
        return any(row.reason == "undecided_offline" for row in self)

    @cached_property
    def questions(self) -> list[str]:
        """Return the question of each row."""
        return [row.question for row in self]

    @cached_property
    def pairs(self) -> list[Pair]:
        """Return one pair per question and epoch, by their ids, in the order of the ids."""
        arms: dict[tuple[str, int], dict[str, HedgingRow]] = defaultdict(dict)
        for row in self:
            arms[row.question, row.epoch][row.arm] = row
        return [Pair(key[0], arms[key].get("clear"), arms[key].get("ambiguous")) for key in sorted(arms)]

    @cached_property
    def protocol(self) -> Protocol:
        """Return the protocol that the rows were scored by."""
        return protocol_of(self)


def pair_arrays(pairs: Iterable[Pair]) -> tuple[Floats, Floats, Floats, Floats]:
    """Return confidence (clear, ambiguous) and hedging density (clear, ambiguous) of whole pairs, shape (n,) each."""
    both = [(pair.clear, pair.ambiguous) for pair in pairs if pair.clear and pair.ambiguous]
    first, second = HedgingRows(clear for clear, _ in both), HedgingRows(ambiguous for _, ambiguous in both)
    return first.column("confidence"), second.column("confidence"), first.density, second.density
