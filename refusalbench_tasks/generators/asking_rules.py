"""Rules on what a changed question asks: for something else than before, and not for what is answered already."""

import re
from collections.abc import Sequence

from refusalbench_tasks.generators.asked_for import asked_for
from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.counted_name import tells_count
from refusalbench_tasks.generators.kit.text.content_words import content_words, sign
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.generators.kit.text.units import units
from refusalbench_tasks.generators.rewording import FILLER, JUDGING, matched, only_reworded, same_words
from refusalbench_tasks.generators.values import answer_values
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass

_KEPT = 0.6
_LEFT = 1 / 3
"""The share of a question's words of matter that another one must keep to be its ambiguous form."""
_OTHER = 3
"""New words of matter that make another question; "Who was it?" has none and is an old one in short."""
_NEUTRAL = frozenset(
    ["in", "at", "on", "by", "of", "to", "what", "which", "is", "was", "are", "were", "do", "does", "did"]
)
_HOW_MANY = re.compile(r"\bhow many (?:(?:ten|hundred|thousand|million)ths? of an? )?(\w+)", re.IGNORECASE)
_HOW = re.compile(r"\bhow (?:long|tall|wide|deep|high|heavy|old|far|often|fast|large|big)\b", re.IGNORECASE)
_PLACES = frozenset(["across", "along", "toward", "towards", "around", "throughout"])
_CRITERION = re.compile(
    r"\b(?:according to|by the (?:\w+ )?(?:class(?:es)?|bands?|scale|standards?|criteri(?:a|on)|ratings?|definition|"
    r"rules?|marks?|score) of|in the (?:view|words|opinion|judge?ment|eyes) of)\s+(?P<source>(?:[\w'’-]+ ?){1,4})",
    re.IGNORECASE,
)
_HARD_WORDS = re.compile(r"\b(?:caus\w*|because|why|led|lead|ma(?:d|k)e|due|result\w*)\b", re.IGNORECASE)
_DENYING = re.compile(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|only|without|alone|still)\b|n['’]t\b", re.IGNORECASE
)
_LOOSE = JUDGING | frozenset(["each", "nobody", "none", "nothing", "everybody", "everyone", "anyone", "whenever"])
"""Words that make a question general, or one of judgement."""
_PLAIN_FACTS = ("person", "time", "place")


def question_only_reworded(case: Case) -> str | None:
    """A false premise or a question of judgement needs a word that the original question has no match for.

    An ambiguity needs more than another order of the same words; at MEDIUM and HIGH more than other words of grammar.
    Where one word limits or judges, as "only" does, its place may tell.
    """
    if not case.query_says_more or case.rewritten:
        return None
    old, new = case.base.query, case.candidate.query
    if case.slot.perturbation in (PerturbationClass.FALSE_PREMISE, PerturbationClass.EPISTEMIC):
        reworded = only_reworded(old, new) and len({asked_for(old), asked_for(new)} - {None}) < 2
    else:
        hard = case.slot.intensity is not Intensity.LOW
        placed = not hard and any(token.form in _LOOSE for token in typed_tokens(new))
        reworded = case.slot.perturbation is PerturbationClass.AMBIGUITY and (
            (same_words(old, new) and not placed) or (hard and sorted(_telling(old)) == sorted(_telling(new)))
        )
    return "The question asks the same as before in other words; do what the lever says." if reworded else None


def question_drifted(case: Case) -> str | None:
    """At LOW of FalsePremise the question must still ask for the same fact: most of its words of matter stay.

    An ambiguity that lies in the question alone must keep some of them: else it is another question.
    """
    asked = content_words(case.base.query)
    kept = matched(asked, case.candidate.query)
    if case.slot.perturbation is PerturbationClass.FALSE_PREMISE and case.slot.intensity is Intensity.LOW:
        drifted = kept < _KEPT * len(asked)
    else:
        new = content_words(case.candidate.query)
        other = len(new) - matched(new, case.base.query) >= _OTHER
        drifted = _is_bare_ambiguity(case) and other and kept < _LEFT * len(asked)
    return "The question asks for another fact; keep asking for the original answer." if drifted else None


def question_off_subject(case: Case) -> str | None:
    """A changed question must still speak of the original or of the passages.

    HIGH EpistemicMismatch is free of this: a question of pure opinion may leave the subject.
    """
    if (case.slot.perturbation, case.slot.intensity) == (PerturbationClass.EPISTEMIC, Intensity.HIGH):
        return None
    asked = content_words(case.candidate.query)
    told = [content_words(text) for text in (case.base.query, *case.base.passages, *case.candidate.passages)]
    gone = case.query_says_more and asked and any(told) and all(asked.isdisjoint(words) for words in told)
    return "The question has nothing to do with the original any more; change it, don't replace it." if gone else None


def question_still_answered(case: Case) -> str | None:
    """A question of another level or of judgement must ask for something that the answer does not settle.

    It is settled if sentences of the original that still stand have all its words of matter, down to one with the
    answer, it has no word of generality or judgement that is new, and it asks for the same sort of thing.
    """
    mismatch = (PerturbationClass.GRANULARITY, PerturbationClass.EPISTEMIC)
    if case.slot.perturbation not in mismatch or case.slot.intensity is Intensity.LOW or not case.query_says_more:
        return None
    old, new = case.base.query, case.candidate.query
    sorts = {asked_for(old), asked_for(new)} - {None}
    if len(sorts) > 1 or {token.form for token in typed_tokens(new)} & _LOOSE - {t.form for t in typed_tokens(old)}:
        return None
    asked = content_words(_without_unit(case, new)) - FILLER - _PLACES
    told = [[one for one in sentences(text) if one in after] for text, after in zip(*_passages(case), strict=False)]
    settled = asked and any(_answers(case, asked, said) for said in told)
    return "The text still answers the question; ask for what it cannot give." if settled else None


def question_kept_whole(case: Case) -> str | None:
    """At MEDIUM and HIGH the original question must not stand beside another one: it would still be answered."""
    old, new = (" ".join(one.query.split()).rstrip("?. ") for one in (case.base, case.candidate))
    kept = case.slot.intensity is not Intensity.LOW and case.query_says_more and f"{old}?" in f"{new}?"
    whole = kept and case.candidate.query.count("?") > max(1, case.base.query.count("?"))
    return "The original question still stands beside another one; ask one question." if whole else None


def criterion_named(case: Case) -> str | None:
    """A question of judgement must not name a source or a scale of the passages by which it is settled."""
    hard = case.slot.perturbation is PerturbationClass.EPISTEMIC and case.slot.intensity is not Intensity.LOW
    found = _CRITERION.search(case.candidate.query) if hard else None
    if not found or _CRITERION.search(case.base.query):
        return None
    source = content_words(found["source"])
    given = source and matched(source, "\n".join(case.candidate.passages)) == len(source)
    return f"'{found[0].strip()}' makes it a question of fact; ask for a judgement." if given else None


def judgement_idle(case: Case) -> str | None:
    """A question of judgement must not ask for the person, the time or the place that the original asked for."""
    hard = case.slot.perturbation is PerturbationClass.EPISTEMIC and case.slot.intensity is not Intensity.LOW
    old, new = case.base.query, case.candidate.query
    sort = asked_for(old)
    idle = hard and case.query_says_more and sort in _PLAIN_FACTS and sort == asked_for(new)
    idle = idle and content_words(old) <= content_words(new)
    idle = idle and not {t.form for t in typed_tokens(new)} & _LOOSE - {t.form for t in typed_tokens(old)}
    return "The question still asks for the original answer; ask for a judgement." if idle else None


def premise_stated(case: Case) -> str | None:
    """At MEDIUM and HIGH of FalsePremise the question must say something that the passages do not say.

    Told where two neighbouring sentences have all its words of matter, and neither denies or limits anything; where it
    asks for a number, any two that have its names too. What is said of causes may be turned round.
    """
    hard = case.slot.perturbation is PerturbationClass.FALSE_PREMISE and case.slot.intensity is not Intensity.LOW
    question = case.candidate.query
    if not hard or _HARD_WORDS.search(question) or _DENYING.search(question):
        return None
    asked = content_words(question) - FILLER - _PLACES
    stated = "The text says all that the question assumes; assume something that is false."
    every = [one for text in case.base.passages for one in sentences(text)]
    denied = any(_DENYING.search(one) and matched(asked, one) for one in every)
    if not denied and tells_count(question, asked, every):
        return stated
    for text in case.base.passages:
        said = sentences(text)
        for at in range(len(said)):
            told = " ".join(said[max(0, at - 1) : at + 1])
            if asked and not _DENYING.search(told) and matched(asked, told) == len(asked):
                return stated
    return None


def _passages(case: Case) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return case.base.passages, case.candidate.passages


def _answers(case: Case, asked: frozenset[str], said: Sequence[str]) -> bool:
    """Whether a sentence gives an answer, and it or those before it have all words of a question."""
    return any(
        case.asked.given_in([one]) and matched(asked, " ".join(said[: at + 1])) == len(asked)
        for at, one in enumerate(said)
    )


def _without_unit(case: Case, question: str) -> str:
    """Return a question without the measure it asks for: "how long", and "how many hours" if the answer is a time."""
    kinds = {token.unit for token in answer_values(case) if token.unit}

    def bare(found: re.Match[str]) -> str:
        return " " if units().get(found[1].casefold(), ("",))[0] in kinds else found[0]

    return _HOW.sub(" ", _HOW_MANY.sub(bare, question))


def _telling(question: str) -> list[str]:
    """Return what a question says in its order, without words of grammar that may be exchanged."""
    return [sign(token) for token in typed_tokens(question) if token.raw.casefold() not in _NEUTRAL]


def _is_bare_ambiguity(case: Case) -> bool:
    ambiguity = case.slot.perturbation is PerturbationClass.AMBIGUITY
    return ambiguity and case.query_says_more and not case.rewritten
