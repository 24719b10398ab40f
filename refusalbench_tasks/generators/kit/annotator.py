"""The blind annotator: a model that sees a question, passages and the table of codes,
and nothing else.
"""

from collections.abc import Sequence
from typing import Annotated

from inspect_ai.model import GenerateConfig, Model
from pydantic import BaseModel, model_validator

from refusalbench_tasks.judging.ask import (
    Cache,
    Form,
    Spent,
    Submission,
    ask,
    how_to_submit,
)
from refusalbench_tasks.judging.grader_check import KnownReply, Opinion, check_cache
from refusalbench_tasks.judging.label import one_of
from refusalbench_tasks.judging.material import material
from refusalbench_tasks.prompting import bundled, numbered
from refusalbench_tasks.taxonomy import CODES, WHEN_TO_REFUSE, Label

from .answers import gives_gold
from .calls import hear, text_digest
from .model_text import ModelText

LabelName = Annotated[str, one_of(*(label.value for label in Label))]
FORM = Form("reading", thinks=True)
UNANSWERED = "A reader who knew only the item did not answer it."
OTHERWISE = "A reader who knew only the item gave another answer than the original one."
ANSWERED = "A reader who knew only the item still answered it."


class AnnotatorSays(Submission):
    """What an annotator makes of an item."""

    why: str
    """One sentence: what the answer rests on, or what stands in its way."""
    label: LabelName
    """ANSWER_CORRECTLY, or the code of what stands in the way."""
    answer: ModelText
    """The answer in a few words; empty for a refusal."""
    quotes: list[ModelText]
    """The words of question or passages on which the label rests, copied."""

    @model_validator(mode="after")
    def _fits(self) -> "AnnotatorSays":
        if (self.label == Label.ANSWER) != bool(self.answer):
            raise ValueError(
                "answer: words for ANSWER_CORRECTLY, empty for any other label"
            )
        return self


class Annotation(BaseModel):
    """One annotator's label and answer for one text (`digest`); no label, with the
    failure, if it gave no valid one.

    `gold` says whether the answer is the original one; None where that cannot be told
    without understanding.
    """

    annotator: str = ""
    digest: str
    label: Label | None = None
    answer: str = ""
    quotes: tuple[str, ...] = ()
    gold: bool | None = None
    failure: str | None = None
    spent: Spent = Spent()


def code_table() -> str:
    """Return when to refuse, and each code with its meaning."""
    lines = [f"{code.label}: {code.meaning}." for code in CODES]
    return "\n".join([f"{WHEN_TO_REFUSE} The codes:", *lines])


def annotator_prompt(question: str, passages: Sequence[str]) -> str:
    """Return the annotator's prompt: the table of codes first, the item last; nothing
    of plan, original or writer.
    """
    text = passages[0] if len(passages) == 1 else numbered(passages)
    parts = (
        bundled("refusalbench_tasks.generators.kit", "annotator.txt"),
        code_table(),
        how_to_submit(AnnotatorSays, FORM.thing),
        material(
            {
                "QUESTION": question,
                "PASSAGES": text,
            }
        ),
    )
    return "\n\n".join(parts)


async def annotate(
    model: Model,
    question: str,
    passages: Sequence[str],
    aliases: Sequence[str],
    cache: Cache = False,
) -> Annotation:
    """Return what a model makes of a question and its passages alone.

    A failed call is a missing annotation.
    """
    reply = await hear(
        model,
        annotator_prompt(question, passages),
        AnnotatorSays,
        FORM,
        cache,
    )
    facts = {
        "annotator": str(model),
        "digest": text_digest(question, *passages),
        "spent": reply.spent,
    }
    annotation = reply.answer
    if annotation is None:
        return Annotation.model_validate(facts | {"failure": reply.failure})
    label = Label(annotation.label)
    answer = annotation.answer
    reading = {
        "label": label,
        "answer": answer,
        "quotes": tuple(annotation.quotes),
        "gold": gives_gold(answer, aliases) if label is Label.ANSWER else None,
    }
    return Annotation.model_validate(facts | reading)


async def annotate_known(model: Model, known: KnownReply) -> Opinion:
    """Return whether a model refuses a known question, asked as about any other.

    Raises CallFailed.
    """
    prompt = annotator_prompt(known.item.query, known.item.passages)
    config = GenerateConfig(batch=False)
    reply = await ask(
        model,
        prompt,
        AnnotatorSays,
        check_cache(),
        config,
        FORM,
    )
    if reply.answer is None:
        return str(reply.failure)
    return reply.answer.label != Label.ANSWER


def objection(annotation: Annotation, answerable: bool) -> str | None:
    """Return why an annotation speaks against an item; None if it does not, if it is
    missing, or if it can't be told.

    Only what decides the gold label counts (our definition): of an answerable item a
    refusal or another answer, of any other *any* answer. Which code is given decides
    nothing: a gate that asks for the right one keeps easy items only.
    """
    if annotation.label is None:
        return None
    answered = annotation.label is Label.ANSWER
    if not answerable:
        return f"{ANSWERED[:-1]}: '{annotation.answer[:120]}'." if answered else None
    if not answered:
        return UNANSWERED
    return OTHERWISE if annotation.gold is False else None
