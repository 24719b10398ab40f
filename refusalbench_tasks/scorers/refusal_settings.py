"""How replies of the refusal kind are scored."""

from typing import Annotated, Self

from pydantic import BeforeValidator, model_validator

from refusalbench_tasks.arguments import Switch, Text
from refusalbench_tasks.errors import DataError
from refusalbench_tasks.judging.check_questions import refusal_check
from refusalbench_tasks.judging.grader_check import KnownReplyCheck
from refusalbench_tasks.judging.grounding import Raf
from refusalbench_tasks.outcome import Cluster, GraderCheck, JudgeMode, Protocol
from refusalbench_tasks.prompting.released_files import is_released
from refusalbench_tasks.replies.decision import ReplySettings
from refusalbench_tasks.replies.readers import (
    DEFAULT_READER,
    ReaderName,
    check_reader,
)
from refusalbench_tasks.replies.reading import load_phrases
from refusalbench_tasks.scorers.run_settings import ScorerSettings, Stated

OURS = "ours"


def _phrases(refusals: object) -> object:
    """Return the phrases of a file, each with the end of its line; text that has ends
    of lines is no name of a file, but the phrases that a log remembers, and empty text
    is none of them.
    """
    if not isinstance(refusals, str) or not refusals or "\n" in refusals:
        return refusals
    return "".join(f"{phrase}\n" for phrase in load_phrases(refusals))


Phrases = Annotated[str, BeforeValidator(_phrases, json_schema_input_type=str)]


class RefusalScoring(ScorerSettings):
    """How replies of a task of the refusal kind are scored: what the task and its
    scorers take alike.
    """

    confidence: Switch = False
    """Ask for one of five confidence levels with every reply, and measure calibration.
    """
    judge: JudgeMode = "cascade"
    """`cascade` (parse first, judge the rest), `always` (judge every reply), `offline`
    (no model).
    """
    protocol: Protocol = "paper"
    """`paper` (formulas as printed) or `official-code` (as the released code computes
    them).
    """
    judge_prompt: Text = OURS
    """The grader's prompt: `ours`, `official` (the authors' prompt, fetched), or the
    path of their file (`.py`) or of its folder.
    """
    codes: Switch = True
    """Ask for refusal codes; `false` for an application without them: only answer and
    refusal are told apart.
    """
    grader_check: GraderCheck = "stop"
    """A grader that misreads known replies ends the run before it starts (`stop`), or
    the log warns (`warn`); `off` leaves the check out.
    """
    refusals: Phrases | None = None
    """A file of your system's refusal phrases, one per line; only with `judge=offline`.
    """
    reader: ReaderName = DEFAULT_READER
    """What tells answers from refusals in words without a grader; only with
    `judge=offline`.
    """
    raf: Raf = "reply"
    """`reply` (one judgement of an answer's factuality) or `claims` (one per sentence
    of it); `garage` only.
    """
    cluster: Cluster = "question"
    """The unit that standard errors and CIs resample: the base `question`, or the `row`
    as if rows were independent.
    """

    @classmethod
    def displaced(cls, settings: Stated, given: Stated) -> set[str]:
        """Return phrases of refusal, and the reader, where a grader reads all words
        now.
        """
        offline = settings.get("judge") == "offline"
        return set() if offline else {"refusals", "reader"}

    @model_validator(mode="after")
    def _go_together(self) -> Self:
        if self.protocol == "official-code" and not self.codes:
            raise DataError(
                "codes=false: the released code knows no replies without codes; use"
                " protocol=paper"
            )
        judge_prompt = self.judge_prompt
        if not self.codes and judge_prompt != OURS:
            raise DataError(
                "codes=false: the released prompts ask for codes; leave out"
                " judge_prompt="
            )
        if self.refusals and self.judge != "offline":
            raise DataError(
                "refusals: only with judge=offline; a grader reads all words"
            )
        check_reader(self.reader, self.judge)
        if judge_prompt != OURS and not is_released(judge_prompt):
            raise DataError(
                "judge_prompt: expected ours, official, a .py file or its folder, got"
                f" '{judge_prompt}'"
            )
        if judge_prompt != OURS and self.raf == "claims":
            raise DataError(
                "judge_prompt: the released judge sees the reply as a whole; leave out"
                " raf=claims"
            )
        return self


class DecisionSettings(RefusalScoring):
    """How replies are decided: as is asked for, and as the data set is."""

    grounded: Switch = False
    """Grade answers against the passages, which are numbered, instead of gold aliases.
    """

    @property
    def hears_clarifications(self) -> bool:
        """Return whether it is told which refusals ask back: not by a released prompt,
        which has no such kind.
        """
        return self.judge == "offline" or self.judge_prompt == OURS

    @property
    def check(self) -> KnownReplyCheck:
        """Return how the graders are checked."""
        released = None if self.judge_prompt == OURS else self.judge_prompt
        return refusal_check(
            self.grader_check,
            self.codes,
            self.grounded,
            released,
        )

    @property
    def reading(self) -> ReplySettings:
        """Return how replies are read before a grader is asked."""
        return ReplySettings(
            self.judge,
            self.confidence,
            self.codes,
            self.phrases,
            self.reader,
        )

    @property
    def phrases(self) -> list[str]:
        """Return the phrases by which a system refuses, for `judge=offline`, which else
        reads by its bundled model.
        """
        return (self.refusals or "").splitlines()
