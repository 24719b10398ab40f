"""Which source stands in which set: relevance, repeats, and a composition that is kept
exactly or not at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from refusalbench_tasks.collect.gathering import FoundSource
from refusalbench_tasks.collect.question import SourcedQuestion
from refusalbench_tasks.collect.record import Record, RecordEndedError
from refusalbench_tasks.collect.record_plan import PlannedRecord
from refusalbench_tasks.collect.settings import (
    ARMS,
    CATEGORIES,
    Category,
    CollectSettings,
    Sizes,
)
from refusalbench_tasks.collect.web.relevance import best_passages
from refusalbench_tasks.datasets.draw import rank
from refusalbench_tasks.datasets.rows import bundled_rows
from refusalbench_tasks.generators.kit.answers import stands_in
from refusalbench_tasks.generators.kit.search import tokens_of
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.replies.sentences import sentences

_GRAM = 5
NEAR = 0.5
WITHIN = 0.8
"""From which similarity on two texts repeat each other (our definition): the Jaccard
similarity of their word 5-grams, or the share of the shorter one's 5-grams that the
longer one has.

One word in twenty changed leaves a Jaccard of 0.6.
"""


@dataclass(frozen=True)
class RatedSource:
    """A source with the passage of it that is stored, the passage's relevance, and
    whether it states the answer.
    """

    source: FoundSource
    passage: str
    relevance: float
    states: bool
    category: Category


def compose(
    draft: SourcedQuestion,
    gold_text: str,
    sources: Sequence[FoundSource],
    neighbours: Sequence[FoundSource],
    settings: CollectSettings,
    key: str = "",
) -> tuple[dict[str, list[RatedSource]], dict[str, int]]:
    """Return the two sets of a record, each exactly of its size and in its order; and
    what was dropped.

    A source is relevant from the threshold on and a distraction below it; a distraction
    that states the answer is none. What repeats the gold passage or another source is
    dropped, so no two sets share a text. Reliable sources that state the answer are
    dealt to the clear set first, and those of either kind that don't to the ambiguous
    one (our definition; the published one deals them by chance). The order is shuffled
    by `key` and the seed. Raises RecordEndedError where sources are missing.
    """
    sizes = settings.sizes
    threshold = settings.threshold
    scored = _scored(draft, sources, neighbours)
    fitting = [
        one
        for one in scored
        if (one.relevance < threshold) == (one.category == "distraction")
    ]
    silent = [
        one for one in fitting if not (one.category == "distraction" and one.states)
    ]
    kept = without_repeats(silent, gold_text)
    dropped = {
        "relevance": len(scored) - len(fitting),
        "distraction states the answer": len(fitting) - len(silent),
        "repeats another": len(silent) - len(kept),
    }
    dealt = {
        name: _deal([one for one in kept if one.category == name], sizes, name)
        for name in CATEGORIES
    }
    _require_all(dealt, sizes)
    sets = {
        arm: sorted(
            (one for name in CATEGORIES for one in dealt[name][arm]),
            key=lambda one: rank(f"{key}|{arm}|{one.source.url}", settings.seed),
        )
        for arm in ARMS
    }
    return sets, {name: n for name, n in dropped.items() if n}


def _require_all(
    dealt: Mapping[Category, Mapping[str, Sequence[RatedSource]]], sizes: Sizes
) -> None:
    places = [
        (f"{arm}/{name}", len(dealt[name][arm]), sizes[arm][name])
        for arm in ARMS
        for name in CATEGORIES
    ]
    if short := [(place, n, of) for place, n, of in places if n < of]:
        detail = ", ".join(f"{place}: {n} of {of}" for place, n, of in short)
        missing = {place: of - n for place, n, of in short}
        raise RecordEndedError("composition", "shortfall", detail, shortfall=missing)


def _scored(
    draft: SourcedQuestion,
    sources: Sequence[FoundSource],
    neighbours: Sequence[FoundSource],
) -> list[RatedSource]:
    """Return every source with its best passage, the words of the question weighed as
    in ordinary prose.
    """
    every = (*sources, *neighbours)
    passages = best_passages(
        draft.question, [*(one.article.text for one in every), *background()]
    )
    scored = []
    for place, (one, (passage, score)) in enumerate(zip(every, passages, strict=False)):
        text = one_line(passage)
        category: Category = "reliable" if one.slot == "reliable" else "unreliable"
        category = "distraction" if place >= len(sources) else category
        scored.append(
            RatedSource(one, text, score, stands_in(draft.answers, text), category)
        )
    return scored


@cache
def background() -> tuple[str, ...]:
    """Return texts on other matters, those of the bundled sample's clear sets, by which
    words are weighed too.

    Among the few pages on one question its own words are the common ones, and a chance
    word of it the rare one, so that BM25 leaves half of the pages below the threshold.
    Of the bundled sample's own sources it keeps 84 % of the reliable and 73 % of the
    unreliable ones with this background, 52 and 49 % without; no distraction of 88.
    """
    rows = bundled_rows("bluff_sample.json")
    return tuple(
        one["text"] for row in rows for one in row.values["source_sets"]["clear"]
    )


def without_repeats(
    candidates: Sequence[RatedSource], gold_text: str
) -> list[RatedSource]:
    """Return what repeats neither the gold passage nor another one; the scarcer and the
    more relevant of two stays.

    All 5-grams are compared, where MinHash would estimate: one question's candidates
    are few. Texts of fewer than five words are compared as a whole; texts without words
    repeat nothing.
    """
    kept: list[RatedSource] = []
    seen = [_grams(gold_text)]
    for one in sorted(
        candidates,
        key=lambda one: (
            CATEGORIES.index(one.category),
            not one.states,
            -one.relevance,
            one.source.url,
        ),
    ):
        own = _grams(one.passage)
        if not any(_repeat(own, other) for other in seen):
            seen.append(own)
            kept.append(one)
    return kept


def _grams(text: str) -> frozenset[tuple[str, ...]]:
    words = tokens_of(text)
    grams = (tuple(words[k : k + _GRAM]) for k in range(max(1, len(words) - _GRAM + 1)))
    return frozenset(gram for gram in grams if gram)


def _repeat(one: frozenset[tuple[str, ...]], other: frozenset[tuple[str, ...]]) -> bool:
    shared = len(one & other)
    return bool(shared) and (
        shared >= NEAR * len(one | other)
        or shared >= WITHIN * min(len(one), len(other))
    )


def _deal(
    pool: Sequence[RatedSource], sizes: Sizes, name: Category
) -> dict[str, list[RatedSource]]:
    """Return a category's sources by arm: those that state the answer go to the clear
    set first.

    Of unreliable ones those that don't state it go to the ambiguous set first, where
    they are wanted more.
    """
    telling = sorted(
        pool, key=lambda one: (not one.states, -one.relevance, one.source.url)
    )
    silent = sorted(pool, key=lambda one: (one.states, -one.relevance, one.source.url))
    if name == "unreliable":
        ambiguous = silent[: sizes["ambiguous"][name]]
        clear = silent[len(ambiguous) :][: sizes["clear"][name]]
    else:
        clear = telling[: sizes["clear"][name]]
        ambiguous = [one for one in silent if one not in clear][
            : sizes["ambiguous"][name]
        ]
    return {"clear": clear, "ambiguous": ambiguous}


def found_record(
    planned: PlannedRecord,
    draft: SourcedQuestion,
    gold: FoundSource,
    passage: str,
    sets: dict[str, list[RatedSource]],
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
            "timestamp": gold.article.fetched,
            "sha256": sha256(passage.encode()).hexdigest(),
        },
        "source_sets": {
            arm: [_source(draft, one, k) for k, one in enumerate(ones, 1)]
            for arm, ones in sets.items()
        },
        "human_confidence": None,
        "human_hedge_label": None,
    }
    return Record(row=row)


def _source(draft: SourcedQuestion, one: RatedSource, position: int) -> dict[str, Any]:
    # the first sentence that gives the answer, if it stands in the text as it is
    giving = (
        part
        for part in sentences(one.passage)
        if one.states and stands_in(draft.answers, part)
    )
    quote = next(giving, "")
    return {
        "url": one.source.url,
        "domain": one.source.host,
        "category": one.category,
        "title": one.source.title,
        "text": one.passage,
        "timestamp": one.source.article.fetched,
        "score": "N/A" if one.category == "distraction" else round(one.relevance, 4),
        "date": one.source.date,
        "stance": "states" if one.states else None,
        "value": draft.answer if one.states else None,
        "quote": quote if quote in one.passage else "",
        "position": position,
        "author": one.source.article.author,
        "because": list(one.source.because),
        "query": one.source.query,
        "sha256": sha256(one.passage.encode()).hexdigest(),
    }
