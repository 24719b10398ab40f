"""Whose word a sentence is: takes `According to …` and its like off, and says how much the source counts."""

import re
from dataclasses import dataclass

from refusalbench_tasks.worlds.reader.lexicon import WORDS
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.token import Token
from refusalbench_tasks.worlds.reader.unreadable import Unreadable

SAYS = "|".join(WORDS["says"])
RULES = re.compile(r"^<S\d+> (?:permits?|prohibits?|forbids?|allows?|has a rule|speaks? of|deals? with) ")
"""What a manual does as the book of rules that it is: the text's own word."""
LED = re.compile(r"^[^<>]*(?=<S)")
"""What is left of an attribution before the manual: `elsewhere that, without exception,`."""
SOURCE = re.compile(r"<S\d+>")
LEAD = re.compile(
    r"^(?:but |yet |while |whereas |and |however, |though )?"
    r"(?:(?:according to|in|as|going by|if|to go by|per|(?:by|in) the (?:account|words) of|by|on|for) <S\d+>"
    r"(?: (?:has it|puts it|says|is to be believed))?,? )"
)
TAIL = re.compile(
    r",? (?:according to|in|as per|per|by|says|reports|writes|claims|as stated in|as) <S\d+>"
    rf"(?: (?:{SAYS})(?: it)?)?(?=[.!?]?$)"
    rf"|, (?:if|so) <S\d+> (?:{SAYS}|is to be believed)(?=[.!?]?$)|, <S\d+> (?:{SAYS})(?=[.!?]?$)"
)
SPEAKS = re.compile(rf"<S\d+>,? (?:\w+ )?(?:{SAYS})\b|\baccording to\b|\bwords? of <S|\baccount of <S|, <S")
PERSON = (
    re.compile(r"^according to (<N\d+>)(?:, [^<>,]+)?, "),
    re.compile(r"^(<N\d+>)(?:, [^<>,]+,)? (?:says|said|confirms|confirmed|told [^<>]*?|reports?|insists) (?:that )"),
    re.compile(r"^(?:[^<>]*? )(<N\d+>) (?:said|told [^<>]*?|says|confirms|confirmed) that "),
)
"""A person, perhaps with a title, whose word a sentence is."""
EDITION = re.compile(r"(?:\bthe <Y\d+> edition of )(?=<S)|(?<=>), in its <Y\d+> edition,")
LISTED = re.compile(r"^in <Y\d+>, (<S\d+>) listed (<\w\d+>|[^<>]+?) as (the .*)$")
VERB = re.compile(rf"(?:^in [\w ]+ )?<S\d+> (?:\w+ly |also )?(?:{SAYS})(?: it)?(?: that)? ")

UNKNOWN = re.compile(
    r"\baccording to (?!<S)|\bgoing by\b|, (?:says|writes|claims|reports) |"
    r"^(?:the|an?|one|our|some|\w+ from) [^<>,]+? "
    r"(?:gives|says|states|reports|claims|insists|maintains|puts) "
)
"""What looks like a source, whoever it is."""


@dataclass(frozen=True, slots=True)
class Attributed:
    """A sentence without its attribution, the source's name and its rank."""

    line: Line
    source: str = ""
    rank: int = 1


def attributed(line: Line) -> Attributed:
    """Return a sentence without its attribution. Raises Unreadable if a source stands in an unknown place."""
    for pattern in PERSON:
        found = pattern.match(line.shape)
        if found:
            person = line.tokens[found[1]]
            return Attributed(line.part(line.shape[found.end() :]), str(person.content), 1)
    line = line.part(LISTED.sub(r"\1 gives \2 as \3", EDITION.sub("", line.shape)))
    sources = line.marked("source")
    if not sources:
        if UNKNOWN.search(line.shape):
            raise Unreadable(line.text, "a source that the reader doesn't know")
        return Attributed(line)
    several = len({one.content for one in sources}) > 1
    if RULES.match(line.shape) and not several:
        return Attributed(line)
    for pattern in (LEAD, TAIL, VERB):
        found = pattern.search(line.shape)
        left = pattern.sub("", line.shape, count=1)
        if found and (not several or RULES.match(LED.sub("", left))):
            return _of(line.part(left), line.tokens[SOURCE.findall(found[0])[0]])
    if several:
        raise Unreadable(line.text, "several sources in one sentence")
    source = sources[0]
    if not SPEAKS.search(line.shape):
        return Attributed(line.part(line.shape.replace(source.tag, str(source.content).lower())))
    raise Unreadable(line.text, f"a source ({source.content}) that says nothing that can be read")


def _of(line: Line, source: Token) -> Attributed:
    return Attributed(line, str(source.content), int(source.kind))
