"""Sources that a model writes for an invented fact, after briefs whose reliability, stance and date are known."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.queries import PACKAGE
from refusalbench_tasks.collect.record import Record
from refusalbench_tasks.collect.sizes import ARMS
from refusalbench_tasks.datasets.worlds import source_rows_from
from refusalbench_tasks.generators.kit.text.standing import Asked
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.outside_text import well_formed
from refusalbench_tasks.replies.sentences import sentences

FORM = Form("pages", thinks=True, in_prose=True)
ROOM = 6_000
"""Tokens for up to ten pages."""
LEAST_WORDS, MOST_WORDS = 50, 220
"""Words of a page; the writer is asked for 80 to 160 (our definition)."""
PER_QUESTION = 4


class Pages(BaseModel):
    """What the writer gives."""

    model_config = ConfigDict(extra="forbid")

    pages: list[str] = Field(description="The text of each page, in the order of the briefs.")

    @field_validator("pages")
    @classmethod
    def _stripped(cls, pages: list[str]) -> list[str]:
        return [well_formed(one).strip() for one in pages]


def plan_written(n: int, seed: int) -> list[PlannedRecord]:
    """Return the plan of n records of made worlds; four are of one question, so n should be a multiple of four."""
    return [
        PlannedRecord(id=row["id"], topic=row["topic"], place=place, of=n, planned=n)
        for place, row in enumerate(source_rows_from(seed, 0, n))
    ]


@lru_cache(8)
def _question(seed: int, question: int) -> list[Mapping[str, Any]]:
    start = question * PER_QUESTION
    return source_rows_from(seed, start, start + PER_QUESTION)


def brief_row(planned: PlannedRecord, seed: int) -> Mapping[str, Any]:
    """Return the made row of a planned record: its sources are the briefs."""
    return _question(seed, planned.place // PER_QUESTION)[planned.place % PER_QUESTION]


def briefs(row: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the different sources of both sets of a row: what stands in both is written once."""
    every = [one for arm in ARMS for one in row["source_sets"][arm]]
    return list({(one["url"], one["title"], one["text"]): one for one in every}.values())


def pages_prompt(row: Mapping[str, Any]) -> str:
    """Return the writer's prompt for all pages of a row."""
    parts = {f"BRIEF {number}": _brief(one) for number, one in enumerate(briefs(row), 1)}
    wanted = f"Give {len(parts)} pages."
    return "\n\n".join((bundled(PACKAGE, "sources.txt"), wanted, how_to_submit(Pages, FORM.thing), material(parts)))


def _brief(one: Mapping[str, Any]) -> str:
    kept = "\n".join(f"KEEP: {sentence}" for sentence in kept_sentences(one))
    return f"Publisher: {one['title']}\nKind: {one['persona']}\nDate: {one['date']}\n{kept}\nPlain text: {one['text']}"


def kept_sentences(one: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the sentences of a brief that are kept letter by letter: what tells of its reliability, and bounds.

    Of bounds no rule could tell in other words whether they are still bounds.
    """
    cues = one["cues"]
    told = tuple(cues[name] for name in ("opening", "evidence") if cues.get(name) and cues[name] in one["text"])
    return (*told, one["quote"]) if one["bounds"] else told


def check_pages(row: Mapping[str, Any], pages: Sequence[str]) -> dict[str, str]:
    """Return what is wrong with written pages, by rule and page, in words for the writer; empty if nothing is.

    Each page keeps its cues, gives the value of its brief in a form that can be read, and no other value that a source
    of the row gives.
    """
    wanted = briefs(row)
    if len(pages) != len(wanted):
        return {"pages_missing": f"There are {len(wanted)} briefs, and you gave {len(pages)} pages."}
    values = {str(value) for one in wanted for value in one["bounds"] or [one["value"]] if value}
    values |= {str(row["gold_answer"])}
    values |= set(_other_values(row))
    problems: dict[str, str] = {}
    for number, (brief, text) in enumerate(zip(wanted, pages, strict=True), 1):
        for name, problem in _problems(brief, text, values, str(row["question"])).items():
            problems[f"{name}/{number}"] = f"Page {number}: {problem}"
    return problems


def _other_values(row: Mapping[str, Any]) -> list[str]:
    """Return the values that readers make of the sets."""
    found = [one.get(name) for one in row["readings"].values() for name in ("reliable", "all", "weighed")]
    return [str(value) for value in found if value]


def _problems(brief: Mapping[str, Any], text: str, values: set[str], question: str) -> dict[str, str]:
    problems = {}
    lost = next((sentence for sentence in kept_sentences(brief) if sentence not in text), "")
    if lost:
        problems["cue_lost"] = f"it must have this sentence letter by letter: '{lost}'"
    own = [value for value in values if _gives(value, brief["text"], question)]
    missing = next((value for value in own if not _gives(value, text, question)), "")
    if missing:
        problems["value_lost"] = f"it must give '{missing}' as the plain text does"
    added = next((value for value in values if value not in own and _gives(value, text, question)), "")
    if added:
        problems["value_added"] = f"it must not give '{added}', which its plain text does not have"
    if not LEAST_WORDS <= len(text.split()) <= MOST_WORDS:
        problems["length"] = f"it has {len(text.split())} words; give 80 to 160"
    return problems


def _gives(value: str, text: str, question: str) -> bool:
    return Asked(question, (value,)).given_in([text])


def written_record(row: Mapping[str, Any], pages: Sequence[str]) -> Record:
    """Return the record of a made row with the texts that were written for it.

    Which set settles the question follows from the made row: where a reader who weighs reliable sources reaches the
    gold answer. Stance, value and factors are those of the briefs; a quote is the sentence that gives the value.
    """
    texts = {(one["url"], one["title"], one["text"]): text for one, text in zip(briefs(row), pages, strict=True)}
    question, gold = str(row["question"]), str(row["gold_answer"])
    sets = {arm: [_source(one, texts, question) for one in row["source_sets"][arm]] for arm in ARMS}
    settles = {arm: row["readings"][arm]["weighed"] == gold for arm in ARMS}
    return Record(row={**row, "source_sets": sets}, answers=(gold,), settles=settles)


def _source(one: Mapping[str, Any], texts: Mapping[tuple[str, str, str], str], question: str) -> dict[str, Any]:
    text = texts[one["url"], one["title"], one["text"]]
    value = one["value"]
    if one["bounds"]:
        return {**one, "text": text}
    giving = (part for part in sentences(text) if part in text and _gives(value, part, question))
    return {**one, "text": text, "quote": next(giving, "") if value else ""}
