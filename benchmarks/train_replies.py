"""Train the model of `read_reply`: `python -m benchmarks.train_replies [FILE.jsonl ...] [--check]`; needs scikit-learn."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

from refusalbench_tasks.replies.ngrams import BITS, KINDS, LANGUAGES, hashes
from refusalbench_tasks.replies.structure import read_structure, without_quotations

BUNDLED = Path(__file__).with_name("replies_train.jsonl")
MODEL = Path(__file__).parent.parent / "refusalbench_tasks" / "replies" / "data" / "replies_model.npz"
C = 200.0
LANGUAGE_BITS = 13


def read(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the labelled replies of files, each text once."""
    rows = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines() if line]
    return list({row["reply"]: row for row in rows}.values())


def features(texts: Sequence[str]) -> csr_matrix:
    """Return the hashed n-grams of texts, each row of length 1."""
    found = [hashes(text) for text in texts]
    starts = np.cumsum([0, *map(len, found)])
    values = np.concatenate([np.full(len(one), len(one) ** -0.5) for one in found])
    return csr_matrix((values, np.concatenate(found), starts), shape=(len(texts), 2**BITS))


def said(row: dict[str, Any]) -> str:
    """Return what the model sees of a reply."""
    return without_quotations(read_structure(row["reply"]).text)


def fit(texts: Sequence[str], kinds: Sequence[str]) -> LogisticRegression:
    """Return a logistic regression of kinds on n-grams."""
    return LogisticRegression(C=C, max_iter=300).fit(features(texts), list(kinds))


def check(rows: Sequence[dict[str, Any]]) -> None:
    """Print what five-fold cross-validation finds at several thresholds."""
    texts, kinds = np.array([said(row) for row in rows]), np.array([row["kind"] for row in rows])
    fold = np.random.default_rng(7).permutation(len(rows)) % 5
    chances = np.zeros((len(rows), 3))
    for k in range(5):
        model = fit(texts[fold != k], kinds[fold != k])
        chances[fold == k] = model.predict_proba(features(texts[fold == k]))
    print_table(kinds, chances)


def print_table(kinds: NDArray[Any], chances: NDArray[Any]) -> None:
    """Print shares by threshold: decided refusals and answers, and flips between the two."""
    print(f"{len(kinds)} replies; accuracy {(np.array(KINDS)[chances.argmax(1)] == kinds).mean():.3f}")
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.9):
        told = np.where(chances.max(1) >= threshold, np.array(KINDS)[chances.argmax(1)], "undecided")
        parts = [f"{kind} {(told[kinds == kind] == kind).mean():.3f}" for kind in KINDS[:2]]
        flips = [(told[kinds == a] == b).mean() for a, b in (KINDS[:2], KINDS[1::-1])]
        print(f"p >= {threshold}: decided {', '.join(parts)}; flips {flips[0]:.3f} {flips[1]:.3f}")


def save(rows: Sequence[dict[str, Any]]) -> None:
    """Train on all rows and write the model into the package."""
    model = fit([said(row) for row in rows], [row["kind"] for row in rows])
    assert tuple(model.classes_) == KINDS
    languages = np.zeros((2**LANGUAGE_BITS, len(LANGUAGES)))
    for row in rows:
        languages[hashes(row["reply"]) & np.uint32(2**LANGUAGE_BITS - 1), LANGUAGES.index(row["lang"])] += 1
    shares = np.log((languages + 0.5) / (languages.sum(0) + 0.5 * len(languages)))
    shares -= shares.mean(1, keepdims=True)
    scale = np.abs(model.coef_).max(1) / 127
    np.savez_compressed(
        MODEL,
        kinds=np.round(model.coef_ / scale[:, None]).astype(np.int8).T,
        scale=scale.astype(np.float32),
        intercept=model.intercept_.astype(np.float32),
        languages=np.clip(np.round(shares * 24), -127, 127).astype(np.int8),
    )
    print(f"{MODEL.name}: {MODEL.stat().st_size} bytes, {len(rows)} replies")


if __name__ == "__main__":
    parser = argparse.ArgumentParser("python -m benchmarks.train_replies", description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, help="more labelled replies (JSON lines: lang, kind, reply)")
    parser.add_argument("--check", action="store_true", help="cross-validate instead of writing the model")
    arguments = parser.parse_args()
    labelled = read([*[BUNDLED][: BUNDLED.exists()], *arguments.files])
    check(labelled) if arguments.check else save(labelled)
