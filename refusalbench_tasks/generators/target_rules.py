"""Rules on what a candidate may change and what it must."""

from refusalbench_tasks.generators.case import Case
from refusalbench_tasks.generators.levers import Strategy, Target


def nothing_changed(case: Case) -> str | None:
    """Something must differ from the original."""
    return None if case.query_changed or case.changed else "Neither the question nor a passage was changed."


def wrong_lever(case: Case) -> str | None:
    """The lever must be the planned one, or one of the cell's where the writer chooses."""
    if case.slot.lever is not None and case.candidate.lever.casefold() != case.slot.lever.casefold():
        return f"The lever must be '{case.slot.lever}'."
    return None if case.lever else "The lever is not one of the list."


def bad_passage_number(case: Case) -> str | None:
    """Every edit must name an existing passage, once."""
    wrong = ", ".join(map(str, case.candidate.out_of_range))
    return f"These passage numbers do not exist or occur twice: {wrong}." if wrong else None


def question_changed(case: Case) -> str | None:
    """The question must stay as it is where the lever acts on passages only."""
    fixed = _single(case) == "context" if not case.slot.multi else _multi(case) in ("one_noise", "all_signal")
    return "The question must stay exactly as it was." if fixed and case.query_changed else None


def question_unchanged(case: Case) -> str | None:
    """The question must change where the lever acts on it alone."""
    needed = (_multi(case) if case.slot.multi else _single(case)) == "query"
    return "The question must be changed." if needed and not case.query_changed else None


def passages_changed(case: Case) -> str | None:
    """Passages that the lever does not act on must stay as they are."""
    if not case.slot.multi:
        return "The passage must stay exactly as it was." if _single(case) == "query" and case.changed else None
    wrong = sorted(k + 1 for k in case.changed - _allowed(case))
    return f"These passages must stay exactly as they were: {', '.join(map(str, wrong))}." if wrong else None


def passages_unchanged(case: Case) -> str | None:
    """Every passage that the lever acts on must change: the passage, one of the noise, or all of the signal."""
    if not case.slot.multi:
        return "The passage must be changed." if _single(case) == "context" and not case.changed else None
    strategy, signal = _multi(case), set(case.base.signal)
    if strategy == "one_noise" and len(case.changed) != 1:
        return "Exactly one passage that does not bear on the question must be changed."
    missing = sorted(k + 1 for k in signal - case.changed)
    if strategy == "all_signal" and missing:
        return f"These passages must be changed too: {', '.join(map(str, missing))}."
    return None


def _single(case: Case) -> Target | None:
    return case.lever.single if case.lever else None


def _multi(case: Case) -> Strategy | None:
    return case.lever.multi if case.lever else None


def _allowed(case: Case) -> set[int]:
    every, signal = set(range(len(case.base.passages))), set(case.base.signal)
    by_strategy: dict[Strategy | None, set[int]] = {
        "query": set(),
        "one_noise": every - signal,
        "all_signal": signal,
        "query_and_signal": signal,
    }
    return by_strategy.get(_multi(case), every)
