"""Accepted records as rows of a data set: with what the panel found, each question once, and perhaps without text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.collect.outcome import NotedRecord
from refusalbench_tasks.collect.sizes import ARMS
from refusalbench_tasks.generators.kit.text.content_words import content_words

TEXTS = ("text", "quote", "support")
"""The fields that quote a page."""


@dataclass(frozen=True)
class Distinct:
    """The records whose questions and gold pages no earlier one has, and how many were left out for either."""

    records: tuple[NotedRecord, ...]
    same_question: int
    same_gold_page: int


def distinct_records(records: Sequence[NotedRecord]) -> Distinct:
    """Return accepted records, the first of each question (by its content words) and of each gold page.

    Records of made worlds, four of which ask one question with other sources each, are kept by their ids.
    """
    kept: list[NotedRecord] = []
    questions: set[frozenset[str]] = set()
    pages: set[str] = set()
    ids: set[str] = set()
    same_question = same_page = 0
    for one in records:
        row = _row(one)
        made, words, page = row.get("question_id"), content_words(str(row["question"])), row["gold_passage"]["url"]
        if one.id in ids if made else words in questions:
            same_question += 1
        elif not made and page in pages:
            same_page += 1
        else:
            kept.append(one)
            ids |= {one.id}
            questions |= {words}
            pages |= {page}
    return Distinct(tuple(kept), same_question, same_page)


def row_of(noted: NotedRecord, id: str) -> dict[str, Any]:
    """Return the row of an accepted record in the released layout, with what the panel found.

    `ambiguity.open` says whether readers were left without a common answer, `kind` what for. Made records keep what is
    known by construction. `panel` has each arm's distribution of verdicts, its n and entropy in bits.
    """
    row = dict(_row(noted))
    row["id"] = id
    arm = noted.found.get("ambiguous")
    if "ambiguity" not in row and arm is not None:
        row["ambiguity"] = {"open": bool(arm.open), "kind": arm.kind or ""}
        row |= {"ambiguity_type": arm.kind} if arm.kind else {}
    row["panel"] = {
        name: {"distribution": one.distribution, "n": one.n, "entropy": one.entropy}
        for name, one in noted.found.items()
    }
    row["weak"] = noted.weak
    row["provenance"] = {"writer": noted.writer, "readers": list(noted.readers), "planned": noted.id}
    return row


def without_text(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with addresses, hashes and dates in place of what pages say.

    Such a row can't be run: whoever has the pages can put the texts back and check them by their hashes.
    """
    sets = {arm: [_bare(one) for one in row["source_sets"][arm]] for arm in ARMS}
    return {**row, "gold_passage": _bare(row["gold_passage"]), "source_sets": sets}


def _bare(source: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in source.items() if name not in TEXTS}


def _row(noted: NotedRecord) -> dict[str, Any]:
    assert noted.record is not None
    return noted.record.row
