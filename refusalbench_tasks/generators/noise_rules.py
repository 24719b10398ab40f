"""The rule that a change of a passage that does not bear on the question touches what is asked."""

from itertools import pairwise

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.case_texts import sentences_new
from refusalbench_tasks.generators.kit.text.content_words import content_words, is_content
from refusalbench_tasks.generators.kit.text.typed_tokens import typed_tokens
from refusalbench_tasks.generators.rewording import matched
from refusalbench_tasks.generators.target_rules import new_part
from refusalbench_tasks.generators.values import is_near
from refusalbench_tasks.taxonomy import Intensity

_ROUNDED = 0.05
"""How far a measure that is told again, rounded, may be from the exact one."""
_HALF = 0.5


def unrelated_change(case: Case) -> str | None:
    """What is new in a passage that does not bear on the question must speak of what the question asks about.

    It must share a content word with the question, and the whole passage two, or one if the question has no more
    than two. If the question names something, so does the passage, or a new sentence has half of the question's words.
    At LOW a name from the passages that bear on it is enough: the title of the person who vouches; so is a measure
    once more, in the unit that the passage had it in.
    """
    if case.target != "one_noise" or len(case.rewritten) != 1:
        return None
    [k] = case.rewritten
    asked = content_words(case.base.query)
    new = matched(asked, new_part(case.base.passages[k], case.candidate.passages[k]))
    names = {token.form for token in typed_tokens(case.base.query) if token.is_name and not token.opens}
    told = content_words(case.candidate.passages[k])
    if case.slot.intensity is Intensity.LOW and (
        not _said_of(case, k).isdisjoint(_names_of_signal(case)) or _measured_again(case, k)
    ):
        return None
    named = not names or not told.isdisjoint(names | _of_names(case.base.query))
    named = named or any(matched(asked, one) >= _HALF * len(asked) for one in sentences_new(case, k))
    if not asked or (named and new and matched(asked, case.candidate.passages[k]) >= min(2, max(1, len(asked) - 1))):
        return None
    return f"Passage {k + 1} must clash with the others on what the question asks about; its change does not touch it."


def _said_of(case: Case, k: int) -> frozenset[str]:
    """Return the words of matter that a changed passage has more than before."""
    return content_words(case.candidate.passages[k]) - content_words(case.base.passages[k])


def _measured_again(case: Case, k: int) -> bool:
    """Whether a passage that kept its text has a measure more, in a unit it had one in: 350 kg beside 352 kg."""
    old, new = (
        [one for one in typed_tokens(text) if one.kind == "quantity"]
        for text in (case.base.passages[k], case.candidate.passages[k])
    )
    return len(new) > len(old) and any(
        one.unit == other.unit and is_near(one.size, other.size, _ROUNDED) for one in new[len(old) :] for other in old
    )


def _names_of_signal(case: Case) -> set[str]:
    """Return the names in the passages that bear on the question."""
    tokens = [token for k in case.base.signal for token in typed_tokens(case.base.passages[k])]
    return {token.form for token in tokens if token.is_name and not token.opens}


def _of_names(question: str) -> frozenset[str]:
    """Return the nouns that stand right behind a name: "the ropeworks" is what "the Otterfield ropeworks" are."""
    pairs = pairwise(typed_tokens(question))
    return frozenset(
        two.form for one, two in pairs if one.is_name and not one.opens and not two.apart and is_content(two)
    )
