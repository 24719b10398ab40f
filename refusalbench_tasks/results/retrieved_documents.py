"""Which retrieved document a reply rests on."""

from collections import Counter
from collections.abc import Sequence

import pandas as pd

from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.replies.outside_text import one_line

_LONGEST = 60
"""Letters of a passage's first line that it is called by."""


def retrieved_documents(replies: "pd.DataFrame") -> list[str | None]:
    """Return for each reply the document that it rests on; None where nothing was
    retrieved, or nobody told what.

    That is the document of the passage that it rests on (`rested_on`), or of the first
    one where it rests on none, as a refusal does. A passage has the name of the
    document of a row whose only passage it holds, else its first line. Our definition.
    """
    documents: dict[str, str] = {}
    columns = replies[["passages", "source_document"]].itertuples(index=False)
    for passages, document in columns:
        if document and len(passages or ()) == 1:
            documents[one_line(passages[0])] = document
    names: dict[str, str] = {}
    of_replies: list[str | None] = []
    columns = replies[["reply", "question_text", "retrieved"]].itertuples(index=False)
    for reply, question, retrieved in columns:
        if not retrieved:
            of_replies.append(None)
            continue
        passage = retrieved[rested_on(reply, question, retrieved) or 0]
        if passage not in names:
            names[passage] = _name(passage, documents)
        of_replies.append(names[passage])
    return of_replies


def rested_on(reply: str, question: str, passages: Sequence[str]) -> int | None:
    """Return the place of the passage that a reply shares most with, the first of
    several; None where it shares nothing with any.

    Its words without the question's count the more the fewer of the passages have them:
    of two prices it is the passage with the reply's own.
    """
    wanted = {*answer_tokens(reply)} - {*answer_tokens(question)}
    shared = [wanted & {*answer_tokens(passage)} for passage in passages]
    times = Counter(word for words in shared for word in words)
    scores = [sum(1 / times[word] for word in words) for words in shared]
    best = max(scores, default=0)
    return scores.index(best) if best else None


def _name(passage: str, documents: dict[str, str]) -> str:
    text = one_line(passage)
    for own_passage, document in documents.items():
        if own_passage and (own_passage in text or text in own_passage):
            return document
    line, _, _ = passage.strip().partition("\n")
    return one_line(line)[:_LONGEST] or "(a passage without text)"
