"""Rules on what becomes of the answer."""

from collections.abc import Sequence

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.replies.alias import answer_tokens
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass


def answer_lost(case: Case) -> str | None:
    """At LOW an answer that stood in the passages must still stand in them."""
    if case.slot.intensity is not Intensity.LOW or not _stands(case.base.answers, case.base.passages):
        return None
    return None if _stands(case.base.answers, case.candidate.passages) else "The answer must still stand in the text."


def answer_kept(case: Case) -> str | None:
    """At MissingInfo MEDIUM and HIGH no answer may stand in the passages any more."""
    missing = case.slot.perturbation is PerturbationClass.MISSING_INFO and case.slot.intensity is not Intensity.LOW
    if missing and _stands(case.base.answers, case.candidate.passages):
        return "The answer still stands in the text."
    return None


def answer_in_question(case: Case) -> str | None:
    """At LOW the question must not give the answer away, unless it did before."""
    told = case.slot.intensity is Intensity.LOW and _stands(case.base.answers, (case.candidate.query,))
    if told and not _stands(case.base.answers, (case.base.query,)):
        return "The question must not contain the answer."
    return None


def _stands(answers: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether some answer stands in some text, as whole words."""
    padded = [f" {' '.join(answer_tokens(text))} " for text in texts]
    wanted = [f" {' '.join(tokens)} " for answer in answers if (tokens := answer_tokens(answer))]
    return any(answer in text for answer in wanted for text in padded)
