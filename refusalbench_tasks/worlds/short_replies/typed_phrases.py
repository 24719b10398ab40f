"""Words and lists that a part of a reply gives, compared with the gold one; and yes or no."""

import re
from collections.abc import Hashable, Iterator, Sequence

from refusalbench_tasks.generators.kit.text.word_forms import stem
from refusalbench_tasks.worlds.short_replies.typed_gold import FRAME, Gold, doubtful, plain, words_of

Found = tuple[Hashable, bool]
"""The value that was given, and whether it is the gold one."""
_YES = frozenset({"yes", "yeah", "yep", "correct", "true", "indeed"})
_NO = frozenset({"no", "nope", "false", "incorrect"})
_DENIALS = frozenset(("not", "never", "isn't", "doesn't", "didn't", "wasn't", "aren't", "hasn't", "can't", "cannot"))
_ECHO_WORDS = """
it they he she that is does do did was were has have can may should are would will
"""
_ECHO = frozenset(_ECHO_WORDS.split())
"""What stands beside a denial in "no, it does not": more ("no, the text does not say") refuses."""
_NO_TURNS = _DENIALS | {"no", "incorrect", "false"}
_WHOLE = re.compile(r"(?:yes|yeah|yep|correct|true|indeed|no|nope|false|incorrect)\b(?=\s*(?:$|[,.;:!–—(-]))", re.I)
_COPULA = re.compile(r"(?:\bis|\bwas|\bare|\bwere|:)\s+(?=\S)")
_JOINT = re.compile(r"\s*(?:,\s*and\b|,|;|\band\b|&|\n|\s/\s)\s*")
_OPEN_END = frozenset(("etc", "more", "many", "much", "few", "some", "plus", "such", "like", "things"))
"""Words of what is no item, at the end of a list or in its place."""
_STEM, _LONGEST_PHRASE = 5, 6


def flag_in(parts: Sequence[str], gold: Gold) -> bool | None:
    """Return whether a reply that begins with yes or no says the gold one, and does not turn round behind it."""
    given: bool | None = None
    for part in parts:
        words = words_of(part)
        said = _WHOLE.match(part)
        if said:
            value = words[0] in _YES
            if given not in (None, value):
                return None
            given, words = value, words[1:]
        elif given is None and not FRAME.issuperset(words):
            return None
        against = _NO if given else _YES
        if not against.isdisjoint(words) or doubtful(word for word in words if word not in _NO_TURNS):
            return None
        if not _DENIALS.isdisjoint(words) and (given or not gold.asked.union(_DENIALS, _ECHO).issuperset(words)):
            return None
        if given is False and _says_so(words, gold):
            return None
    return None if given is None else given == (gold.plain == "yes")


def _says_so(words: Sequence[str], gold: Gold) -> bool:
    """Return whether words behind a "no" say what was asked: "no, it is", "no, the soup is tasty"."""
    if not words or not _DENIALS.isdisjoint(words):
        return False
    asked, said = set(map(stem, gold.asked - FRAME)), {word for word in words if word not in FRAME | _ECHO}
    return _ECHO.issuperset(words) or (bool(said) and asked.issuperset(map(stem, said)))


def phrase_in(part: str, gold: Gold) -> Found | None:
    """Return the word or phrase of a part: the gold one, or one that the passages have in its place."""
    whole = _phrase(part, gold)
    if whole:
        return whole
    words = words_of(part)
    own = gold.plain.split()
    at = next((k for k in range(len(words)) if words[k : k + len(own)] == own), None)
    rest = [] if at is None else [*words[:at], *words[at + len(own) :]]
    if at is not None and gold.allowed.issuperset(rest) and not doubtful(rest):
        options = set(rest) - FRAME - set(own)
        return (gold.plain, True) if not options or f" {gold.plain} " not in gold.question else None
    return next((found for phrase in _phrases(part, gold) if (found := _phrase(phrase, gold))), None)


def _phrases(part: str, gold: Gold) -> Iterator[str]:
    """Yield what stands behind a verb or a colon if only words of the question and of grammar stand before."""
    for found in _COPULA.finditer(part):
        before = words_of(part[: found.start()])
        if (FRAME | gold.asked).issuperset(before) and not doubtful(before):
            yield part[found.end() :]


def _phrase(phrase: str, gold: Gold) -> Found | None:
    text = plain(phrase)
    if text in gold.spellings:
        return gold.plain, True
    words = text.split()
    if not 0 < len(words) <= _LONGEST_PHRASE or doubtful(words) or FRAME.issuperset(words):
        return None
    stems = {word[:_STEM] for word in gold.plain.split() if word not in FRAME}
    if any(word[:_STEM] in stems for word in words if word not in FRAME) or _JOINT.search(phrase):
        return None
    offered = f" {text} " in gold.question and " or " in gold.question
    return (text, False) if offered or f" {text} " in gold.text else None


def list_in(parts: Sequence[str], gold: Gold) -> bool | None:
    """Return whether a list holds every gold item and no other; None if an item is not clear, and for two lists."""
    lists = [part for part in parts if not FRAME.issuperset(words_of(part))]
    if len(set(lists)) != 1:
        return None
    wanted = {plain(item) for item in _JOINT.split(gold.typed.answers[0])}
    given = {_item(piece, wanted, gold) for piece in _JOINT.split(lists[0]) if piece.strip()}
    if None in given or not given:
        return None
    if given == wanted:
        return True
    strange, lacking = given - wanted, wanted - given
    if len(given) == 1 and any(item and " " not in item and f" {item} " not in gold.text for item in strange):
        return None  # a word by itself that stands nowhere may be no item at all
    stems = {word[:_STEM] for item in lacking for word in item.split()}
    akin = any(word[:_STEM] in stems for item in strange if item for word in item.split())
    return None if akin and lacking else False


def _item(piece: str, wanted: set[str], gold: Gold) -> str | None:
    """Return an item in plain words, without the words of the question that lead to the first one."""
    words = words_of(piece)
    for start in range(len(words)):
        item = plain(" ".join(words[start:]))
        if item in wanted or f" {item} " in gold.text:
            lead = words[:start]
            if FRAME.union(gold.asked).issuperset(lead) and not doubtful(lead) and not doubtful(item.split()):
                return item
    vague = not _OPEN_END.isdisjoint(words) or not gold.asked.isdisjoint(words)
    return plain(piece) if len(words) <= _LONGEST_PHRASE // 2 and not vague and not doubtful(words) else None
