"""What came of something, what guests do, and what codes, decrees and tales say of a thing."""

import re

from refusalbench_tasks.worlds.reader.lexicon import Lexicon
from refusalbench_tasks.worlds.reader.marking import Line
from refusalbench_tasks.worlds.reader.unreadable import Unreadable
from refusalbench_tasks.worlds.statement import Fact, Statement, Verdict
from refusalbench_tasks.worlds.values import Value

CODE = re.compile(r"\b(?:code|charter|covenant)\b")
BOUND = re.compile(r"\b(?:signers?|members?|one of (?:them|these|its signers))\b")
ALLOWED = re.compile(r"\b(?:no wrongs?|not (?:a )?wrong|not in the wrong|not act wrongly|right)\b")
WRONG = re.compile(r"\bwrong(?:s|ly)?\b")
REPORT = (
    r"reports?|reported|recounts?|remembers?|relates|recalls|reminds|tells?|testify|agrees|confirmed|records?|books|log|"
    r"accounts|ledgers|daybooks|notes|news|diary|chronicle|yearbook|found"
)
EFFECT = re.compile(
    rf"^(?:(?:(?:over|up|down) )?at <E\d+>,|(?=[^.]*\b(?:{REPORT})\b)[^<>]*<E\d+>(?:[^<>]*(?: that|:)|[^<>:]*,)) "
    r"(?P<cause>the [a-z ]+?) (?P<effect>(?:[a-z]+ed|"
    r"ate|bit|broke|brought|burnt|cost|cut|drove|dug|found|froze|kept|lit|made|put|sank|spoilt|stung|swept|took|tore|woke|"
    r"won) [a-z ]+?)"
    r"(?:, and (?:nothing else came of it|that was all|there it ended))?[.]?$"
)
GUESTS = re.compile(r"\b(?:guests|visitors|lodgers|travellers|those who (?:stay|sleep|lodge))\b")
HABIT = re.compile(
    r"(?:^|, |that )(?P<share><Q\d+>) (?:of (?:(?:all|the|its) )?(?:guests|visitors|lodgers|travellers) |"
    r"of those who (?:stay|sleep|lodge) at <E\d+> )?(?P<who>[a-z ]+?)[.]?$"
)
TITLE = (
    re.compile(
        r"\b(?P<title>most \w+ part)\b.*(?:\bis|\bto|; at <E\d+>|\bhas|\b(?:listed|registered|named)|\band at <E\d+>) "
        r"the (?P<part>[a-z ]+?)(?: (?:has|holds|bears) it| for <E\d+>)?[.]?$"
    ),
    re.compile(
        r"(?:\b(?:named|declared|proclaimed|makes)|^at <E\d+>,) the (?P<part>[a-z ]+?) "
        r"(?:the|(?:bears|carries|holds) the official title of) (?P<title>most \w+ part)\b"
    ),
    re.compile(r"^the (?P<part>[a-z ]+?) is, [^,]*, the (?P<title>most \w+ part)\b"),
)
LIST = re.compile(r"\ban? [a-z ]+, an? [a-z ]+ and an? [a-z ]+")


def customary(line: Line, words: Lexicon) -> list[Statement] | None:
    """Return what a sentence says of effects, habits, codes or titles; None if it speaks of none.

    Acts and lists of parts by themselves state nothing that anybody can ask.
    """
    shape = line.shape
    members = [one for one in line.marked("thing") if words.kinds[one.kind].whole] if words.topic else []
    if len({one.content for one in members}) != 1 or not isinstance(members[0].content, str):
        return None
    name = members[0].content
    act = next((one for one in words.acts if one in shape), "")
    if CODE.search(shape) and BOUND.search(shape):
        told = shape.replace(act, "")
        if not act or not WRONG.search(told):
            raise Unreadable(line.text, "a code on an act, or in words, that the reader doesn't know")
        return [Verdict(name, act, not ALLOWED.search(told))]
    if act or (LIST.search(shape) and not line.marked("number", "year")):
        return []
    if title := next((one for form in TITLE if (one := form.search(shape))), None):
        return [Fact(name, title["title"], Value("kind", title["part"]))]
    if effect := EFFECT.match(shape):
        return [Fact(name, f"effect of {effect['cause']}", Value("kind", effect["effect"]))]
    habit = HABIT.search(shape) if GUESTS.search(shape) else None
    if habit and line.tokens[habit["share"]].unit == "per cent":
        share = line.tokens[habit["share"]]
        return [Fact(name, f"share who {habit['who']}", Value("measure", share.number, share.unit))]
    return None
