"""Who is believed: sources of a text by their authority."""

import re
from functools import cache

from refusalbench_tasks.worlds.reader.lexicon import WORDS, Lexicon

OFFICIAL, ORDINARY, HEARSAY = "2", "1", "0"

HEARSAY_NOUNS = (
    "post (?:on|in) an? (?:\\w+ )?(?:message board|chat group|forum|chat)",
    "(?:rumour|[Gg]ossip|[Cc]hatter|tale|whisper)(?: (?:told )?(?:at|in|from|among|on) (?:the|an?) "
    "[a-z]+(?: (?:market|stop|room|board|counter|queue|table|corner|stall|hall|yard|shop|car))?)?",
    "unsigned \\w+",
    "anonymous \\w+",
    "scribbled note(?: (?:on|in|at) the \\w+)?",
    "hearsay",
)
"""Sources that any other source overrules."""


@cache
def _patterns(domain: str, official: tuple[str, ...], ordinary: tuple[str, ...], hearsay: tuple[str, ...]):  # type: ignore[no-untyped-def]
    ranked = (
        (HEARSAY, (*hearsay, *WORDS["hearsay"], *HEARSAY_NOUNS)),
        (OFFICIAL, (*official, *WORDS["official"])),
        (ORDINARY, ordinary),
    )
    return tuple(
        (rank, re.compile(rf"\b(?:(?:[Tt]he|[Aa]n?|[Oo]ne|[Oo]ur) )?(?:{'|'.join(nouns)})\b"))
        for rank, nouns in ranked
        if nouns
    )


def source_patterns(words: Lexicon) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return each rank of sources with the pattern that finds them in a sentence."""
    found: tuple[tuple[str, re.Pattern[str]], ...] = _patterns(
        words.domain, words.official, words.ordinary, words.hearsay
    )
    return found
