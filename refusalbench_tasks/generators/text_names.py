"""Names in a text, and which of them are persons'."""

import re

from refusalbench_tasks.generators.kit.answer_kind import MONTH
from refusalbench_tasks.generators.kit.subject_words import has_word_of, subject_words

_NAME = re.compile(r"\b[A-Z][\w'’-]+(?:\s+(?:(?:of(?: the)?|van|von|de|der|di|da|la|&)\s+)*[A-Z][\w'’-]+)*")
_NEAR = 40
_ROLE_ENDING = re.compile(r"(?:er|or|ist|ian|man|woman|ess|smith|wright|eer)$")
_BEFORE = re.compile(r"([\w'-]+)[,:]?\s*$")
_BEHIND = re.compile(r"^, (?:an? |the |who |whose |his |her |its |their |then )*((?:[a-z-]+ ?){1,3})")
_NO_NAME_WORDS = (
    "The A An In On At By For From Of To With After Before When While As Since Until Its It His Her He She They This "
    "That These Those There Today But And Or If No Not Only Of What Which Who Where Why How Some Many Most All Each "
    "Every Both Their Our One Two Three Rule Section"
)
_NOT_NAMES = frozenset(_NO_NAME_WORDS.split())


def words_beside(name: str, text: str) -> list[tuple[str, str]]:
    """Return the words before and behind each place where a name stands in a text, "" for none; both in lower case."""
    found, at = [], text.find(name)
    while at >= 0:
        before, behind = text[max(0, at - 30) : at], text[at + len(name) : at + len(name) + 30]
        if not before[-1:].isalnum() and not behind[:1].isalnum():
            last, first = re.search(r"(\w+) $", before), re.match(r" (\w+)", behind)
            found.append((last[1] if last else "", first[1] if first else ""))
        at = text.find(name, at + 1)
    return found


def names_in(text: str) -> list[str]:
    """Return the names in a text: runs of words with capital letters, without months."""
    found = []
    for match in _NAME.finditer(text):
        words = match[0].split()
        while words and words[0] in _NOT_NAMES:
            words = words[1:]
        while words and words[0].islower():
            words = words[1:]
        name = re.sub(r"['’]s?$", "", " ".join(words))
        before = text[max(0, match.start() - _NEAR) : match.start()]
        opens = match.start() == 0 or re.search(r"[.!?]\s+$", before) is not None
        # a single word at the beginning of a sentence is a name if it comes back
        single = opens and len(words) == 1 == len(match[0].split())
        if len(name) > 1 and not MONTH.fullmatch(name) and (not single or text.count(name) > 1):
            found.append(name)
    return found


def persons_in(text: str) -> list[str]:
    """Return the full names that are a person's, as far as a role, "by" or a relation beside them shows it."""
    found = []
    for match in re.finditer(
        r"\b[A-Z](?:\.|[\w'’-]+)(?: [A-Z]\.)?(?: (?:van|von|de|der|di|da|la))*(?: [A-Z][\w'’-]+){1,2}\b", text
    ):
        words = match[0].split()
        offset = match.start()
        while words and words[0] in _NOT_NAMES:
            offset += len(words[0]) + 1
            words = words[1:]
        titled = len(words) > 1 and words[0].lower().rstrip(".") in subject_words()["role"] | subject_words()["post"]
        if titled:
            words = words[1:] if len(words) > 2 else words
        name = re.sub(r"['’]s?$", "", " ".join(words))
        if len(words) > 1 and not _is_no_person(name) and (titled or _is_placed_as_person(text, offset, match.end())):
            found.append(name)
    return found


def _is_no_person(name: str) -> bool:
    lower = name.lower()
    kinds = ("building", "artefact", "device", "body", "organisation", "firm", "place_asked", "undertaking", "custom")
    other = re.search(
        r"\b(?:street|road|lane|square|mount|mountains?|north|south|east|west|upper|lower|new|great|port|saint|bank|"
        r"press|works|group|robotics|paper|union|register|report|reports|sheet|inn|act|day|rock|bay|sound|line|"
        r"gazette|law|laws|health|review|press|war|prize|award|medal|cup|games|series|yard)\b",
        lower,
    )
    return other is not None or any(has_word_of(kind, lower) for kind in kinds)


def _is_placed_as_person(text: str, start: int, end: int) -> bool:
    """Whether a role, "by" or a relation stands beside a name."""
    before = _BEFORE.search(text[max(0, start - 40) : start])
    word = before[1].lower() if before else ""
    if word == "the":
        return False
    if word == "by" or _is_role(word):
        return True
    behind = _BEHIND.match(text[end : end + 60]) if text[end : end + 1] == "," else None
    if behind and (any(map(_is_role, behind[1].split())) or re.match(r", (?:who|whose|then) ", text[end:])):
        return True
    told = re.search(r"\b(?:he|she|his|her|him)\b", text, re.IGNORECASE) is not None
    verb = r"^ (?:was born|died|played|wrote|led|stood trial|sang|married|described|found|trained|said|won|built|ran)\b"
    return told and (re.match(verb, text[end:]) is not None or start < 5)


def _is_role(word: str) -> bool:
    lists = subject_words()
    if word in lists["not_role"] or len(word) < 2:
        return False
    return word in lists["role"] or word in lists["post"] or (len(word) > 4 and bool(_ROLE_ENDING.search(word)))
