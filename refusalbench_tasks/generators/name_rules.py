"""Rules on names: the subject keeps its own, and where only a detail goes none comes."""

from collections.abc import Sequence

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.kit.text.content_words import sign
from refusalbench_tasks.generators.kit.text.typed_tokens import Token, typed_tokens
from refusalbench_tasks.generators.values import is_year, without_pronouns
from refusalbench_tasks.taxonomy import Intensity, PerturbationClass


def subject_lost(case: Case) -> str | None:
    """A name of the question that stood in the passages must still stand there, where the question stays.

    Told at LOW and for Contradiction: else the passages are about something else.
    """
    bound = case.slot.intensity is Intensity.LOW or case.slot.perturbation is PerturbationClass.CONTRADICTION
    if not bound or case.query_says_more or not case.rewritten:
        return None
    names = {token.form: token.raw for token in typed_tokens(case.base.query) if token.is_name and not token.opens}
    before, after = _forms(case.base.passages), _forms(case.candidate.passages)
    lost = sorted(raw for form, raw in names.items() if form in before and form not in after)
    return f"'{lost[0]}', which the question names, stands in no passage any more." if lost else None


def detail_exchanged(case: Case) -> str | None:
    """At LOW of MissingInfo a detail goes; no name and no number may come that the passages did not have."""
    if case.slot.perturbation is not PerturbationClass.MISSING_INFO or case.slot.intensity is not Intensity.LOW:
        return None
    before = [token for text in (case.base.query, *case.base.passages) for token in typed_tokens(text)]
    known = {token.form for token in before} | {sign(token) for token in before}
    digits = "\n".join(case.base.passages)
    for k in case.rewritten:
        for token in without_pronouns(typed_tokens(case.candidate.passages[k])):
            named = token.is_name and not token.opens and token.form not in known
            valued = token.kind in ("number", "quantity") and sign(token) not in known and token.raw not in digits
            if named or (valued and not is_year(token)):
                return f"'{token.raw}' was put in place of a detail; a detail is to go, and nothing to come."
    return None


def _forms(texts: Sequence[str]) -> set[str]:
    tokens: list[Token] = [token for text in texts for token in typed_tokens(text)]
    return {token.form for token in tokens}
