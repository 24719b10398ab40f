"""A question that keeps the rules: its answer and its support as they stand in the chunk."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict

from refusalbench_tasks.generators.kit.gives_gold import gives_gold
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.kit.text_digest import text_digest
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.draft import QuestionDraft
from refusalbench_tasks.own.questions.kinds import Kind, kind_of
from refusalbench_tasks.own.questions.passage import span_of
from refusalbench_tasks.replies.plain_text import plain_text


class Question(BaseModel):
    """A question of a chunk. `start` and `end` are the offsets of the answer in the document's text."""

    model_config = ConfigDict(frozen=True)

    id: str
    chunk_id: str
    question: str
    answers: tuple[str, ...]
    """The answer as it stands in the chunk, then its other forms."""
    support: str
    kind: Kind
    start: int
    end: int


def question_of(draft: QuestionDraft, chunk: Chunk) -> Question:
    """Return a draft that keeps the rules as a question. Raises ValueError if answer or support are not in the chunk.

    The kind is told by the question's words, whatever the writer called it.
    """
    support = span_of(chunk.text, draft.support)
    if support is None:
        raise ValueError("the support does not stand in the chunk")
    sentence = chunk.text[slice(*support)]
    within = span_of(sentence, draft.answer)
    if within is None:
        raise ValueError("the answer does not stand in the support")
    start = support[0] + within[0]
    answer = sentence[slice(*within)]
    return Question(
        id=f"{chunk.id}-{text_digest(draft.question, answer)[:8]}",
        chunk_id=chunk.id,
        question=draft.question,
        answers=aliases_of(answer, draft.aliases),
        support=sentence,
        kind=kind_of(draft.question),
        start=chunk.start + start,
        end=chunk.start + start + len(answer),
    )


def aliases_of(answer: str, aliases: Sequence[str]) -> tuple[str, ...]:
    """Return the answer on one line, and the aliases that are plainly the same answer, each once.

    An alias is if it is the same value in another form, shares a word of matter, or has the initials of the answer or
    the answer its. Any other is left out: a wrong alias would make a wrong answer right.
    """
    answer = " ".join(answer.split())
    kept = {plain_text(answer): answer}
    for alias in (" ".join(one.split()) for one in aliases):
        if plain_text(alias) and _is_same(alias, answer):
            kept.setdefault(plain_text(alias), alias)
    return tuple(kept.values())


def _is_same(alias: str, answer: str) -> bool:
    told = gives_gold(alias, (answer,))
    if told is not None:
        return told
    shared = content_words(alias) & content_words(answer)
    return bool(shared) or _initials(alias) == _letters(answer) or _initials(answer) == _letters(alias)


def _initials(text: str) -> str:
    words = text.split()
    return "".join(word[0] for word in words if word[0].isupper() or word[0].isdigit()) if len(words) > 1 else " "


def _letters(text: str) -> str:
    return "".join(character for character in text if character.isalnum())
