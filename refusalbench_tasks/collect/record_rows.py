"""Two composed sets as a record."""

from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from refusalbench_tasks.collect.composing import Composed, Scored
from refusalbench_tasks.collect.found import GoldSource
from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.question_draft import QuestionDraft
from refusalbench_tasks.collect.record import Record
from refusalbench_tasks.collect.sizes import ARMS
from refusalbench_tasks.generators.kit.text.standing import Asked
from refusalbench_tasks.replies.sentences import sentences


def record_of(planned: PlannedRecord, draft: QuestionDraft, gold: GoldSource, composed: Composed) -> Record:
    """Return the record of two composed sets. The gold source must be there."""
    assert gold.source is not None
    row = {
        "id": planned.id,
        "topic": planned.topic,
        "subdomain": planned.field,
        "question": draft.question,
        "gold_answer": draft.answer,
        "gold_aliases": list(draft.aliases),
        "gold_passage": {
            "title": gold.source.title,
            "url": gold.source.url,
            "date": gold.source.date,
            "text": gold.passage,
            "support": draft.support,
            "timestamp": gold.source.fetched,
            "sha256": _hash(gold.passage),
        },
        "source_sets": {arm: _set(draft, composed.sets[arm]) for arm in ARMS},
        "human_confidence": None,
        "human_hedge_label": None,
    }
    return Record(row=row, answers=draft.answers)


def _set(draft: QuestionDraft, sources: Sequence[Scored]) -> list[dict[str, Any]]:
    return [_source(draft, one, position) for position, one in enumerate(sources, 1)]


def _source(draft: QuestionDraft, one: Scored, position: int) -> dict[str, Any]:
    quote = _quote(draft, one.passage) if one.states else ""
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
        "quote": quote,
        "position": position,
        "author": one.source.author,
        "because": list(one.source.because),
        "query": one.source.query,
        "sha256": _hash(one.passage),
    }


def _quote(draft: QuestionDraft, text: str) -> str:
    """Return the first sentence that gives the answer, if it stands in the text as it is."""
    asked = Asked(draft.question, draft.answers)
    found = next((one for one in sentences(text) if asked.given_in([one])), "")
    return found if found in text else ""


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()
