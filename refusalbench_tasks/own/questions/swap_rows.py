"""Rows of swapped passages, beside answerable rows of the same questions."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from refusalbench_tasks.datasets.reader import digest
from refusalbench_tasks.datasets.refusal_rows import PASSAGES
from refusalbench_tasks.generators.kit.search import Index
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.own.documents.chunk import Chunk
from refusalbench_tasks.own.questions.found import Question
from refusalbench_tasks.own.questions.swaps import Swap, nearest_without_answer
from refusalbench_tasks.taxonomy import Intensity, Label, PerturbationClass, expected_label

GENERATOR = "swap"
LEVER = "Passage Swapped"
Row = dict[str, Any]


def one_passage_rows(swaps: Sequence[Swap], corpus: Sequence[Chunk]) -> Iterator[Row]:
    """Yield two rows for each question, in the layout of `nq`: with its own passage, and with the other one."""
    contexts: dict[int, str] = {}
    for swap in swaps:
        # a passage is shown in one form: without the question that stands in it
        contexts.setdefault(swap.question.place, swap.question.context)
    for swap in swaps:
        other = contexts.get(swap.place, corpus[swap.place].text)
        for answerable, place, text in ((True, swap.question.place, swap.question.context), (False, swap.place, other)):
            row = _row(swap.question, corpus, answerable) | {"context": text, "answers": list(swap.question.answers)}
            yield row | {"crossed": swap.crossed} | _provenance([corpus[place]])


def ten_passage_rows(
    questions: Sequence[Question], corpus: Sequence[Chunk], index: Index, seed: int
) -> Iterator[tuple[Question, list[Row]]]:
    """Yield each question with its two rows in the layout of `garage`, or with none if ten passages aren't there.

    Nine passages are the same in both, the nearest ones that do not answer; the tenth is the question's own or
    the next nearest, at the same position.
    """
    for question in questions:
        others = nearest_without_answer(question, corpus, index, PASSAGES)
        if len(others) < PASSAGES:
            yield question, []
            continue
        order = random.Random(f"{seed}:{question.text}").sample(range(PASSAGES), PASSAGES)
        made = []
        for answerable, tenth in ((True, question.place), (False, others[-1])):
            places = [(*others[:-1], tenth)[k] for k in order]
            texts = [question.context if place == question.place else corpus[place].text for place in places]
            signal = [places.index(question.place)] if answerable else []
            row = _row(question, corpus, answerable) | {
                "grounding": texts, "signal_indices": signal, "reference_answer": question.answers[0],
                "answers": list(question.answers), "crossed": False,
            }  # fmt: skip
            made.append(row | _provenance([corpus[place] for place in places]))
        yield question, made


def closeness(rows: Sequence[Row]) -> dict[bool, tuple[float, int]]:
    """Return the mean share of a question's content words that stand in its passages, and n, by answerability.

    With ten passages the largest share of one of them counts. Questions without content words are left out.
    """
    shares: dict[bool, list[float]] = {True: [], False: []}
    for row in rows:
        asked = content_words(row["query"])
        if asked:
            texts = row.get("grounding") or [row["context"]]
            best = max(len(asked & content_words(text)) for text in texts) / len(asked)
            shares[row["intensity"] == Intensity.CLEAN].append(best)
    return {kind: (sum(own) / len(own), len(own)) for kind, own in shares.items() if own}


def _row(question: Question, corpus: Sequence[Chunk], answerable: bool) -> Row:
    own = corpus[question.place]
    base = f"swap-{digest(own.id, question.text)}"
    missing, intensity = PerturbationClass.MISSING_INFO, Intensity.HIGH
    # the same columns in each row, as Parquet wants them
    kind: Row = {
        "class": None if answerable else missing.value,
        "intensity": (Intensity.CLEAN if answerable else intensity).value,
        "expected_rag_behavior": (Label.ANSWER if answerable else expected_label(missing, intensity)).value,
        "lever": "" if answerable else LEVER,
    }
    return {
        "id": f"{base}-{'own' if answerable else 'swapped'}",
        "source_id": base,
        "pair_id": base,
        "query": question.text,
        **kind,
        "generator": GENERATOR,
        "question_origin": question.origin,
        "answer_type": "sentence" if question.is_sentence else "",
        "answer_chunk": own.id,
    }


def _provenance(chunks: Sequence[Chunk]) -> Row:
    licences = sorted({chunk.licence for chunk in chunks if chunk.licence})
    return {
        "chunks": [chunk.id for chunk in chunks],
        "sources": [chunk.source for chunk in chunks],
        "licence": ", ".join(licences),
    }
