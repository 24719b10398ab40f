"""Rows of made sources in the released layout of BLUFF-1000, with what they were made
from.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.factorial import PAIRS, DesignCell
from refusalbench_tasks.worlds.source_claims import Readings, readings, stance
from refusalbench_tasks.worlds.source_question import VERSION, hearing
from refusalbench_tasks.worlds.sources import Hearing, Source
from refusalbench_tasks.worlds.values import written

COLLECTED = "2026-07-01T09:00:00"
"""The time of assembly that every source has: the same seed gives the same rows on any
day.
"""
GOLD_DATE = "2026-06-30"
ARMS = ("clear", "ambiguous")


class _CueLevels(NamedTuple):
    """What a row says of the cues of a source, by its level."""

    category: str
    outlet: str
    authority: str
    evidence: str


_RELIABLE = _CueLevels("reliable", "accountable", "named", "first_hand")
_DOUBTFUL = _CueLevels("unreliable", "unaccountable", "anonymous", "hearsay")


def source_rows(
    seed: int, start: int, stop: int, domains: Sequence[str] = DOCUMENTS
) -> Iterator[dict[str, Any]]:
    """Yield rows `start` to `stop` (not included) of a seed; rows 4k to 4k + 3 are of
    question k.

    Raises DataError for a negative or empty range, and for one that cuts a question.
    """
    if not 0 <= start < stop:
        raise DataError(f"rows {start} to {stop}: this range is empty")
    if start % PAIRS or stop % PAIRS:
        raise DataError(
            f"rows {start} to {stop}: rows come in fours, give multiples of {PAIRS}"
        )
    for index in range(start // PAIRS, stop // PAIRS):
        yield from question_rows(
            hearing(seed, index, domains), f"{VERSION}.{seed}.{index}"
        )


def source_domains(domains: Sequence[str]) -> tuple[str, ...]:
    """Return the domains that are named, or all. Raises DataError for any other."""
    unknown = [name for name in domains if name not in DOCUMENTS]
    if unknown:
        raise DataError(
            f"domains: '{', '.join(unknown)}' has no sources; known:"
            f" {', '.join(DOCUMENTS)}"
        )
    return tuple(name for name in DOCUMENTS if name in domains) or DOCUMENTS


def question_rows(asked: Hearing, name: str) -> list[dict[str, Any]]:
    """Return the four rows of a question, each with two sets of sources that differ in
    one factor.
    """
    return [
        _row(asked, name, number, cells)
        for number, cells in enumerate(asked.plan.pairs())
    ]


def read_by(asked: Hearing, cell: DesignCell) -> Readings:
    """Return what readers make of the sources of a cell."""
    return readings(
        [source.claim for source in asked.sources(cell) if source.claim is not None],
        asked.subject,
    )


def _row(
    asked: Hearing, name: str, number: int, cells: tuple[DesignCell, DesignCell]
) -> dict[str, Any]:
    plan = asked.plan
    pair = dict(zip(ARMS, cells, strict=True))
    arm_readings = {arm: read_by(asked, cell) for arm, cell in pair.items()}
    kind = {
        "reliability": "unreliable",
        "conflict": "conflict",
        "sufficiency": plan.gap,
    }[plan.arm]
    source_sets = {arm: _set(asked, cell) for arm, cell in pair.items()}
    factors = {arm: cell.levels() for arm, cell in pair.items()}
    conflict_about = {arm: read.conflict_about for arm, read in arm_readings.items()}
    reading_rows = {arm: read.as_row() for arm, read in arm_readings.items()}
    still_open = arm_readings["ambiguous"].weighed != asked.gold
    return {
        "id": f"{name}.{number}",
        "question_id": name,
        "topic": asked.domain,
        "question": asked.question,
        "gold_answer": written(asked.gold),
        "answer_type": asked.gold.type,
        "gold_passage": _gold_passage(asked),
        "source_sets": source_sets,
        "human_confidence": None,
        "human_hedge_label": None,
        "ambiguity": {"open": still_open, "kind": kind},
        "ambiguity_type": kind,
        "factors": factors,
        "conflict_about": conflict_about,
        "readings": reading_rows,
        "design": {
            "arm": plan.arm,
            "gap": plan.gap,
            "rival": plan.rival,
            "wording": plan.wording,
            "date": plan.dated,
        },
    }


def _gold_passage(asked: Hearing) -> dict[str, str]:
    host = f"register-{asked.slots[0].word.lower()}.example"
    return {
        "title": host,
        "url": f"https://{host}/entry",
        "date": GOLD_DATE,
        "text": asked.gold_text,
    }


def _set(asked: Hearing, cell: DesignCell) -> list[dict[str, Any]]:
    return [
        _source_row(asked, source, position)
        for position, source in enumerate(asked.sources(cell), 1)
    ]


def _source_row(asked: Hearing, source: Source, position: int) -> dict[str, Any]:
    cues = _RELIABLE if source.level == "reliable" else _DOUBTFUL
    stands = stance(source.claim, asked.subject, asked.gold)
    claim = source.claim if stands != "silent" else None
    value = claim.told if claim else None
    bounds = None
    if claim and claim.upto:
        bounds = [written(claim.value), written(claim.upto)]
    return {
        "url": f"https://{source.host}/{source.slug}",
        "domain": source.host,
        "category": cues.category if source.claim else "distraction",
        "title": source.title,
        "text": source.text,
        "timestamp": COLLECTED,
        "score": "N/A",
        "date": source.date,
        "stance": stands,
        "value": value,
        "bounds": bounds,
        "quote": source.quote,
        "position": position,
        "persona": source.persona,
        "factors": {
            "outlet": cues.outlet,
            "authority": cues.authority,
            "evidence": cues.evidence,
            "date": source.dated,
            "wording": source.wording,
        },
        "cues": source.cues,
    }
