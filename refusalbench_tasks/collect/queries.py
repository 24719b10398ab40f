"""The queries with which a record begins: several for a field in one call, so that no two ask for the same."""

import re

from pydantic import BaseModel, ConfigDict, Field, field_validator

from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.outside_text import well_formed

PACKAGE = "refusalbench_tasks.collect"
FORM = Form("queries", thinks=True, in_prose=True)
BLOCK = 10
"""Records of a field whose queries are asked for in one call."""
SPARE = 2
"""Queries for each record: the next one is tried where a query finds no page that can be relied on."""
MOST_WORDS = 20
NEARLY_SAME = 0.7
"""The share of common words from which on two queries ask the same (released builder)."""

_MONTH = "January|February|April|June|July|August|September|October|November|December"
_DATE = re.compile(
    rf"\b20[0-2]\d\b|\bQ[1-4]\b|\b(?:{_MONTH})\b|\b(?:March|May)\s+\d|\b\d{{1,2}}(?:st|nd|rd|th)?\s+(?:March|May)\b"
    r"|\b(?:first|second|third|fourth) quarter\b|\b(?:today|yesterday|this (?:year|month|week)|latest|recently)\b",
    re.IGNORECASE,
)


class QueryList(BaseModel):
    """What the writer gives for a field."""

    model_config = ConfigDict(extra="forbid")

    queries: list[str] = Field(description="The search queries, one line each.")

    @field_validator("queries")
    @classmethod
    def _stripped(cls, queries: list[str]) -> list[str]:
        return [" ".join(well_formed(one).split()) for one in queries]


class Queries(BaseModel):
    """The queries of one record, in the order in which they are tried, and how many of its field's broke a rule."""

    queries: tuple[str, ...] = ()
    dropped: int = 0


def problems_of(queries: list[str], wanted: int) -> dict[str, str]:
    """Return what is wrong with a list of queries, by rule, in words for the writer; empty if enough can be used."""
    problems: dict[str, str] = {}
    usable = usable_queries(queries)
    if len(usable) >= wanted:
        return problems
    problems["too_few"] = f"{wanted} usable queries are needed, and {len(usable)} of yours are."
    for one in queries:
        found = dated(one)
        if found:
            problems["dated"] = f"A query must have no date and need no news: '{found}'."
        elif len(one.split()) > MOST_WORDS:
            problems["too_long"] = f"A query must have at most {MOST_WORDS} words."
    return problems


def usable_queries(queries: list[str]) -> list[str]:
    """Return the queries that have words, bear no date, are short, and don't ask what an earlier one asks."""
    kept: list[str] = []
    for one in queries:
        words = content_words(one)
        if not words or dated(one) or len(one.split()) > MOST_WORDS:
            continue
        if not any(_alike(set(words), set(content_words(other))) for other in kept):
            kept.append(one)
    return kept


def dated(query: str) -> str:
    """Return the first words of a query that tie it to a time; the verbs "may" and "march" are none."""
    found = _DATE.search(query)
    return found[0] if found else ""


def block_of(planned: PlannedRecord) -> tuple[int, int]:
    """Return which of its field's lists a record is in, from 0, and how many records are in it."""
    block = planned.place // BLOCK
    return block, min(BLOCK, planned.of - block * BLOCK)


def own_queries(usable: list[str], planned: PlannedRecord) -> tuple[str, ...]:
    """Return the queries of a record out of its list: every record has its own."""
    _, sharers = block_of(planned)
    return tuple(usable[planned.place % BLOCK :: sharers])[:SPARE]


def queries_prompt(planned: PlannedRecord) -> str:
    """Return the prompt for the list of a record's field; it is the same for all who share it."""
    block, sharers = block_of(planned)
    lists = -(-planned.of // BLOCK)
    about = {"TOPIC": planned.topic.replace("_", " "), "FIELD": planned.field}
    part = f" This is list {block + 1} of {lists}; each goes about another part of the field." if lists > 1 else ""
    wanted = f"Give {sharers * SPARE} queries.{part}"
    return "\n\n".join((bundled(PACKAGE, "queries.txt"), wanted, how_to_submit(QueryList, FORM.thing), material(about)))


def _alike(one: set[str], other: set[str]) -> bool:
    return len(one & other) > NEARLY_SAME * max(len(one), len(other))
