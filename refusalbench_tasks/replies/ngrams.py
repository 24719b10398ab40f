"""Whether a text answers, declines or asks back: three logistic regressions over hash
values of its character n-grams and its `relations`, in numpy.
"""

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .relations import Chances, relations_of, without_question

BITS = 18
"""Weights are kept for 2**18 hash values."""
LONGEST = 5
MODEL = Path(__file__).parent / "data" / "replies_model.npz"
MAX_CHARACTERS = 2000
_MULTIPLIER = np.uint32(0x9E3779B1)
_MIX = np.uint32(0x85EBCA6B)
_DIGITS = dict.fromkeys(map(ord, "123456789"), "0")


class Weights(NamedTuple):
    """The model: weights for "answers", "declines" and "asks back" of hash values, with
    their scale, and of relations; and intercepts.
    """

    kinds: NDArray[np.int8]
    scale: NDArray[np.float32]
    relations: NDArray[np.float32]
    intercept: NDArray[np.float32]


def hashes(text: str) -> NDArray[np.uint32]:
    """Return the different hash values of a text's n-grams, of 1 to 5 characters,
    within `BITS`; sorted.

    The text is folded (NFKC, lower case), every digit is 0 and every run of spaces one
    space.
    """
    folded = unicodedata.normalize("NFKC", text[:MAX_CHARACTERS]).casefold()
    folded = f" {' '.join(folded.translate(_DIGITS).split())} "
    codes = np.frombuffer(folded.encode("utf-32-le", "replace"), dtype=np.uint32)
    parts = []
    size = len(codes)
    grams = np.zeros(size, dtype=np.uint32)
    for n in range(1, LONGEST + 1):
        if size < n:
            break
        shorter = grams[: size - n + 1] * _MULTIPLIER
        grams = shorter ^ (codes[n - 1 :] * _MIX)
        mixed = (grams ^ (grams >> np.uint32(15))) * _MULTIPLIER
        parts.append(mixed >> np.uint32(32 - BITS))
    return np.unique(np.concatenate(parts))


@cache
def weights() -> Weights:
    """Return the bundled model."""
    with MODEL.open("rb") as file:
        return Weights(**np.load(file))


def chances(
    text: str,
    question: str = "",
    passages: Sequence[str] = (),
) -> Chances:
    """Return what a reply to a question beside passages is likely to do."""
    seen = logits(text, question, passages)
    return Chances(*(1 / (1 + np.exp(-seen))).tolist())


def logits(
    text: str,
    question: str,
    passages: Sequence[str],
) -> NDArray[np.float64]:
    """Return the logits of the three `Chances` of a reply."""
    model = weights()
    indices = hashes(without_question(text, question))
    sums = model.kinds[indices].sum(axis=0, dtype=np.int32)
    words = sums * model.scale / np.sqrt(len(indices))
    numbers = np.asarray(relations_of(text, question, passages))
    return np.asarray(words + numbers @ model.relations + model.intercept)
