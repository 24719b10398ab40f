"""How relevant a page is to a question: BM25 over its passages."""

import math
from collections import Counter
from collections.abc import Sequence

from refusalbench_tasks.generators.kit.search import Index, tokens_of
from refusalbench_tasks.replies.sentences import sentences

LONGEST = 1_000
"""How many characters of a source a record stores (released builder)."""
_K1 = 1.5


def relevances(question: str, passages: Sequence[str]) -> list[float]:
    """Return the relevance of each passage to a question, from 0 to 1. Our definition.

    The relevance is min(1, (k1 + 1) · BM25 / Σ idf), where BM25 is Lucene's (k1 = 1.5,
    b = 0.75), with each distinct word of the question once; idf is ln(1 + (N − n + ½) /
    (n + ½)) for a word in n of the N passages; and the sum goes over the words of the
    question, those that no passage has included. So a passage of mean length that has
    every word of the question once has 1, and one that has words with half the weight,
    once each, has ½: the scale of the published keyword share, with rare words counting
    more. A question without words gives 0.
    """
    words = list(dict.fromkeys(tokens_of(question)))
    if not words or not passages:
        return [0.0] * len(passages)
    having = Counter(word for passage in passages for word in set(tokens_of(passage)))
    size = len(passages)
    weight = sum(
        math.log(1 + (size - having[word] + 0.5) / (having[word] + 0.5))
        for word in words
    )
    found = [0.0] * size
    for position, score in Index(passages).nearest(" ".join(words), size):
        found[position] = min(1.0, (_K1 + 1) * score / weight)
    return found


def best_passages(
    question: str, texts: Sequence[str], longest: int = LONGEST
) -> list[tuple[str, float]]:
    """Return the most relevant passage of each text with its relevance, the first of
    equal ones.

    The passages of all texts are the collection that words are weighed by, so the texts
    should be all that compete for one question's slots. The relevance is that of the
    passage as returned, not of the text it comes from. A text without words gives an
    empty passage with 0.
    """
    parts = [passages_of(text, longest) or ("",) for text in texts]
    scores = iter(
        relevances(question, [passage for passages in parts for passage in passages])
    )
    scored = [[(passage, next(scores)) for passage in passages] for passages in parts]
    return [max(passages, key=lambda passage: passage[1]) for passages in scored]


def passages_of(text: str, longest: int = LONGEST) -> tuple[str, ...]:
    """Return a text as passages of whole sentences, each as long as fits into `longest`
    characters.

    A sentence that alone is longer is cut after a word. What holds no word is left out.
    """
    passages: list[str] = []
    begin = end = place = 0
    for sentence in sentences(text):
        start = text.find(sentence, place)
        if start < 0:
            continue
        place = start + len(sentence)
        if end > begin and place - begin <= longest:
            end = place
            continue
        if end > begin:
            passages.append(text[begin:end])
        begin = start
        end = place
    passages.append(text[begin:end])
    return tuple(
        passage
        for passage in (cut(passage, longest) for passage in passages)
        if passage
    )


def cut(text: str, most: int) -> str:
    """Return the beginning of a text, at most `most` characters, that ends with a word;
    "" if no word fits.
    """
    if len(text) <= most:
        return text
    words = text[: most + 1]
    while words and not words[-1].isspace():
        words = words[:-1]
    return words.rstrip()
