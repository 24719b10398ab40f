"""The queries with which a record begins: several for a field in one call, so that no
two ask for the same.
"""

import re
from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.collect.record_plan import PlannedRecord
from refusalbench_tasks.collect.settings import PACKAGE
from refusalbench_tasks.generators.kit.model_text import ModelText
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.alias import answer_tokens

FORM = Form("queries", thinks=True, in_prose=True)
BLOCK = 10
"""Records of a field whose queries are asked for in one call."""
SPARE = 2
"""Queries for each record: the next one is tried where a query finds no page that can
be relied on.
"""
MOST_WORDS = 20
NEARLY_SAME = 0.7
"""The share of common words from which on two queries ask the same (released builder).
"""
_YEAR = re.compile(r"\b20\d\d\b")


class QueryList(BaseModel):
    """What the writer gives for a field."""

    model_config = ConfigDict(extra="forbid")

    queries: list[ModelText] = Field(description="The search queries, one line each.")


def usable_queries(queries: Sequence[str]) -> list[str]:
    """Return the queries that have words, bear no year, are short, and don't ask what
    an earlier one asks.
    """
    kept: dict[str, set[str]] = {}
    for query in queries:
        words = set(answer_tokens(query))
        sound = words and not tied_to_year(query) and len(query.split()) <= MOST_WORDS
        if sound and not any(_alike(words, other) for other in kept.values()):
            kept[query] = words
    return list(kept)


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) > NEARLY_SAME * max(len(one), len(other))


def tied_to_year(text: str) -> bool:
    """Return whether a text names a year of this century: what it asks for should hold
    for years.
    """
    return bool(_YEAR.search(text))


def block_of(planned: PlannedRecord) -> tuple[int, int]:
    """Return which of its field's lists a record is in, from 0, and how many records
    are in it.
    """
    block = planned.place // BLOCK
    return block, min(BLOCK, planned.of - block * BLOCK)


def own_queries(usable: Sequence[str], planned: PlannedRecord) -> tuple[str, ...]:
    """Return the queries of a record out of its list: every record has its own."""
    _, sharers = block_of(planned)
    return tuple(usable[planned.place % BLOCK :: sharers])[:SPARE]


def queries_prompt(planned: PlannedRecord) -> str:
    """Return the prompt for the list of a record's field; it is the same for all who
    share it.
    """
    block, sharers = block_of(planned)
    lists = -(-planned.of // BLOCK)
    about = {"TOPIC": planned.topic.replace("_", " "), "FIELD": planned.field}
    part = (
        f" This is list {block + 1} of {lists}; each goes about another part of the"
        " field."
        if lists > 1
        else ""
    )
    wanted = f"Give {sharers * SPARE} queries.{part}"
    return "\n\n".join(
        (
            bundled(PACKAGE, "queries.txt"),
            wanted,
            how_to_submit(QueryList, FORM.thing),
            material(about),
        )
    )
