"""Train the model of `read_reply`, with scikit-learn: `python -m
benchmarks.train_replies [FILE ...] [--check]`.
"""

import argparse
import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags
from sklearn.linear_model import LogisticRegression

from refusalbench_tasks.replies.code import visible_text
from refusalbench_tasks.replies.ngrams import BITS, hashes
from refusalbench_tasks.replies.structure import read_structure, without_quotations

BUNDLED = Path(__file__).with_name("replies_train.jsonl")
FRAMES = Path(__file__).with_name("replies_frames.txt")
"""By language: topics and sources (T, S), refusals with slots for them (R), and answers
(A).
"""
FILLED = 12
PAIRS = 60
"""Refusals that are made of a frame with slots; pairs of refusals and of answers that
are joined, in each language.
"""
MODEL = (
    Path(__file__).parent.parent
    / "refusalbench_tasks"
    / "replies"
    / "data"
    / "replies_model.npz"
)
C = 40.0
RARENESS = 0.3
"""N-grams weigh by the number of replies that have them to the power of minus this: a
writer's own words differ.
"""
KINDS = ("answer", "refusal")


def read(files: Sequence[Path]) -> list[dict[str, Any]]:
    """Return the labelled replies of files, each text once."""
    rows = [
        json.loads(line)
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
        if line
    ]
    return list({row["reply"]: row for row in rows}.values())


def from_frames(path: Path, seed: int = 1) -> list[dict[str, Any]]:
    """Return the replies that frames give: slots filled with topics and sources, and
    two replies joined.
    """
    frames: dict[str, dict[str, list[str]]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        kind, _, rest = line.partition(" ")
        if kind == "#":
            parts = frames.setdefault(rest, {"T": [], "S": [], "R": [], "A": []})
        else:
            parts[kind] += rest.split("|") if kind in "TS" else [rest]
    rng = random.Random(seed)
    rows = []
    for lang, parts in frames.items():

        def filled(frame: str, parts: dict[str, list[str]] = parts) -> str:
            topic = rng.choice(parts["T"])
            source = rng.choice(parts["S"])
            slots = {"{t}": topic, "{T}": topic[:1].upper() + topic[1:]}
            slots |= {"{s}": source, "{S}": source[:1].upper() + source[1:]}
            return re.sub(r"\{[tTsS]\}", lambda slot: slots[slot[0]], frame)

        joint = "" if lang in ("zh", "ja") else " "
        for kind, name in (("refusal", "R"), ("answer", "A")):
            texts = [
                filled(frame)
                for frame in parts[name]
                for _ in range(FILLED if "{" in frame else 1)
            ]
            texts += [
                joint.join(map(filled, rng.sample(parts[name], 2)))
                for _ in range(PAIRS)
            ]
            rows += [
                {"lang": lang, "kind": kind, "reply": text}
                for text in dict.fromkeys(texts)
            ]
    return rows


def features(texts: Sequence[str]) -> csr_matrix:
    """Return the hashed n-grams of texts, each row of length 1."""
    found = [hashes(text) for text in texts]
    starts = np.cumsum([0, *map(len, found)])
    values = np.concatenate([np.full(len(one), len(one) ** -0.5) for one in found])
    return csr_matrix(
        (values, np.concatenate(found), starts), shape=(len(texts), 2**BITS)
    )


def said(row: dict[str, Any]) -> str:
    """Return what the model sees of a reply."""
    return without_quotations(read_structure(visible_text(row["reply"])).words)


def fit(texts: Sequence[str], kinds: NDArray[Any]) -> list[LogisticRegression]:
    """Return a logistic regression on n-grams for each of `KINDS`, against all else;
    weights are of plain features.
    """
    found = features(texts)
    scale = np.maximum(found.getnnz(axis=0), 1.0) ** -RARENESS
    scale /= np.sqrt((scale[found.indices] ** 2).mean())
    scaled = found @ diags(scale)
    models = []
    for one in KINDS:
        model = LogisticRegression(
            C=C, solver="liblinear", dual=True, max_iter=500
        ).fit(scaled, kinds == one)
        model.coef_ *= scale
        models.append(model)
    return models


def check(rows: Sequence[dict[str, Any]]) -> None:
    """Print what eight-fold cross-validation finds at several thresholds."""
    texts = [said(row) for row in rows]
    kinds = np.array([row["kind"] for row in rows])
    fold = np.random.default_rng(7).permutation(len(rows)) % 8
    chances = np.zeros((len(rows), 2))
    for k in range(8):
        models = fit(
            [text for text, own in zip(texts, fold, strict=True) if own != k],
            kinds[fold != k],
        )
        held_out = features(
            [text for text, own in zip(texts, fold, strict=True) if own == k]
        )
        chances[fold == k] = np.stack(
            [model.predict_proba(held_out)[:, 1] for model in models], axis=1
        )
    for threshold in (0.5, 0.6, 0.7, 0.8, 0.9):
        sure = (chances >= threshold) & (chances[:, ::-1] <= 1 - threshold)
        parts = [
            f"{name}: decided {sure[kinds == name, k].mean():.3f}, flipped"
            f" {sure[kinds == name, 1 - k].mean():.3f}"
            for k, name in enumerate(KINDS)
        ]
        print(f"{threshold}: {'; '.join(parts)}")


def save(rows: Sequence[dict[str, Any]]) -> None:
    """Train on all rows and write the model into the package."""
    models = fit([said(row) for row in rows], np.array([row["kind"] for row in rows]))
    weights = np.concatenate([model.coef_ for model in models])
    scale = np.abs(weights).max(1) / 127
    np.savez_compressed(
        MODEL,
        kinds=np.round(weights / scale[:, None]).astype(np.int8).T,
        scale=scale.astype(np.float32),
        intercept=np.concatenate([model.intercept_ for model in models]).astype(
            np.float32
        ),
    )
    print(f"{MODEL.name}: {MODEL.stat().st_size} bytes, {len(rows)} replies")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        "python -m benchmarks.train_replies", description=__doc__
    )
    parser.add_argument(
        "files",
        nargs="*",
        type=Path,
        help="more labelled replies (JSON lines: lang, kind, reply)",
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="cross-validate instead of writing the model",
    )
    arguments = parser.parse_args()
    labelled = [
        row for row in read([BUNDLED, *arguments.files]) if row["kind"] != "filler"
    ]
    labelled += from_frames(FRAMES)
    check(labelled) if arguments.check else save(labelled)
