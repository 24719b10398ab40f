"""Rules on what becomes of the answer."""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher

from refusalbench_tasks.generators.asked_for import asked_for
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import sentences_gone
from refusalbench_tasks.generators.kit.text.content_words import content_words, sign
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.marks import Mark
from refusalbench_tasks.generators.rewording import only_reworded
from refusalbench_tasks.generators.said_otherwise import said_otherwise
from refusalbench_tasks.generators.target_rules import allowed
from refusalbench_tasks.generators.values import answer_values, one_value, same_measure
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_CHOICE = re.compile(
    r"(?:^|(?<=[;:?]))(?P<left>[^,;:?]*(?:,[^,;:?]*)*?)(?<!\s),?\s+or\s+(?P<right>[^;:?]*)", re.IGNORECASE
)
_HYPHEN = re.compile(r"(?<=[^\W\d_]{2})[-‐‑\u00ad](?=[^\W\d_]{2})")
"""A hyphen between words of two letters and more: "buck-wheat" is buckwheat."""
_NAMES_OF_UNITS = frozenset(
    {"celsius", "fahrenheit", "kelvin", "centigrade", "richter", "beaufort", "mohs", "scoville"}
)
_INITIALS = 3
_LARGE = 15
"""From which number on rounding to whole ones is a matter of a few per cent."""
_MOST_WORDS = 4
"""Words of an option; a longer answer that a question offers is the whole answer given away."""


def answer_lost(case: Case) -> str | None:
    """An answer that stood in the passages must still stand in them, where the lever keeps it (`keeps_answer: yes`)."""
    if case.keeps_answer != "yes" or not case.asked.kept_in(case.base.passages):
        return None
    if case.asked.kept_in(case.candidate.passages):
        return None
    return "The answer must still stand in the text."


def answer_kept(case: Case) -> str | None:
    """No answer may stand any more in the passages that may change, where the lever removes it (`keeps_answer: no`).

    Nor where it may go or stay (`any`) and the question asks the same as before: the item would be answerable.
    """
    if not answer_must_go(case):
        return None
    texts = [text for k, text in enumerate(case.candidate.passages) if not case.slot.multi or k in allowed(case)]
    kept = _is_given(case, texts) or _still_affirmed(case, texts) or _in_initials(case, texts)
    return "The answer still stands in the text." if kept else None


def _is_given(case: Case, texts: Sequence[str]) -> bool:
    """Whether some text gives an answer, in a form that is known or as another measure of the same size."""
    others = [other for text in texts for other in said_otherwise(text)]
    texts = [*texts, *(_HYPHEN.sub("", text) for text in texts if _HYPHEN.search(text))]
    if case.asked.given_in([*texts, *others]):
        return True
    if any(name.search(text) for answer in case.base.answers for name in _small_letters(answer) for text in texts):
        return True
    answers = [one for one in answer_values(case) if one.kind == "quantity"]
    told = [one for text in (*texts, *others) for one in typed_tokens(text) if one.kind == "quantity"]
    return any(same_measure(answer, one) or _is_rounded(answer, one) for answer in answers for one in told)


def _small_letters(answer: str) -> list[re.Pattern[str]]:
    """Return a pattern of a name of several words in small or capital letters; none for what is no name."""
    words = answer.split()
    named = len(words) > 1 and all(word[:1].isupper() and word.isalpha() for word in words)
    return [re.compile(rf"\b{re.escape(' '.join(words))}\b", re.IGNORECASE)] if named else []


def _is_rounded(answer: Token, token: Token) -> bool:
    """Whether a measure is the answer in another unit, rounded to a whole number that is not small: 22 miles, 35 km."""
    other = answer.unit == token.unit and answer.number != token.number and token.number >= _LARGE
    return other and one_value(answer, token)


def answer_exchanged(case: Case) -> str | None:
    """Where information is to be missing, no other value or name may stand in the answer's place and nothing else."""
    hard = case.slot.perturbation is PerturbationClass.MISSING_INFO and case.slot.intensity is not Intensity.LOW
    own = {sign(token) for answer in case.base.answers for token in typed_tokens(answer, True)}
    if not hard or not case.rewritten:
        return None
    exchanged = all(_only_exchanged(case.base.passages[k], case.candidate.passages[k], own) for k in case.rewritten)
    return "The text gives another answer in place of the original one; give none." if exchanged else None


def _only_exchanged(old: str, new: str, own: set[str]) -> bool:
    """Whether a text differs only in values or names that stand where an answer, or a part of it, stood."""
    before, after = typed_tokens(old), typed_tokens(new)
    pairs = SequenceMatcher(None, [sign(one) for one in before], [sign(one) for one in after], autojunk=False)
    changes = [one for one in pairs.get_opcodes() if one[0] != "equal"]
    known = {sign(one) for one in before}
    return bool(changes) and all(
        kind == "replace"
        and {sign(one) for one in before[i:j]} <= own
        and all(one.kind != "word" or (one.is_name and len(one.form) > 1) for one in after[m:n])
        and not {sign(one) for one in after[m:n]} & known
        for kind, i, j, m, n in changes
    )


def _in_initials(case: Case, texts: Sequence[str]) -> bool:
    """Whether the initials of a name of three words and more stand in place of it, unless the lever leaves them."""
    if case.lever and Mark.INITIALS in case.lever.marks:
        return False
    names = (re.findall(r"\b[A-Z](?=[a-z])", answer) for answer in case.base.answers)
    short = [r"\.?".join(letters) for letters in names if len(letters) >= _INITIALS]
    found = [re.compile(rf"(?<![\w.]){one}\b") for one in short]
    return any(one.search(text) and not one.search(case.base.query) for one in found for text in texts)


def answer_must_go(case: Case) -> bool:
    """Return whether no answer may stand any more: the lever removes it, or nothing else makes the item hard."""
    contradiction = case.slot.perturbation is PerturbationClass.CONTRADICTION
    asks_the_same = not case.query_says_more or only_reworded(case.base.query, case.candidate.query)
    answerable = case.keeps_answer == "any" and asks_the_same and not contradiction
    return case.keeps_answer == "no" or answerable


def _still_affirmed(case: Case, texts: Sequence[str]) -> bool:
    """Whether a question of yes or no is still answered.

    It is if a sentence has all the words of the question, but for names, that a sentence which is gone had.
    """
    if asked_for(case.base.query) != "yes or no":
        return False
    names = {token.form for token in typed_tokens(case.base.query) if token.is_name and not token.opens}
    asked = content_words(case.base.query) - names
    gone = [asked & content_words(one) for k in case.rewritten for one in sentences_gone(case, k)]
    most = max(gone, key=len, default=frozenset())
    return len(most) > 1 and any(most <= content_words(one) for text in texts for one in sentences(text))


def other_thing_asked(case: Case) -> str | None:
    """At LOW the question must still ask for a thing of the sort that the answer is ("who" is no "when")."""
    if case.slot.intensity is not Intensity.LOW or not case.query_says_more:
        return None
    old, new = asked_for(case.base.query), asked_for(case.candidate.query)
    other = old and new and old != new and "yes or no" not in (old, new)
    return "The question asks for another sort of thing than the original answer." if other else None


def answer_in_question(case: Case) -> str | None:
    """At LOW the question must not give the answer away, unless it did before or offers another too ("A or B")."""
    told = case.slot.intensity is Intensity.LOW and _is_given(case, [case.candidate.query])
    if not told or _is_given(case, [case.base.query]) or is_one_choice(case):
        return None
    return "The question must not contain the answer."


def is_one_choice(case: Case) -> bool:
    """Whether the answer is one of two options in the question, and the other is something else."""
    found = _CHOICE.search(case.candidate.query)
    if not found:
        return False
    sides = [" ".join(found["left"].split()[-8:]), found["right"]]
    given = [case.asked.given_in([side]) for side in sides]
    other = sides[given.index(False)] if False in given else ""
    short = all(len(answer.split()) <= _MOST_WORDS for answer in case.base.answers)
    return short and any(given) and bool(content_words(other))


def unknown_name(case: Case) -> str | None:
    """At LOW a name that is new in the question must stand in passages or answers, unless it is a false premise's.

    Units are no names of things: "in degrees Celsius".
    """
    if case.slot.intensity is not Intensity.LOW or case.slot.perturbation is PerturbationClass.FALSE_PREMISE:
        return None
    texts = (case.base.query, *case.base.answers, *case.candidate.passages)
    known = {token.form for text in texts for token in typed_tokens(text)} | _NAMES_OF_UNITS
    new = [one for one in typed_tokens(case.candidate.query) if one.is_name and not one.opens and one.form not in known]
    return f"The passages say nothing of '{new[0].raw}', which the question names." if new else None
