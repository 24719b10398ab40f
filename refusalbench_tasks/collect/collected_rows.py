"""Accepted records as rows of a data set: with what the panel found, each question once, and perhaps without text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from refusalbench_tasks.collect.record import NotedRecord
from refusalbench_tasks.collect.settings import ARMS
from refusalbench_tasks.generators.kit.answers import word_key

TEXTS = ("text", "quote", "support")
"""The fields that quote a page."""


@dataclass(frozen=True)
class DistinctRows:
    """The rows whose questions and gold pages no earlier record has, and how many were left out for either."""

    rows: list[dict[str, Any]]
    same_question: int
    same_gold_page: int


def distinct_rows(records: Sequence[NotedRecord]) -> DistinctRows:
    """Return the rows of accepted records, the first of each question (by its words) and of each gold page.

    Records of made worlds, four of which ask one question with other sources each, are kept by their ids. Where runs
    have an id twice, records are numbered on within their topic.
    """
    kept: list[NotedRecord] = []
    seen: dict[str, set[str]] = {"question": set(), "page": set(), "id": set()}
    same: Counter[str] = Counter()
    for one in sorted(records, key=lambda one: one.id):
        row = one.record.row if one.record else {}
        keys = {"question": word_key(str(row["question"])), "page": row["gold_passage"]["url"]}
        keys = {"id": one.id} if row.get("question_id") else keys
        known = next((name for name, key in keys.items() if key in seen[name]), None)
        if known:
            same[known] += 1
        else:
            kept.append(one)
            for name, key in keys.items():
                seen[name].add(key)
    rows = [row_of(one, name) for one, name in zip(kept, _ids(kept), strict=True)]
    return DistinctRows(rows, same["question"] + same["id"], same["page"])


def _ids(records: Sequence[NotedRecord]) -> list[str]:
    if len({one.id for one in records}) == len(records):
        return [one.id for one in records]
    numbers: Counter[str] = Counter()
    ids = []
    for one in records:
        numbers[one.topic] += 1
        ids.append(f"{one.topic}_{numbers[one.topic]:03d}")
    return ids


def row_of(noted: NotedRecord, id: str) -> dict[str, Any]:
    """Return the row of an accepted record in the released layout, with what the panel found.

    `ambiguity.open` says whether readers were left without a common answer, `kind` what for. Made records keep what is
    known by construction. `panel` has each arm's distribution of verdicts, its n and entropy in bits.
    """
    assert noted.record is not None
    row = {**noted.record.row, "id": id}
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
