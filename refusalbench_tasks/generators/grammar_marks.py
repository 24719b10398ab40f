"""Marks of levers that are told by grammar, and by what was taken out."""

import re
from collections import Counter
from collections.abc import Callable

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new
from refusalbench_tasks.generators.kit.answer_kind import MONTH
from refusalbench_tasks.generators.kit.subject_words import subject_words
from refusalbench_tasks.generators.kit.text.content_words import content_words, is_content, sign
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.generators.marks import Mark
from refusalbench_tasks.generators.target_rules import allowed
from refusalbench_tasks.generators.text_names import names_in
from refusalbench_tasks.generators.values import without_pronouns
from refusalbench_tasks.replies.sentences import sentences

_PRONOUN = re.compile(r"\b(?:he|him|his|himself|she|her|hers|herself|they|them|their|theirs)\b", re.IGNORECASE)
_AUXILIARY = (
    r"\b(?:did|do|does|was|were|is|are|has|have|had|would|could|should|might|may|must|can|will|shall|to)\b"
    r"(?:n't|n’t)?(?:\s+[\w'’-]+){0,4}\W*$"
)
_STRANDED = re.compile(_AUXILIARY, re.IGNORECASE)
_BARE = re.compile(r"\b(?:who|whom|whose|when|where|why|how|which|what)(?:\s+\w+)?\W*$", re.IGNORECASE)
_ONE = re.compile(r"\b(?:ones?|another)\b", re.IGNORECASE)
_UNIVERSAL = re.compile(
    r"\b(?:every\w*|each|all|any\w*|both|always|never|none|no|nobody|nothing|neither)\b", re.IGNORECASE
)
_NEGATION = re.compile(r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\b(?:of|in|on|at|by|with|from|to|for|beside|behind|under|over|near|between|above|below|inside|outside|along|"
    r"across|against|through|opposite|beyond|off|around|about|among|within|without|towards?|into|onto|past|next)\b",
    re.IGNORECASE,
)
_BLANK = re.compile(r"\[[^\]]*\]|_{2,}|[█■▒]+|X{3,}|<[^>]*>")
_ORDERED = re.compile(r"\b(?:no|nobody|none|nothing|not|never|cannot)\b[^.;]{0,200}?\bwithout\b", re.IGNORECASE)
_FORBIDDING = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|nowhere|neither|nor|cannot|without|forbid\w*|forbade|prohibit\w*|bann?(?:ed|s)?|"
    r"rul\w+ out|exclud\w*|refus\w*|barr?(?:ed|s)|refrain\w*|illegal|unlawful|offence|punish\w*|fined?|off|against|"
    r"instead)\b|n['’]t\b",
    re.IGNORECASE,
)
_ASKS_DOER = re.compile(r"(?:who|which \w+)\s+(?!was\b|were\b|is\b|are\b|did\b|does\b|do\b)", re.IGNORECASE)
_SEVERAL = 3
_MOST_REMOVED = 4
"""Words of a colour and of what only carried it ("pale sea-green and")."""
_HUES = frozenset(["coloured", "colored", "tinted", "hued", "pale", "dark", "bright", "vivid", "tawny"])
"""Words that end or set off a colour: "cream-coloured"."""
_RELATED = 2
"""So many words shared with the question are a link to its subject."""


def _pronouns(case: Case) -> bool:
    return len(_PRONOUN.findall(" ".join(all_new(case)))) >= _SEVERAL


def _stranded_auxiliary(case: Case) -> bool:
    return _STRANDED.search(case.candidate.query) is not None


def _bare_question_word(case: Case) -> bool:
    return any(_BARE.search(text) for text in (case.candidate.query, *all_new(case)))


def _one_in_question(case: Case) -> bool:
    return _ONE.search(case.candidate.query) is not None


def _two_universals_and_negation(case: Case) -> bool:
    question = case.candidate.query
    return len(_UNIVERSAL.findall(question)) > 1 and _NEGATION.search(question) is not None


def _prepositions(case: Case) -> bool:
    return len(_PREPOSITION.findall(case.candidate.query)) > 1


def _lists_of_unequal_length(case: Case) -> bool:
    """Whether the lists of a sentence with "respectively" have different numbers of members."""
    told = [one for one in all_new(case) if "respectively" in one.casefold()]
    for one in told:
        lengths = [len(_members(part)) for part in _lists(one)]
        if len(lengths) > 1 and len(set(lengths[:2])) == 1:
            return False
    return True


def _lists(sentence: str) -> list[str]:
    """Return the lists of a sentence: runs of words joined by commas and one "and"."""
    member = r"(?:[\w'’-]+ ){0,4}?[\w'’-]+"
    return re.findall(rf"{member}(?:, {member})*,? and {member}", sentence)


def _members(words: str) -> list[str]:
    return [one for one in re.split(r", and | and |, ", words) if one.strip()]


def _off_the_subject(case: Case) -> bool:
    shared = content_words(case.candidate.query) & content_words(case.base.query)
    return len(shared) < _RELATED and not _names(case.base.query) & _names(case.candidate.query)


def _no_name_of_question(case: Case) -> bool:
    names = _names(case.base.query)
    return not any(names & _names(case.candidate.passages[k]) for k in case.changed)


def _names(text: str) -> set[str]:
    return {token.form for token in typed_tokens(text) if token.is_name and not token.opens and is_content(token)}


def _no_word_of_answer(case: Case) -> bool:
    """Whether no word of an answer is left in the passages that may change, in whatever role; those asked with stay."""
    tokens = [token for text in case.base.answers for token in typed_tokens(text, True)]
    words = {sign(token) for token in tokens if is_content(token)} - content_words(case.base.query)
    texts = [text for k, text in enumerate(case.candidate.passages) if not case.slot.multi or k in allowed(case)]
    return not any(words & content_words(text) for text in texts)


def _month_removed(case: Case) -> bool:
    return _fewer(case, lambda text: len(MONTH.findall(text)))


def _bracket_removed(case: Case) -> bool:
    return _fewer(case, lambda text: len(re.findall(r"[(\[]|\s[–—-]\s|—", text)))


def _number_removed(case: Case) -> bool:
    """Whether a value is gone, or a part of one: "June" is left of "June 2016"."""
    values = _fewer(case, lambda text: sum(token.kind != "word" for token in without_pronouns(typed_tokens(text))))
    return values or _fewer(case, lambda text: len(re.findall(r"\d[\d,.]*", text)))


def _fewer(case: Case, count: Callable[[str], int]) -> bool:
    return any(count(case.candidate.passages[k]) < count(case.base.passages[k]) for k in case.changed)


def _colour_removed(case: Case) -> bool:
    colours = subject_words()["colour"]
    hues = _HUES | colours
    return any(
        word in hues or word.removesuffix("ish") in hues
        for k in case.changed
        for word in _words(case.base.passages[k]) - _words(case.candidate.passages[k])
    )


def _little_removed(case: Case) -> bool:
    return all(
        (_words(case.base.passages[k]) - _words(case.candidate.passages[k])).total() <= _MOST_REMOVED
        for k in case.changed
    )


def _words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w+", text.casefold()))


def _plain_label(case: Case) -> bool:
    """Whether no bracket or blank stands in place of a name: those are marks of other levers."""
    return not any(
        len(_BLANK.findall(case.candidate.passages[k])) > len(_BLANK.findall(case.base.passages[k]))
        for k in case.changed
    )


def _forbidden(case: Case) -> bool:
    """Whether something is forbidden; "nobody may enter without a cap" orders a cap."""
    told = _ORDERED.sub(" ", " ".join(all_new(case)))
    return not told or _FORBIDDING.search(told) is not None


def _names_of_pair(answer: str) -> list[str]:
    """Return the last names of an answer such as "Peder Voss pulled Emil Harte"."""
    return list(dict.fromkeys(name.split()[-1] for name in names_in(f"x {answer}")))


def _doer(sentence: str, pair: list[str]) -> str:
    """Return the one of two who did it, as a sentence tells it; "" if it names not both."""
    if not all(name in sentence for name in pair):
        return ""
    passive = [name for name in pair if re.search(rf"\bby (?:[\w-]+ ){{0,3}}?{re.escape(name)}\b", sentence)]
    return passive[0] if passive else min(pair, key=sentence.index)


def _roles_swapped(case: Case) -> bool:
    """Whether the one who did it is not again the one by whom it was done, in the passive voice."""
    pairs = [names for answer in case.base.answers if len(names := _names_of_pair(answer)) == 2]
    if pairs:
        before = {_doer(one, pairs[0]) for text in case.base.passages for one in sentences(text)}
        after = {_doer(one, pairs[0]) for one in all_new(case)} - {""}
        return not after or not after <= before
    if _ASKS_DOER.match(case.base.query) is None:
        return True
    told = [one for one in all_new(case) if case.asked.given_in([one])]
    doers = [f"by {answer}".casefold() for answer in case.base.answers]
    return not told or not all(any(doer in one.casefold() for doer in doers) for one in told)


GRAMMAR_MARKS: dict[Mark, tuple[Callable[[Case], bool], str]] = {
    Mark.BARE_QUESTION_WORD: (_bare_question_word, "a question word at the end, with nothing behind it"),
    Mark.BRACKET_REMOVED: (_bracket_removed, "a remark in brackets that is gone"),
    Mark.COLOUR_REMOVED: (_colour_removed, "a word for a colour that is gone"),
    Mark.PRONOUNS: (_pronouns, "several pronouns in what was rewritten"),
    Mark.FORBIDDEN: (_forbidden, "something that is forbidden"),
    Mark.LISTS_OF_UNEQUAL_LENGTH: (_lists_of_unequal_length, "two lists of different lengths"),
    Mark.LITTLE_REMOVED: (_little_removed, "no more than a word or two that are gone"),
    Mark.MONTH_REMOVED: (_month_removed, "a month that is gone"),
    Mark.NO_NAME_OF_QUESTION: (_no_name_of_question, "passages without any name of the question"),
    Mark.NO_WORD_OF_ANSWER: (_no_word_of_answer, "passages without any word of the answer, in whatever role"),
    Mark.NUMBER_REMOVED: (_number_removed, "a number that is gone"),
    Mark.OFF_THE_SUBJECT: (_off_the_subject, "a question that leaves the subject altogether"),
    Mark.ONE_IN_QUESTION: (_one_in_question, "the word 'one' in the question"),
    Mark.PLAIN_LABEL: (_plain_label, "a generic label in words, without brackets"),
    Mark.ROLES_SWAPPED: (_roles_swapped, "the two persons in swapped roles"),
    Mark.STRANDED_AUXILIARY: (_stranded_auxiliary, "an auxiliary at the end of the question ('did he')"),
    Mark.PREPOSITIONS: (_prepositions, "several prepositions in the question"),
    Mark.TWO_UNIVERSALS_AND_NEGATION: (_two_universals_and_negation, "two words like 'every' and a negation"),
}
"""How each of these marks is told, and what it is in words."""
