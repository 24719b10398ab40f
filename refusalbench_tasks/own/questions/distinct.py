"""Which accepted questions are kept: each once, none with two answers, and kinds in balance."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from refusalbench_tasks.datasets.turns import rank, take_turns
from refusalbench_tasks.own.questions.question_logs import Accepted
from refusalbench_tasks.own.questions.same import nearly_same
from refusalbench_tasks.replies.plain_text import plain_text


@dataclass(frozen=True)
class DistinctQuestions:
    """The questions that are left, and how many were left out: repeats, and questions with more than one answer."""

    items: tuple[Accepted, ...]
    repeats: int
    conflicts: int


def distinct_questions(items: Sequence[Accepted]) -> DistinctQuestions:
    """Return each question once.

    Where the same words ask for different answers in two places, no reader can know which is meant: both are left out.
    Of questions with an answer in common that are nearly the same (`nearly_same`) the first by id is kept.
    """
    asked: dict[str, list[Accepted]] = defaultdict(list)
    for item in sorted(items, key=lambda one: one.question.id):
        asked[plain_text(item.question.question)].append(item)
    clear = [group for group in asked.values() if all(_shared(group[0], other) for other in group)]
    kept: list[Accepted] = []
    by_answer: dict[str, list[Accepted]] = defaultdict(list)
    for item in (group[0] for group in clear):
        answers = {plain_text(answer) for answer in item.question.answers}
        rivals = [other for answer in answers for other in by_answer[answer]]
        if any(nearly_same(item.question.question, other.question.question) for other in rivals):
            continue
        kept.append(item)
        for answer in answers:
            by_answer[answer].append(item)
    in_clear = sum(map(len, clear))
    return DistinctQuestions(tuple(kept), in_clear - len(kept), len(items) - in_clear)


def balanced_kinds(items: Sequence[Accepted], per_kind: int | None, seed: int) -> list[Accepted]:
    """Return at most so many questions of each kind, drawn by seed with the documents taking turns; None keeps all."""
    if per_kind is None:
        return list(items)
    kinds: dict[str, dict[str, list[Accepted]]] = defaultdict(lambda: defaultdict(list))
    for item in sorted(items, key=lambda one: rank(one.question.id, seed)):
        kinds[item.question.kind.value][item.chunk.doc_id].append(item)
    drawn: list[Accepted] = []
    for name in sorted(kinds):
        documents = sorted(kinds[name], key=lambda doc: rank(f"{name}|{doc}", seed))
        drawn += take_turns([kinds[name][doc] for doc in documents])[:per_kind]
    return sorted(drawn, key=lambda one: one.question.id)


def _shared(one: Accepted, other: Accepted) -> bool:
    mine, theirs = ({plain_text(answer) for answer in item.question.answers} for item in (one, other))
    return bool(mine & theirs)
