"""The queries with which a record begins."""

import re
from collections.abc import Sequence

from refusalbench_tasks.generators.kit.calls import prompt_of
from refusalbench_tasks.generators.kit.model_text import ModelText
from refusalbench_tasks.judging.ask import Form, Submission
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.replies.alias import answer_tokens

from .record_plan import PlannedRecord
from .settings import PACKAGE

FORM = Form(
    "queries",
    thinks=True,
    in_prose=True,
)
WANTED = 2
"""Queries of a record: the next one is tried where a query finds no page that can be
relied on.
"""
MOST_WORDS = 20
NEARLY_SAME = 0.7
"""The share of common words from which on two queries ask the same (released builder).
"""
_YEAR = re.compile(r"\b20\d\d\b")


class QueryList(Submission):
    """What the writer gives for a record."""

    queries: list[ModelText]
    """The search queries, one line each."""


def usable_queries(queries: Sequence[str]) -> list[str]:
    """Return the queries that have words, bear no year, are short, and don't ask what
    an earlier one asks.
    """
    kept: dict[str, set[str]] = {}
    for query in queries:
        words = set(answer_tokens(query))
        sound = words and not tied_to_year(query) and len(query.split()) <= MOST_WORDS
        repeats = any(
            len(words & other) > NEARLY_SAME * max(len(words), len(other))
            for other in kept.values()
        )
        if sound and not repeats:
            kept[query] = words
    return list(kept)


def tied_to_year(text: str) -> bool:
    """Return whether a text names a year of this century: what it asks for should hold
    for years.
    """
    return bool(_YEAR.search(text))


def queries_prompt(planned: PlannedRecord) -> str:
    """Return the prompt for a record's queries.

    Records of one field ask for lists that are about other parts of it.
    """
    wanted = f"Give {WANTED} queries."
    if planned.of > 1:
        wanted += (
            f" This is list {planned.place + 1} of {planned.of}; each goes about"
            " another part of the field."
        )
    about = {
        "TOPIC": planned.topic.replace("_", " "),
        "FIELD": planned.field,
    }
    parts = (wanted, material(about))
    return prompt_of(
        PACKAGE,
        "queries.txt",
        QueryList,
        FORM,
        *parts,
    )
