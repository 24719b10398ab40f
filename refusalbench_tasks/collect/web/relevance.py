"""How relevant a page is to a question: BM25 over its passages."""

from collections.abc import Sequence
from itertools import islice

from refusalbench_tasks.corpus.index import Index, tokens_of
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
    relevance = [0.0] * len(passages)
    if not words or not passages:
        return relevance
    index = Index(passages)
    weight = 0.0
    for word in words:
        weight += index.rarity(word)
    for position, score in index.nearest(" ".join(words), len(passages)):
        relevance[position] = min(1.0, (_K1 + 1) * score / weight)
    return relevance


def best_passages(
    question: str,
    texts: Sequence[str],
    longest: int = LONGEST,
) -> list[tuple[str, float]]:
    """Return the most relevant passage of each text with its relevance, the first of
    equal ones.

    The passages of all texts are the collection that words are weighed by, so the texts
    should be all that compete for one question's slots. The relevance is that of the
    passage as returned, not of the text it comes from. A text without words gives an
    empty passage with 0.
    """
    parts = [cut_passages(text, longest) or ("",) for text in texts]
    pool = [passage for passages in parts for passage in passages]
    scored = iter(
        zip(
            pool,
            relevances(question, pool),
            strict=True,
        )
    )
    best = []
    for passages in parts:
        of_text = islice(scored, len(passages))
        best.append(max(of_text, key=lambda passage: passage[1]))
    return best


def cut_passages(text: str, longest: int = LONGEST) -> tuple[str, ...]:
    """Return a text as passages of whole sentences, each as long as fits into `longest`
    characters.

    A sentence that alone is longer is cut after a word. What holds no word is left out.
    """
    passages = []
    begin = end = 0
    for sentence in sentences(text):
        start = text.find(sentence, end)
        if start < 0:
            continue
        if start + len(sentence) - begin > longest or end == begin:
            passages.append(text[begin:end])
            begin = start
        end = start + len(sentence)
    passages.append(text[begin:end])
    short = (cut(passage, longest) for passage in passages)
    return tuple(filter(None, short))


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
