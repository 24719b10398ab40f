"""Rows of made sources in the released layout of BLUFF-1000, with what they were made
from.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from refusalbench_tasks.errors import DataError

from .document import DOCUMENTS
from .factorial import PAIRS, DesignCell
from .source_claims import source_readings, stance
from .source_question import VERSION, make_question
from .sources import Source, SourceQuestion

Columns = dict[str, Any]

COLLECTED = "2026-07-01T09:00:00"
"""The time of assembly that every source has: the same seed gives the same rows on any
day.
"""
GOLD_DATE = "2026-06-30"
ARMS = ("clear", "ambiguous")


_CATEGORIES = {"reliable": "reliable", "doubtful": "unreliable"}
_CUES = {
    "reliable": {
        "outlet": "accountable",
        "authority": "named",
        "evidence": "first_hand",
    },
    "doubtful": {
        "outlet": "unaccountable",
        "authority": "anonymous",
        "evidence": "hearsay",
    },
}
"""What a row says of a source, and of its cues, by its level."""


def source_rows(
    seed: int,
    start: int,
    stop: int,
    domains: Sequence[str] = DOCUMENTS,
) -> Iterator[Columns]:
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
        question = make_question(seed, index, domains)
        for number, cells in enumerate(question.plan.pairs()):
            yield _row(
                question,
                f"{VERSION}.{seed}.{index}",
                number,
                cells,
            )


def _row(
    question: SourceQuestion,
    name: str,
    number: int,
    cells: tuple[DesignCell, ...],
) -> Columns:
    plan = question.plan
    source_sets = {}
    factors = {}
    readings = {}
    for arm, cell in zip(ARMS, cells, strict=True):
        sources = question.sources(cell)
        claims = [source.claim for source in sources if source.claim]
        source_sets[arm] = [
            _source_row(question, source, position)
            for position, source in enumerate(sources, 1)
        ]
        factors[arm] = cell.levels()
        readings[arm] = source_readings(claims, question.subject)
    kinds = {"reliability": "unreliable", "conflict": "conflict"}
    kind = kinds.get(plan.arm, plan.gap)
    is_open = readings["ambiguous"].weighed != question.gold
    host = f"register-{question.slots[0].word.lower()}.example"
    gold_passage = {
        "title": host,
        "url": f"https://{host}/entry",
        "date": GOLD_DATE,
        "text": question.gold_text(),
    }
    conflict_about = {arm: read.conflict_about for arm, read in readings.items()}
    read_values = {arm: read.as_row() for arm, read in readings.items()}
    return {
        "id": f"{name}.{number}",
        "question_id": name,
        "topic": question.domain,
        "question": question.question,
        "gold_answer": str(question.gold),
        "answer_type": question.gold.type,
        "gold_passage": gold_passage,
        "source_sets": source_sets,
        "human_confidence": None,
        "human_hedge_label": None,
        "ambiguity": {"open": is_open, "kind": kind},
        "ambiguity_type": kind,
        "factors": factors,
        "conflict_about": conflict_about,
        "readings": read_values,
        "design": {
            "arm": plan.arm,
            "gap": plan.gap,
            "rival": plan.rival,
            "wording": plan.wording,
            "date": plan.dated,
        },
    }


def _source_row(
    question: SourceQuestion,
    source: Source,
    position: int,
) -> Columns:
    claim = source.claim
    attitude = stance(
        claim,
        question.subject,
        question.gold,
    )
    value = None
    bounds = None
    if claim and attitude != "silent":
        value = claim.value_text
        if claim.upto:
            bounds = [str(claim.value), str(claim.upto)]
    return {
        "url": f"https://{source.host}/{source.slug}",
        "domain": source.host,
        "category": _CATEGORIES[source.level] if claim else "distraction",
        "title": source.title,
        "text": source.text,
        "timestamp": COLLECTED,
        "score": "N/A",
        "date": source.date,
        "stance": attitude,
        "value": value,
        "bounds": bounds,
        "quote": source.quote,
        "position": position,
        "persona": source.persona,
        "factors": {
            **_CUES[source.level],
            "date": source.dated,
            "wording": source.wording,
        },
        "cues": source.cues,
    }
