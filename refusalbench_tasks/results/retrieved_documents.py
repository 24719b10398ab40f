"""Which retrieved document a reply rests on, whether it is an old one, and which other
has the answer in its place.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

import pandas as pd

from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.replies.outside_text import one_line

BASIS = ("retrieved_document", "outdated", "contradicted_by")
"""The columns of what a reply rests on."""
_LONGEST = 60
"""Letters of a passage's first line that it is called by."""


def bases(replies: "pd.DataFrame", day: str) -> Iterator[tuple[str | None, ...]]:
    """Yield the `BASIS` of each reply of a run on a day; None where nothing was
    retrieved, or nobody told what.

    The document is that of the passage that the reply rests on (`rested_on`), or of the
    first one where it rests on none, as a refusal does. A passage has the name of the
    document of a row whose only passage it holds, else that which the application
    tells, else its first line. It is outdated, with its last day, if that has passed or
    the run retrieved a passage of this document that holds longer; else this is empty,
    as is the other document (`contradicting`) if there is none. Where the passage has
    no last day, None: nobody knows. Our definition.
    """
    documents = {}
    columns = replies[["passages", "source_document"]].itertuples(index=False)
    for passages, document in columns:
        if document and len(passages or ()) == 1:
            documents[one_line(passages[0])] = document
    names = {"": ""}
    newest: dict[str, str] = {}
    for passage in chain.from_iterable(replies["retrieved"].dropna()):
        text = passage["text"]
        names[text] = name = names.get(text) or _name(passage, documents)
        newest[name] = max(newest.get(name, ""), passage.get("valid_until", ""))
    columns = replies[["reply", "question_text", "references", "retrieved"]]
    for reply, question, golds, passages in columns.itertuples(index=False):
        if not passages:
            yield None, None, None
            continue
        texts = [passage["text"] for passage in passages]
        position = rested_on(reply, question, texts) or 0
        name = names[texts[position]]
        last = passages[position].get("valid_until", "")
        gold = golds[0] if golds else ""
        other = contradicting(
            reply,
            question,
            gold,
            texts,
            position,
        )
        outdated = last if last < max(day, newest[name]) else ""
        yield name, outdated if last else None, names[other]


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


def contradicting(
    reply: str,
    question: str,
    gold: str,
    passages: Sequence[str],
    position: int,
) -> str:
    """Return the first passage that has the numbers of the gold answer, where the one
    at `position` has not, and the reply copies other numbers from it; else "".
    """
    wanted = _numbers(gold)
    stated = _numbers(passages[position])
    copied = stated & _numbers(reply) - _numbers(question)
    if copied and wanted - stated:
        for passage in passages:
            if wanted <= _numbers(passage):
                return passage
    return ""


def _numbers(text: str) -> set[str]:
    return {token for token in answer_tokens(text) if token[0].isdecimal()}


def _name(passage: dict[str, str], documents: dict[str, str]) -> str:
    text = one_line(passage["text"])
    for row_passage, document in documents.items():
        if row_passage and (row_passage in text or text in row_passage):
            return document
    line, _, _ = passage["text"].strip().partition("\n")
    return one_line(passage.get("source") or passage.get("id") or line)[:_LONGEST]
