"""What is new in the passages of a case, sentence by sentence."""

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.replies.sentences import sentences


def sentences_new(case: Case, k: int) -> list[str]:
    """Return the sentences of a changed passage that the original does not have."""
    known = set(sentences(case.base.passages[k]))
    return [one for one in sentences(case.candidate.passages[k]) if one not in known]


def sentences_gone(case: Case, k: int) -> list[str]:
    """Return the sentences of an original passage that were changed or dropped: what stands in them is no new value."""
    new = set(sentences(case.candidate.passages[k]))
    return [one for one in sentences(case.base.passages[k]) if one not in new]


def all_new(case: Case) -> list[str]:
    """Return the new sentences of all passages that changed."""
    return [one for k in sorted(case.rewritten) for one in sentences_new(case, k)]


def all_new_with_ground(case: Case) -> list[str]:
    """Return the new sentences of all passages, the sentence that was added for the premise among them."""
    before = {one for text in case.base.passages for one in sentences(text)}
    return [one for text in case.candidate.passages for one in sentences(text) if one not in before]
