"""Questions and texts that say the same in other words."""

from collections import Counter
from collections.abc import Iterable
from functools import cache

from refusalbench_tasks.generators.kit.text.content_words import content_words, is_content, sign
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens

_JUDGING_WORDS = """
should would could might may can must will shall ought ever never always not no all every only still again both
neither most least more less any
"""
JUDGING = frozenset(_JUDGING_WORDS.split())
"""Words of grammar that may turn a question of fact into another one."""
_SAME = """
build built builds building builder construct constructed construction constructs erect erected raise raised put up
write wrote written writes writer author authored pen penned compose composed composer create created creator
found founded founder establish established set start started begin began begun launch launched open opened
invent invented inventor devise devised design designed designer develop developed developer
make made maker manufacture manufactured produce produced producer
discover discovered discoverer find found finder detect detected
paint painted painter draw drew drawn artist
win won winner victor take took taken
die died death dead pass passed
bear born birth
call called name named known title titled entitled dub dubbed
who whom whose person people individual someone somebody identity
place location site spot town city village where located situated lie lay stand stood sit
year date day time month when moment
many number count total amount quantity sum figure
much sum amount cost price charge charged pay paid fee
weigh weighed weight heavy
tall height high
long length
wide width broad breadth
deep depth
old age aged former
big large size great
far distance
fast speed quick
last lasted duration
why reason cause caused
kind sort type which what
use used employ employed utilize utilise
happen happened occur occurred take took place
live lived reside resided dwell inhabit inhabited inhabitants residents population
get got receive received obtain obtained gain
give gave given award awarded grant granted
hold held contain contained house housed
finish finished complete completed end ended
lead led head headed run ran chair chaired
sell sold sale
buy bought purchase purchased acquire acquired
teach taught teacher instruct instructed
study studied train trained educate educated
house home residence
ship boat vessel
road street way
firm company business
job post position role office
film movie picture
song tune track
chief main principal primary
initially originally first
"""
"""Words that questions interchange, a line for each group; ours."""
_IRREGULAR = """
wear wore worn
tear tore torn
swear swore sworn
drive drove driven
ride rode ridden
strike struck stricken
steal stole stolen
speak spoke spoken
break broke broken
choose chose chosen
freeze froze frozen
wake woke woken
eat ate eaten
fall fell fallen
forget forgot forgotten
hide hid hidden
know knew known
grow grew grown
throw threw thrown
blow blew blown
fly flew flown
show showed shown
swim swam swum
sing sang sung
ring rang rung
sink sank sunk
drink drank drunk
shrink shrank shrunk
spring sprang sprung
swing swung
hang hung
dig dug
stick stuck
bring brought
think thought
fight fought
seek sought
catch caught
keep kept
sleep slept
sweep swept
weep wept
creep crept
meet met
feed fed
breed bred
flee fled
send sent
lend lent
bend bent
spend spent
lose lost
shoot shot
win won
sit sat
spit spat
"""
"""Verbs whose forms no stemmer brings together, without those that are another word too ("saw", "left", "bore")."""
_FILLER_WORDS = (
    "exactly precisely actually specifically particular specific responsible given stated mentioned passage text thing "
    "altogether back whereas being having thereby hence thus likewise"
)
FILLER = frozenset(_FILLER_WORDS.split()) | {token.form for token in typed_tokens(_FILLER_WORDS)}
"""Words that add nothing to a question."""
_ASKS = frozenset(["who", "whom", "whose", "what", "which", "when", "where", "why", "many", "much"])


@cache
def _groups() -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate((_SAME.strip() + _IRREGULAR.rstrip()).splitlines()):
        for token in typed_tokens(line):
            found.setdefault(token.form, set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


def only_reworded(old: str, new: str) -> bool:
    """Return whether a new question has no word of matter that the old one has no match for (our definition).

    A match is the same word, one with the same beginning, or one of a list of words that questions interchange
    ("built", "erected"; "in what year", "when"). Cheap and blind to most of meaning: a rewording by other words passes.
    """
    before, after = _matter(old), _matter(new)
    return all(any(_match(word, other) for other in before) for word in after - FILLER - _ASKS)


def matched(words: Iterable[str], text: str) -> int:
    """Return how many of some content words have a match in a text."""
    said = content_words(text)
    return sum(any(_match(word, other) for other in said) for word in words)


def same_words(old: str, new: str) -> bool:
    """Return whether two questions have the same words, of matter and of grammar, in whatever order."""
    return Counter(map(sign, typed_tokens(old))) == Counter(map(sign, typed_tokens(new)))


def nothing_new(old: str, new: str) -> bool:
    """Return whether a new text is an old one in other words.

    Nothing is said that has no match, nothing is said twice, and names and numbers stand in the old order.
    """
    before, after = (Counter(sign(token) for token in typed_tokens(text) if is_content(token)) for text in (old, new))
    if not _in_order(_fixed_points(new), _fixed_points(old)):
        return False
    more = (after - before).keys() - FILLER
    return all(any(_match(word, other) and after[other] <= before[other] for other in before) for word in more)


def _fixed_points(text: str) -> list[str]:
    return [sign(token) for token in typed_tokens(text) if token.kind != "word" or (token.is_name and not token.opens)]


def _in_order(some: list[str], every: list[str]) -> bool:
    rest = iter(every)
    return all(one in rest for one in some)


def _matter(question: str) -> set[str]:
    tokens = typed_tokens(question)
    return {sign(token) for token in tokens if is_content(token) or token.form in JUDGING or token.form in _groups()}


def _match(word: str, other: str) -> bool:
    words = word.isalpha() and other.isalpha() and min(len(word), len(other)) >= 4
    beginning = words and (word[:5] == other[:5] or other.startswith(word))
    return word == other or beginning or bool(_groups().get(word, frozenset()) & _groups().get(other, frozenset()))
