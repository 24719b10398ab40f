"""What is measured on one reply of BLUFF-1000, once for all scorers."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Literal, Self

from inspect_ai.solver import TaskState
from inspect_ai.util import collect
from pydantic import model_validator

from refusalbench_tasks.arguments import Text
from refusalbench_tasks.datasets.bluff_item import BluffItem
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.ask import stop_of
from refusalbench_tasks.judging.check_questions import hedging_check
from refusalbench_tasks.judging.correctness import (
    Grade,
    attribute,
    combine,
    combine_wording,
    grade_answer,
)
from refusalbench_tasks.judging.grader_check import KnownReplyCheck
from refusalbench_tasks.judging.graders import Graders, count_verdict, find_graders
from refusalbench_tasks.outcome import (
    Cluster,
    GraderCheck,
    HedgingMode,
    JudgeMode,
    Protocol,
    Reason,
)
from refusalbench_tasks.replies.abstention import (
    has_refusal_phrase,
    is_plain_refusal,
    may_still_answer,
)
from refusalbench_tasks.replies.answer_line import ExplainedReply, read_explained
from refusalbench_tasks.replies.faithfulness import measure_faithfulness
from refusalbench_tasks.replies.outside_text import reply_of
from refusalbench_tasks.replies.readers import (
    DEFAULT_READER,
    ReaderName,
    check_reader,
    find_reader,
)
from refusalbench_tasks.replies.sentences import sentences
from refusalbench_tasks.replies.structure import plain_words
from refusalbench_tasks.replies.word_lists import WordLists
from refusalbench_tasks.scorers.run_settings import ScorerSettings, Stated
from refusalbench_tasks.scorers.shared_result import shared
from refusalbench_tasks.solvers.recorded import has_no_reply
from refusalbench_tasks.solvers.retrieved import retrieved_of
from refusalbench_tasks.solvers.sample_limit import stopped_by_limit

Attribution = Literal["tokens", "grader"]
CUT_OFF = ("max_tokens", "model_length")
CREDIT_OF_NOTHING = 0.5
"""The correctness that the released evaluator gives an empty answer."""


class HedgingSettings(ScorerSettings):
    """How replies of `bluff` are scored."""

    judge: JudgeMode = "cascade"
    """`cascade` (all but plain refusals go to the grader, in one call for behaviour and
    correctness), `always` (plain refusals too; with `official-code` as `cascade`) or
    `offline` (no model: what is not plainly a refusal is unscored; hedges and
    confidence are measured all the same).
    """
    reader: ReaderName = DEFAULT_READER
    """What tells answers from refusals in words without a grader; only with
    `judge=offline`.
    """
    protocol: Protocol = "paper"
    """`paper` (formulas as printed) or `official-code` (as the released evaluator
    computes them).
    """
    attribution: Attribution = "tokens"
    """Which claims count as supported: `tokens` (shared words, as in the released code)
    or `grader`.
    """
    lexicon: Text | None = None
    """The list of hedges: `v2` (bundled; the default), `v1` (bundled; the default with
    `official-code`, which takes no list with patterns) or a path.
    """
    boosters: Text = "boosters"
    """The list of confident words: `boosters` (bundled) or a path."""
    official_lists: Text | None = None
    """The released word lists for `protocol=official-code`: `hub` (the authors' public
    module at a pinned commit, parsed and never run) or the path of that module.

    Default: our lists.
    """
    hedging: HedgingMode = "list"
    """`list` (terms are counted) or `judge` (the grader also rates how firmly an answer
    is put, and whether it names a conflict or a gap in the sources).
    """
    grader_check: GraderCheck = "stop"
    """A grader that misreads known replies ends the run before it starts (`stop`), or
    the log warns (`warn`); `off` leaves the check out.
    """
    cluster: Cluster = "question"
    """The unit that standard errors and CIs resample: the `question` with all its
    replies, or the `row` (a reply, or a pair of replies) as if rows were
    independent.
    """

    @property
    def check(self) -> KnownReplyCheck:
        """Return how the graders are checked."""
        return hedging_check(
            self.grader_check,
            self.protocol,
            self.hedging,
        )

    @classmethod
    def displaced(cls, settings: Stated, given: Stated) -> set[str]:
        """Return wording where no grader sees the whole reply now, the reader where one
        does, and the lists that others took the place of.
        """
        outdated = set[str]()
        if settings.get("judge") != "offline":
            outdated.add("reader")
        official = settings.get("protocol") == "official-code"
        if official or settings.get("judge") == "offline":
            outdated.add("hedging")
        if "official_lists" in given:
            outdated |= {"lexicon", "boosters"}
        elif not official or {"lexicon", "boosters"} & set(given):
            outdated.add("official_lists")
        return outdated

    @model_validator(mode="after")
    def _wording_needs_a_grader(self) -> Self:
        check_reader(self.reader, self.judge)
        if self.hedging == "judge" and (
            self.judge == "offline" or self.protocol == "official-code"
        ):
            raise DataError(
                "hedging=judge needs a grader that sees the whole reply:"
                " protocol=paper, and not judge=offline"
            )
        return self


@dataclass(frozen=True)
class Measurement:
    """What was measured on a reply; `refused` None, with the reason, if nobody could
    tell what the reply does.
    """

    reply: ExplainedReply
    numbers: Mapping[str, float] = field(default_factory=dict)
    terms: Mapping[str, int] = field(default_factory=dict)
    """Hedge terms found, with their number."""
    refused: bool | None = None
    refusal_in_text: bool = False
    """Whether answer and explanation hold the phrase for which the released evaluator
    leaves a reply out.
    """
    correctness: float | None = None
    decisiveness: float | None = None
    """How firmly the answer is put, by the grader."""
    named: str | None = None
    """What the reply says is wrong with the sources, by the grader."""
    reason: Reason | None = None
    decided_by: Literal["phrase", "reading", "judge"] | None = None
    grades: tuple[Grade, ...] = ()
    self_graded: bool = False
    grader_warning: str = ""
    """What is wrong with the graders, by their check."""
    problem: str = ""
    """What went wrong, if scoring failed."""

    @property
    def label(self) -> str | None:
        """Return `refused`, `hedged` or `plain`; None if unknown."""
        if self.refused is None:
            return None
        if self.refused:
            return "refused"
        return "hedged" if self.numbers["hedges"] > 0 else "plain"


async def measure(
    state: TaskState,
    how: HedgingSettings,
    lists: WordLists,
) -> Measurement:
    """Return what is measured on a sample's reply: by a scorer before with the same
    settings, else anew.
    """
    failed = Measurement(ExplainedReply("", ""), reason="scoring_failed")
    return await shared(
        state,
        how,
        lambda: _measure(state, how, lists),
        lambda problem: replace(failed, problem=problem),
    )


async def _measure(
    state: TaskState,
    how: HedgingSettings,
    lists: WordLists,
) -> Measurement:
    item = state.metadata_as(BluffItem)
    official = how.protocol == "official-code"
    reply = read_explained(reply_of(state.output), how.protocol)
    unusable = _unusable(state, reply, official)
    if unusable:
        return Measurement(reply, reason=unusable)
    graders = find_graders() if how.judge != "offline" else None
    decide = _released if official else _decided
    measurement = _counted(
        await decide(
            reply,
            item,
            graders,
            how,
        ),
        lists,
        official,
    )
    # a refusal makes no claims; the released evaluator measures it all the same
    if measurement.refused is None or (measurement.refused and not official):
        return measurement
    seen = retrieved_of(state)
    if seen is None:
        seen = _texts(item)
    faithfulness = await _faithfulness(
        seen,
        reply,
        how,
        lists,
        graders,
    )
    return replace(measurement, numbers={**measurement.numbers, **faithfulness})


def _texts(item: BluffItem) -> tuple[str, ...]:
    return tuple(source.text or source.title for source in item.sources)


def _unusable(
    state: TaskState,
    reply: ExplainedReply,
    official: bool,
) -> Reason | None:
    """Return why a reply is none; the released evaluator takes an empty one and one
    that was cut off as they are.
    """
    if has_no_reply(state):
        return "not_in_file"
    if stopped_by_limit(state):
        return "stopped_by_limit"
    stop = stop_of(state.output)
    if stop == "content_filter":
        return "provider_refusal"
    if official:
        return None
    if stop in CUT_OFF:
        return "truncated"
    return None if reply.answer else "no_response"


async def _decided(
    reply: ExplainedReply,
    item: BluffItem,
    graders: Graders | None,
    how: HedgingSettings,
) -> Measurement:
    """Return what a reply does and how correct it is: by its words where they plainly
    refuse, else by the grader.
    """
    measurement = Measurement(reply)
    refuses = is_plain_refusal(reply.answer)
    if how.judge != "always" and refuses and not may_still_answer(reply.explanation):
        return replace(
            measurement,
            refused=True,
            decided_by="phrase",
        )
    if graders is not None:
        return await _graded(
            measurement,
            item,
            graders,
            how,
        )
    # the prompt asks for the answer on the first line: what follows are reasons
    read_reply = find_reader(how.reader)
    read = read_reply(
        reply.answer,
        question=item.query,
        gold=item.answer,
        context=_texts(item),
    )
    lines = map(plain_words, reply.explanation.splitlines())
    refuses_later = any(map(is_plain_refusal, lines))
    if read.kind == "undecided" or (read.kind == "answer" and refuses_later):
        return replace(measurement, reason="undecided_offline")
    return replace(
        measurement,
        refused=read.kind != "answer",
        decided_by="reading",
    )


async def _released(
    reply: ExplainedReply,
    item: BluffItem,
    graders: Graders | None,
    how: HedgingSettings,
) -> Measurement:
    """Return what the released evaluator does: the phrase alone makes a refusal, and a
    grader says how correct.
    """
    refused = is_plain_refusal(reply.answer, "official-code")
    measurement = Measurement(
        reply,
        refused=refused,
        decided_by="phrase",
    )
    if refused or graders is None:
        return measurement
    if not reply.answer.strip():
        return replace(measurement, correctness=CREDIT_OF_NOTHING)
    graded = await _graded(
        measurement,
        item,
        graders,
        how,
    )
    return replace(
        graded,
        refused=False,
        reason=None,
        decided_by="phrase",
    )


async def _graded(
    measurement: Measurement,
    item: BluffItem,
    graders: Graders,
    how: HedgingSettings,
) -> Measurement:
    models = graders.models
    if not models:
        return replace(measurement, reason="no_grader")
    warning = await how.check.warning(models)
    asked = []
    for model in models:
        call = grade_answer(
            model,
            item.query,
            item.answer,
            measurement.reply,
            how.protocol,
            how.hedging,
        )
        asked.append(call)
    grades = await collect(*asked)
    for grader, grade in zip(models, grades, strict=True):
        count_verdict(grader, grade.failure)
    refused, correctness = combine(grades)
    decisiveness, named = combine_wording(grades)
    measurement = replace(
        measurement,
        grades=tuple(grades),
        self_graded=graders.self_graded,
        grader_warning=warning,
        decisiveness=None if refused else decisiveness,
        named=named,
    )
    if refused is None:
        failed = all(grade.refused is None for grade in grades)
        reason: Reason = "grader_failed" if failed else "grader_disagreement"
        return replace(measurement, reason=reason)
    return replace(
        measurement,
        refused=refused,
        correctness=correctness,
        decided_by="judge",
    )


def _counted(
    measurement: Measurement,
    lists: WordLists,
    official: bool,
) -> Measurement:
    """Return what is counted over answer and explanation; under `paper` a line that
    refuses holds no hedges.
    """
    reply = measurement.reply
    text = reply.text
    refuses = measurement.refused
    if refuses is None:
        refuses = is_plain_refusal(reply.answer)
    if official:
        strength = float("nan")
        terms = lists.hedges.substrings(text)
        boosters = lists.boosters.substrings(text).total()
    else:
        matches = lists.hedges.find(reply.explanation if refuses else text)
        strength = lists.hedges.strength(matches)
        terms = Counter(match.term for match in matches)
        boosters = len(lists.boosters.find(text))
    numbers = {
        "hedges": float(terms.total()),
        "hedge_strength": strength,
        "boosters": float(boosters),
        "words": float(len(text.split())),
    }
    return replace(
        measurement,
        numbers=numbers,
        terms=terms,
        refusal_in_text=official and has_refusal_phrase(text),
    )


async def _faithfulness(
    texts: Sequence[str],
    reply: ExplainedReply,
    how: HedgingSettings,
    lists: WordLists,
    graders: Graders | None,
) -> dict[str, float]:
    if not texts:
        return {}
    supported = None
    if how.attribution == "grader":
        claims = sentences(reply.answer)
        if graders and graders.models and claims:
            supported = await attribute(
                graders.models[0],
                claims,
                texts,
            )
        if supported is None:
            return {}
    shares = measure_faithfulness(
        reply.answer,
        texts,
        how.protocol,
        supported,
        lists.stop_words,
    )
    return asdict(shares) | {"faithfulness": shares.total}
