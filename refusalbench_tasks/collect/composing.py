"""Which source stands in which set: relevance, repeats, and a composition that is kept
exactly or not at all.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any

from refusalbench_tasks.corpus.index import tokens_of
from refusalbench_tasks.corpus.words import word_runs
from refusalbench_tasks.datasets.draw import rank
from refusalbench_tasks.datasets.rows import bundled_rows
from refusalbench_tasks.generators.kit.answers import alias_stands_in
from refusalbench_tasks.replies.outside_text import one_line
from refusalbench_tasks.replies.sentences import sentences

from .gathering import FoundSource
from .question import SourcedQuestion
from .record import Record, RecordEndedError
from .record_plan import PlannedRecord
from .settings import (
    ARMS,
    CATEGORIES,
    Category,
    CollectSettings,
    Sizes,
)
from .web.relevance import best_passages

Sources = Sequence[FoundSource]

_GRAM = 5
NEAR = 0.5
WITHIN = 0.8
"""From which similarity on two texts repeat each other (our definition): the Jaccard
similarity of their word 5-grams, or the share of the shorter one's 5-grams that the
longer one has.

One word in twenty changed leaves a Jaccard of 0.6.
"""
Grams = frozenset[tuple[str, ...]]


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


Sets = dict[str, list[RatedSource]]
"""Sources by arm."""


def compose_sets(
    draft: SourcedQuestion,
    gold_text: str,
    sources: Sources,
    neighbours: Sources,
    settings: CollectSettings,
    key: str = "",
) -> Sets:
    """Return the two sets of a record, each exactly of its size and in its order.

    A source is relevant from the threshold on and a distraction below it; a distraction
    that states the answer is none. What repeats the gold passage or another source is
    dropped, so no two sets share a text. Reliable sources that state the answer are
    dealt to the clear set first, and those of either kind that don't to the ambiguous
    one (our definition; the published one deals them by chance). The order is shuffled
    by `key` and the seed. Raises RecordEndedError where sources are missing.
    """
    rated = _rated(draft, sources, neighbours)
    fitting = [source for source in rated if _fits(source, settings.threshold)]
    kept = without_repeats(fitting, gold_text)
    dealt: dict[Category, Sets] = {}
    for category in CATEGORIES:
        pool = [source for source in kept if source.category == category]
        dealt[category] = _deal(pool, settings.sizes, category)
    _require_all(dealt, settings.sizes)
    sets: Sets = {}
    for arm in ARMS:
        chosen = [source for of_arm in dealt.values() for source in of_arm[arm]]
        sets[arm] = sorted(
            chosen,
            key=lambda rated: rank(f"{key}|{arm}|{rated.source.url}", settings.seed),
        )
    return sets


def _fits(rated: RatedSource, threshold: float) -> bool:
    if rated.category == "distraction":
        return rated.relevance < threshold and not rated.states
    return rated.relevance >= threshold


def _require_all(dealt: Mapping[Category, Sets], sizes: Sizes) -> None:
    short = []
    for arm in ARMS:
        for category in CATEGORIES:
            n = len(dealt[category][arm])
            wanted = sizes[arm][category]
            if n < wanted:
                short.append(f"{arm}/{category}: {n} of {wanted}")
    if short:
        raise RecordEndedError(
            "composition",
            "shortfall",
            ", ".join(short),
        )


def _rated(
    draft: SourcedQuestion,
    sources: Sources,
    neighbours: Sources,
) -> list[RatedSource]:
    """Return every source with its best passage, the words of the question weighed as
    in ordinary prose.
    """
    candidates = (*sources, *neighbours)
    texts = [source.article.text for source in candidates]
    passages = best_passages(draft.question, [*texts, *background()])
    rated = []
    for number, source in enumerate(candidates):
        passage, relevance = passages[number]
        text = one_line(passage)
        category: Category = "unreliable"
        if number >= len(sources):
            category = "distraction"
        elif source.trust.slot == "reliable":
            category = "reliable"
        states = alias_stands_in(draft.answers, text)
        rated.append(
            RatedSource(
                source,
                text,
                relevance,
                states,
                category,
            )
        )
    return rated


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
    sources = [row.values["source_sets"]["clear"] for row in rows]
    return tuple(source["text"] for of_row in sources for source in of_row)


def without_repeats(
    candidates: Sequence[RatedSource], gold_text: str
) -> list[RatedSource]:
    """Return what repeats neither the gold passage nor another one; the scarcer and the
    more relevant of two stays.

    All 5-grams are compared, where MinHash would estimate: one question's candidates
    are few. Texts of fewer than five words are compared as a whole; texts without words
    repeat nothing.
    """

    def order(rated: RatedSource) -> tuple[int, bool, float, str]:
        scarcity = CATEGORIES.index(rated.category)
        return scarcity, not rated.states, -rated.relevance, rated.source.url

    kept: list[RatedSource] = []
    seen = [word_runs(tokens_of(gold_text), _GRAM)]
    for candidate in sorted(candidates, key=order):
        grams = word_runs(tokens_of(candidate.passage), _GRAM)
        if not any(_repeat(grams, others) for others in seen):
            seen.append(grams)
            kept.append(candidate)
    return kept


def _repeat(grams: Grams, others: Grams) -> bool:
    shared = len(grams & others)
    if not shared:
        return False
    near = shared >= NEAR * len(grams | others)
    return near or shared >= WITHIN * min(len(grams), len(others))


def _deal(
    pool: Sequence[RatedSource],
    sizes: Sizes,
    category: Category,
) -> Sets:
    """Return a category's sources by arm: those that state the answer go to the clear
    set first.

    Of unreliable ones those that don't state it go to the ambiguous set first, where
    they are wanted more.
    """
    in_clear = sizes["clear"][category]
    in_ambiguous = sizes["ambiguous"][category]
    ordered = sorted(pool, key=lambda rated: (-rated.relevance, rated.source.url))
    silent_first = sorted(ordered, key=lambda rated: rated.states)
    if category == "unreliable":
        left = silent_first[in_ambiguous:]
        return {
            "clear": left[:in_clear],
            "ambiguous": silent_first[:in_ambiguous],
        }
    stating_first = sorted(ordered, key=lambda rated: not rated.states)
    clear = stating_first[:in_clear]
    left = [rated for rated in silent_first if rated not in clear]
    return {
        "clear": clear,
        "ambiguous": left[:in_ambiguous],
    }


def record_of(
    planned: PlannedRecord,
    draft: SourcedQuestion,
    gold: FoundSource,
    passage: str,
    sets: Sets,
) -> Record:
    """Return the record of two composed sets, in the released layout."""
    source_sets = {}
    for arm, sources in sets.items():
        numbered = enumerate(sources, 1)
        source_sets[arm] = [_source_row(draft, *source) for source in numbered]
    row = {
        "id": planned.id,
        "topic": planned.topic,
        "subdomain": planned.field,
        "question": draft.question,
        "gold_answer": draft.answer,
        "gold_aliases": list(draft.aliases),
        "gold_passage": {
            "title": gold.article.title,
            "url": gold.url,
            "date": gold.article.published,
            "text": passage,
            "support": draft.support,
            "timestamp": gold.article.fetched,
            "sha256": _sha256(passage),
        },
        "source_sets": source_sets,
        "human_confidence": None,
        "human_hedge_label": None,
    }
    return Record(row=row)


def _source_row(
    draft: SourcedQuestion,
    position: int,
    rated: RatedSource,
) -> dict[str, Any]:
    source = rated.source
    article = source.article
    row = {
        "url": source.url,
        "domain": source.host,
        "category": rated.category,
        "title": article.title,
        "text": rated.passage,
        "timestamp": article.fetched,
        "score": round(rated.relevance, 4),
        "date": article.published,
        "stance": None,
        "value": None,
        "quote": "",
        "position": position,
        "author": article.author,
        "because": list(source.trust.because),
        "query": source.query,
        "sha256": _sha256(rated.passage),
    }
    if rated.category == "distraction":
        row["score"] = "N/A"
    if rated.states:
        quote = _quote(draft, rated.passage)
        row |= {
            "stance": "states",
            "value": draft.answer,
            "quote": quote,
        }
    return row


def _quote(draft: SourcedQuestion, passage: str) -> str:
    """Return the first sentence that gives the answer, if it stands in the text as it
    is.
    """
    for sentence in sentences(passage):
        if alias_stands_in(draft.answers, sentence):
            return sentence if sentence in passage else ""
    return ""


def _sha256(text: str) -> str:
    return sha256(text.encode()).hexdigest()
