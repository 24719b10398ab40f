"""Whether a text answers or declines, by its character n-grams: two logistic
regressions over hash values, in numpy.
"""

import unicodedata
from functools import cache
from importlib import resources
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BITS = 18
"""Weights are kept for 2**18 hash values."""
LONGEST = 5
MAX_CHARACTERS = 2000
LANGUAGES = (
    "en",
    "de",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "sv",
    "da",
    "pl",
    "cs",
    "ru",
    "uk",
    "tr",
    "ar",
    "he",
    "hi",
    "zh",
    "ja",
    "ko",
    "vi",
    "id",
)
_MULTIPLIER = np.uint32(0x9E3779B1)
_MIX = np.uint32(0x85EBCA6B)
_DIGITS = dict.fromkeys(map(ord, "123456789"), "0")


class Weights(NamedTuple):
    """The model: weights of hash values for "answers" and for "declines", their scale
    and intercepts; languages.
    """

    kinds: NDArray[np.int8]
    scale: NDArray[np.float32]
    intercept: NDArray[np.float32]
    languages: NDArray[np.int8]


def hashes(text: str) -> NDArray[np.uint32]:
    """Return the different hash values of a text's n-grams, of 1 to 5 characters,
    within `BITS`; sorted.

    The text is folded (NFKC, lower case), every digit is 0 and every run of spaces one
    space.
    """
    folded = (
        unicodedata.normalize("NFKC", text[:MAX_CHARACTERS])
        .casefold()
        .translate(_DIGITS)
    )
    folded = f" {' '.join(folded.split())} "
    codes = np.frombuffer(folded.encode("utf-32-le", "replace"), dtype=np.uint32)
    parts = []
    grams = np.zeros(len(codes), dtype=np.uint32)
    for n in range(1, LONGEST + 1):
        if len(codes) < n:
            break
        grams = (grams[: len(codes) - n + 1] * _MULTIPLIER) ^ (codes[n - 1 :] * _MIX)
        mixed = (grams ^ (grams >> np.uint32(15))) * _MULTIPLIER
        parts.append(mixed >> np.uint32(32 - BITS))
    return np.unique(np.concatenate(parts))


@cache
def weights() -> Weights:
    """Return the bundled model."""
    with (
        resources.files("refusalbench_tasks.replies") / "data" / "replies_model.npz"
    ).open("rb") as file:
        kept = np.load(file)
        return Weights(
            kept["kinds"], kept["scale"], kept["intercept"], kept["languages"]
        )


def chances(text: str) -> tuple[float, float]:
    """Return how likely it is that a text answers and does nothing else, and that it
    declines and does nothing else.

    The two are read apart, so that both are small for a text that does both or neither.
    """
    model = weights()
    indices = hashes(text)
    sums = model.kinds[indices].sum(axis=0, dtype=np.int32)
    logits = sums * model.scale / np.sqrt(len(indices)) + model.intercept
    answers, declines = (1 / (1 + np.exp(-logits))).tolist()
    return answers, declines


def language(text: str) -> str:
    """Return the likeliest of the 22 `LANGUAGES` of a text."""
    languages = weights().languages
    indices = hashes(text) & np.uint32(len(languages) - 1)
    sums = languages[indices].sum(axis=0, dtype=np.int32)
    return LANGUAGES[int(sums.argmax())]
