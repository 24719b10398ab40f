"""Train the model of `read_reply`, with scikit-learn.

`python -m benchmarks.train_replies [--without FAMILY] [--model FILE]` learns from the
labelled replies in `benchmarks/replies`: written ones, and those of real models on
which two readers agree. Without a family of models, such as qwen2.5, its replies are
not seen, so that `benchmarks.reply_reading` can test on them.
"""

import argparse
import json
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags, hstack
from sklearn.linear_model import LogisticRegression

from benchmarks.labelled_replies import REPLIES, LabelledReply, real, written
from refusalbench_tasks.replies.code import visible_text
from refusalbench_tasks.replies.ngrams import BITS, MODEL, hashes
from refusalbench_tasks.replies.relations import relations_of, without_question
from refusalbench_tasks.replies.structure import read_structure, without_quotations

FRAMES = REPLIES / "frames.txt"
"""By language: topics and sources (T, S), refusals with slots for them (R), answers
(A), and questions back (Q).
"""
FILLED = 12
PAIRS = 60
"""Texts that are made of a frame with slots; pairs of refusals and of answers that are
joined, in each language.
"""
ASKED = 30
"""Refusals with a question back behind them, in each language."""
KINDS = ("answer", "refusal", "clarification")
C = 40.0
RARENESS = 0.3
"""N-grams weigh by the number of replies that have them to the power of minus this: a
writer's own words differ.
"""
ALONE = 0.3
"""How many replies with a question are also learned without it."""
BESIDE_A_QUESTION = 2.0
"""How much more a reply weighs that has its question, as the replies to be read do."""


@dataclass(frozen=True)
class Example:
    """What is learned of a reply: its kind, and how much it weighs."""

    said: str
    """What the reply says, without its form and quotations."""
    text: str
    """The same without the question's words, from which n-grams are taken."""
    relations: list[float]
    kind: str
    weight: float


def from_frames(path: Path, seed: int = 1) -> list[LabelledReply]:
    """Return the replies that frames give: slots filled with topics and sources, and
    two replies joined.
    """
    rng = random.Random(seed)
    rows = []
    for lang, frames in _frames(path).items():
        joint = "" if lang in ("zh", "ja") else " "
        texts = {kind: _filled_all(frames[kind], frames, rng) for kind in "RAQ"}
        for kind in "RA":
            for _ in range(PAIRS):
                pair = rng.sample(frames[kind], 2)
                texts[kind].append(
                    joint.join(_filled(one, frames, rng) for one in pair)
                )
        for _ in range(ASKED):
            pair = [rng.choice(frames["R"]), rng.choice(frames["Q"])]
            texts["Q"].append(joint.join(_filled(one, frames, rng) for one in pair))
        for letter, kind in zip(
            "RAQ", ("refusal", "answer", "clarification"), strict=True
        ):
            rows += [
                LabelledReply(text, kind, lang) for text in dict.fromkeys(texts[letter])
            ]
    return rows


def _frames(path: Path) -> dict[str, dict[str, list[str]]]:
    frames: dict[str, dict[str, list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "#":
            parts = frames.setdefault(rest, {letter: [] for letter in "TSRAQ"})
        else:
            parts[kind] += rest.split("|") if kind in "TS" else [rest]
    return frames


def _filled_all(
    listed: Sequence[str],
    frames: dict[str, list[str]],
    rng: random.Random,
) -> list[str]:
    return [
        _filled(frame, frames, rng)
        for frame in listed
        for _ in range(FILLED if "{" in frame else 1)
    ]


def _filled(frame: str, frames: dict[str, list[str]], rng: random.Random) -> str:
    """Return a frame with its slots filled."""
    topic = rng.choice(frames["T"])
    source = rng.choice(frames["S"])
    slots = {
        "{t}": topic,
        "{T}": topic[:1].upper() + topic[1:],
        "{s}": source,
        "{S}": source[:1].upper() + source[1:],
    }
    return re.sub(r"\{[tTsS]\}", lambda slot: slots[slot[0]], frame)


def examples(rows: Sequence[LabelledReply], seed: int = 5) -> list[Example]:
    """Return what the model learns from.

    Some replies with a question stand there once more without what is beside them.
    """
    rng = random.Random(seed)
    made = []
    for row in rows:
        text = without_quotations(read_structure(visible_text(row.reply)).words)
        if row.question:
            own_words = without_question(text, row.question)
            beside = relations_of(text, row.question, row.passages)
            made.append(Example(text, own_words, beside, row.kind, BESIDE_A_QUESTION))
        if not row.question or rng.random() < ALONE:
            made.append(Example(text, text, relations_of(text), row.kind, 1.0))
    return made


def features(texts: Sequence[str]) -> csr_matrix:
    """Return the hashed n-grams of texts, each row of length 1."""
    hashed = [hashes(text) for text in texts]
    starts = np.cumsum([0, *map(len, hashed)])
    values = [np.full(len(indices), len(indices) ** -0.5) for indices in hashed]
    return csr_matrix(
        (np.concatenate(values), np.concatenate(hashed), starts),
        shape=(len(texts), 2**BITS),
    )


def fit(learned: Sequence[Example]) -> list[LogisticRegression]:
    """Return a logistic regression for each of `KINDS`, against all else; weights are
    of plain n-grams, and behind them of relations.
    """
    grams = features([example.text for example in learned])
    scale = np.maximum(grams.getnnz(axis=0), 1.0) ** -RARENESS
    scale /= np.sqrt((scale[grams.indices] ** 2).mean())
    numbers = csr_matrix(np.array([example.relations for example in learned]))
    everything = csr_matrix(hstack([grams @ diags(scale), numbers]))
    kinds = np.array([example.kind for example in learned])
    weights = np.array([example.weight for example in learned])
    models = []
    for kind in KINDS:
        model = LogisticRegression(
            C=C,
            solver="liblinear",
            dual=True,
            max_iter=100,
            tol=3e-3,
        ).fit(everything, kinds == kind, sample_weight=weights)
        model.coef_[:, : 2**BITS] *= scale
        models.append(model)
    return models


def save(models: Sequence[LogisticRegression], path: Path) -> None:
    """Write the model, the weights of n-grams as whole numbers up to 127."""
    weights: NDArray[Any] = np.concatenate([model.coef_ for model in models])
    grams = weights[:, : 2**BITS]
    scale = np.abs(grams).max(1) / 127
    np.savez_compressed(
        path,
        kinds=np.round(grams / scale[:, None]).astype(np.int8).T,
        scale=scale.astype(np.float32),
        relations=weights[:, 2**BITS :].T.astype(np.float32),
        intercept=np.concatenate([model.intercept_ for model in models]).astype(
            np.float32
        ),
    )


def main() -> None:
    """Train, write the model and say how large it is."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.train_replies", description=__doc__
    )
    parser.add_argument("--without", help="a family of models that is not learned from")
    parser.add_argument("--model", type=Path, default=MODEL, help="where to write it")
    arguments = parser.parse_args()
    rows = [*written(), *from_frames(FRAMES)]
    rows += [
        row
        for row in real()
        if not arguments.without or not row.model.startswith(arguments.without)
    ]
    save(fit(examples(rows)), arguments.model)
    size = arguments.model.stat().st_size
    print(
        json.dumps({"model": arguments.model.name, "bytes": size, "replies": len(rows)})
    )


if __name__ == "__main__":
    main()
