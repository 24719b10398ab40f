"""A second proof: reads question and document by a grammar and finds the label by
rules, both of its own.

It shares with the package the words for what is stated (nouns and their types), and
nothing else: no template, no statement, no solver.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, cast, get_args

from refusalbench_tasks.worlds.document import DOCUMENTS, Group, document

_MONTH = (
    r"(?:January|February|March|April|May|June"
    r"|July|August|September|October|November|December)"
)
_NUMBER = r"\d[\d,]*(?:\.\d+)?"
VALUES: Mapping[str, str] = {
    "money": rf"£{_NUMBER}",
    "time": r"\d\d:\d\d",
    "date": rf"\d+ {_MONTH} \d{{4}}",
    "year": r"\b(?:18|19|20)\d\d\b",
    "measure": rf"{_NUMBER} (?:mm|cm|m|kg|l|hours|minutes|W)\b",
    "count": rf"(?<![\d.]){_NUMBER}",
}
_LENGTH = {"mm": 1, "cm": 10, "m": 1000}
_HANDLE = r"(?:\d+\.\d+|\d+ \([a-z]\)|[A-Z]\d+|\d+|[a-z])"
_KIND = r"(?:clause |type |no\. |item |note )"
_GROUPS: tuple[tuple[str, Group], ...] = (
    (r"How many .+ a (?:day|week|month)\b|On average", "figures"),
    (r"How (?:many|deep|wide|long|thick)\b|What is the gap|What wattage", "parts"),
    (
        (
            r"Until what|How late|At what time must|What is the latest|In which"
            r" year|When was|When did"
        ),
        "uses",
    ),
)
_OPINIONS = r"Ought|Is it (?:morally|always)|What would|Which of the|How would|Would "
_MINUS = r"\b(?:no|not|never|none|forbidden)\b"
_OTHER_LEVEL = (
    r"together|in all\b|\d covers\b|\b(?:between|from|put at|roughly) £?\d|in the"
    r" month|some day in"
)


@dataclass
class Facts:
    """What documents state of the things of one name about one noun: values as (thing,
    sense, number, level, until).
    """

    named: set[tuple[str, str]] = field(default_factory=set)
    values: set[tuple[str, str, int, str, int]] = field(default_factory=set)
    denied: set[str] = field(default_factory=set)
    grades: set[tuple[str, str]] = field(default_factory=set)


@dataclass(frozen=True)
class Answered:
    """A label, and the answer as a number, or as a word."""

    label: str
    value: int | None = None
    word: str = ""


def decide(facts: Facts, name: str, kind: str, word: str, year: int) -> Answered:
    """Return the label of a question, of which the facts show at most one defect."""
    things = {thing for bearer, thing in facts.named if bearer == name}
    own = [one for one in facts.values if one[0] in things and one[3] == "own"]
    elsewhere = any(one[0] in things and one[3] == "other" for one in facts.values)
    denied = things & facts.denied
    grades = {grade for thing, grade in facts.grades if thing in things}
    assert not (own and (denied or elsewhere)), facts
    if denied:
        return Answered("REFUSE_FALSE_PREMISE_IN_QUERY")
    if kind == "grade":
        fits = "yes" if word in grades else "no"
        return (
            Answered("ANSWER_CORRECTLY", None, fits)
            if grades
            else Answered("REFUSE_NONFACTUAL_QUERY")
        )
    if not own:
        return Answered(
            "REFUSE_GRANULARITY_MISMATCH"
            if elsewhere
            else "REFUSE_INFO_MISSING_IN_CONTEXT"
        )
    values = {number for _, _, number, _, _ in own}
    if len({one[:2] for one in own}) < len({one[:3] for one in own}):
        return Answered("REFUSE_CONTRADICTORY_CONTEXT")
    if len(values) > 1:
        return Answered("REFUSE_AMBIGUOUS_QUERY")
    if kind == "future" and any(until < year for *_, until in own):
        return Answered("REFUSE_NONFACTUAL_QUERY")
    return Answered("ANSWER_CORRECTLY", max(values))


@dataclass(frozen=True)
class Asked:
    """A question as it was read."""

    names: tuple[str, ...]
    noun: str
    type: str
    group: Group
    kind: str
    word: str = ""
    year: int = 0


@cache
def _nouns(group: Group, domain: str) -> Mapping[str, str]:
    """Return the nouns of a group and their types, of one kind of document or (for
    other domains) of all.
    """
    chosen = [domain] if domain in DOCUMENTS else list(DOCUMENTS)
    return {
        one.noun: one.type for name in chosen for one in document(name).relations(group)
    }


@cache
def _all_nouns() -> tuple[str, ...]:
    return tuple({noun for group in get_args(Group) for noun in _nouns(group, "")})


def read_question(question: str, domain: str) -> Asked | None:
    """Return what a question asks; None for one that asks for an opinion."""
    if re.match(_OPINIONS, question):
        return None
    group: Group = next(
        (group for pattern, group in _GROUPS if re.match(pattern, question)), "values"
    )
    names = re.findall(r"(?<!^)\b[A-Z][a-z]+\b(?<!Sundays)", question)
    known = _nouns(group, domain)
    noun = max((one for one in known if re.search(rf"\b{one}s?\b", question)), key=len)
    asked = Asked(tuple(dict.fromkeys(names)), noun, known[noun], group, "value")
    if grade := re.fullmatch(r"Is .+?(\w+)\?", question):
        return _of(asked, kind="grade", word=grade[1])
    if future := re.fullmatch(r"What will .+ be in (\d{4})\?", question):
        return _of(asked, kind="future", year=int(future[1]))
    return (
        _of(asked, kind="compare") if question.startswith("Which is higher") else asked
    )


def _of(asked: Asked, **changed: Any) -> Asked:
    return Asked(**{**asked.__dict__, **changed})


@dataclass
class _Reading:
    """One document, read for one noun."""

    passage: str
    asked: Asked
    facts: Facts = field(default_factory=Facts)

    def read(self, name: str) -> None:
        """Read all that is said of the things of a name."""
        for thing, key in self._keys(name):
            self.facts.named.add((name, thing))
            for text in self._entries(key):
                for part in self._parts(text):
                    self._state(thing, part)
            for noun, cell in self._cells(key):
                if noun == self.asked.noun:
                    self._state(thing, f"{noun}: {cell}")

    def _keys(self, name: str) -> Iterator[tuple[str, str]]:
        """Yield the things that bear a name, and the handle or the label under which
        each has its entry.
        """
        label = rf"(?P<label>{name}(?:, (?!{_KIND})[a-zIVX][a-z ]*[a-z]|, Mark I+)?)"
        handle = rf"{_KIND}?(?P<handle>{_HANDLE})"
        patterns = (
            rf"(?m)^{label}(?:: |, | comes under | \(){handle}\)?\.?$",
            rf"(?m)^Item (?P<handle>{_HANDLE}): {label}$",
            rf"(?m)^(?P<handle>[A-Z]\d+)  {label}$",
            (
                rf"(?P<handle>{_HANDLE}) for {label}(?=, {_HANDLE} for| and {_HANDLE}"
                r" for|\.)"
            ),
        )
        found = {
            m["label"]: m["handle"]
            for pattern in patterns
            for m in re.finditer(pattern, self.passage)
        }
        if not found:
            own = (
                rf"(?m)(?:^|\. |[.,] |at |of |of the |for )(?:For )?{label}(?:  |: |\."
                r" |\?| \| | measured: )"
            )
            found = {m["label"]: m["label"] for m in re.finditer(own, self.passage)}
        yield from found.items()

    def _entries(self, key: str) -> Iterator[str]:
        """Yield the sentences that tell of the thing of a key."""
        own = re.escape(key)
        for line in self.passage.split("\n"):
            start = (
                rf"(?:^|(?<=\. ))(?:\d+ {_MONTH}[.,] )?(?:Under |For )?(?:[Cc]lause"
                r" |[Tt]ype |No\. |[Ii]tem )?"
            )
            for match in re.finditer(
                rf"{start}{own}(?: measured)?(?:: |\. |  ?)(?P<said>[^|]+?)\.(?= |$)",
                line,
            ):
                yield match["said"]
        for match in re.finditer(
            rf"Q\. What [^?\n]* {own}(?: stand for)?\?\nA\. (.+)\.", self.passage
        ):
            yield match[1]

    def _parts(self, text: str) -> list[str]:
        """Return the parts of an entry, each about one thing that is stated."""
        return re.split(r"; " if ";" in self.passage else r", ", text)

    def _cells(self, key: str) -> Iterator[tuple[str, str]]:
        head: list[str] = []
        for line in self.passage.split("\n"):
            cells = line.split(" | ") if " | " in line else line.split(" |")
            if len(cells) < 2:
                head = []
            elif not head:
                head = [one[:1].lower() + one[1:] for one in cells]
            elif cells[0] == key:
                yield from zip(head[1:], cells[1:], strict=False)

    def _state(self, thing: str, part: str) -> None:
        """Note what a part of an entry states of the asked noun."""
        asked = self.asked
        noun = self.asked.noun
        known = [
            one
            for one in _all_nouns()
            if re.search(rf"\b{one}s?\b", part, re.IGNORECASE)
        ]
        longest = [
            one
            for one in known
            if not any(one != other and one in other for other in known)
        ]
        if noun not in longest:
            return
        found = [
            _number(one, asked.type) for one in re.findall(VALUES[asked.type], part)
        ]
        if asked.group == "figures":
            level = "own" if re.search(r"average", part, re.IGNORECASE) else "other"
            self.facts.values.update((thing, "", one, level, 0) for one in found)
        elif asked.group != "values":
            if re.search(_MINUS, part, re.IGNORECASE) and not found:
                self.facts.denied.add(thing)
            self.facts.values.update((thing, "", one, "own", 0) for one in found)
        elif len(_nouns("values", "").keys() & longest) > 1 or re.search(
            _OTHER_LEVEL, part
        ):
            self.facts.values.add((thing, "", found[0] if found else -1, "other", 0))
        else:
            self._plain(thing, part, found)

    def _plain(self, thing: str, part: str, found: list[int]) -> None:
        fixed = re.search(r"until the end of (\d{4})", part)
        until = int(fixed[1]) if fixed else 0
        senses = (
            [""]
            if len(found) < 2
            else [f"sense {number}" for number in range(len(found))]
        )
        self.facts.values.update(
            (thing, sense, one, "own", until)
            for sense, one in zip(senses, found, strict=False)
        )
        if graded := re.search(r"\(rated (\w+)", part):
            self.facts.grades.add((thing, graded[1]))


def _number(text: str, kind: str) -> int:
    """Return a whole number that is the same for the same value in other units."""
    if kind == "date":
        return hash(text)
    if kind == "time":
        return int(text[:2]) * 60 + int(text[3:])
    digits, _, unit = text.lstrip("£").replace(",", "").partition(" ")
    return round(float(digits) * 100 * _LENGTH.get(unit, 1))


_STALE = re.compile(
    r"(?:(?<=^)|(?<=\. ))(?:Until|Before|Up to|In the list of|(?:Machines|Stoves) of"
    r" the type|By an earlier plan)"
    r"\b[^|\n]*?\.(?= [A-Z]|$)|(?:(?<=^)|(?<=\. ))The [^|\n.]*(?:\.\d[^|\n.]*)? before"
    r" the repair of \d+\.",
    re.MULTILINE,
)


def second_label(question: str, passages: Sequence[str], domain: str) -> Answered:
    """Return the label of a question beside passages, and the number of its answer."""
    asked = read_question(question, domain)
    if asked is None:
        return Answered("REFUSE_NONFACTUAL_QUERY")
    by_name: dict[str, Facts] = {name: Facts() for name in asked.names}
    for passage in passages:
        current = _STALE.sub("", passage)
        for name, facts in by_name.items():
            reading = _Reading(current, asked, facts)
            if name in current:
                reading.read(name)
    if asked.kind == "compare":
        return _compared(asked, by_name)
    return decide(
        by_name[asked.names[0]], asked.names[0], asked.kind, asked.word, asked.year
    )


def _compared(asked: Asked, by_name: Mapping[str, Facts]) -> Answered:
    both = [decide(by_name[name], name, "value", "", 0) for name in asked.names]
    first, second = (cast("int", one.value) for one in both)
    return Answered(
        "ANSWER_CORRECTLY",
        first if first > second else second,
        asked.names[first < second],
    )


def second_answer(row: Mapping[str, Any]) -> tuple[str, str | int | None]:
    """Return the label and the gold answer of a row in the terms of `second_label`."""
    kind = row["answer_type"]
    gold = row["original_answers"][0]
    if row["expected_rag_behavior"] != "ANSWER_CORRECTLY":
        return row["expected_rag_behavior"], None
    return "ANSWER_CORRECTLY", (
        gold if kind in ("flag", "entity") else _number(gold, kind)
    )
