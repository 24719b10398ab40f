"""A reader's answer to a question: from the chunk alone, or with no document at all."""

from collections.abc import Sequence
from typing import Literal

from inspect_ai.model import CachePolicy, Model
from pydantic import BaseModel, ConfigDict, Field

from refusalbench_tasks.generators.kit.gives_gold import gives_gold
from refusalbench_tasks.generators.kit.heard import hear
from refusalbench_tasks.generators.kit.text_digest import text_digest
from refusalbench_tasks.judging.ask import Form, Spent, how_to_submit
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.passage import parts_of
from refusalbench_tasks.own.questions.question import Question
from refusalbench_tasks.own.questions.writing import PACKAGE
from refusalbench_tasks.prompting import bundled
from refusalbench_tasks.replies.outside_text import well_formed

Book = Literal["open", "closed"]
FORM = Form("answer", thinks=True)
FAILED = "reader_failed"


class ReaderAnswer(BaseModel):
    """What a reader answers."""

    model_config = ConfigDict(extra="forbid")

    why: str = Field(description="One sentence: what the answer rests on, or what stands in its way.")
    answered: bool = Field(description="Whether there is an answer.")
    answer: str = Field(description="The answer in as few words as possible; empty if there is none.")


class Reading(BaseModel):
    """One reader's answer for one text (`digest`), with the book open or closed; the failure if it gave no valid one.

    `gold` says whether it is the answer of the chunk; None where that cannot be told without a judge.
    """

    reader: str
    book: Book
    digest: str
    answered: bool | None = None
    answer: str = ""
    gold: bool | None = None
    failure: str | None = None
    spent: Spent = Spent()


async def read_question(
    model: Model, question: Question, chunk: Chunk | None, cache: CachePolicy | bool = False
) -> Reading:
    """Return a model's answer from a chunk alone, or from what it knows if there is none. Never raises.

    A failed call is a missing reading, and never a verdict.
    """
    known = {"reader": str(model), "book": book_of(chunk), "digest": digest_of(question, chunk)}
    found = await hear(model, reader_prompt(question.question, chunk), ReaderAnswer, FORM, cache)
    said = found.answer
    if said is None:
        return Reading.model_validate(known | {"failure": found.failure, "spent": found.spent})
    answer = well_formed(said.answer).strip()
    answered = said.answered and bool(answer)
    gold = gives_gold(answer, question.answers) if answered else None
    told = {"answered": answered, "answer": answer, "gold": gold, "spent": found.spent}
    return Reading.model_validate(known | told)


def book_of(chunk: Chunk | None) -> Book:
    """Return whether a reader that is shown a chunk, or none, has the book open."""
    return "open" if chunk else "closed"


def digest_of(question: Question, chunk: Chunk | None) -> str:
    """Return what identifies the text that a reader is shown and the answers it is compared with."""
    shown = parts_of(chunk).values() if chunk else ()
    return text_digest(question.question, "\n".join(question.answers), *shown)


def reader_prompt(question: str, chunk: Chunk | None) -> str:
    """Return a reader's prompt; nothing of the answer, its support or the writer stands in it."""
    name = "passage_reader.txt" if chunk else "closed_book_reader.txt"
    parts = {"QUESTION": question} | (parts_of(chunk) if chunk else {})
    return "\n\n".join((bundled(PACKAGE, name), how_to_submit(ReaderAnswer, FORM.thing), material(parts)))


def objection(reading: Reading) -> str | None:
    """Return why a reading of the chunk speaks against a question; None if it does not, or if it is missing.

    A reader that answers in other words, of which no rule can tell whether they are the same answer, speaks against it
    as well: `reader_undecided`. No judge is asked, and what is kept is sure (our definition).
    """
    if reading.answered is None:
        return None
    if not reading.answered:
        return "reader_unanswered"
    if reading.gold is None:
        return "reader_undecided"
    return None if reading.gold else "reader_other_answer"


def verdict(readings: Sequence[Reading]) -> tuple[bool | None, str | None]:
    """Return whether readings of the chunk accept a question, and why not.

    Any objection rejects it, the first one names the reason. Without one, a missing reading leaves it undecided (None).
    """
    found = next((why for why in map(objection, readings) if why), None)
    if found:
        return False, found
    if not readings or any(reading.answered is None for reading in readings):
        return None, FAILED
    return True, None


def is_known(readings: Sequence[Reading]) -> bool | None:
    """Return whether a question can be answered without its document: by one reader at least.

    None if no reader that could be asked knew it and one could not be asked. An answer of which nothing can be told
    counts as not known: a wrong guess is one in most cases.
    """
    if any(reading.gold for reading in readings):
        return True
    return None if not readings or any(reading.answered is None for reading in readings) else False
