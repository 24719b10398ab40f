"""Whether something other than reading tells answerable rows from the others: classifiers on counted words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.taxonomy import Label

LIMITS = {"question": 0.55, "passage": 0.55, "both": 0.60}
"""The accuracy that no classifier may exceed, by what it sees (half of the rows are answerable)."""


FEWEST = 400
"""With fewer rows classifiers have next to nothing to learn from."""


@dataclass(frozen=True)
class Shortcut:
    """The accuracy of one classifier on unseen quads, and how many rows that are."""

    sees: str
    classifier: str
    accuracy: float
    n: int


def shortcuts(rows: Sequence[Mapping[str, Any]], seen: float = 0.6, seed: int = 0) -> list[Shortcut]:
    """Return how well classifiers tell answerable rows of quads that they have not seen.

    Rows are in the released layout, in quads; the first share `seen` of the quads is learnt from, of each a drawn half:
    in whole quads everything cancels out, and greedy trees would never begin. A linear model on one to three words,
    boosted and randomised trees on the 400 most frequent words with the lengths, each on the question, on the passage,
    and on both side by side. Needs scikit-learn. Rows of intrinsic quads are left out.
    """
    kept = [row for row in rows if not row["intrinsic"]]
    quads = list(dict.fromkeys(str(row["source_id"]) for row in kept))
    learnt = set(quads[: int(len(quads) * seen)])
    rng = Random(seed)
    train = [row for row in kept if row["source_id"] in learnt and rng.random() < 0.5]
    test = [row for row in kept if row["source_id"] not in learnt]
    truth = [np.array([row["expected_rag_behavior"] == Label.ANSWER for row in part]) for part in (train, test)]
    found = []
    for sees, fields in (
        ("question", ("perturbed_query",)),
        ("passage", ("perturbed_context",)),
        ("both", ("perturbed_query", "perturbed_context")),
    ):
        for name, features, model in _CLASSIFIERS:
            before, after = features(train, test, fields)
            classifier = model(seed).fit(before, truth[0])
            found.append(Shortcut(sees, name, float((classifier.predict(after) == truth[1]).mean()), len(test)))
    return found


def check_library() -> None:
    """Raise DataError, with the way to install it, if scikit-learn is missing."""
    try:
        import sklearn  # noqa: F401
    except ImportError as error:
        raise DataError(f"shortcuts: needs {error.name}; pip install 'refusalbench-tasks[relevance]'") from None


def shortcut_lines(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return what `shortcuts` finds of rows, for a data card; or that there are too few."""
    hidden = sum(not row["intrinsic"] for row in rows)
    if hidden < FEWEST:
        return [f"Classifiers on counted words: not measured, {hidden} rows are fewer than {FEWEST}.", ""]
    found = {(one.sees, one.classifier): one for one in shortcuts(rows)}
    names = list(dict.fromkeys(name for _, name in found))
    unseen = next(iter(found.values())).n
    return [
        "What classifiers on counted words tell of whether a row is answerable: accuracy (.50: nothing) on "
        f"{unseen:,} rows of quads that they have not seen, of the first {len(rows):,} rows, without quads whose "
        "question alone tells.",
        "",
        f"| sees | {' | '.join(names)} | goal |",
        f"|---|{'---|' * len(names)}---|",
        *(
            f"| {sees} | {' | '.join(f'{found[sees, name].accuracy:.3f}' for name in names)} | ≤ {most:.2f} |"
            for sees, most in LIMITS.items()
        ),
        "",
    ]


def _grams(train: Sequence[Mapping[str, Any]], test: Sequence[Mapping[str, Any]], fields: Sequence[str]) -> Any:
    from scipy.sparse import hstack
    from sklearn.feature_extraction.text import CountVectorizer

    columns = []
    for field in fields:
        counter = CountVectorizer(ngram_range=(1, 3), min_df=3, binary=True)
        columns.append(
            (counter.fit_transform([row[field] for row in train]), counter.transform([row[field] for row in test]))
        )
    return tuple(hstack([column[side] for column in columns]).tocsr() for side in (0, 1))


def _words(train: Sequence[Mapping[str, Any]], test: Sequence[Mapping[str, Any]], fields: Sequence[str]) -> Any:
    from sklearn.feature_extraction.text import CountVectorizer

    columns = []
    for field in fields:
        counter = CountVectorizer(max_features=400)
        counter.fit([row[field] for row in train])
        columns.append([_counted(counter, part, field) for part in (train, test)])
    return tuple(np.hstack([column[side] for column in columns]) for side in (0, 1))


def _counted(counter: Any, rows: Sequence[Mapping[str, Any]], field: str) -> Any:
    texts = [str(row[field]) for row in rows]
    sizes = [[len(text), len(text.split()), sum(map(str.isdigit, text)), text.count("\n")] for text in texts]
    return np.hstack([counter.transform(texts).toarray(), np.array(sizes)])


def _linear(seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(C=0.3, max_iter=400, random_state=seed)


def _boosted(seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return HistGradientBoostingClassifier(max_iter=150, random_state=seed)


def _random(seed: int) -> Any:
    from sklearn.ensemble import ExtraTreesClassifier

    return ExtraTreesClassifier(200, random_state=seed)


_CLASSIFIERS = (
    ("bag of n-grams", _grams, _linear),
    ("boosted trees", _words, _boosted),
    ("randomised trees", _words, _random),
)
