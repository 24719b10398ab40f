"""A base question as its properties are read from it: names, persons, numbers, the sentences with the answer."""

import re
from functools import cached_property

from refusalbench_tasks.datasets.item import RefusalItem
from refusalbench_tasks.generators.answer_kind import MONTH, YEAR, AnswerKind, answer_kind, numbers_in
from refusalbench_tasks.generators.subject_words import has_word_of, subject_words
from refusalbench_tasks.replies.alias import answer_tokens

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[\"'(]?[A-Z0-9])")
_NAME = re.compile(r"\b[A-Z][\w'’-]+(?:\s+(?:(?:of(?: the)?|van|von|de|der|di|da|la|&)\s+)*[A-Z][\w'’-]+)*")
_ROLE_ENDING = re.compile(r"(?:er|or|ist|ian|man|woman|ess|smith|wright|eer)$")
_BEFORE = re.compile(r"([\w'-]+)[,:]?\s*$")
_BEHIND = re.compile(r"^, (?:an? |the |who |whose |his |her |its |their |then )*((?:[a-z-]+ ?){1,3})")
_NO_NAME_WORDS = (
    "The A An In On At By For From Of To With After Before When While As Since Until Its It His Her He She They This "
    "That These Those There Today But And Or If No Not Only Of What Which Who Where Why How Some Many Most All Each "
    "Every Both Their Our One Two Three Rule Section"
)
_NOT_NAMES = frozenset(_NO_NAME_WORDS.split())


class BaseText:
    """What can be read from a base question. Of several passages only those that bear on the question count."""

    def __init__(self, base: RefusalItem) -> None:
        self.base = base
        self.question = base.query
        self.asked = base.query.lower()
        signal = [base.passages[k] for k in base.signal] if base.signal else list(base.passages)
        self.passages = signal
        self.text = "\n".join(signal)
        self.told = self.text.lower()
        self.both = f"{self.asked}\n{self.told}"

    @cached_property
    def kind(self) -> AnswerKind:
        """Return the kind of the answer."""
        return answer_kind(self.question, self.answers)

    @property
    def answers(self) -> tuple[str, ...]:
        """Return the aliases; the long reference where there are none."""
        return self.base.answers or self.base.references

    @cached_property
    def sentences(self) -> list[list[str]]:
        """Return the sentences of each passage."""
        return [[part for part in _SENTENCE_END.split(passage) if part.strip()] for passage in self.passages]

    @cached_property
    def with_answer(self) -> list[tuple[int, int]]:
        """Return passage and position of each sentence in which an alias stands."""
        return [
            (k, i)
            for k, sentences in enumerate(self.sentences)
            for i, sentence in enumerate(sentences)
            if self.gives_answer(sentence)
        ]

    @property
    def all_sentences(self) -> list[str]:
        """Return the sentences of all passages."""
        return [sentence for sentences in self.sentences for sentence in sentences]

    def gives_answer(self, text: str) -> bool:
        """Return whether an alias stands in a text, as whole words."""
        padded = f" {' '.join(answer_tokens(text))} "
        return any(alias in padded for alias in self._padded_aliases)

    @cached_property
    def _padded_aliases(self) -> list[str]:
        return [f" {' '.join(tokens)} " for alias in self.answers if (tokens := answer_tokens(alias))]

    @cached_property
    def answering(self) -> list[str]:
        """Return the sentences in which an alias stands."""
        return [self.sentences[k][i] for k, i in self.with_answer]

    @cached_property
    def names(self) -> list[str]:
        """Return the names in the passages: runs of words with capital letters, each once."""
        return list(dict.fromkeys(name for text in self.passages for name in _names(text)))

    @cached_property
    def subject_names(self) -> list[str]:
        """Return names that the question holds, whatever its capital letters are."""
        told = [name for name in self.names if words_beside(name.lower(), self.asked)]
        first = self.question.split()[:1]
        return list(dict.fromkeys([*told, *(name for name in _names(self.question) if name.split()[:1] != first)]))

    @cached_property
    def persons(self) -> list[str]:
        """Return the full names in passages and question that are a person's, as far as grammar shows it."""
        found = [name for text in (*self.passages, self.question) for name in _persons(text)]
        if self.kind is AnswerKind.PERSON:
            found += [alias for alias in self.answers if alias[:1].isupper()]
        return list(dict.fromkeys(found))

    @cached_property
    def side_numbers(self) -> list[str]:
        """Return the numbers of the passages that are no years, not the answer and not in the question."""
        own = {token for text in (*self.answers, self.question) for token in answer_tokens(text)}
        text = MONTH_AND_DAY.sub(" ", self.text)
        found = [number for number in numbers_in(text) if not YEAR.fullmatch(number)]
        return [number for number in found if number.lower() not in ("one", "a half") and not own & _plain(number)]

    @cached_property
    def side_years(self) -> list[str]:
        """Return the years in sentences with the answer that are neither the answer nor in the question."""
        own = {year for text in (*self.answers, self.question) for year in YEAR.findall(text)}
        return [year for sentence in self.answering for year in YEAR.findall(sentence) if year not in own]


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


MONTH_AND_DAY = re.compile(rf"\b\d{{1,2}} (?={MONTH.pattern})", re.IGNORECASE)
"""A day of the month before its month."""


def _plain(number: str) -> set[str]:
    return set(answer_tokens(number))


def _names(text: str) -> list[str]:
    found = []
    for match in _NAME.finditer(text):
        words = match[0].split()
        while words and words[0] in _NOT_NAMES:
            words = words[1:]
        while words and words[0].islower():
            words = words[1:]
        name = re.sub(r"['’]s?$", "", " ".join(words))
        opens = match.start() == 0 or re.search(r"[.!?]\s+$", text[: match.start()]) is not None
        # a single word at the beginning of a sentence is a name if it comes back
        single = opens and len(words) == 1 == len(match[0].split())
        if len(name) > 1 and not MONTH.fullmatch(name) and (not single or text.count(name) > 1):
            found.append(name)
    return found


def _persons(text: str) -> list[str]:
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
