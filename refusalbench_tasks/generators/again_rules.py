"""Rules on a clash that is none: the answer once more in other words, another thing, or a value merely exchanged."""

import re
from collections import Counter

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import all_new, sentences_gone
from refusalbench_tasks.generators.kit.text.content_words import content_words
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.generators.marks import Mark
from refusalbench_tasks.generators.rewording import matched
from refusalbench_tasks.generators.target_rules import matter_of, new_part
from refusalbench_tasks.generators.values import day_of, is_year
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_SETS_AGAINST = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|cannot|without|only|sole(?:ly)?|alone|just|exclusively|purely|wholly|entirely|instead|rather|but|while|whereas|"
    r"although|though|however|different\w*|den(?:y|ie)\w*|refus\w*|reject\w*|false|wrong|before|after|until|later|"
    r"earlier|over|against|than|both|either|or|second|another|forb\w*|prohibit\w*|ban(?:ned|s)?|fail\w*|lack\w*|"
    r"ceas\w*|stop\w*|except|unless|if|and|with|plus|together|alongside|when|every|all|always|each|must|may|less|more|fewer|behind|beside|above|below|"
    r"inside|outside|under|opposite|beyond|near|far|away|as well|un\w{4,}|im\w{5,}|in fact|exchang\w*|replac\w*|"
    r"out of (?:the question|bounds)|off limits|ruled? out|"
    r"where|dead|died|alive|born|abolish\w*|close[ds]?|end(?:s|ed)?)\b|n['’]t\b",
    re.IGNORECASE,
)
_AGREES = re.compile(
    r"\b(?:says?|said|tells?|told|states?|writes?|wrote|reads?|gives?|gave) (?:(?:exactly|just|quite) )?the same\b|"
    r"\b(?:says?|said) so too\b|\bagree[sd]? (?:that|with)\b|\b(?:bears?|bore) (?:this|that|it) out\b",
    re.IGNORECASE,
)
"""A second source that is said to say what the first one says."""
_MOST_BESIDE = 4
"""Words of matter that a sentence which gives the answer again has beside it and the question."""
_TITLES = frozenset(
    [
        "mister",
        "mrs",
        "miss",
        "ms",
        "doctor",
        "sir",
        "lady",
        "lord",
        "professor",
        "prof",
        "captain",
        "dame",
        "master",
        "madam",
    ]
)


def answer_again(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction what is added must not say the answer once more, in whatever words.

    Told for answers that are no value, where nothing was taken out, and each new sentence has all words of an answer,
    no name or value beside it, and nothing that sets one thing against another.
    """
    if not _must_clash(case) or not case.rewritten or any(sentences_gone(case, k) for k in case.rewritten):
        return None
    if any(one.kind != "word" for text in case.base.answers for one in typed_tokens(text, True)):
        return None
    swapped = case.lever is not None and Mark.ROLES_SWAPPED in case.lever.marks
    if swapped or any(content_words(answer) <= content_words(case.base.query) for answer in case.base.answers):
        return None  # one of two that the question names comes back in any clash
    again = all(_says_it_again(case, one) for one in all_new(case))
    return "What was added gives the original answer once more; it must clash with it." if again else None


def _says_it_again(case: Case, text: str) -> bool:
    given = case.asked.given_in([text]) or any(
        len(words) > 1 and matched(words, text) == len(words) for words in map(content_words, case.base.answers)
    )
    agreed = _AGREES.search(text) is not None
    if not given or _SETS_AGAINST.search(re.sub(r"\band\b", "", text) if agreed else text):
        return False
    own = content_words("\n".join((case.base.query, *case.base.answers)))
    known = {token.form for text in (case.base.query, *case.base.answers) for token in typed_tokens(text)}
    beside = [one for one in typed_tokens(text) if one.kind != "word" or (one.is_name and not one.opens)]
    others = [one for one in beside if one.form not in known | _TITLES and one.number not in (1, 2)]
    if agreed:
        return all(is_year(one) for one in others)  # the sources' own
    more = {word for word in content_words(text) - own if ":" not in word}
    return not others and len(more) <= _MOST_BESIDE


def one_side_left(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction something must be said that was not: two words that changed places clash not.

    Told where the changed passages have the words of matter and denial that they had, each as often.
    """
    if not _must_clash(case) or not case.rewritten:
        return None
    before, after = (
        Counter(word for k in case.rewritten for word in matter_of(one.passages[k]))
        for one in (case.base, case.candidate)
    )
    return None if after != before else "Only one of the two statements stands in the text; both must."


def clash_elsewhere(case: Case) -> str | None:
    """At MEDIUM and HIGH of Contradiction what is new must touch what is asked: a word of it, the answer, or a value.

    For one passage; of several `unrelated_change` asks more.
    """
    if not _must_clash(case) or case.slot.multi or not case.rewritten:
        return None
    asked = content_words(case.base.query)
    new = "\n".join(new_part(case.base.passages[k], case.candidate.passages[k]) for k in case.rewritten)
    valued = any(one.kind != "word" for text in all_new(case) for one in typed_tokens(text))
    touched = not asked or valued or matched(asked, new) or case.asked.given_in([new])
    return None if touched else "What is new does not touch what the question asks about; the clash must lie there."


def value_swapped(case: Case) -> str | None:
    """A paradox of time needs more than another date in place of one: it must stand before or behind other dates.

    Told where one date of a passage was exchanged, nothing else came, and its place among the dates is the old one.
    """
    if case.slot.perturbation is not PerturbationClass.CONTRADICTION or case.keeps_answer != "any":
        return None
    for k in case.rewritten:
        old, new = ([day for one in typed_tokens(text) if (day := day_of(one))] for text in _versions(case, k))
        more = content_words(case.candidate.passages[k]) - content_words(case.base.passages[k])
        if not old or len(old) != len(new) or any(":" not in word for word in more) or len(more) > 1:
            return None
        if [sorted(old).index(day) for day in old] != [sorted(new).index(day) for day in new]:
            return None
    return "One date was exchanged for another, and nothing clashes; the dates must contradict each other."


def _versions(case: Case, k: int) -> tuple[str, str]:
    return case.base.passages[k], case.candidate.passages[k]


def _must_clash(case: Case) -> bool:
    hard = case.slot.perturbation is PerturbationClass.CONTRADICTION and case.slot.intensity is not Intensity.LOW
    return hard and case.keeps_answer == "yes"
