"""Two composed sets as a record."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from refusalbench_tasks.collect.composing import Candidate
from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.question import SourcedQuestion
from refusalbench_tasks.collect.record import FoundSource, Record
from refusalbench_tasks.generators.kit.answers import stands_in
from refusalbench_tasks.replies.sentences import sentences


def found_record(
    planned: PlannedRecord,
    draft: SourcedQuestion,
    gold: FoundSource,
    passage: str,
    sets: dict[str, list[Candidate]],
) -> Record:
    """Return the record of two composed sets, in the released layout."""
    row = {
        "id": planned.id,
        "topic": planned.topic,
        "subdomain": planned.field,
        "question": draft.question,
        "gold_answer": draft.answer,
        "gold_aliases": list(draft.aliases),
        "gold_passage": {
            "title": gold.title,
            "url": gold.url,
            "date": gold.date,
            "text": passage,
            "support": draft.support,
            "timestamp": gold.fetched,
            "sha256": sha256(passage.encode()).hexdigest(),
        },
        "source_sets": {arm: _set(draft, ones) for arm, ones in sets.items()},
        "human_confidence": None,
        "human_hedge_label": None,
    }
    return Record(row=row, answers=draft.answers)


def _set(draft: SourcedQuestion, sources: Sequence[Candidate]) -> list[dict[str, Any]]:
    return [_source(draft, one, position) for position, one in enumerate(sources, 1)]


def _source(draft: SourcedQuestion, one: Candidate, position: int) -> dict[str, Any]:
    # the first sentence that gives the answer, if it stands in the text as it is
    giving = (part for part in sentences(one.passage) if one.states and stands_in(draft.answers, part))
    quote = next(giving, "")
    return {
        "url": one.source.url,
        "domain": one.source.host,
        "category": one.category,
        "title": one.source.title,
        "text": one.passage,
        "timestamp": one.source.fetched,
        "score": "N/A" if one.category == "distraction" else round(one.relevance, 4),
        "date": one.source.date,
        "stance": "states" if one.states else None,
        "value": draft.answer if one.states else None,
        "quote": quote if quote in one.passage else "",
        "position": position,
        "author": one.source.author,
        "because": list(one.source.because),
        "query": one.source.query,
        "sha256": sha256(one.passage.encode()).hexdigest(),
    }
