"""Which base questions are taken from other data: those of a domain, those that models answer, a seeded draw."""

import random
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.generators.base_items import base_items
from refusalbench_tasks.generators.base_sources import HUB, SOURCES, read_source

PER_DOMAIN = 20
PAPER_DOMAINS = ("Science", "Health", "Business & Industrial", "Law & Government", "Finance")
"""Those that the paper takes GaRAGe's questions from (App. C.1)."""
Keep = Callable[[Sequence[RefusalItem]], Sequence[RefusalItem]]
SEED = 42
_SHOWN = 3


@dataclass(frozen=True)
class Draw:
    """How many questions are drawn from those that are left: all in all, per domain, from which domains, by seed.

    `per_domain` 0 draws none apart; None is 20 for upstream GaRAGe and 0 for anything else.
    """

    count: int | None = None
    per_domain: int | None = None
    seed: int = SEED
    domains: tuple[str, ...] = ()


@dataclass(frozen=True)
class Curated:
    """Base questions, how many rows were read, and how many were left out, by reason."""

    items: list[RefusalItem]
    rows: int
    left_out: Mapping[str, int]
    licence: str
    examples: Mapping[str, tuple[str, ...]]
    """Where the first few rows stand that were left out, by reason."""


def curate(source: str, draw: Draw = Draw(), keep: Keep = tuple) -> Curated:
    """Return the base questions of a source (`read_source`).

    Its rows may be released rows, upstream GaRAGe rows (curated by the paper's rules, 20 per domain unless said
    otherwise), KILT-style rows, or one's own: `question`, `answer` or `answers`, `context` or `contexts`. What is drawn
    is drawn from what `keep` returns, such as the questions that models answer. Raises DataError for bad rows of one's
    own and if nothing is left; an odd row of upstream GaRAGe, of KILT's layout or of the hub is left out and named.
    """
    rows, licence = read_source(source)
    places: dict[str, list[str]] = {}
    items = _in_domains(base_items(rows, places, source in SOURCES or source.startswith(HUB)), draw.domains, source)
    left_out = {reason: len(found) for reason, found in places.items()}
    distinct = sorted({(i.query, i.passages): i for i in reversed(items)}.values(), key=lambda item: item.item_id)
    if len({item.item_id for item in distinct}) < len(distinct):
        raise DataError(f"{source}: two questions have the same id; give each its own 'id', or none")
    if len(distinct) < len(items):
        left_out["repeated"] = len(items) - len(distinct)
    kept = keep(distinct)
    if len(kept) < len(distinct):
        left_out["not kept"] = len(distinct) - len(kept)
    drawn = _draw(kept, draw, any("answer_validate" in row.values for row in rows))
    if len(drawn) < len(kept):
        left_out["not drawn"] = len(kept) - len(drawn)
    if not drawn:
        raise DataError(f"{source}: no base question is left; left out: {dict(left_out) or 'nothing'}")
    examples = {reason: tuple(found[:_SHOWN]) for reason, found in places.items()}
    return Curated(drawn, len(rows), left_out, licence, examples)


def _in_domains(items: Sequence[RefusalItem], domains: Sequence[str], source: str) -> list[RefusalItem]:
    """Return the items of the domains, all without any. Raises DataError for a domain without an item."""
    if not domains:
        return list(items)
    there = {_plain(item.domain): item.domain for item in items}
    for name in domains:
        if _plain(name) not in there:
            known = ", ".join(sorted(map(repr, there.values())))
            raise DataError(f"{source}: no usable question of the domain '{name}'; there are {known or 'none'}")
    wanted = set(map(_plain, domains))
    return [item for item in items if _plain(item.domain) in wanted]


def _plain(domain: str) -> str:
    """Return a domain's name without case, and with `and` for `&`."""
    return " ".join(domain.casefold().replace("&", " and ").split())


def _draw(items: Sequence[RefusalItem], draw: Draw, upstream: bool) -> list[RefusalItem]:
    drawn, rng = sorted(items, key=lambda item: item.item_id), random.Random(draw.seed)
    per_domain = draw.per_domain if draw.per_domain is not None else PER_DOMAIN * upstream
    if per_domain:
        groups: dict[str, list[RefusalItem]] = defaultdict(list)
        for item in drawn:
            groups[item.domain].append(item)
        drawn = [i for name in sorted(groups) for i in rng.sample(groups[name], min(per_domain, len(groups[name])))]
    if draw.count is not None and draw.count < len(drawn):
        drawn = rng.sample(drawn, draw.count)
    return sorted(drawn, key=lambda item: item.item_id)
