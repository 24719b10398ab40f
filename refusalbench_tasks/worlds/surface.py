"""The surface of rows: how varied their language is, and whether numbers on it tell labels apart."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from refusalbench_tasks.taxonomy import Label

_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"(?<=[.?!])\s+|\n+")
_NAME = re.compile(r"\b[A-Z][\w'’-]*")
_NUMBER = re.compile(r"\d[\d,.:]*\d|\d")


def distinct_2(texts: Sequence[str]) -> float:
    """Return the number of different bigrams of words over that of all bigrams, in [0, 1] (Li et al. 2016)."""
    bigrams = [pair for text in texts for pair in pairwise(_WORD.findall(text.lower()))]
    return len(set(bigrams)) / len(bigrams) if bigrams else float("nan")


def skeletons(texts: Sequence[str]) -> set[str]:
    """Return the sentences of texts with a mark for each name and each number."""
    sentences = (sentence for text in texts for sentence in _SENTENCE.split(text))
    return {_NUMBER.sub("#", _NAME.sub("@", sentence)).strip() for sentence in sentences if sentence.strip()}


FEATURES: Mapping[str, Any] = {
    "question words": lambda row: len(row["perturbed_query"].split()),
    "question digits": lambda row: len(_NUMBER.findall(row["perturbed_query"])),
    "passage words": lambda row: len(row["perturbed_context"].split()),
    "passage numbers": lambda row: len(_NUMBER.findall(row["perturbed_context"])),
    "passage names": lambda row: len(_NAME.findall(row["perturbed_context"])),
    "passage lines": lambda row: row["perturbed_context"].count("\n"),
    "first name": lambda row: _place(row),
}
"""Numbers on the surface of a row of one passage."""


def differences(rows: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Return the p of a two-sample Kolmogorov-Smirnov test, answerable against not, for each feature.

    As if rows were independent. Rows of a quad are not, and cancel out: a small p is a fault all the more. Rows of
    intrinsic quads are left out.
    """
    from scipy.stats import ks_2samp

    kept = [row for row in rows if not row["intrinsic"]]
    answerable = [row["expected_rag_behavior"] == Label.ANSWER for row in kept]
    found = {}
    for name, feature in FEATURES.items():
        values = [float(feature(row)) for row in kept]
        yes = [value for value, has in zip(values, answerable, strict=True) if has]
        no = [value for value, has in zip(values, answerable, strict=True) if not has]
        found[name] = float(ks_2samp(yes, no).pvalue)
    return found


def _place(row: Mapping[str, Any]) -> float:
    """Return where the passage first names something that the question names, as a share of its length; else -1."""
    text = row["perturbed_context"]
    places = [text.find(name) for name in _NAME.findall(row["perturbed_query"])[1:]]
    found = [place for place in places if place >= 0]
    return min(found) / len(text) if found else -1.0
