"""What is measured on one reply of BLUFF-1000, once for all scorers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal
from weakref import WeakKeyDictionary

from inspect_ai.solver import TaskState
from inspect_ai.util import collect

from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import CallFailed, stop_of
from refusalbench_tasks.judging.attribution import attribute
from refusalbench_tasks.judging.correctness import Grade, combine, combine_wording, grade_answer
from refusalbench_tasks.judging.graders import Graders, find_graders
from refusalbench_tasks.outcome import HedgingMode, JudgeMode, Protocol
from refusalbench_tasks.replies.abstention import has_refusal_phrase, is_plain_refusal, may_answer
from refusalbench_tasks.replies.explained import ExplainedReply, read_explained
from refusalbench_tasks.replies.faithfulness import measure_faithfulness
from refusalbench_tasks.replies.outside_text import problem_of, reply_of
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.replies.word_lists import WordLists
from refusalbench_tasks.solvers.recorded import has_no_reply
from refusalbench_tasks.solvers.retrieved import retrieved_of

Attribution = Literal["tokens", "grader"]
NAN = float("nan")


@dataclass(frozen=True)
class MeasureSettings:
    """How replies are measured."""

    judge: JudgeMode
    protocol: Protocol
    attribution: Attribution
    lists: WordLists
    hedging: HedgingMode = "list"


@dataclass(frozen=True)
class Measurement:
    """What was measured on a reply; `refused` None, with the reason, if nobody could tell what the reply does."""

    reply: ExplainedReply
    numbers: Mapping[str, float] = field(default_factory=dict)
    terms: Mapping[str, int] = field(default_factory=dict)
    """Hedge terms found, with their number."""
    refused: bool | None = None
    refusal_in_text: bool = False
    """Whether answer and explanation hold the phrase for which the released evaluator leaves a reply out."""
    correctness: float | None = None
    decisiveness: float | None = None
    """How firmly the answer is put, by the grader."""
    named: str | None = None
    """What the reply says is wrong with the sources, by the grader."""
    reason: str | None = None
    decided_by: Literal["phrase", "judge"] | None = None
    grades: tuple[Grade, ...] = ()
    self_graded: bool = False
    problem: str = ""
    """What went wrong, if scoring failed."""

    @property
    def label(self) -> str | None:
        """Return `refused`, `hedged` or `plain`; None if unknown."""
        if self.refused is None:
            return None
        return "refused" if self.refused else "hedged" if self.numbers["hedges"] > 0 else "plain"


_MEASURED: WeakKeyDictionary[TaskState, list[tuple[MeasureSettings, Measurement]]] = WeakKeyDictionary()
# As in `decision`: two scorers, one grader call, and nothing trusted that a log's stored state says.


async def measure(state: TaskState, how: MeasureSettings) -> Measurement:
    """Return what is measured on a sample's reply; asked twice for one state, it is measured once."""
    measurements = _MEASURED.setdefault(state, [])
    for known, measured in measurements:
        if known == how:
            return measured
    try:
        measurement = await _measure(state, how)
    except CallFailed as failed:
        raise failed.error from None
    except DataError:
        raise
    except Exception as error:
        # one text that our own code cannot take costs its row, never the run
        measurement = Measurement(ExplainedReply("", ""), reason="scoring_failed", problem=problem_of(error))
    measurements.append((how, measurement))
    return measurement


async def _measure(state: TaskState, how: MeasureSettings) -> Measurement:
    item = state.metadata_as(BluffItem)
    reply = read_explained(reply_of(state.output), how.protocol)
    unusable = _unusable(state, reply)
    if unusable:
        return Measurement(reply, reason=unusable)
    measurement = _counted(reply, how)
    official = how.protocol == "official-code"
    graders = find_graders() if how.judge != "offline" else None
    plain = is_plain_refusal(reply.answer, how.protocol) and (official or not may_answer(reply.explanation))
    if plain and (official or how.judge != "always"):
        measurement = replace(measurement, refused=True, decided_by="phrase")
    elif official:
        # there the phrase alone makes a refusal, so a grader only says how correct an answer is
        graded = await _graded(measurement, item, graders, how) if graders else measurement
        measurement = replace(graded, refused=False, reason=None, decided_by="phrase")
    elif graders is None:
        measurement = replace(measurement, reason="undecided_offline")
    else:
        measurement = await _graded(measurement, item, graders, how)
    # A refusal makes no claims; the released evaluator measures it all the same.
    if measurement.refused is False or (measurement.refused is not None and official):
        retrieved = retrieved_of(state)
        seen = [source.text or source.title for source in item.sources] if retrieved is None else retrieved
        measurement = replace(
            measurement, numbers={**measurement.numbers, **await _faithfulness(seen, reply, how, graders)}
        )
    return measurement


async def _graded(measurement: Measurement, item: BluffItem, graders: Graders, how: MeasureSettings
                  ) -> Measurement:  # fmt: skip
    if not graders.models:
        return replace(measurement, reason="no_grader")
    grades = await collect(
        *(
            grade_answer(model, item.query, item.answer, measurement.reply, how.protocol, how.hedging)
            for model in graders.models
        )
    )
    refused, correctness = combine(grades)
    decisiveness, named = combine_wording(grades)
    failed = all(grade.refused is None for grade in grades)
    return replace(
        measurement,
        refused=refused,
        correctness=correctness,
        decisiveness=None if refused else decisiveness,
        named=named,
        reason=None if refused is not None else "grader_failed" if failed else "grader_disagreement",
        decided_by=None if refused is None else "judge",
        grades=tuple(grades),
        self_graded=graders.self_graded,
    )


def _unusable(state: TaskState, reply: ExplainedReply) -> str | None:
    if has_no_reply(state):
        return "no_reply"
    stop = stop_of(state.output)
    if stop == "content_filter":
        return "provider_refusal"
    if stop in ("max_tokens", "model_length"):
        return "truncated"
    return None if reply.answer else "no_response"


def _counted(reply: ExplainedReply, how: MeasureSettings) -> Measurement:
    """Return what is counted over answer and explanation, by the protocol."""
    text, lists, official = reply.text, how.lists, how.protocol == "official-code"
    if official:
        terms, boosters = lists.hedges.substrings(text), lists.boosters.count_substrings(text)
        strength = NAN
    else:
        matches, boosters = lists.hedges.find(text), lists.boosters.count(text)
        terms, strength = Counter(match.term for match in matches), lists.hedges.strength(matches)
    numbers = {
        "hedges": float(terms.total()),
        "hedge_strength": strength,
        "boosters": float(boosters),
        "words": float(len(text.split())),
    }
    return Measurement(reply, numbers, terms, refusal_in_text=official and has_refusal_phrase(text))


async def _faithfulness(
    texts: Sequence[str], reply: ExplainedReply, how: MeasureSettings, graders: Graders | None
) -> dict[str, float]:
    if not texts:
        return {}
    supported = None
    if how.attribution == "grader":
        claims = sentences(reply.answer)
        supported = await attribute(graders.models[0], claims, texts) if graders and graders.models and claims else None
        if supported is None:
            return {}
    shares = measure_faithfulness(reply.answer, texts, how.protocol, supported, how.lists.stop_words)
    return {
        "overlap": shares.overlap,
        "attribution": shares.attribution,
        "hallucination": shares.hallucination,
        "grounding": shares.grounding,
        "faithfulness": shares.total,
    }
