"""Sources that a model writes for an invented fact, after briefs whose reliability, stance and date are known."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

from refusalbench_tasks.collect.planned import PlannedRecord
from refusalbench_tasks.collect.record import Record
from refusalbench_tasks.collect.settings import ARMS, PACKAGE
from refusalbench_tasks.datasets.worlds import source_rows_from
from refusalbench_tasks.generators.kit.answers import stands_in
from refusalbench_tasks.judging.ask import Form, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.outside_text import well_formed
from refusalbench_tasks.replies.sentences import sentences

FORM = Form("pages", thinks=True, in_prose=True)
LEAST_WORDS, MOST_WORDS = 50, 220
"""Words of a page; the writer is asked for 80 to 160 (our definition)."""
PER_QUESTION = 4
Row = Mapping[str, Any]


class WrittenPages(BaseModel):
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
def _question(seed: int, question: int) -> list[Row]:
    start = question * PER_QUESTION
    return source_rows_from(seed, start, start + PER_QUESTION)


def brief_row(planned: PlannedRecord, seed: int) -> Row:
    """Return the made row of a planned record: its sources are the briefs."""
    return _question(seed, planned.place // PER_QUESTION)[planned.place % PER_QUESTION]


def briefs(row: Row) -> list[Row]:
    """Return the different sources of both sets of a row: what stands in both is written once."""
    every = [one for arm in ARMS for one in row["source_sets"][arm]]
    return list({(one["url"], one["title"], one["text"]): one for one in every}.values())


def pages_prompt(row: Row) -> str:
    """Return the writer's prompt for all pages of a row."""
    parts = {f"BRIEF {number}": _brief(one) for number, one in enumerate(briefs(row), 1)}
    wanted = f"Give {len(parts)} pages."
    how = how_to_submit(WrittenPages, FORM.thing)
    return "\n\n".join((bundled(PACKAGE, "sources.txt"), wanted, how, material(parts)))


def _brief(one: Row) -> str:
    kept = "\n".join(f"KEEP: {sentence}" for sentence in kept_sentences(one))
    return f"Publisher: {one['title']}\nKind: {one['persona']}\nDate: {one['date']}\n{kept}\nPlain text: {one['text']}"


def kept_sentences(one: Row) -> tuple[str, ...]:
    """Return the sentences of a brief that are kept letter by letter: what tells of its reliability, and bounds.

    Of bounds no rule could tell in other words whether they are still bounds.
    """
    cues = one["cues"]
    told = tuple(cues[name] for name in ("opening", "evidence") if cues.get(name) and cues[name] in one["text"])
    return (*told, one["quote"]) if one["bounds"] else told


def page_problems(row: Row, given: WrittenPages) -> dict[str, str]:
    """Return what is wrong with written pages, by rule and page, in words for the writer; empty if nothing is.

    Each page keeps its cues, gives the value of its brief in a form that can be read, and no other value that a source
    of the row gives or a reader makes of the sets.
    """
    wanted, pages = briefs(row), given.pages
    if len(pages) != len(wanted):
        return {"pages_missing": f"There are {len(wanted)} briefs, and you gave {len(pages)} pages."}
    values = {str(value) for one in wanted for value in one["bounds"] or [one["value"]] if value}
    made = (one.get(name) for one in row["readings"].values() for name in ("reliable", "all", "weighed"))
    values |= {str(row["gold_answer"]), *(str(value) for value in made if value)}
    return {
        f"{name}/{number}": f"Page {number}: {problem}"
        for number, (brief, text) in enumerate(zip(wanted, pages, strict=True), 1)
        for name, problem in _problems(brief, text, values).items()
    }


def _problems(brief: Row, text: str, values: set[str]) -> dict[str, str]:
    problems = {}
    lost = next((sentence for sentence in kept_sentences(brief) if sentence not in text), "")
    if lost:
        problems["cue_lost"] = f"it must have this sentence letter by letter: '{lost}'"
    own = {value for value in values if stands_in((value,), brief["text"])}
    given = {value for value in values if stands_in((value,), text)}
    if own - given:
        problems["value_lost"] = f"it must give '{min(own - given)}' as the plain text does"
    if given - own:
        problems["value_added"] = f"it must not give '{min(given - own)}', which its plain text does not have"
    if not LEAST_WORDS <= len(text.split()) <= MOST_WORDS:
        problems["length"] = f"it has {len(text.split())} words; give 80 to 160"
    return problems


def written_record(row: Row, pages: Sequence[str]) -> Record:
    """Return the record of a made row with the texts that were written for it.

    Which set settles the question follows from the made row: where a reader who weighs reliable sources reaches the
    gold answer. Stance, value and factors are those of the briefs; a quote is the sentence that gives the value.
    """
    texts = {(one["url"], one["title"], one["text"]): text for one, text in zip(briefs(row), pages, strict=True)}
    sets = {
        arm: [_source(one, texts[one["url"], one["title"], one["text"]]) for one in row["source_sets"][arm]]
        for arm in ARMS
    }
    gold = str(row["gold_answer"])
    settles = {arm: row["readings"][arm]["weighed"] == gold for arm in ARMS}
    return Record(row={**row, "source_sets": sets}, answers=(gold,), settles=settles)


def _source(one: Row, text: str) -> dict[str, Any]:
    if one["bounds"]:
        return {**one, "text": text}
    giving = (part for part in sentences(text) if one["value"] and part in text and stands_in((one["value"],), part))
    return {**one, "text": text, "quote": next(giving, "")}
