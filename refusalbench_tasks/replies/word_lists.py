"""The word lists that replies to BLUFF-1000 are measured with, and where they are from."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from refusalbench_tasks.errors import DataError
from refusalbench_tasks.outcome import Protocol
from refusalbench_tasks.replies.faithfulness import BUNDLED_STOP_WORDS, StopWords
from refusalbench_tasks.replies.lexicon import BUNDLED, Lexicon, load_lexicon
from refusalbench_tasks.replies.official_lists import load_official_lists


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
    lexicon: str = "hedges",
    boosters: str = "boosters",
    official_lists: str | None = None,
) -> WordLists:
    """Return the lists that a run's arguments name.

    Raises DataError for a missing or malformed list, and for `official_lists` beside another protocol or other lists:
    it is for what the released evaluator computes, and that has no list but its own.
    """
    if official_lists is None:
        sources = {
            "hedges": "bundled" if lexicon in BUNDLED else lexicon,
            "boosters": "bundled" if boosters in BUNDLED else boosters,
            "stop_words": "bundled",
        }
        hedges, confident = load_lexicon(lexicon), load_lexicon(boosters, "boosters")
        return WordLists(hedges, confident, about={**sources, "released": False})
    if protocol != "official-code":
        raise DataError("official_lists: only with protocol=official-code; with 'paper' use lexicon= and boosters=")
    if (lexicon, boosters) != ("hedges", "boosters"):
        raise DataError("official_lists: has its own hedges and boosters; leave out lexicon= and boosters=")
    found = load_official_lists(official_lists)
    sources = dict.fromkeys(("hedges", "boosters", "stop_words"), f"official_lists={official_lists}")
    about = {**sources, "released": found.released, "blob": found.blob}
    return WordLists(found.hedges, found.boosters, found.stop_words, about)
