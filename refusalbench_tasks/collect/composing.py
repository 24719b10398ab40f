"""Which source stands in which set: relevance, repeats, and a composition that is kept exactly or not at all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from refusalbench_tasks.collect.found import Candidates, FoundSource, one_line
from refusalbench_tasks.collect.question_draft import QuestionDraft
from refusalbench_tasks.collect.settings import THRESHOLD, RelevanceBy
from refusalbench_tasks.collect.sizes import ARMS, Category, Sizes
from refusalbench_tasks.collect.web.near import repeats
from refusalbench_tasks.collect.web.relevance import LONGEST, best_passages
from refusalbench_tasks.datasets.rows import bundled_rows
from refusalbench_tasks.datasets.turns import rank
from refusalbench_tasks.generators.kit.text.standing import Asked


@dataclass(frozen=True)
class Scored:
    """A source with the passage of it that is stored, the passage's relevance, and whether it states the answer."""

    source: FoundSource
    passage: str
    relevance: float
    states: bool
    category: Category


@dataclass(frozen=True)
class Composed:
    """The sets in the order in which they are shown, or what is missing, by arm and category; what was dropped, why."""

    sets: dict[str, tuple[Scored, ...]]
    shortfall: dict[str, int]
    dropped: dict[str, int]


def compose(
    draft: QuestionDraft,
    gold_text: str,
    found: Candidates,
    sizes: Sizes,
    by: RelevanceBy = "bm25",
    threshold: float = THRESHOLD,
    key: str = "",
    seed: int = 0,
) -> Composed:
    """Return the two sets of a record, each exactly of its size, or what is missing for them.

    A source is relevant from the threshold on and a distraction below it; a distraction that states the answer is
    none. What repeats the gold passage or another source is dropped, so no two sets share a text. Reliable sources
    that state the answer are dealt to the clear set first, and those of either kind that don't to the ambiguous one
    (our definition; the published one deals them by chance). The order is shuffled by `key` and `seed`.
    """
    scored = _scored(draft, found, by)
    fitting = [one for one in scored if (one.relevance < threshold) == (one.category == "distraction")]
    silent = [one for one in fitting if not (one.category == "distraction" and one.states)]
    kept = _without_repeats(silent, gold_text)
    dropped = {
        "relevance": len(scored) - len(fitting),
        "distraction states the answer": len(fitting) - len(silent),
        "repeats another": len(silent) - len(kept),
    }
    pools = {name: [one for one in kept if one.category == name] for name in sizes["clear"]}
    dealt = {name: _deal(pool, sizes, name) for name, pool in pools.items()}
    shortfall = {
        f"{arm}/{name}": sizes[arm][name] - len(dealt[name][arm])
        for arm in ARMS
        for name in sizes[arm]
        if len(dealt[name][arm]) < sizes[arm][name]
    }
    sets = {arm: [one for name in dealt for one in dealt[name][arm]] for arm in ARMS}
    ordered = {
        arm: tuple(sorted(ones, key=lambda one: rank(f"{key}|{arm}|{one.source.url}", seed)))
        for arm, ones in sets.items()
    }
    return Composed({} if shortfall else ordered, shortfall, {name: n for name, n in dropped.items() if n})


def told(shortfall: dict[str, int], sizes: Sizes) -> str:
    """Return a shortfall in words: "clear/reliable: 3 of 4"."""
    parts = []
    for place, missing in shortfall.items():
        arm, _, name = place.partition("/")
        wanted = next(number for category, number in sizes[arm].items() if category == name)
        parts.append(f"{place}: {wanted - missing} of {wanted}")
    return ", ".join(parts)


def _scored(draft: QuestionDraft, found: Candidates, by: RelevanceBy) -> list[Scored]:
    """Return every source with its best passage, the words of the question weighed as in ordinary prose."""
    every = (*found.sources, *found.neighbours)
    parts = best_passages(draft.question, [*(one.text for one in every), *background()], LONGEST)[: len(every)]
    best = [replace(one, text=one_line(one.text)) for one in parts]
    asked = Asked(draft.question, draft.answers)
    scored = []
    for place, (one, passage) in enumerate(zip(every, best, strict=True)):
        neighbour = place >= len(found.sources)
        category: Category = "distraction" if neighbour else "reliable" if one.slot == "reliable" else "unreliable"
        states = asked.given_in([passage.text])
        scored.append(Scored(one, passage.text, passage.relevance, states, category))
    return (
        [replace(one, relevance=_published(draft.question, one.passage)) for one in scored] if by == "paper" else scored
    )


@cache
def background() -> tuple[str, ...]:
    """Return texts on other matters, those of the bundled sample's clear sets, by which words are weighed too.

    Among the few pages on one question its own words are the common ones, and a chance word of it the rare one, so
    that BM25 leaves half of the pages below the threshold. Of the bundled sample's own sources it keeps 84 % of the
    reliable and 73 % of the unreliable ones with this background, 52 and 49 % without; no distraction of 88.
    """
    rows = bundled_rows("bluff_sample.json")
    return tuple(one["text"] for row in rows for one in row.values["source_sets"]["clear"])


def _published(question: str, text: str) -> float:
    from refusalbench_tasks.collect.paper_relevance import relevance

    return relevance(question, text)


def _without_repeats(scored: Sequence[Scored], gold_text: str) -> list[Scored]:
    """Return what repeats nothing; of two that repeat each other the scarcer and then the more relevant one stays."""
    order = {"reliable": 0, "unreliable": 1, "distraction": 2}
    ranked = sorted(scored, key=lambda one: (order[one.category], not one.states, -one.relevance, one.source.url))
    gone = {one.position for one in repeats([one.passage for one in ranked], gold_text)}
    return [one for place, one in enumerate(ranked) if place not in gone]


def _deal(pool: Sequence[Scored], sizes: Sizes, name: Category) -> dict[str, list[Scored]]:
    """Return a category's sources by arm: those that state the answer go to the clear set first."""
    telling = sorted(pool, key=lambda one: (not one.states, -one.relevance, one.source.url))
    clear = telling[: sizes["clear"][name]]
    rest = sorted(telling[len(clear) :], key=lambda one: (one.states, -one.relevance, one.source.url))
    if name == "unreliable":
        # what doesn't state the answer is wanted more in the ambiguous set
        first = sorted(pool, key=lambda one: (one.states, -one.relevance, one.source.url))
        ambiguous = first[: sizes["ambiguous"][name]]
        return {"clear": first[len(ambiguous) :][: sizes["clear"][name]], "ambiguous": ambiguous}
    return {"clear": clear, "ambiguous": rest[: sizes["ambiguous"][name]]}
