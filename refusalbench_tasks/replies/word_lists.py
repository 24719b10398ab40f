"""The word lists that replies to BLUFF-1000 are measured with, and
where they are from.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.outcome import Protocol

from .faithfulness import BUNDLED_STOP_WORDS, StopWords
from .lexicon import Lexicon
from .lexicon_file import (
    BUNDLED,
    HEDGES,
    load_lexicon,
    load_official_lists,
)


@dataclass(frozen=True)
class WordLists:
    """Hedges, boosters, and the words that sharing does not count for."""

    hedges: Lexicon
    boosters: Lexicon
    stop_words: StopWords = BUNDLED_STOP_WORDS
    about: Mapping[str, object] = field(default_factory=dict, compare=False)
    """Where each list is from, for the log."""


def word_lists(
    protocol: Protocol = "paper",
    lexicon: str | None = None,
    boosters: str = "boosters",
    official_lists: str | None = None,
) -> WordLists:
    """Return the lists that a run's arguments name; without `lexicon` the protocol's
    own.

    Raises DataError for a missing or malformed list, for one whose terms depend on what
    stands around them beside `official-code`, and for `official_lists` beside another
    protocol or other lists: it is for what the released evaluator computes, and that
    has no list but its own.
    """
    if official_lists is not None:
        return _official(
            protocol,
            lexicon,
            boosters,
            official_lists,
        )
    name = lexicon
    if name is None:
        # version 1 where terms are counted as substrings
        name = "v1" if protocol == "official-code" else "v2"
    hedges = load_lexicon(name)
    confident = load_lexicon(boosters, "boosters")
    if protocol == "official-code":
        _require_substrings("lexicon", name, hedges)
        _require_substrings("boosters", boosters, confident)
    versions = {file: version for version, file in HEDGES.items()}
    about = {
        "hedges": versions.get(BUNDLED.get(name, ""), name),
        "hedges_sha256": hedges.sha256,
        "boosters": "bundled" if boosters in BUNDLED else boosters,
        "stop_words": "bundled",
        "released": False,
    }
    return WordLists(
        hedges,
        confident,
        about=about,
    )


def _require_substrings(
    argument: str,
    name: str,
    terms: Lexicon,
) -> None:
    if not terms.unconditional:
        raise DataError(
            f"{argument}: '{name}' has terms that depend on the words around them,"
            " and official-code counts substrings; give another list (hedges: v1),"
            " or official_lists"
        )


def _official(
    protocol: Protocol,
    lexicon: str | None,
    boosters: str,
    official_lists: str,
) -> WordLists:
    if protocol != "official-code":
        raise DataError(
            "official_lists: only with protocol=official-code; with 'paper' use"
            " lexicon= and boosters="
        )
    if (lexicon or "hedges", boosters) != ("hedges", "boosters"):
        raise DataError(
            "official_lists: has its own hedges and boosters; leave out lexicon= and"
            " boosters="
        )
    official = load_official_lists(official_lists)
    source = f"official_lists={official_lists}"
    about: dict[str, object] = dict.fromkeys(
        ("hedges", "boosters", "stop_words"), source
    )
    about |= {"released": official.released, "blob": official.blob}
    return WordLists(
        official.hedges,
        official.boosters,
        official.stop_words,
        about,
    )
