"""Rows of made sources in the released layout of BLUFF-1000, with what they were made
from.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.worlds.document import DOCUMENTS
from refusalbench_tasks.worlds.factorial import PAIRS, DesignCell
from refusalbench_tasks.worlds.hearing import VERSION, hearing
from refusalbench_tasks.worlds.sources import Hearing, Source
from refusalbench_tasks.worlds.testimony import Readings, readings, stance
from refusalbench_tasks.worlds.values import written

COLLECTED = "2026-07-01T09:00:00"
"""The time of assembly that every source has: the same seed gives the same rows on any
day.
"""
GOLD_DATE = "2026-06-30"
ARMS = ("clear", "ambiguous")


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
        _row(asked, name, place, cells)
        for place, cells in enumerate(asked.plan.pairs())
    ]


def read_by(asked: Hearing, cell: DesignCell) -> Readings:
    """Return what readers make of the sources of a cell."""
    return readings(
        [one.claim for one in asked.sources(cell) if one.claim is not None],
        asked.subject,
    )


def _row(
    asked: Hearing, name: str, place: int, cells: tuple[DesignCell, DesignCell]
) -> dict[str, Any]:
    plan = asked.plan
    pair = dict(zip(ARMS, cells, strict=True))
    made = {arm: read_by(asked, cell) for arm, cell in pair.items()}
    kind = {
        "reliability": "unreliable",
        "conflict": "conflict",
        "sufficiency": plan.gap,
    }[plan.arm]
    return {
        "id": f"{name}.{place}",
        "question_id": name,
        "topic": asked.domain,
        "question": asked.question,
        "gold_answer": written(asked.gold),
        "answer_type": asked.gold.type,
        "gold_passage": _gold_passage(asked),
        "source_sets": {arm: _set(asked, cell) for arm, cell in pair.items()},
        "human_confidence": None,
        "human_hedge_label": None,
        "ambiguity": {"open": made["ambiguous"].weighed != asked.gold, "kind": kind},
        "ambiguity_type": kind,
        "factors": {arm: cell.levels() for arm, cell in pair.items()},
        "conflict_about": {arm: one.conflict_about for arm, one in made.items()},
        "readings": {arm: one.as_row() for arm, one in made.items()},
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
        _source(asked, one, position)
        for position, one in enumerate(asked.sources(cell), 1)
    ]


def _source(asked: Hearing, one: Source, position: int) -> dict[str, Any]:
    reliable = one.level == "reliable"
    stands = stance(one.claim, asked.subject, asked.gold)
    told = one.claim if stands != "silent" else None
    return {
        "url": f"https://{one.host}/{one.slug}",
        "domain": one.host,
        "category": (
            ("reliable" if reliable else "unreliable") if one.claim else "distraction"
        ),
        "title": one.title,
        "text": one.text,
        "timestamp": COLLECTED,
        "score": "N/A",
        "date": one.date,
        "stance": stands,
        "value": told.told if told else None,
        "bounds": (
            [written(told.value), written(told.upto)] if told and told.upto else None
        ),
        "quote": one.quote,
        "position": position,
        "persona": one.persona,
        "factors": {
            "outlet": "accountable" if reliable else "unaccountable",
            "authority": "named" if reliable else "anonymous",
            "evidence": "first_hand" if reliable else "hearsay",
            "date": one.dated,
            "wording": one.wording,
        },
        "cues": one.cues,
    }
