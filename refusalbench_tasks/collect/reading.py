"""A reader's verdict on one set of sources, without the gold answer."""

from typing import Literal, Self

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field, model_validator

from refusalbench_tasks.collect.queries import PACKAGE
from refusalbench_tasks.collect.record import Record
from refusalbench_tasks.generators.kit.gives_gold import gives_gold
from refusalbench_tasks.generators.kit.heard import hear
from refusalbench_tasks.judging.ask import Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.outside_text import well_formed

Verdict = Literal["answer", "conflict", "missing", "outdated", "vague"]
FORM = Form("verdict", thinks=True)
FAILED = "reader_failed"


class ReaderSays(BaseModel):
    """What a reader makes of the sources."""

    model_config = ConfigDict(extra="forbid")

    why: str = Field(description="One sentence: what the verdict rests on.")
    verdict: Verdict = Field(description="What the sources allow.")
    answer: str = Field(description="The answer in as few words as possible; empty with any other verdict.")
    used: list[int] = Field(description="The numbers of the sources that the verdict rests on.")

    @model_validator(mode="after")
    def _answers_or_not(self) -> Self:
        if (self.verdict == "answer") != bool(self.answer.strip()):
            raise ValueError("an answer goes with the verdict 'answer', and with no other")
        return self


class Reading(BaseModel):
    """One reader's verdict on one arm; `digest` is what it was shown. The failure if there is no valid one.

    `gold` says whether its answer is the gold one: None where that cannot be told without a judge, or without answer.
    `used` are positions of sources, from 1.
    """

    reader: str
    arm: str
    digest: str
    verdict: Verdict | None = None
    answer: str = ""
    gold: bool | None = None
    used: tuple[int, ...] = ()
    why: str = ""
    failure: str | None = None
    spent: Spent = Spent()


async def read_sources(model: Model, record: Record, arm: str, cache: CachePolicy | bool = False) -> Reading:
    """Return a model's verdict on the sources of an arm. Never raises: a failed call is a missing reading."""
    known = {"reader": str(model), "arm": arm, "digest": record.digest(arm)}
    found = await hear(model, reader_prompt(record, arm), ReaderSays, FORM, cache)
    said = found.answer
    if said is None:
        return Reading.model_validate(known | {"failure": found.failure, "spent": found.spent})
    answer = well_formed(said.answer).strip()
    told = {
        "verdict": said.verdict,
        "answer": answer,
        "gold": gives_gold(answer, record.answers) if answer else None,
        "used": tuple(sorted({n for n in said.used if 1 <= n <= len(record.sources(arm))})),
        "why": well_formed(said.why).strip(),
        "spent": found.spent,
    }
    return Reading.model_validate(known | told)


def reader_prompt(record: Record, arm: str) -> str:
    """Return a reader's prompt: question and sources; nothing of the gold answer, the categories or the arm."""
    parts = {"QUESTION": record.question}
    for number, one in enumerate(record.sources(arm), 1):
        facts = (f"Title: {one['title']}", f"Address: {one['url']}", f"Date: {one['date'] or 'unknown'}")
        parts[f"SOURCE {number}"] = "\n".join((*facts, f"Text: {one['text']}"))
    return "\n\n".join((bundled(PACKAGE, "panel_reader.txt"), how_to_submit(ReaderSays, FORM.thing), material(parts)))
