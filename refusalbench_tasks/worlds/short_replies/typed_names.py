"""Names of persons, places and things that a part of a reply gives, compared with the gold one."""

import re
from collections.abc import Hashable, Iterator

from refusalbench_tasks.worlds.short_replies.typed_gold import FRAME, Gold, doubtful, plain, words_of

Found = tuple[Hashable, bool]
"""The value that was given, and whether it is the gold one."""
_RUN = re.compile(r"[A-Z][\w'-]*(?: [A-Z][\w'-]*)*")
_TITLES = frozenset(("mr", "mrs", "ms", "dr", "miss", "prof"))
_SKIPPED = FRAME | _TITLES
_POSSESSIVE = re.compile(r"'s\b")


def name_in(part: str, gold: Gold) -> Found | None:
    """Return the one name of a part that is not the question's. None for a name that two things may bear."""
    if plain(part) in gold.spellings:
        return gold.plain, True
    part = part.title() if part.isupper() else part
    given = [name for name in _runs(part, gold) if not gold.asked_name_words.issuperset(name.split())]
    if len(set(given)) != 1 or doubtful(words_of(part)) or _of_another(part, given[0], gold):
        return None
    if _is_turned(part, given[0], gold):
        return None
    return _resolved(given[0], gold)


def _of_another(part: str, name: str, gold: Gold) -> bool:
    """Return whether a part speaks of someone else by a name: "the sister of Ms Kraral", "Kraral's sister"."""
    # a pattern for each name is dear: most parts need none
    last = name.split()[-1]
    owns = f"{last}'s" in part and re.search(rf"{re.escape(last)}'s\b", part)
    if owns and not gold.typed.question.lower().startswith("whose"):
        return True
    return _is_of(part, name)


def _is_turned(part: str, name: str, gold: Gold) -> bool:
    """Return whether a name has the other role: "Glalvum rescued Sosketh" where it is asked who rescued Glalvum."""
    who, verb, *_ = [*gold.typed.question.split(), "", ""]
    if who.lower() != "who" or verb in FRAME or verb not in part or "by" in gold.asked:
        return False
    before, _, after = part.partition(verb)
    if " by " in after:
        return name in before
    return name in after and any(word in before for word in gold.asked_name_words)


def _is_of(part: str, name: str) -> bool:
    if " of " not in part:
        return False
    before = re.search(rf"([\w-]+) of (?:(?:the|Ms|Mr|Mrs|Dr) )*{re.escape(name)}", part)
    return before is not None and before[1].lower() not in FRAME


def _resolved(name: str, gold: Gold) -> Found | None:
    if plain(name) in gold.spellings:
        return gold.plain, True
    words = set(name.split())
    whole = gold.answer_words
    for own in whole:
        if words <= own:
            foreign = (
                other for _, other in gold.name_words if words & other and not any(one <= other for one in whole)
            )
            return (gold.plain, True) if all(any(other <= one for one in whole) for other in foreign) else None
        if words & own:
            return None
    # "Unbekannt", "Loading": a word that stands nowhere, where a name has two, may be no name
    whole_name = len(name.split()) >= len(gold.plain.split())
    known = whole_name or any(name in text for text in (gold.typed.question, *gold.typed.passages))
    return (plain(name), False) if known else None


def thing_in(part: str, gold: Gold) -> Found | None:
    """Return the one thing of a part, of those that the question and the passages name."""
    if plain(part) in gold.spellings:
        return gold.plain, True
    given = {_thing(name, gold) for name in _runs(part, gold)}
    if len(given) != 1:
        return None
    thing = given.pop()
    return (thing, thing == gold.plain) if thing else None


def _thing(name: str, gold: Gold) -> str | None:
    """Return the full name of the only thing that a name can stand for, in plain words."""
    words = set(name.split()) - {"The"}
    meant = [(other, own) for other, own in gold.name_words if words <= own]
    whole = {plain(other) for other, own in meant if words == own - {"the", "The"}}
    found = whole or {plain(other) for other, _ in meant}
    if not whole and len(found) > 1:
        shortest = min(found, key=len)
        found = {shortest} if all(shortest in other for other in found) else found
    return found.pop() if len(found) == 1 else None


def _runs(part: str, gold: Gold) -> Iterator[str]:
    """Yield the names of a part; one that stands for none of them if another word is foreign to question and answer."""
    part = _POSSESSIVE.sub("", part)
    for run in _RUN.findall(part):
        words = run.split()
        while words and words[0].lower() in _SKIPPED and words[0] not in gold.asked_name_words:
            words = words[1:]
        while words and words[0].lower() in _TITLES:
            words = words[1:]
        if words and (len(words) > 1 or words[0].lower() not in gold.allowed or words[0] in gold.own_words):
            yield " ".join(words)
    rest = words_of(_RUN.sub(" ", part))
    if not gold.allowed.issuperset(rest) or doubtful(rest):
        yield from ("?", "??")
