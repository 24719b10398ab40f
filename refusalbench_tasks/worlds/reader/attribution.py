"""Whose word a sentence is: takes `According to …` and its like off, and says how much the source counts."""

import re
from dataclasses import dataclass

from refusalbench_tasks.worlds.reader.lexicon import WORDS
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.token import Token
from refusalbench_tasks.worlds.reader.typed import NEGATION
from refusalbench_tasks.worlds.reader.unreadable import Unreadable

SAYS = "|".join(WORDS["says"])
RULES = re.compile(r"^<S\d+> (?:permits?|prohibits?|forbids?|allows?|has a rule|speaks? of|deals? with) ")
"""What a manual does as the book of rules that it is: the text's own word."""
LED = re.compile(r"^[^<>]*(?=<S)")
"""What is left of an attribution before the manual: `elsewhere that, without exception,`."""
SOURCE = re.compile(r"<S\d+>")
ON_THE_WORD = "|".join(WORDS["on_the_word"])
THUS = r"(?:puts|tells|has) it (?:thus|like this|this way|as follows|plainly|briefly|in one line)"
LEAD = re.compile(
    r"^(?:but |yet |while |whereas |and |however, |though )?"
    rf"(?:(?:{ON_THE_WORD}|in|as|if|by|on|for) <S\d+>(?: (?:{SAYS})(?: it)?| is to be believed)?,? |"
    rf"(?:{'|'.join(WORDS['news_from'])}) <S\d+>(?: is)? that |"
    r"from <S\d+> (?:comes the (?:news|word|report|statement)|(?:we|one may) (?:learn|hear|gather)) that |"
    rf"what <S\d+> (?:{SAYS}|has to say|lets us know) (?:here |on this |about it )?is that |"
    rf"so (?:{SAYS}|speaks) <S\d+>: |<S\d+> {THUS}: )"
)
NAMED = re.compile(rf"^what (<S\d+>) (?:{SAYS}) as (the [^<>]+ of <E\d+>|<E\d+>'s [^<>]+?) is (.+)$")
"""`What the register gives as the fee of X is …`."""
TAIL = re.compile(
    rf",? (?:{ON_THE_WORD}|in|as|by|{SAYS}|so) <S\d+>"
    rf"(?: (?:{SAYS})(?: it)?)?(?=[.!?]?$)"
    rf"| is what <S\d+> (?:{SAYS})(?=[.!?]?$)"
    rf"|, (?:if|so) <S\d+> (?:{SAYS}|is to be believed)(?=[.!?]?$)|, <S\d+> (?:{SAYS})(?=[.!?]?$)"
)
SPEAKS = re.compile(rf"<S\d+>,? (?:\w+ )?(?:{SAYS})\b|\baccording to\b|\bwords? of <S|\baccount of <S|, <S")
TITLED = r"(?:, [^<>,]+,)?"
AS_WHAT = r"(?:,? (?:as|being|in|on|at|over|when|while|before|after|during) [^<>]*?)?,?"
SAID = "|".join(WORDS["person_says"])
TOLD = "|".join(WORDS["person_tells"])
PERSON = (
    re.compile(rf"^(?:{ON_THE_WORD}) (<N\d+>)(?:, [^<>,]+)?, "),
    re.compile(rf"^(?:[^<>]*? )?(<N\d+>){TITLED} (?:(?:{SAID}){AS_WHAT}|(?:{TOLD}) [^<>]*?) that "),
    re.compile(rf"^(?:{'|'.join(WORDS['news_from'])}) (<N\d+>)(?:, [^<>,]+,)? (?:is )?that "),
    re.compile(rf"^(?:as|so) (<N\d+>){TITLED} (?:{SAID}|has it|puts it|tells it|words it)[,:] "),
)
"""A person, perhaps with a title, whose word a sentence is."""
PRINTED = r"(?:edition|issue|version|printing|volume)"
EDITION = re.compile(
    rf"\bthe <Y\d+> {PRINTED} of (?=<S)|^in its {PRINTED} (?:of|for) <Y\d+>, (?=<S)|"
    rf"(?<=>), (?:in its <Y\d+> {PRINTED}|as (?:published|printed|issued|kept) in <Y\d+>),|"
    rf"(<S\d+>) (?:of|for|in its {PRINTED} of) <Y\d+>(?= \w+ )"
)
"""Of which year a source is."""
LISTED = re.compile(
    r"^in <Y\d+>, (<S\d+>) (?:listed|gave|named|recorded|showed|had|put down) (<\w\d+>|[^<>]+?) as (the .*|<E.*)$"
)
VERB = re.compile(rf"(?:^in [\w ]+ )?<S\d+> (?:\w+ly |also )?(?:{SAYS})(?: it)?(?: that)? ")

UNKNOWN = re.compile(
    rf"\b(?:according to (?!<S)|going by\b|to go by\b|on the word of\b|as (?:told|reported) by\b|to quote\b)|"
    rf"\b(?:{'|'.join(WORDS['news_from'])})\b|, (?:says|writes|claims|reports|states) |"
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
    for pattern in PERSON if "<N" in line.shape else ():
        found = pattern.match(line.shape)
        if found:
            person = line.tokens[found[1]]
            if NEGATION.search(found[0]):
                raise Unreadable(line.text, "a negation in what somebody says")
            return Attributed(line.part(line.shape[found.end() :]), str(person.content), 1)
    sources = line.marked("source")
    if not sources:
        if UNKNOWN.search(line.shape):
            raise Unreadable(line.text, "a source that the reader doesn't know")
        return Attributed(line)
    shape = LISTED.sub(r"\1 gives \2 as \3", EDITION.sub(r"\1", line.shape))
    line = line.part(NAMED.sub(r"\1 gives \3 as \2", shape))
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
